//go:build linux

package shell

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"clined/internal/tools"
)

// watcher collects what fronts are told.
type watcher struct {
	mu     sync.Mutex
	cond   *sync.Cond
	states map[string][]Status
	text   map[string]string
}

func newWatcher() *watcher {
	w := &watcher{states: map[string][]Status{}, text: map[string]string{}}
	w.cond = sync.NewCond(&w.mu)
	return w
}

func (w *watcher) changed(s Status) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.states[s.ID] = append(w.states[s.ID], s)
	w.cond.Broadcast()
}

func (w *watcher) output(id, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text[id] += text
	w.cond.Broadcast()
}

// await waits until ok holds of a command's last status and text.
func (w *watcher) await(t *testing.T, id, what string, ok func(s Status, text string) bool) {
	t.Helper()
	limit := time.AfterFunc(hang, func() { w.cond.Broadcast() })
	defer limit.Stop()
	until := time.Now().Add(hang)
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		if all := w.states[id]; len(all) > 0 && ok(all[len(all)-1], w.text[id]) {
			return
		}
		if !time.Now().Before(until) {
			t.Fatalf("waited in vain: %s; %+v %q", what, w.states[id], w.text[id])
		}
		w.cond.Wait()
	}
}

// begin runs a command in the background of the test.
func (f *fixture) begin(w *watcher, c tools.CommandLine) <-chan *tools.CommandResult {
	f.t.Helper()
	done := make(chan *tools.CommandResult, 1)
	if c.Dir == "" {
		c.Dir = f.t.TempDir()
	}
	go func() {
		res, err := f.Run(f.t.Context(), c, func(text string) { w.output(c.ID, text) })
		if err != nil {
			f.t.Errorf("%s: %v", c.Line, err)
		}
		done <- res
	}()
	return done
}

func (f *fixture) wait(done <-chan *tools.CommandResult) *tools.CommandResult {
	f.t.Helper()
	select {
	case res := <-done:
		return res
	case <-time.After(hang):
		f.t.Fatal("hung")
		return nil
	}
}

func TestTerminal(t *testing.T) {
	w := newWatcher()
	m := manager(t, Options{Changed: w.changed})
	for _, c := range []struct{ line, input, asks, output string }{
		{`printf 'Continue? [y/N] '; read x; echo "got $x"`, "y\r", "Continue? [y/N]", "Continue? [y/N] y\ngot y\n"},
		{`printf 'Continue? [y/N] '; read x </dev/tty; echo "got $x"`, "y\n", "Continue? [y/N]", "Continue? [y/N] y\ngot y\n"},
		{`printf 'Password: '; stty -echo; read x; stty echo; echo; echo "got $x"`, "secret\r", "Password:", "Password: \ngot secret\n"},
		{`cat`, "a\r\x04", "(it reads from its terminal)", "a\na\n"},
		{`test -t 0 && test -t 1 && test -t 2 && tty >/dev/null && echo yes; read x`, "\r", "(it reads from its terminal)", "yes\n\n"},
		{`trap 'echo int; exit 5' INT; read x; read y`, "\x03", "(it reads from its terminal)", "^Cint\n"},
	} {
		id := "call " + c.line
		done := m.begin(w, tools.CommandLine{Line: c.line, ID: id, TTY: true})
		w.await(t, id, "it asks", func(s Status, _ string) bool { return s.Asks == c.asks && s.TTY && s.State == Active })
		if err := m.Input(id, []byte(c.input)); err != nil {
			t.Fatal(err)
		}
		res := m.wait(done)
		if res.Output != c.output || res.Asks != "" || res.Background {
			t.Errorf("%s: %+v", c.line, res)
		}
		if err := m.Input(id, []byte("x")); err != ErrNoCommand {
			t.Error(err)
		}
		w.await(t, id, "it ended", func(s Status, _ string) bool { return s.State == Exited && s.Asks == "" })
	}
}

