//go:build linux

package shell

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"clined/internal/tools"
)

// fixture is a Manager whose processes can be found.
type fixture struct {
	*Manager
	t    *testing.T
	mark string
}

func manager(t *testing.T, o Options) *fixture {
	t.Helper()
	f := &fixture{t: t, mark: "CLINED_TEST=" + newToken()}
	if o.Settings == nil {
		o.Settings = func() Settings { return Settings{Shell: "/bin/sh"} }
	}
	if o.Environ == nil {
		o.Environ = func(context.Context) []string { return append(os.Environ(), f.mark) }
	}
	f.Manager = New(o)
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if left := marked(f.mark); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	return f
}

func (f *fixture) run(line string) *tools.CommandResult {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(f.t.Context(), hang)
	defer cancel()
	res, err := f.Run(ctx, tools.CommandLine{Line: line, Dir: f.t.TempDir()}, nil)
	if err != nil {
		f.t.Fatalf("%s: %v", line, err)
	}
	if ctx.Err() != nil {
		f.t.Fatalf("%s: hung", line)
	}
	return res
}

// marked lists the processes that have kv in their environment.
func marked(kv string) (pids []int) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, d := range dirs {
		env, _ := os.ReadFile(d + "/environ")
		if bytes.Contains(env, []byte(kv)) {
			pid, _ := strconv.Atoi(filepath.Base(d))
			if p, ok := readStat(pid); ok && !p.dead {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

func TestHowItEnds(t *testing.T) {
	m := manager(t, Options{})
	for _, c := range []struct {
		line, output string
		code         int
		signal       string
	}{
		{"true", "", 0, ""},
		{"false", "", 1, ""},
		{"exit 3", "", 3, ""},
		{"exit 255", "", 255, ""},
		{"printf 'no newline'", "no newline", 0, ""},
		{"echo out; echo err >&2; echo out2", "out\nerr\nout2\n", 0, ""},
		{"sleep 0.2; echo ok", "ok\n", 0, ""},
		{"printf o; sleep 0.05; printf 'k\\n'; exit 7", "ok\n", 7, ""},
		{"kill -KILL $$", "", -1, "killed"},
		{"kill -TERM $$", "", -1, "terminated"},
		{"kill -SEGV $$", "", -1, "segmentation fault"},
		{"echo 'a\nb'", "a\nb\n", 0, ""},
		{"printf '\\375\\374x\\303'", "\ufffd\ufffdx\ufffd", 0, ""},
		{"definitely-not-a-program 2>/dev/null", "", 127, ""},
	} {
		got := m.run(c.line)
		if got.Output != c.output || got.ExitCode != c.code || got.Signal != c.signal ||
			got.TimedOut || got.Cancelled || got.Background || got.Omitted != 0 || got.LogFile != "" {
			t.Errorf("%s:\n got %+v\nwant %q, %d, %q", c.line, got, c.output, c.code, c.signal)
		}
	}
}

func TestNothingStarted(t *testing.T) {
	m := manager(t, Options{})
	for line, want := range map[string]string{
		"":                                       "empty",
		" \n":                                    "empty",
		"echo a\x00b":                            "NUL",
		"echo " + strings.Repeat("x", 3_000_000): "too long",
	} {
		if _, err := m.Run(t.Context(), tools.CommandLine{Line: line}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", line, err, want)
		}
	}
	if _, err := m.Run(t.Context(), tools.CommandLine{Line: "ls", Dir: "/no/such"}, nil); err == nil || !strings.Contains(err.Error(), `"/no/such" does not exist`) {
		t.Error(err)
	}
	gone := manager(t, Options{Settings: func() Settings { return Settings{Shell: "/no/such/shell"} }})
	if _, err := gone.Run(t.Context(), tools.CommandLine{Line: "ls"}, nil); err == nil || !strings.Contains(err.Error(), "was not found") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	res, err := m.Run(ctx, tools.CommandLine{Line: "touch x"}, nil)
	if err != nil || !res.Cancelled || res.ExitCode != -1 {
		t.Error(res, err)
	}
	m.Close()
	if _, err := m.Run(t.Context(), tools.CommandLine{Line: "ls"}, nil); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

// a child that holds the pipe, or left the session, delays nothing and
// is ended on Close.
func TestBackgroundChild(t *testing.T) {
	for _, line := range []string{
		"sleep 60 & echo done",
		"(while :; do echo x; sleep 0.1; done) & sleep 0.3; echo done",
		"nohup sleep 60 >/dev/null 2>&1 & echo done",
		"setsid sleep 60 & echo done",
		"setsid sleep 60 >/dev/null 2>&1 & echo done",
		"(trap '' TERM HUP; while :; do sleep 1; done) & echo done",
		"yes & sleep 0.05; echo done",
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			m := manager(t, Options{LogDir: t.TempDir()})
			res := m.run(line)
			if !res.Background || res.ExitCode != 0 || res.Omitted == 0 && !strings.Contains(res.Output, "done\n") || res.LogFile == "" {
				t.Fatalf("%+v", res)
			}
			if res.Duration > 10*time.Second {
				t.Fatalf("took %v", res.Duration)
			}
			jobs := m.List()
			if len(jobs) != 1 || jobs[0].Line != line || jobs[0].LogFile != res.LogFile || jobs[0].State != Background || jobs[0].ExitCode != 0 {
				t.Fatalf("jobs %+v", jobs)
			}
			eventually(t, "something runs", func() bool { return len(marked(m.mark)) > 0 }) // it may be within an exec
		})
	}
}

func TestJobEndsByItself(t *testing.T) {
	m := manager(t, Options{LogDir: t.TempDir()})
	res := m.run("(sleep 0.4; echo late) & echo early")
	if !res.Background || res.Output != "early\n" {
		t.Fatalf("%+v", res)
	}
	eventually(t, "the job leaves the list", func() bool { return len(m.List()) == 0 })
	if b, _ := os.ReadFile(res.LogFile); string(b) != "early\nlate\n" {
		t.Errorf("log %q", b)
	}
}

func TestStopJob(t *testing.T) {
	m := manager(t, Options{})
	m.run("sleep 61 & setsid sleep 62 & echo a")
	m.run("sleep 63 & echo b")
	jobs := m.List()
	if len(jobs) != 2 || !strings.HasSuffix(jobs[0].Line, "echo a") || !strings.HasSuffix(jobs[1].Line, "echo b") {
		t.Fatalf("%+v", jobs)
	}
	if err := m.Kill(t.Context(), jobs[0].ID); err != nil {
		t.Fatal(err)
	}
	if err := m.Kill(t.Context(), jobs[0].ID); err != ErrNoCommand {
		t.Fatal(err)
	}
	if left := m.List(); len(left) != 1 || left[0].ID != jobs[1].ID {
		t.Fatalf("%+v", left)
	}
	if left := marked(m.mark); len(left) != 1 {
		t.Fatalf("%v still run, want the other job's", left)
	}
}

// A secret's variable is not handed on, and the mark is.
func TestEnvironment(t *testing.T) {
	m := manager(t, Options{
		Settings: func() Settings { return Settings{Shell: "/bin/sh", Scrub: []string{"MY_KEY"}} },
		Environ: func(context.Context) []string {
			return []string{"PATH=" + os.Getenv("PATH"), "MY_KEY=sk-CANARY123", "MY_KEYS=kept", "PAGER=less", "TERM=xterm", "GPG_TTY=/dev/pts/9", "OLDPWD=/old"}
		},
	})
	out := "\n" + m.run("env").Output
	if strings.Contains(out, "CANARY") {
		t.Error("the secret is there")
	}
	for _, want := range []string{"\nMY_KEYS=kept\n", "\nPAGER=cat\n", "\nTERM=dumb\n", "\n" + markVar + "="} {
		if strings.Count(out, want) != 1 {
			t.Errorf("%q is not there once in\n%s", want, out)
		}
	}
	if strings.Contains(out, "less") || strings.Contains(out, "xterm") || strings.Contains(out, "GPG_TTY") || strings.Contains(out, "/old") {
		t.Error(out)
	}
	// With a terminal there is somebody to ask.
	ask := tools.CommandLine{Line: "echo [$GIT_TERMINAL_PROMPT$DEBIAN_FRONTEND] $PAGER $EDITOR", TTY: true}
	if res, err := m.Run(t.Context(), ask, nil); err != nil || res.Output != "[] cat true\n" {
		t.Errorf("%+v %v", res, err)
	}
}

// Where no locale is named, output is in the encoding it is read as.
func TestDefaultLocale(t *testing.T) {
	for _, c := range []struct{ env, want string }{
		{"", "C.UTF-8"},
		{"LANG=", "C.UTF-8"},
		{"LANG=de_DE.UTF-8", ""},
		{"LC_ALL=C", ""},
		{"LC_CTYPE=C", "C"},
		{"LC_CTYPE=", "C.UTF-8"},
	} {
		m := manager(t, Options{
			Settings: func() Settings { return Settings{Shell: "/bin/sh"} },
			Environ:  func(context.Context) []string { return []string{"PATH=" + os.Getenv("PATH"), c.env} },
		})
		if out := m.run("echo $LC_CTYPE").Output; out != c.want+"\n" {
			t.Errorf("%q gives %q, want %q", c.env, out, c.want)
		}
	}
}

func TestChooseShell(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"bash", "tcsh", "zsh"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ setting, env, want string }{
		{"", dir + "/bash", dir + "/bash"},
		{"", dir + "/zsh", dir + "/zsh"},
		{"", dir + "/tcsh", "/bin/sh"},
		{"", dir + "/fish", "/bin/sh"}, // not there
		{"", "", "/bin/sh"},
		{dir + "/tcsh", dir + "/bash", dir + "/tcsh"},
	} {
		got, err := chooseShell(c.setting, []string{"A=b", "SHELL=" + c.env})
		if err != nil || got != c.want {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
}

// the limit ends the whole tree, and the output so far is kept.
func TestTimeout(t *testing.T) {
	m := manager(t, Options{Settings: func() Settings { return Settings{Shell: "/bin/sh", Timeout: hang} }})
	res, err := m.Run(t.Context(), tools.CommandLine{Line: "echo begun; setsid sleep 60 & sleep 60", Timeout: 300 * time.Millisecond}, nil)
	if err != nil || !res.TimedOut || res.Cancelled || res.ExitCode != -1 || res.Background || res.Output != "begun\n" {
		t.Fatalf("%+v %v", res, err)
	}
	if left := marked(m.mark); len(left) > 0 {
		t.Fatal("left", left)
	}
	def := manager(t, Options{Settings: func() Settings { return Settings{Shell: "/bin/sh", Timeout: 200 * time.Millisecond} }})
	if res := def.run("trap '' TERM; while :; do sleep 0.05; done"); !res.TimedOut || res.Signal != "killed" {
		t.Fatalf("%+v", res)
	}
}

func TestCancelAtAnyMoment(t *testing.T) {
	m := manager(t, Options{})
	for i := range 25 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i*i)*time.Millisecond/2)
		res, err := m.Run(ctx, tools.CommandLine{Line: "(sleep 60; echo) | cat & setsid sleep 60 & while :; do echo x; sleep 0.01; done"}, nil)
		cancel()
		if err != nil || !res.Cancelled || res.ExitCode != -1 || res.Background {
			t.Fatalf("%d: %+v %v", i, res, err)
		}
		if left := marked(m.mark); len(left) > 0 {
			t.Fatalf("%d: left %v", i, left)
		}
	}
}

func TestCloseCancelsWhatRuns(t *testing.T) {
	m := manager(t, Options{})
	started := make(chan struct{})
	var once sync.Once
	done := make(chan *tools.CommandResult)
	go func() {
		res, _ := m.Run(context.Background(), tools.CommandLine{Line: "echo go; sleep 60"}, func(string) { once.Do(func() { close(started) }) })
		done <- res
	}()
	<-started
	m.Close()
	if res := <-done; !res.Cancelled {
		t.Errorf("%+v", res)
	}
}
