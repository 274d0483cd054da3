package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"clined/internal/test/fakellm"

	"github.com/creack/pty"
)

// hang is how long anything may take here before a test is stuck.
const hang = time.Minute

// terminal is the real program at a terminal.
type terminal struct {
	t    *testing.T
	cmd  *exec.Cmd
	keys *os.File
	end  chan struct{} // closed when all was read and the program has ended

	mu      sync.Mutex // guards the rest
	screen  bytes.Buffer
	changed chan struct{}
}

// realBinary builds the program.
func realBinary(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "clined")
	if out, err := exec.Command("go", "build", "-o", file, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return file
}

// open starts the program at a terminal of so many columns.
func open(t *testing.T, binary string, columns int, args ...string) *terminal {
	t.Helper()
	m := &terminal{t: t, cmd: exec.Command(binary, args...), end: make(chan struct{}), changed: make(chan struct{})}
	m.cmd.Env = append(os.Environ(), "TERM=xterm", "NO_COLOR=")
	var err error
	if m.keys, err = pty.StartWithSize(m.cmd, &pty.Winsize{Rows: 40, Cols: uint16(columns)}); err != nil {
		t.Fatal(err)
	}
	// So that Close ends a Read that waits.
	if err := syscall.SetNonblock(int(m.keys.Fd()), true); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(m.end)
		b := make([]byte, 4096)
		for {
			n, err := m.keys.Read(b)
			m.mu.Lock()
			m.screen.Write(b[:n])
			close(m.changed)
			m.changed = make(chan struct{})
			m.mu.Unlock()
			if err != nil {
				break
			}
		}
		_ = m.cmd.Wait() // its error is the code
	}()
	t.Cleanup(func() {
		_ = m.cmd.Process.Kill()
		_ = m.keys.Close()
		<-m.end
	})
	return m
}

// colour are the sequences that paint.
var colour = regexp.MustCompile("\x1b\\[[0-9;]*m")

// text is what was written, without colours.
func (m *terminal) text() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strings.ReplaceAll(colour.ReplaceAllString(m.screen.String(), ""), "\r\n", "\n")
}

// wait waits for text on the screen.
func (m *terminal) wait(text string) {
	m.t.Helper()
	guard := time.After(hang)
	for {
		m.mu.Lock()
		changed := m.changed
		m.mu.Unlock()
		if strings.Contains(m.text(), text) {
			return
		}
		select {
		case <-changed:
		case <-guard:
			m.t.Fatalf("no %q on the screen:\n%s", text, m.text())
		}
	}
}

// over waits for the end and returns the exit code, -1 for a signal.
func (m *terminal) over() int {
	m.t.Helper()
	select {
	case <-m.end:
		return m.cmd.ProcessState.ExitCode()
	case <-time.After(hang):
		m.t.Fatalf("the program does not end:\n%s", m.text())
		return 0
	}
}

func (m *terminal) enter(line string) {
	m.t.Helper()
	if _, err := m.keys.WriteString(line + "\n"); err != nil {
		m.t.Fatal(err)
	}
}

const waitsLong = `
reply
  call execute_command {"command":"echo has begun; sleep 600","requires_approval":false}
`

const afterwards = `
reply
  expect-last contains Look at the present state
  call attempt_completion {"result":"I looked."}
`

// TestTerminal runs the real program at a terminal.
func TestTerminal(t *testing.T) {
	binary := realBinary(t)
	for name, test := range map[string]func(*testing.T, string){
		"killed and resumed": killedAndResumed, "goes away": terminalGoesAway, "typed while it works": typedWhileItWorks,
	} {
		t.Run(name, func(t *testing.T) { test(t, binary) })
	}
}

