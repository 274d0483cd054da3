//go:build linux

package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"clined/internal/tools"
)

// Nothing can wait for an answer that nobody gives: it ends by itself, and where a
// program said that it wanted one, so does the result.
func TestNobodyAnswers(t *testing.T) {
	m := manager(t, Options{})
	for _, c := range []struct {
		line, output, asks string // an output of "*" is any
	}{
		{"cat", "", ""},
		{"read -r x; echo \"got [$x]\"", "got []\n", ""},
		{"bash -c 'read -p \"Continue? [y/N] \" x; echo got $x'", "*", ""},
		{"cat </dev/tty || echo no terminal", "*no terminal\n", ""},
		{"cat </dev/tty", "*", "/dev/tty"},
		{"setsid cat </dev/tty", "*", "/dev/tty"},
		{"$PAGER </dev/null; $EDITOR x; $VISUAL", "", ""},
		{"echo $GIT_PAGER $GIT_EDITOR $GIT_TERMINAL_PROMPT $TERM", "cat true 0 dumb\n", ""},
		{"test -t 0 || test -t 1 || echo none", "none\n", ""},
		{"ps -o tty= -p $$ 2>/dev/null | tr -d ' ' || echo '?'", "?\n", ""},
		{"python3 -c \"input('name: ')\"", "*", "EOFError"},
		{"seq 1 200 | $PAGER | tail -1; seq 1 200 | more | tail -1", "200\n200\n", ""},
		{"ssh-keygen -f k -N '' -q; echo n | ssh-keygen -f k -N '' -q; test -f k && echo made", "*made\n", ""},
		{"git init -q . && git -c user.name=a -c user.email=b@c commit -q --allow-empty; git -c user.name=a -c user.email=b@c commit -q --allow-empty -m one; git log --format=%s", "*Aborting commit due to empty commit message.\none\n", ""},
		{"git clone -q http://127.0.0.1:1/x.git", "*", ""},
		{"sudo -k true || true", "*", ""},
		{"vi x </dev/null >/dev/null 2>&1 || true", "*", ""},
	} {
		got := m.run(c.line)
		want, any := strings.CutPrefix(c.output, "*")
		if got.Output != want && !(any && strings.HasSuffix(got.Output, want)) || got.Background || got.Duration > 20*time.Second ||
			(c.asks == "") != (got.Asks == "") || !strings.Contains(got.Asks, c.asks) {
			t.Errorf("%s: %+v", c.line, got)
		}
	}
}

// What stands still at a question is told of, and is still a command that can be
// stopped, or let go on.
func TestAsksWithoutTerminal(t *testing.T) {
	w := newWatcher()
	m := manager(t, Options{Changed: w.changed})
	done := m.begin(w, tools.CommandLine{Line: "printf 'Password: '; sleep 60", ID: "a"})
	w.await(t, "a", "it asks", func(s Status, _ string) bool { return s.Asks == "Password:" })
	if err := m.Input("a", []byte("x\r")); err != ErrNoTerminal {
		t.Error(err)
	}
	if err := m.Resize("a", 80, 25); err != ErrNoTerminal {
		t.Error(err)
	}
	if err := m.Kill(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	if res := m.wait(done); res.Asks != "Password:" || !res.Cancelled {
		t.Errorf("%+v", res)
	}
	dir := t.TempDir()
	done = m.begin(w, tools.CommandLine{
		Line: "printf 'Waiting for: '; while ! test -e go; do sleep 0.05; done; printf 'here'; while ! test -e on; do sleep 0.05; done", ID: "b", Dir: dir,
	})
	w.await(t, "b", "it seems to ask", func(s Status, _ string) bool { return s.Asks == "Waiting for:" })
	os.WriteFile(dir+"/go", nil, 0o600)
	w.await(t, "b", "it does not", func(s Status, _ string) bool { return s.Asks == "" })
	os.WriteFile(dir+"/on", nil, 0o600)
	if res := m.wait(done); res.Asks != "" || res.Output != "Waiting for: here" {
		t.Errorf("%+v", res)
	}
}

// A sandbox may change a command, refuse it, and say what made it fail.
func TestConfine(t *testing.T) {
	var done int
	refuse := errors.New("no sandbox here")
	m := manager(t, Options{Confine: func(cmd *exec.Cmd, c tools.CommandLine) (*Confinement, error) {
		switch {
		case c.Unsandboxed:
			return nil, nil
		case strings.Contains(c.Line, "refuse"):
			return nil, refuse
		}
		cmd.Env = append(cmd.Env, "CONFINED=yes")
		if strings.Contains(c.Line, "unstartable") {
			cmd.Path = "/no/such/program"
		}
		return &Confinement{Words: "writes here only", Done: func() { done++ }, Refused: func(exit int, output string) string {
			return fmt.Sprintf("exit %d %q", exit, output)
		}}, nil
	}})
	res := m.run("echo $CONFINED; exit 3")
	if res.Output != "yes\n" || res.Confined != "writes here only" || res.Refused != `exit 3 "yes\n"` || done != 1 {
		t.Errorf("%+v %d", res, done)
	}
	res, err := m.Run(t.Context(), tools.CommandLine{Line: "echo [$CONFINED]", Unsandboxed: true}, nil)
	if err != nil || res.Output != "[]\n" || res.Confined != "" || res.Refused != "" {
		t.Errorf("%+v %v", res, err)
	}
	if _, err := m.Run(t.Context(), tools.CommandLine{Line: "refuse"}, nil); err != refuse {
		t.Error(err)
	}
	if _, err := m.Run(t.Context(), tools.CommandLine{Line: "unstartable", TTY: true}, nil); err == nil || done != 2 {
		t.Error(err, done)
	}
	res, err = m.Run(t.Context(), tools.CommandLine{Line: "sleep 60", Timeout: 50 * time.Millisecond}, nil)
	if err != nil || !res.TimedOut || res.Refused != "" || res.Confined == "" || done != 3 {
		t.Errorf("%+v %v", res, err)
	}
}

// What is too large for the system is told as that.
func TestTooLarge(t *testing.T) {
	var env []string
	m := manager(t, Options{Environ: func(context.Context) []string { return append([]string{"PATH=" + os.Getenv("PATH")}, env...) }})
	for _, c := range []struct {
		env  []string
		line string
		want string
	}{
		{nil, "echo " + strings.Repeat("x", 200_000), "the command line is too long"},
		{[]string{"BIG=" + strings.Repeat("x", 200_000)}, "true", `the environment variable "BIG" is too long`},
		{slices.Repeat([]string{"MANY=" + strings.Repeat("x", 100_000)}, 100), "true", "environment is too large"},
	} {
		env = nil
		for i, kv := range c.env {
			env = append(env, fmt.Sprintf("V%d_%s", i, kv))
		}
		want := strings.Replace(c.want, "BIG", "V0_BIG", 1)
		for _, tty := range []bool{false, true} {
			if _, err := m.Run(t.Context(), tools.CommandLine{Line: c.line, TTY: tty}, nil); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		}
	}
}
