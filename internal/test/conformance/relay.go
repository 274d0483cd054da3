package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"sync"
)

// relayArg makes this program a relay: what a front starts as its clined. It
// passes messages on between the front and the real one, notes them, and does
// to them what a check wants. The next argument is the path of its plan.
const relayArg = "relay"

// plan is what a relay is to do.
type plan struct {
	// Binary is the real clined, Env its whole environment.
	Binary string   `json:"binary"`
	Env    []string `json:"env"`
	// Control is the address where the relay is told to kill its clined.
	Control string `json:"control"`
	// Wire is the file that gets every message, Log what clined says on
	// standard error.
	Wire string `json:"wire"`
	Log  string `json:"log"`
	// Protocol, if not 0, is the only version that the front is made to speak.
	Protocol int `json:"protocol,omitempty"`
	// News mixes events of a type among the others that nobody knows yet.
	News bool `json:"news,omitempty"`
}

// relay is a running one.
type relay struct {
	plan plan
	cmd  *exec.Cmd

	mu   sync.Mutex // guards wire
	wire *json.Encoder
}

// relayMain runs a relay and returns the exit code of its clined.
func relayMain(planFile string, args []string) (int, error) {
	r := &relay{}
	raw, err := os.ReadFile(planFile)
	if err == nil {
		err = json.Unmarshal(raw, &r.plan)
	}
	if err != nil {
		return 2, err
	}
	wire, err := os.OpenFile(r.plan.Wire, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return 2, err
	}
	log, err := os.OpenFile(r.plan.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return 2, err
	}
	r.wire = json.NewEncoder(wire)
	r.wire.SetEscapeHTML(false)
	r.cmd = exec.Command(r.plan.Binary, args...)
	r.cmd.Env, r.cmd.Stderr = r.plan.Env, log
	return r.run()
}

func (r *relay) run() (int, error) {
	in, err := r.cmd.StdinPipe()
	if err != nil {
		return 2, err
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		return 2, err
	}
	control, err := net.Dial("tcp", r.plan.Control)
	if err != nil {
		return 2, err
	}
	if err := r.cmd.Start(); err != nil {
		return 2, err
	}
	go r.obey(control)
	fromFront := &frames{r: bufio.NewReader(os.Stdin)}
	go func() {
		_ = r.pass("front", fromFront, in, r.toClined) // ends with either side
		_ = in.Close()
	}()
	news := &news{wanted: r.plan.News}
	passed := r.pass("clined", &frames{r: bufio.NewReader(out)}, os.Stdout, news.after)
	var exit *exec.ExitError
	if err := r.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return 2, err
	}
	if errors.Is(passed, io.EOF) {
		passed = nil
	}
	return max(r.cmd.ProcessState.ExitCode(), 0), passed
}

// obey kills clined at the first word.
func (r *relay) obey(control io.Reader) {
	if _, err := control.Read(make([]byte, 1)); err == nil {
		_ = r.cmd.Process.Kill() // it may be gone already
	}
}

// pass hands messages on until one side ends; change makes one message any number.
func (r *relay) pass(from string, f *frames, to io.Writer, change func([]byte) ([][]byte, error)) error {
	for {
		body, err := f.next()
		if err != nil {
			return err
		}
		bodies, err := change(body)
		if err != nil {
			return fmt.Errorf("from %s: %w: %.200s", from, err, body)
		}
		for _, b := range bodies {
			if err := r.note(from, b); err != nil {
				return err
			}
			if err := frame(to, b, f.lines); err != nil {
				return err
			}
		}
	}
}

func (r *relay) note(from string, body []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.wire.Encode(map[string]any{"from": from, "message": json.RawMessage(body)})
}

// toClined makes the front speak another version of the protocol.
func (r *relay) toClined(body []byte) ([][]byte, error) {
	if r.plan.Protocol == 0 {
		return [][]byte{body}, nil
	}
	var m map[string]any
	if err := json.Unmarshal(body, &m); err != nil || m["method"] != "initialize" {
		return [][]byte{body}, err
	}
	own := m
	for _, key := range []string{"params", "capabilities", "experimental", "clined"} {
		next, ok := own[key].(map[string]any)
		if !ok {
			return nil, fmt.Errorf("initialize has no %q on the way to the protocol's version", key)
		}
		own = next
	}
	own["protocol"] = map[string]any{"min": r.plan.Protocol, "max": r.plan.Protocol}
	body, err := json.Marshal(m)
	return [][]byte{body}, err
}

// news puts an event of a type that does not exist yet behind each state event,
// and numbers the events anew so that all rise.
type news struct {
	wanted bool
	mixed  int64
}

func (n *news) after(body []byte) ([][]byte, error) {
	var m struct {
		Version string         `json:"jsonrpc"`
		Method  string         `json:"method"`
		Params  map[string]any `json:"params"`
	}
	// Other messages may have params of another shape.
	if !n.wanted || json.Unmarshal(body, &m) != nil || m.Method != "clined/task/event" {
		return [][]byte{body}, nil
	}
	event, _ := m.Params["event"].(map[string]any)
	seq, _ := m.Params["seq"].(float64)
	encode := func(e map[string]any) ([]byte, error) {
		m.Params["event"], m.Params["seq"] = e, int64(seq)+n.mixed
		return json.Marshal(m)
	}
	known, err := encode(event)
	if err != nil || event["type"] != "state" {
		return [][]byte{known}, err
	}
	n.mixed++
	unknown, err := encode(map[string]any{"type": "hologram", "hologramId": "h1", "depth": map[string]any{"layers": []int{1, 2}}, "text": unknownWords})
	return [][]byte{known, unknown}, err
}

// unknownWords stand in events of an unknown type.
const unknownWords = "words of a later version"
