//go:build linux

package shell

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// startUp writes a start-up file for each shell.
func startUp(t *testing.T, posix, fish string) (home string) {
	t.Helper()
	home = t.TempDir()
	for name, text := range map[string]string{
		".profile": posix, ".zprofile": posix, ".config/fish/config.fish": fish,
	} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

func TestLoginEnvironment(t *testing.T) {
	for _, c := range []struct {
		name, posix, fish string
		fails             bool
	}{
		{"plain", "PATH=/login/bin:$PATH; export PATH; export LOGIN_ONLY='two\nlines'", "set -gx PATH /login/bin $PATH; set -gx LOGIN_ONLY 'two\nlines'", false},
		{"garbage", "echo hello; printf 'A=b\\0C=d'; echo oops >&2; export PATH=/login/bin:$PATH LOGIN_ONLY='two\nlines'", "echo hello; printf 'A=b\\0C=d'; set -gx PATH /login/bin $PATH; set -gx LOGIN_ONLY 'two\nlines'", false},
		{"functions", "env() { echo fake; }; export PATH=/login/bin:$PATH LOGIN_ONLY='two\nlines'", "function env; echo fake; end; set -gx PATH /login/bin $PATH; set -gx LOGIN_ONLY 'two\nlines'", false},
		{"reads input", "read x; read y </dev/tty; export PATH=/login/bin:$PATH LOGIN_ONLY='two\nlines'", "read x </dev/null; set -gx PATH /login/bin $PATH; set -gx LOGIN_ONLY 'two\nlines'", false},
		{"holds the pipe", "sleep 60 & export PATH=/login/bin:$PATH LOGIN_ONLY='two\nlines'", "sleep 60 &; set -gx PATH /login/bin $PATH; set -gx LOGIN_ONLY 'two\nlines'", false},
		{"a terminal multiplexer", "exec sleep 60", "exec sleep 60", true},
		{"hangs, ignoring signals", "trap '' TERM INT HUP; sleep 60; sleep 60", "sleep 60", true},
		{"exits", "exit 1", "kill -9 $fish_pid", true},
	} {
		for _, path := range shells(t) {
			t.Run(c.name+" "+filepath.Base(path), func(t *testing.T) {
				t.Parallel()
				mark := "CLINED_TEST=" + newToken()
				base := []string{
					"SHELL=" + path, "HOME=" + startUp(t, c.posix, c.fish), "PATH=" + os.Getenv("PATH"), mark,
					"EDITOR_ONLY=kept", "CLINED_HOME=/x", "PWD=/editor", "SHLVL=7",
				}
				var log syncBuffer
				limit := 20 * time.Second // a busy machine may be slow
				if c.fails && c.name != "exits" {
					limit = 500 * time.Millisecond
				}
				l := NewLoginEnv(LoginOptions{Base: base, Wanted: true, Limit: limit, Mark: markVar + "=x.0.", Log: slog.New(slog.NewTextHandler(&log, nil))})
				defer l.Close()
				env := l.Environ(t.Context())
				if c.fails {
					if !slices.Equal(env, base) || !strings.Contains(log.String(), "cannot be read") {
						t.Errorf("%q %s", env, log.String())
					}
				} else {
					got := map[string]string{}
					for _, kv := range env {
						k, v, _ := strings.Cut(kv, "=")
						if _, twice := got[k]; twice {
							t.Errorf("%s is there twice", k)
						}
						got[k] = v
					}
					if !strings.HasPrefix(got["PATH"], "/login/bin:") || got["LOGIN_ONLY"] != "two\nlines" || got["EDITOR_ONLY"] != "kept" ||
						got["CLINED_HOME"] != "/x" || got["PWD"] != "/editor" || got["SHLVL"] != "7" || got[loginVar] != "" || got[markVar] != "" || got["A"] != "" {
						t.Errorf("%q\n%s", env, log.String())
					}
				}
				if left := marked(mark); len(left) > 0 {
					t.Errorf("left %v", left)
				}
			})
		}
	}
}

// An agent that a start-up file starts stays, until the reaper ends it: what the
// environment says of it must be true.
func TestLoginLeavesAgents(t *testing.T) {
	line, arg := sleeper()
	reaper := NewReaper([]string{os.Args[0], "reaper-for-test"}, nil)
	base := []string{"SHELL=/bin/sh", "HOME=" + startUp(t, "(setsid "+line+" >/dev/null 2>&1 &); sleep 60 & export AGENT=1", ""), "PATH=" + os.Getenv("PATH")}
	l := NewLoginEnv(LoginOptions{Base: base, Wanted: true, Limit: hang, Mark: reaper.Env()})
	defer l.Close()
	reaper.ready()
	if env := l.Environ(t.Context()); !slices.Contains(env, "AGENT=1") {
		t.Errorf("%q", env)
	}
	eventually(t, "the agent runs", func() bool { return len(withArg(arg)) == 1 })
	reaper.Close()
	eventually(t, "the agent has ended", func() bool { return len(withArg(arg)) == 0 })
}

// syncBuffer is a buffer for several writers.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(b)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// It is read once, however many wait; who gives up waiting gets the daemon's own.
func TestLoginIsReadOnce(t *testing.T) {
	dir := t.TempDir()
	base := []string{"SHELL=/bin/sh", "HOME=" + startUp(t, "echo x >> "+dir+"/times; while ! test -e "+dir+"/go; do sleep 0.01; done; export LOGIN_ONLY=1", ""), "PATH=" + os.Getenv("PATH")}
	l := NewLoginEnv(LoginOptions{Base: base, Wanted: true, Limit: hang})
	defer l.Close()
	if _, err := os.Stat(dir + "/times"); err == nil {
		t.Error("it began by itself")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := l.Environ(ctx); !slices.Equal(got, base) {
		t.Errorf("%q", got)
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if env := l.Environ(t.Context()); !slices.Contains(env, "LOGIN_ONLY=1") {
				t.Errorf("%q", env)
			}
		})
	}
	eventually(t, "it is read", func() bool { _, err := os.Stat(dir + "/times"); return err == nil })
	if err := os.WriteFile(dir+"/go", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	all.Wait()
	if b, _ := os.ReadFile(dir + "/times"); string(b) != "x\n" {
		t.Errorf("%q", b)
	}
}

func TestLoginIsNotWanted(t *testing.T) {
	base := []string{"SHELL=/bin/sh", "HOME=" + startUp(t, "export LOGIN_ONLY=1", "")}
	l := NewLoginEnv(LoginOptions{Base: base})
	if got := l.Environ(t.Context()); !slices.Equal(got, base) {
		t.Errorf("%q", got)
	}
	l.Close()
	l.Close()
	never := NewLoginEnv(LoginOptions{Base: base, Wanted: true, Limit: hang})
	never.Close() // ends what it would begin
	if got := never.Environ(t.Context()); len(got) < len(base) {
		t.Errorf("%q", got)
	}
}

func TestParseLogin(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"<B>\nA=1\x00C=x=y\nz\x00<B>\n", []string{"A=1", "C=x=y\nz"}},
		{"noise B without end\nmore\r\n<B>\nA=\x00<B>\n", []string{"A="}},
		{"<B>\nA=1\x00", nil},
		{"<B>\n<B>\n", nil},
		{"", nil},
		{"<B>\n=x\x00novalue\x00BASH_FUNC_f%%=() { :; }\x00<B>\n", []string{"BASH_FUNC_f%%=() { :; }"}},
	} {
		got, err := parseLogin([]byte(c.in), "<B>")
		if !slices.Equal(got, c.want) || (err == nil) != (c.want != nil) {
			t.Errorf("%q: %q %v", c.in, got, err)
		}
	}
}
