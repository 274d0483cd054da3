//go:build linux

package shell

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"clined/internal/tools"
)

// "proceed while running" gives the output so far at once; the rest is told
// later, once, and no time limit holds any more.
func TestDetach(t *testing.T) {
	for _, tty := range []bool{false, true} {
		t.Run(fmt.Sprint("tty ", tty), func(t *testing.T) {
			w := newWatcher()
			m := manager(t, Options{Changed: w.changed, Output: w.output, LogDir: t.TempDir()})
			dir := t.TempDir()
			done := m.begin(w, tools.CommandLine{
				Line: "echo one; printf 'tw'; while ! test -e go; do sleep 0.02; done; echo o; echo three; exit 4", ID: "c", Dir: dir, TTY: tty, Timeout: 3 * time.Second,
			})
			w.await(t, "c", "it printed", func(_ Status, text string) bool { return text == "one\ntw" })
			if got := m.Running(); len(got) != 0 {
				t.Errorf("told before it was detached: %+v", got)
			}
			if err := m.Detach("c"); err != nil {
				t.Fatal(err)
			}
			res := m.wait(done)
			if !res.Detached || !res.Background || res.Output != "one\ntw" || res.ExitCode != -1 || res.LogFile == "" || res.TimedOut || res.Cancelled {
				t.Fatalf("%+v", res)
			}
			if list := m.List(); len(list) != 1 || list[0].State != Background || !list[0].Detached || list[0].TTY != tty {
				t.Errorf("%+v", list)
			}
			if err := m.Detach("c"); err != nil {
				t.Error(err)
			}
			if got := m.Running(); len(got) != 1 || got[0].Fresh != "" || got[0].Ended || got[0].ID != "c" || got[0].Dir != dir {
				t.Errorf("%+v", got)
			}
			after := time.NewTimer(3 * time.Second)
			<-after.C // the time limit is over
			if err := os.WriteFile(dir+"/go", nil, 0o600); err != nil {
				t.Fatal(err)
			}
			w.await(t, "c", "it ended", func(s Status, text string) bool {
				return s.State == Exited && s.ExitCode == 4 && text == "one\ntwo\nthree\n"
			})
			if got := m.Running(); len(got) != 1 || got[0].Fresh != "o\nthree\n" || !got[0].Ended || got[0].ExitCode != 4 || got[0].LogFile != res.LogFile {
				t.Errorf("%+v", got)
			}
			if got := m.Running(); len(got) != 0 {
				t.Errorf("told twice: %+v", got)
			}
			if b, _ := os.ReadFile(res.LogFile); string(b) != "one\ntwo\nthree\n" {
				t.Errorf("log %q", b)
			}
			if err := m.Detach("c"); err != ErrNoCommand {
				t.Error(err)
			}
		})
	}
}

// Whatever the moments are, all output is told exactly once.
func TestDetachLosesNothing(t *testing.T) {
	m := manager(t, Options{Lines: 1 << 20, Bytes: 1 << 24})
	var all sync.WaitGroup
	var telling sync.Mutex
	pieces := map[string]string{}
	ended := map[string]bool{}
	tell := func() {
		telling.Lock()
		defer telling.Unlock()
		for _, r := range m.Running() {
			pieces[r.ID] += r.Fresh
			ended[r.ID] = r.Ended
		}
	}
	const commands, lines = 30, 300
	first := make([]string, commands)
	for i := range commands {
		id := fmt.Sprint("c", i)
		all.Go(func() {
			line := fmt.Sprintf("i=1; while [ $i -le %d ]; do printf 'line '; echo $i; i=$((i+1)); done; printf end", lines)
			moment := time.AfterFunc(time.Duration(rand.IntN(15_000))*time.Microsecond, func() { m.Detach(id) })
			defer moment.Stop()
			res, err := m.Run(t.Context(), tools.CommandLine{Line: line, ID: id, TTY: i%2 == 0}, nil)
			if err != nil || res.Cancelled || res.TimedOut || !res.Detached && res.ExitCode != 0 {
				t.Errorf("%+v %v", res, err)
				return
			}
			first[i] = res.Output
			tell()
			if !res.Detached {
				telling.Lock()
				ended[id] = true
				telling.Unlock()
			}
		})
	}
	all.Wait()
	eventually(t, "all ended", func() bool { tell(); return len(m.List()) == 0 })
	tell()
	var want strings.Builder
	for i := range lines {
		fmt.Fprintln(&want, "line", i+1)
	}
	want.WriteString("end")
	for i := range commands {
		id := fmt.Sprint("c", i)
		if got := first[i] + pieces[id]; got != want.String() || !ended[id] {
			t.Errorf("%s: ended %v, %d bytes and %d, want %d in all", id, ended[id], len(first[i]), len(pieces[id]), want.Len())
		}
	}
}

