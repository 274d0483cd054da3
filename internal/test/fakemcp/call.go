package fakemcp

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

func (p *player) call(m message) {
	var params struct {
		Name      string
		Arguments json.RawMessage
		Meta      struct{ ProgressToken any } `json:"_meta"`
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(m.Params, &params); err != nil || json.Unmarshal(params.Arguments, &object) != nil {
		p.complain(m.ID, "tools/call without a name or an object of arguments")
		return
	}
	p.mu.Lock()
	i := slices.IndexFunc(p.tools, func(t Tool) bool { return t.Name == params.Name })
	var t Tool
	if i >= 0 {
		t = p.tools[i]
	}
	p.mu.Unlock()
	if i < 0 {
		p.fail(m.ID, -32602, "unknown tool "+params.Name)
		return
	}
	for _, line := range t.Stderr {
		fmt.Fprintln(os.Stderr, line)
	}
	for n, text := range t.Progress {
		p.notify("notifications/progress", map[string]any{
			"progressToken": params.Meta.ProgressToken, "progress": n + 1, "total": len(t.Progress), "message": text,
		})
	}
	if t.NewTools != nil {
		p.mu.Lock()
		p.tools = t.NewTools
		p.mu.Unlock()
		p.notify("notifications/tools/list_changed", map[string]any{})
	}
	switch {
	case t.Exit != nil:
		os.Exit(*t.Exit)
	case t.CloseOutput:
		_ = os.Stdout.Close()
	case t.Stop:
		p.stopped.Store(true)
	case t.Hang:
	default:
		p.result(m, t, params.Arguments)
	}
}

func (p *player) result(m message, t Tool, arguments json.RawMessage) {
	text := t.Text
	switch {
	case t.Raw != nil:
		p.answer(m.ID, t.Raw)
		return
	case t.Fail != "":
		p.fail(m.ID, -32000, t.Fail)
		return
	case t.Content != nil:
		p.answer(m.ID, map[string]any{"content": t.Content, "isError": t.IsError})
		return
	case t.Huge > 0:
		text = strings.Repeat("0123456789abcde\n", t.Huge/16+1)[:t.Huge]
	case t.Env:
		env := os.Environ()
		slices.Sort(env)
		text = strings.Join(env, "\n")
	case text == "":
		text = string(arguments)
	}
	p.answer(m.ID, map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}, "isError": t.IsError})
}

func (p *player) answer(id json.RawMessage, result any) {
	p.send(map[string]any{"jsonrpc": "2.0", "id": id, "result": result})
}

func (p *player) fail(id json.RawMessage, code int, text string) {
	p.send(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": text}})
}

func (p *player) notify(method string, params any) {
	p.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// complain answers what a client that keeps the protocol never gets to see,
// and leaves a mark in the journal.
func (p *player) complain(id json.RawMessage, text string) {
	p.journal(fmt.Sprintf(`{"complaint":%q}`, text))
	fmt.Fprintln(os.Stderr, "fakemcp: "+text)
	if id != nil {
		p.fail(id, -32600, text)
	}
}

func (p *player) send(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fakemcp:", err)
		return
	}
	p.print(string(b))
}

// print writes one line to stdout.
func (p *player) print(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = os.Stdout.WriteString(line + "\n")
}

func (p *player) journal(line string) {
	if p.script.Journal == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	f, err := os.OpenFile(p.script.Journal, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fakemcp:", err)
		return
	}
	_, _ = f.WriteString(line + "\n")
	_ = f.Close()
}
