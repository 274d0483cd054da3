package fakemcp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Main plays the script of the environment and returns the exit code. Without
// a script it returns false at once, and the test binary goes on as such:
//
//	func TestMain(m *testing.M) {
//		if code, played := fakemcp.Main(); played {
//			os.Exit(code)
//		}
//		…
func Main() (code int, played bool) {
	text, ok := os.LookupEnv(ScriptVar)
	if !ok {
		return 0, false
	}
	var s Script
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		fmt.Fprintln(os.Stderr, "fakemcp: bad script:", err)
		return 2, true
	}
	p := &player{script: s, tools: s.Tools}
	return p.play(), true
}

type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params,omitempty"`
}

// player is one run of a script.
type player struct {
	script Script
	// state of the handshake: "", "asked", "ready". Only play touches it.
	state string
	calls sync.WaitGroup
	// stopped says that nothing is read any more.
	stopped atomic.Bool

	mu    sync.Mutex
	tools []Tool // guarded by mu, like writing to stdout and the journal
}

func (p *player) play() int {
	p.journal(fmt.Sprintf(`{"started":%d}`, os.Getpid()))
	for _, line := range p.script.Stderr {
		fmt.Fprintln(os.Stderr, line)
	}
	for _, line := range p.script.Garbage {
		p.print(line)
	}
	if code := p.script.ExitAtStart; code != nil {
		return *code
	}
	for range p.script.Children {
		child := exec.Command("sleep", "1000")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			fmt.Fprintln(os.Stderr, "fakemcp:", err)
			return 2
		}
	}
	if p.script.Stubborn {
		signal.Ignore(syscall.SIGTERM)
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			break
		}
		p.journal(strings.TrimSpace(line))
		var m message
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			p.complain(nil, "not JSON: "+err.Error())
			continue
		}
		p.handle(m)
		if p.stopped.Load() || p.script.Deaf && p.state == "ready" {
			forever()
		}
	}
	if p.script.Stubborn {
		forever()
	}
	return 0
}

// forever waits for the end; a bare select would count as a deadlock.
func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

func (p *player) handle(m message) {
	switch m.Method {
	case "initialize":
		if p.state != "" {
			p.complain(m.ID, "initialize came twice")
			return
		}
		p.state = "asked"
		p.initialize(m)
		return
	case "notifications/initialized":
		p.state = "ready"
		return
	case "ping":
		p.answer(m.ID, struct{}{})
		return
	}
	if p.state != "ready" {
		p.complain(m.ID, m.Method+" came before the handshake was done")
		return
	}
	switch m.Method {
	case "tools/list":
		p.list(m)
	case "tools/call":
		p.calls.Go(func() { p.call(m) })
	case "resources/list", "resources/templates/list", "resources/read":
		p.resources(m)
	default:
		if m.ID != nil {
			p.fail(m.ID, -32601, "no method "+m.Method)
		}
	}
}

func (p *player) initialize(m message) {
	var params struct {
		ProtocolVersion string
		ClientInfo      struct{ Name, Version string }
		Capabilities    map[string]any
	}
	if err := json.Unmarshal(m.Params, &params); err != nil || params.ProtocolVersion == "" ||
		params.ClientInfo.Name == "" || params.Capabilities == nil {
		p.complain(m.ID, "initialize without version, capabilities or client")
		return
	}
	for p.script.SilentUntil != "" {
		if _, err := os.Stat(p.script.SilentUntil); err == nil {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	capabilities := map[string]any{"tools": map[string]any{"listChanged": true}}
	if p.script.Resources != nil || p.script.Templates != nil {
		capabilities["resources"] = map[string]any{}
	}
	p.answer(m.ID, map[string]any{
		"protocolVersion": or(p.script.Protocol, "2024-11-05"),
		"capabilities":    capabilities,
		"serverInfo":      map[string]any{"name": or(p.script.Name, "fake"), "version": "1.2.3"},
		"instructions":    p.script.Instructions,
	})
}

func (p *player) list(m message) {
	var params struct{ Cursor string }
	_ = json.Unmarshal(m.Params, &params)
	from, _ := strconv.Atoi(params.Cursor)
	p.mu.Lock()
	all := p.tools
	p.mu.Unlock()
	to := len(all)
	result := map[string]any{}
	if size := p.script.PageSize; size > 0 && from+size < to {
		to = from + size
		result["nextCursor"] = strconv.Itoa(to)
	}
	if p.script.LoopCursor {
		result["nextCursor"] = strconv.Itoa(p.script.PageSize)
	}
	shown := []map[string]any{}
	for _, t := range all[from:to] {
		tool := map[string]any{"name": t.Name, "description": t.Description, "inputSchema": t.Schema}
		if t.Schema == nil {
			tool["inputSchema"] = map[string]any{"type": "object", "properties": map[string]any{}}
		}
		if t.Annotations != nil {
			tool["annotations"] = t.Annotations
		}
		shown = append(shown, tool)
	}
	result["tools"] = shown
	p.answer(m.ID, result)
	if p.script.Restless {
		p.notify("notifications/tools/list_changed", map[string]any{})
	}
}

func (p *player) resources(m message) {
	var params struct{ URI string }
	_ = json.Unmarshal(m.Params, &params)
	switch {
	case p.script.Resources == nil && p.script.Templates == nil:
		p.complain(m.ID, m.Method+" though no resources were announced")
	case m.Method == "resources/list":
		list := []map[string]any{}
		for _, r := range p.script.Resources {
			list = append(list, map[string]any{"uri": r.URI, "name": r.Name, "mimeType": r.MimeType})
		}
		p.answer(m.ID, map[string]any{"resources": list})
	case m.Method == "resources/templates/list":
		list := []map[string]any{}
		for _, r := range p.script.Templates {
			list = append(list, map[string]any{"uriTemplate": r.URI, "name": r.Name, "mimeType": r.MimeType})
		}
		p.answer(m.ID, map[string]any{"resourceTemplates": list})
	default:
		for _, r := range p.script.Resources {
			if r.URI == params.URI {
				p.answer(m.ID, map[string]any{"contents": []any{r.contents()}})
				return
			}
		}
		p.fail(m.ID, -32002, "no resource "+params.URI)
	}
}

func (r Resource) contents() map[string]any {
	c := map[string]any{"uri": r.URI, "mimeType": r.MimeType}
	if r.Blob != nil {
		c["blob"] = r.Blob
	} else {
		c["text"] = r.Text
	}
	return c
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