// Kill meets a command whether it is waited for or in the background.
func TestKill(t *testing.T) {
	w := newWatcher()
	m := manager(t, Options{Changed: w.changed})
	for _, tty := range []bool{false, true} {
		for _, detached := range []bool{false, true} {
			id := fmt.Sprint(tty, detached)
			done := m.begin(w, tools.CommandLine{Line: "echo begun; setsid sleep 60 & sleep 60; echo never", ID: id, TTY: tty})
			w.await(t, id, "it printed", func(_ Status, text string) bool { return text == "begun\n" })
			if detached {
				m.Detach(id)
				m.wait(done)
			}
			if err := m.Kill(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			if left := marked(m.mark); len(left) > 0 {
				t.Errorf("%s: left %v", id, left)
			}
			if !detached {
				if res := m.wait(done); !res.Cancelled || res.ExitCode != -1 || res.Background || res.Output != "begun\n" {
					t.Errorf("%+v", res)
				}
			} else if got := m.Running(); len(got) != 1 || !got[0].Ended || got[0].ExitCode != -1 || got[0].Signal == "" {
				t.Errorf("%+v", got)
			}
			w.await(t, id, "it ended", func(s Status, _ string) bool { return s.State == Exited && s.Cancelled })
			if err := m.Kill(t.Context(), id); err != ErrNoCommand {
				t.Error(err)
			}
		}
	}
	for _, err := range []error{m.Input("x", nil), m.Resize("x", 1, 1), m.Detach("x"), m.Kill(t.Context(), "x")} {
		if err != ErrNoCommand {
			t.Error(err)
		}
	}
}

// Everything at once, at any moment: nothing hangs, panics or is left.
func TestStorm(t *testing.T) {
	w := newWatcher()
	m := manager(t, Options{Changed: w.changed, Output: w.output})
	var all sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		all.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				id := fmt.Sprint("c", rand.IntN(60))
				switch rand.IntN(6) {
				case 0:
					m.Input(id, []byte("x\r"))
				case 1:
					m.Resize(id, 1+rand.IntN(300), 1+rand.IntN(100))
				case 2:
					m.Detach(id)
				case 3:
					m.Kill(t.Context(), id)
				case 4:
					m.List()
				case 5:
					m.Running()
				}
			}
		})
	}
	var runs sync.WaitGroup
	for worker := range 6 {
		runs.Go(func() {
			for i := range 10 {
				line := []string{"cat", "sleep 0.05; echo x", "echo y & sleep 0.02", "(sleep 60; echo) & echo z", "yes | head -1000", "read x; echo $x"}[i%6]
				res, err := m.Run(t.Context(), tools.CommandLine{Line: line, ID: fmt.Sprint("c", worker*10+i), TTY: rand.IntN(2) == 0, Timeout: 500 * time.Millisecond}, func(string) {})
				if err != nil || res == nil {
					t.Errorf("%s: %+v %v", line, res, err)
				}
			}
		})
	}
	runs.Wait()
	close(stop)
	all.Wait()
	m.Close()
	if list := m.List(); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, states := range w.states {
		order := map[State]int{Active: 0, Background: 1, Exited: 2}
		for i := 1; i < len(states); i++ {
			if order[states[i].State] < order[states[i-1].State] {
				t.Errorf("%s: %s after %s", id, states[i].State, states[i-1].State)
			}
		}
		if states[len(states)-1].State != Exited {
			t.Errorf("%s ends %s", id, states[len(states)-1].State)
		}
	}
}
