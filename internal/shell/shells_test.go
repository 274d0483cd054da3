//go:build linux

package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clined/internal/tools"
)

// shells are those the same tests run with. Those that the system has not are
// where scripts/shells.sh put them.
func shells(t *testing.T) (paths []string) {
	t.Helper()
	for _, name := range []string{"sh", "bash", "zsh", "fish"} {
		path, err := exec.LookPath(name)
		if err != nil {
			fetched, _ := filepath.Abs("../../.cache/shells/bin/" + name)
			if path, err = exec.LookPath(fetched); err != nil {
				t.Fatalf("%s is missing; hint: sh scripts/shells.sh fetches it", name)
			}
		}
		paths = append(paths, path)
	}
	return paths
}

// each runs a test with every shell.
func each(t *testing.T, test func(t *testing.T, name string, m *fixture)) {
	t.Helper()
	for _, path := range shells(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			test(t, filepath.Base(path), manager(t, Options{Settings: func() Settings { return Settings{Shell: path} }}))
		})
	}
}

func TestShells(t *testing.T) {
	each(t, func(t *testing.T, name string, m *fixture) {
		for _, c := range []struct {
			line, output string // "*" stands for a message of the shell
			code         int
		}{
			{"true", "", 0},
			{"false", "", 1},
			{"exit 3", "", 3},
			{"printf 'no newline'", "no newline", 0},
			{"echo out; echo err >&2; echo out2", "out\nerr\nout2\n", 0},
			{"echo 'a\nb' | cat | wc -l | tr -d ' '", "2\n", 0},
			{"echo one\necho two\nfalse", "one\ntwo\n", 1},
			{"cat", "", 0},
			{"cat /dev/tty 2>/dev/null || echo no terminal", "no terminal\n", 0},
			{"echo 'é 日本 🙂'", "é 日本 🙂\n", 0},
			{"echo \"it's\" 'a \"quoted\"' back\\\\slash", "it's a \"quoted\" back\\slash\n", 0},
			{"echo $PAGER $GIT_PAGER $GIT_TERMINAL_PROMPT $TERM", "cat cat 0 dumb\n", 0},
			{"definitely-not-a-program", "*", 127},
			{"-n", "*", 127},
			{"+x", "*", 127},
			{"sh -c 'kill -9 $$'; echo after", "*after\n", 0},
			{"sleep 0.1 && echo later", "later\n", 0},
		} {
			got := m.run(c.line)
			want, any := strings.CutPrefix(c.output, "*")
			if got.Output != want && !(any && strings.HasSuffix(got.Output, want)) || got.ExitCode != c.code || got.Background || got.Signal != "" {
				t.Errorf("%q:\n got %+v\nwant %q, %d", c.line, got, c.output, c.code)
			}
		}
		if got := m.run("echo 'unclosed"); got.ExitCode == 0 && name != "fish" || got.Duration > 20*time.Second {
			t.Errorf("%+v", got)
		}
		if got := m.run("kill -TERM " + map[bool]string{true: "$fish_pid", false: "$$"}[name == "fish"]); got.Signal != "terminated" || got.ExitCode != -1 {
			t.Errorf("%+v", got)
		}
	})
}

