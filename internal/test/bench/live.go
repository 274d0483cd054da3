package main

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"clined/internal/event"
	"clined/internal/rpc"
	"clined/internal/test/fakeeditor"
	"clined/internal/test/fakellm"
)

// pace is the time between the chunks of a model that is read along.
const pace = 50 * time.Millisecond

// wire is the standard streams of a daemon; out sees what it writes.
type wire struct {
	io.ReadCloser
	io.WriteCloser
	out *tap
}

func (w wire) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if n > 0 && w.out != nil {
		w.out.pass(time.Now(), p[:n])
	}
	return n, err
}

func (w wire) Close() error { return errors.Join(w.WriteCloser.Close(), w.ReadCloser.Close()) }

// connect starts a daemon and does the handshake of an editor.
func (s *stage) connect(out *tap) *fakeeditor.Editor {
	cmd := exec.CommandContext(s.ctx, s.binary, "--stdio")
	cmd.Env = s.environ()
	stdin, err := cmd.StdinPipe()
	s.Must("a pipe", err)
	stdout, err := cmd.StdoutPipe()
	s.Must("a pipe", err)
	s.Must("starting clined", cmd.Start())
	editor := fakeeditor.Connect(s.ctx, s, wire{stdout, stdin, out}, rpc.Header)
	s.Cleanup(func() {
		editor.Close()
		<-editor.Done()
		_ = cmd.Wait() // an editor that hangs up makes it 1
	})
	s.initialize(editor)
	return editor
}

// initialize does the handshake of an editor that shows decisions.
func (s *stage) initialize(editor *fakeeditor.Editor) {
	_, err := editor.Call(s.ctx, "initialize", map[string]any{
		"processId":        nil,
		"workspaceFolders": []any{map[string]any{"uri": fakeeditor.URI(s.ws), "name": "ws"}},
		"capabilities": map[string]any{"experimental": map[string]any{"clined": map[string]any{
			"caps": map[string]any{"approvals": map[string]any{}, "asks": map[string]any{}, "transcript": map[string]any{}},
		}}},
	})
	s.Must("initialize", err)
}

// begin starts a task and returns what waits for its end.
func (s *stage) begin(editor *fakeeditor.Editor) (wait func()) {
	_, err := editor.Call(s.ctx, "clined/task/new", map[string]any{"prompt": []any{map[string]any{"type": "text", "text": "Begin."}}})
	s.Must("clined/task/new", err)
	return func() {
		var end event.State
		s.Must("the turn", editor.Until(s.ctx, "the end of the turn", func() bool {
			for _, p := range editor.EventsLocked() {
				if st, ok := p.Event.Event.(event.State); ok && st.State == event.Idle {
					end = st
					return true
				}
			}
			return false
		}))
		if end.StopReason != event.Completed {
			s.Fatalf("the turn ends with %q: %+v", end.StopReason, end.Error)
		}
	}
}

// deltas measures how long a chunk of the model is on its way to the editor.
func deltas(chunks int) func(s *stage) []figure {
	return func(s *stage) []figure {
		var script strings.Builder
		script.WriteString("reply\n")
		for i := range chunks {
			fmt.Fprintf(&script, "hold %d\ntext \"%s \"\n", i, token("chunk", i))
		}
		script.WriteString("call attempt_completion {\"result\":\"Done.\"}\n")
		model, _, sent := s.model(script.String())
		written := &tap{}
		wait := s.begin(s.connect(written))
		s.release(model, chunks)
		wait()
		f := figure{name: "a model's chunk to its event", unit: "ms", goal: 1, profile: profileOf("Turn", "cpu")}
		for i := range chunks {
			f.samples = append(f.samples, s.between(sent, written, token("chunk", i), token("chunk", i)))
		}
		return []figure{f}
	}
}

// release lets one chunk after the other go.
func (s *stage) release(model *fakellm.Server, chunks int) {
	tick := time.NewTicker(pace)
	defer tick.Stop()
	for i := range chunks {
		model.WaitHeld(fmt.Sprint(i))
		<-tick.C
		model.Release(fmt.Sprint(i))
	}
}

// results measures how long a tool's result is on its way to the model.
func results(rounds int) func(s *stage) []figure {
	return func(s *stage) []figure {
		var script strings.Builder
		for i := range rounds {
			s.write(filepath.Join(s.ws, fmt.Sprintf("%d.txt", i)), token("result", i)+"\n")
			fmt.Fprintf(&script, "reply\ncall read_file {\"path\":\"%d.txt\"}\n", i)
		}
		script.WriteString("reply\ncall attempt_completion {\"result\":\"Done.\"}\n")
		_, asked, _ := s.model(script.String())
		written := &tap{}
		s.begin(s.connect(written))()
		f := figure{name: "a tool's result to the next request", unit: "ms", goal: 2, profile: profileOf("Turn", "cpu")}
		for i := range rounds {
			f.samples = append(f.samples, s.between(written, asked, token("result", i), token("result", i)))
		}
		return []figure{f}
	}
}

// token is a word that stands nowhere else.
func token(what string, i int) string { return fmt.Sprintf("%s-%03d-end", what, i) }

// between returns the time from a token in one stream to one in another, in ms.
func (s *stage) between(from, to *tap, first, second string) float64 {
	a, ok := from.when(first, 1)
	b, ok2 := to.when(second, 1)
	if !ok || !ok2 {
		s.Fatalf("%s and %s did not both pass", first, second)
	}
	return ms(b.Sub(a))
}

// trips measures requests, one after the other on one connection.
func trips(during time.Duration) func(s *stage) []figure {
	return func(s *stage) []figure {
		s.model("")
		editor := s.connect(nil)
		n, start := 0, time.Now()
		for time.Since(start) < during {
			_, err := editor.Call(s.ctx, "clined/config/get", map[string]any{})
			s.Must("clined/config/get", err)
			n++
		}
		return []figure{{name: "round trips of clined/config/get", unit: "/s", samples: []float64{float64(n) / time.Since(start).Seconds()}}}
	}
}