func TestResize(t *testing.T) {
	w := newWatcher()
	m := manager(t, Options{Changed: w.changed})
	done := m.begin(w, tools.CommandLine{Line: `stty size; trap 'stty size' WINCH; while ! read x; do :; done; stty size`, ID: "a", TTY: true})
	w.await(t, "a", "it asks", func(s Status, _ string) bool { return s.Asks != "" })
	if err := m.Resize("a", 91, 17); err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][2]int{{0, 1}, {1, -1}, {70_000, 1}} {
		if err := m.Resize("a", bad[0], bad[1]); err == nil {
			t.Error(bad)
		}
	}
	m.Input("a", []byte("\r"))
	if res := m.wait(done); !strings.HasPrefix(res.Output, "40 160\n") || !strings.HasSuffix(res.Output, "17 91\n") {
		t.Errorf("%q", res.Output)
	}
	if err := m.Resize("a", 10, 10); err != ErrNoCommand {
		t.Error(err)
	}
}

// A command in the background is still asked and typed to; one that does not read
// keeps nobody waiting.
func TestInputInTheBackground(t *testing.T) {
	w := newWatcher()
	m := manager(t, Options{Changed: w.changed, Output: w.output})
	done := m.begin(w, tools.CommandLine{Line: "echo on; read x; printf 'Name: '; read x; echo \"got $x\"", ID: "a", TTY: true})
	w.await(t, "a", "it waits", func(s Status, _ string) bool { return s.Asks == "(it reads from its terminal)" })
	m.Detach("a")
	if res := m.wait(done); !res.Detached || res.Asks != "(it reads from its terminal)" || res.Output != "on\n" {
		t.Errorf("%+v", res)
	}
	m.Input("a", []byte("\r"))
	w.await(t, "a", "it asks", func(s Status, _ string) bool { return s.Asks == "Name:" && s.State == Background })
	m.Input("a", []byte("ada\r"))
	w.await(t, "a", "it ended", func(s Status, text string) bool {
		return s.State == Exited && s.ExitCode == 0 && text == "on\n\nName: ada\ngot ada\n"
	})
	if got := m.Running(); len(got) != 1 || got[0].Fresh != "\nName: ada\ngot ada\n" || !got[0].Ended {
		t.Errorf("%+v", got)
	}

	done = m.begin(w, tools.CommandLine{Line: "stty raw -echo; echo deaf; sleep 60", ID: "b", TTY: true})
	w.await(t, "b", "it is deaf", func(_ Status, text string) bool { return strings.Contains(text, "deaf") })
	if err := m.Input("b", []byte(strings.Repeat("x", 1<<20))); err == nil || !strings.Contains(err.Error(), "does not read") {
		t.Error(err)
	}
	if err := m.Kill(t.Context(), "b"); err != nil {
		t.Error(err)
	}
	m.wait(done)
}

// Those who type at the same time are taken in the order in which they came, each
// as a whole.
func TestInputStaysInOrder(t *testing.T) {
	w := newWatcher()
	m := manager(t, Options{Changed: w.changed})
	const many, size = 8, 20_000
	done := m.begin(w, tools.CommandLine{Line: fmt.Sprintf("stty raw -echo; printf on; head -c %d | tr -s a-h; stty cooked", many*size), ID: "a", TTY: true})
	w.await(t, "a", "it is raw", func(_ Status, text string) bool { return text == "on" })
	j := m.find("a")
	j.stream.typing <- struct{}{} // somebody types
	typed := make(chan error)
	want := "on"
	for i := range many {
		letter := string(rune('a' + i))
		want += letter
		waiting := goroutinesIn("shell.(*stream).write")
		go func() { typed <- m.Input("a", []byte(strings.Repeat(letter, size))) }()
		for goroutinesIn("shell.(*stream).write") == waiting {
			runtime.Gosched()
		}
	}
	<-j.stream.typing
	for range many {
		if err := <-typed; err != nil {
			t.Error(err)
		}
	}
	if res := m.wait(done); res.Output != want {
		t.Errorf("%q, want %q", res.Output, want)
	}
}

// goroutinesIn counts those that are in a function.
func goroutinesIn(name string) int {
	buf := make([]byte, 1<<20)
	return strings.Count(string(buf[:runtime.Stack(buf, true)]), name+"(")
}