// A task whose process is killed is shown as interrupted, and gone on with by
// one command; while it runs nobody else gets it.
func killedAndResumed(t *testing.T, binary string) {
	model := fakellm.Start(t, waitsLong+afterwards)
	settings(t, `{"model": "m", "baseUrl": "`+model.URL()+`"}`)
	dir := workspace(t)
	m := open(t, binary, 80, "run", "do it", "--cwd", dir)
	m.wait("y yes")
	m.enter("y")
	m.wait("│ has begun")

	r := command(t, "", "run", "--resume", "last", "--cwd", dir)
	r.want(t, 1, nil, []string{"another clined is at it: process ", "hint: wait for its end"})
	command(t, "", "tasks").want(t, 0, []string{"running ("}, nil)
	command(t, "", "tasks", "delete", "--last", "--cwd", dir, "--yes").want(t, 1, nil, []string{"is not deleted"})

	if err := m.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if code := m.over(); code != -1 {
		t.Errorf("exit code %d", code)
	}
	command(t, "", "tasks").want(t, 0, []string{"interrupted", "clined run --resume "}, nil)
	command(t, "", "tasks", "show", "--last", "--cwd", dir).want(t, 0, []string{"it began; how it ended is not known", "go on: clined run --resume "}, nil)

	list := open(t, binary, 40, "tasks")
	if code := list.over(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	for line := range strings.Lines(list.text()) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 40 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if !strings.Contains(list.screen.String(), "\x1b[33minterrupted") {
		t.Errorf("it does not stand out: %q", list.screen.String())
	}

	m = open(t, binary, 80, "run", "--resume", "last", "--cwd", dir)
	m.wait("what came of it is not known")
	m.wait("I looked.")
	if code := m.over(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// A terminal that goes away, or an end from outside, leaves the task as it is.
func terminalGoesAway(t *testing.T, binary string) {
	heedHangups(t)
	for name, goes := range map[string]func(m *terminal) error{
		"closed":  func(m *terminal) error { return m.keys.Close() },
		"SIGTERM": func(m *terminal) error { return m.cmd.Process.Signal(syscall.SIGTERM) },
		"SIGHUP":  func(m *terminal) error { return m.cmd.Process.Signal(syscall.SIGHUP) },
	} {
		t.Run(name, func(t *testing.T) {
			model := fakellm.Start(t, waitsLong)
			settings(t, `{"model": "m", "baseUrl": "`+model.URL()+`"}`)
			m := open(t, binary, 80, "run", "-i", "do it", "--cwd", workspace(t), "--yes")
			m.wait("│ has begun")
			if err := goes(m); err != nil && !errors.Is(err, os.ErrClosed) {
				t.Fatal(err)
			}
			if code := m.over(); code != 130 {
				t.Errorf("exit code %d", code)
			}
			command(t, "", "tasks").want(t, 0, []string{"interrupted", "clined run --resume "}, nil)
			if name != "closed" && !strings.Contains(m.text(), "clined run --resume ") {
				t.Errorf("it does not tell how to go on:\n%s", m.text())
			}
		})
	}
}

// heedHangups makes programs that are started from here get SIGHUP, also where
// the tests themselves run under nohup, which has them ignore it.
func heedHangups(t *testing.T) {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(hangups) })
}

// In a conversation, Ctrl-C stops what runs, and what was typed meanwhile.
func typedWhileItWorks(t *testing.T, binary string) {
	model := fakellm.Start(t, waitsLong)
	settings(t, `{"model": "m", "baseUrl": "`+model.URL()+`"}`)
	m := open(t, binary, 80, "run", "-i", "do it", "--cwd", workspace(t), "--yes")
	m.wait("│ has begun")
	m.enter("and then test it")
	m.wait("queued: and then test it")
	m.enter("! be quick")
	m.wait("to be heard: be quick")
	if _, err := m.keys.Write([]byte{3}); err != nil {
		t.Fatal(err)
	}
	m.wait("dropped: and then test it")
	if code := m.over(); code != 130 {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(m.text(), "to go on with this task: clined run --resume ") {
		t.Errorf("it does not tell how to go on:\n%s", m.text())
	}
}