// Commands run in a directory whatever its name is.
func TestShellsInAnyDirectory(t *testing.T) {
	each(t, func(t *testing.T, name string, m *fixture) {
		root := t.TempDir()
		for _, dir := range []string{"with space", "it's \"quoted\"", "new\nline", "-rf", "$HOME", "`echo x`", "a;b&c|d", "tab\there", "日本", "caf\xe9", "\xff\xfe", "*?[", "back\\slash", " ", "~", "trailing "} {
			path := filepath.Join(root, dir)
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
			res, err := m.Run(t.Context(), tools.CommandLine{Line: "echo done >made; pwd >where; printenv PWD >env", Dir: path}, nil)
			if err != nil || res.ExitCode != 0 || res.Output != "" {
				t.Errorf("%q: %+v %v", dir, res, err)
				continue
			}
			for _, file := range []string{"where", "env"} {
				if b, _ := os.ReadFile(filepath.Join(path, file)); string(b) != path+"\n" {
					t.Errorf("%q: %s is %q", dir, file, b)
				}
			}
		}
		link := filepath.Join(root, "link")
		if err := os.Symlink(root, link); err != nil {
			t.Fatal(err)
		}
		if res, err := m.Run(t.Context(), tools.CommandLine{Line: "pwd; printenv PWD", Dir: link}, nil); err != nil || res.Output != link+"\n"+link+"\n" {
			t.Errorf("%+v %v", res, err) // as the user names it
		}
		gone := filepath.Join(root, "gone")
		if _, err := m.Run(t.Context(), tools.CommandLine{Line: "ls", Dir: gone}, nil); err == nil || !strings.Contains(err.Error(), "does not exist") {
			t.Error(err)
		}
		file := filepath.Join(root, "file")
		os.WriteFile(file, nil, 0o600)
		if _, err := m.Run(t.Context(), tools.CommandLine{Line: "ls", Dir: file}, nil); err == nil || !strings.Contains(err.Error(), "not a directory") {
			t.Error(err)
		}
		if _, err := m.Run(t.Context(), tools.CommandLine{Line: "ls", Dir: file + "/x"}, nil); err == nil || !strings.Contains(err.Error(), "cannot be used") {
			t.Error(err)
		}
	})
}

func TestShellsLeaveThingsRunning(t *testing.T) {
	each(t, func(t *testing.T, name string, m *fixture) {
		for _, line := range []string{"sleep 60 & echo done", "nohup sleep 60 >/dev/null 2>&1 & echo done", "setsid sleep 60 & echo done", "sh -c 'trap \"\" TERM HUP; sleep 60; sleep 60' & echo done"} {
			res := m.run(line)
			if !res.Background || res.ExitCode != 0 || res.Output != "done\n" || res.Duration > 10*time.Second {
				t.Errorf("%s: %+v", line, res)
				continue
			}
			list := m.List()
			if err := m.Kill(t.Context(), list[len(list)-1].ID); err != nil || len(m.List()) != 0 || len(marked(m.mark)) != 0 {
				t.Errorf("%s: %v, left %v", line, err, marked(m.mark))
			}
		}
		m.Running()
		res, err := m.Run(t.Context(), tools.CommandLine{Line: "echo begun; sleep 60 & sleep 60", Timeout: 400 * time.Millisecond}, nil)
		if err != nil || !res.TimedOut || res.Output != "begun\n" || len(marked(m.mark)) > 0 {
			t.Errorf("%+v %v", res, err)
		}
	})
}

func TestShellsWithTerminal(t *testing.T) {
	each(t, func(t *testing.T, name string, m *fixture) {
		w := newWatcher()
		m.o.Changed = w.changed
		line := "printf 'Name: '; read x; echo \"got $x\"; test -t 1 && echo terminal"
		if name == "fish" {
			line = "read -P 'Name: ' x; echo \"got $x\"; test -t 1 && echo terminal"
		}
		done := m.begin(w, tools.CommandLine{Line: line, ID: "a", TTY: true})
		w.await(t, "a", "it asks", func(s Status, _ string) bool { return strings.HasPrefix(s.Asks, "Name:") })
		if err := m.Input("a", []byte("é x\r")); err != nil {
			t.Fatal(err)
		}
		if res := m.wait(done); res.ExitCode != 0 || !strings.HasSuffix(res.Output, "got é x\nterminal\n") {
			t.Errorf("%+v", res)
		}
		done = m.begin(w, tools.CommandLine{Line: "sleep 60", ID: "b", TTY: true})
		w.await(t, "b", "it runs", func(s Status, _ string) bool { return s.State == Active })
		eventually(t, "an interrupt ends it", func() bool {
			m.Input("b", []byte("\x03"))
			return len(m.List()) == 0
		})
		if res := m.wait(done); res.Signal != "interrupt" && res.ExitCode != 130 {
			t.Errorf("%+v", res)
		}
	})
}
