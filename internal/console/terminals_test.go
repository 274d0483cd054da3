package console_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"clined/internal/console"
	"clined/internal/event"
	"clined/internal/protocol"
)

// commands are what the fake server has of them. Those that are killed or told
// to go on elsewhere are only noted.
type commands struct {
	list  []event.Terminal
	rules []protocol.RuleInfo
	fails error
	// slow is waited for by those who ask for the rules; nil for no wait.
	slow chan struct{}
}

func (s *fakeServer) did(what string, p protocol.TerminalParams) (*protocol.Empty, error) {
	s.note(strings.TrimSpace(what + " " + p.TaskID + " " + p.TerminalID))
	return &protocol.Empty{}, s.commands.fails
}

func (s *fakeServer) TerminalList(_ context.Context, p *protocol.TerminalListParams) (*protocol.TerminalListResult, error) {
	return &protocol.TerminalListResult{Terminals: s.commands.list}, s.commands.fails
}

func (s *fakeServer) TerminalInput(_ context.Context, p *protocol.TerminalInputParams) (*protocol.Empty, error) {
	return s.did(fmt.Sprintf("input %q", p.Text), p.TerminalParams)
}

func (s *fakeServer) TerminalResize(_ context.Context, p *protocol.TerminalResizeParams) (*protocol.Empty, error) {
	return s.did(fmt.Sprintf("resize %dx%d", p.Cols, p.Rows), p.TerminalParams)
}

func (s *fakeServer) TerminalKill(_ context.Context, p *protocol.TerminalParams) (*protocol.Empty, error) {
	return s.did("kill", *p)
}

func (s *fakeServer) TerminalDetach(_ context.Context, p *protocol.TerminalParams) (*protocol.Empty, error) {
	return s.did("detach", *p)
}

func (s *fakeServer) RuleList(context.Context, *protocol.RuleListParams) (*protocol.RuleListResult, error) {
	if s.commands.slow != nil {
		<-s.commands.slow
	}
	return &protocol.RuleListResult{Rules: s.commands.rules}, s.commands.fails
}

func command(id, line, state, asks string, tty bool) event.Terminal {
	return event.Terminal{TerminalID: id, Command: line, Cwd: "/w", State: state, Asks: asks, TTY: tty}
}

// at is a front at a terminal whose one turn plays the steps, each of which goes
// on when all has come to rest. It returns what was shown, noted, and the code.
func at(t *testing.T, o console.Options, steps ...func(f *front, s *fakeServer, keys *typist)) (shown, noted string, code int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		keys := newTypist()
		if o.InTTY {
			o.In = keys
		}
		o.OutTTY = true
		f := newFront(t, o)
		s := &fakeServer{turns: []func(context.Context, *fakeServer){func(_ context.Context, s *fakeServer) {
			s.emit(event.State{State: event.Running},
				event.ToolCall{ToolCallID: "c1", Name: "execute_command", Kind: "command", Status: event.InProgress, Args: `{"command":"npm init"}`})
			for _, step := range steps {
				step(f, s, keys)
				synctest.Wait()
			}
			s.emit(final("m2", "Done."), idle(event.Completed))
		}}}
		hangUp, _ := connect(t, f, s)
		code = f.Run(t.Context(), task("x"))
		hangUp()
		keys.w.Close()
		shown, noted = f.err.String(), s.noted()
	})
	return shown, noted, code
}

type step = func(f *front, s *fakeServer, keys *typist)

func emits(list ...event.Event) step {
	return func(_ *front, s *fakeServer, _ *typist) { s.emit(list...) }
}

func types(lines ...string) step {
	return func(_ *front, _ *fakeServer, keys *typist) { keys.enter(lines...) }
}

// What a command asks for is typed to it, line by line.
func TestCommandAsks(t *testing.T) {
	const init = "npm init --workspace packages/the-one-with-a-long-name --scope @somebody"
	shown, noted, code := at(t, console.Options{Width: 80, InTTY: true},
		emits(command("c1", init, "running", "", true)),
		emits(event.ToolCallDelta{ToolCallID: "c1", Output: "package name: (app) "}, command("c1", init, "running", "package name: (app) \x1b[2J", true)),
		types("my app"),
		emits(command("c1", init, "running", "", true), event.ToolCallDelta{ToolCallID: "c1", Output: "my app\nversion: "},
			command("c1", init, "running", "version:", true)),
		types(""),
		emits(command("c1", init, "running", "", true), command("c1", init, "running", "overwrite?", true)),
		// It goes on by itself.
		emits(command("c1", init, "running", "", true), command("c1", init, "exited", "", true)),
		func(f *front, _ *fakeServer, _ *typist) {
			wantIn(t, f.err.String(), "(no answer is needed any more)\n")
		},
	)
	if code != console.ExitDone {
		t.Errorf("exit code %d", code)
	}
	wantHarmless(t, shown)
	golden(t, "command-asks-80", shown+"-- server --\n"+noted+"\n")
}

// A command that asks can be let go of instead, and what it asked last is what
// the line is for.
func TestCommandAsksAndIsLetGo(t *testing.T) {
	for typed, want := range map[string]string{
		"/bg": "detach t1 c1", "/kill": "kill t1 c1", " /kill ": "kill t1 c1",
		"/bg please": `input "/bg please\r" t1 c1`, "y": `input "y\r" t1 c1`, " ": `input " \r" t1 c1`,
	} {
		_, noted, _ := at(t, console.Options{InTTY: true, Interactive: false}, emits(command("c1", "x", "running", "go?", true)), types(typed))
		if !strings.Contains(noted, want) || strings.Count(noted, "c1") != 1 {
			t.Errorf("%q:\n%s", typed, noted)
		}
	}
	// One that has ended meanwhile.
	shown, _, _ := at(t, console.Options{InTTY: true}, func(_ *front, s *fakeServer, _ *typist) {
		s.commands.fails = errors.New("no such command runs")
		s.emit(command("c1", "x", "running", "go?", true))
	}, types("y"))
	wantIn(t, shown, "clined: no such command runs\n")
}

// What is typed for a password is hidden, and nothing else is.
func TestCommandAsksForSecret(t *testing.T) {
	var hidden, shown atomic.Int32
	hide := func() func() {
		hidden.Add(1)
		return func() { shown.Add(1) }
	}
	for asks, want := range map[string]int32{
		"Password for dev:": 1, "Enter passphrase for key '/k': ": 1, "请输入密码：": 1, "GitHub token: ": 1, "name: ": 0, "Pass the salt? ": 0,
	} {
		hidden.Store(0)
		shown.Store(0)
		text, _, _ := at(t, console.Options{InTTY: true, Hide: hide}, emits(command("c1", "x", "running", asks, true)), types("s"))
		if hidden.Load() != want || shown.Load() != want || strings.Contains(text, "and is not shown") != (want == 1) {
			t.Errorf("%q: hidden %d times, shown again %d times:\n%s", asks, hidden.Load(), shown.Load(), text)
		}
	}
	hidden.Store(0)
	shown.Store(0) // nobody answers
	at(t, console.Options{InTTY: true, Hide: hide}, emits(command("c1", "x", "running", "Password:", true)))
	if hidden.Load() != 1 || shown.Load() != 1 {
		t.Errorf("left hidden: %d, %d", hidden.Load(), shown.Load())
	}
}

// Where nobody can type, or the command cannot read, it is only told.
func TestCommandWaits(t *testing.T) {
	for name, tt := range map[string]struct {
		o    console.Options
		e    event.Terminal
		want string
	}{
		"nobody here":           {console.Options{}, command("c1", "x", "running", "go?", true), "nobody is here to answer; Ctrl-C stops it"},
		"no terminal":           {console.Options{InTTY: true}, command("c1", "x", "running", "go?", false), "it has no terminal and cannot be typed to; Ctrl-C"},
		"no terminal, talking":  {console.Options{InTTY: true, Interactive: true}, command("c1", "x", "running", "go?", false), "/bg lets it go on, /kill ends it"},
		"background":            {console.Options{InTTY: true, Interactive: true}, command("c1", "x", "background", "go?", true), "/type 1 WORDS answers, /kill 1 ends it"},
		"background, no tty":    {console.Options{InTTY: true, Interactive: true}, command("c1", "x", "background", "go?", false), "cannot be typed to; /kill 1 ends it"},
		"background, one turn":  {console.Options{InTTY: true}, command("c1", "x", "background", "go?", true), "nobody is here to answer"},
		"what steers is harmed": {console.Options{}, command("c1", "x\x1b[2J", "running", "go?\x1b[2J", true), "    │ go?\n"},
	} {
		t.Run(name, func(t *testing.T) {
			shown, noted, code := at(t, tt.o, emits(tt.e, tt.e), func(_ *front, _ *fakeServer, keys *typist) {
				if tt.o.Interactive {
					keys.enter("/exit")
				}
			})
			if code != console.ExitDone || strings.Contains(noted, "input") || strings.Count(shown, "waits at:") != 1 {
				t.Errorf("exit code %d:\n%s\n%s", code, shown, noted)
			}
			wantIn(t, shown, "[1] x waits at:\n", tt.want)
			wantHarmless(t, shown)
		})
	}
}

func TestBackgroundCommands(t *testing.T) {
	zero, two := 0, 2
	ends := func(id, line string, code *int, signal string) event.Terminal {
		e := command(id, line, "exited", "", false)
		e.ExitCode, e.Signal = code, signal
		return e
	}
	bg := func(id, line string) event.Terminal { return command(id, line, "background", "", false) }
	long := "python -m http.server 8080 --bind 127.0.0.1 --directory some/folder/with/a/long/name"
	shown, _, _ := at(t, console.Options{Width: 80, InTTY: true},
		emits(bg("c1", "npm start"), bg("c1", "npm start"), event.TerminalDelta{TerminalID: "c1", Text: "noise\n"}),
		emits(command("c0", "vi", "running", "", true), ends("c0", "vi", &zero, "")), // its call tells
		emits(bg("c2", long), bg("c3", "make\x1b[2J\nall"), bg("c4", "odd"), bg("c5", "stays")),
		emits(ends("c1", "npm start", &zero, ""), ends("c2", long, &two, ""), ends("c3", "make\nall", nil, "killed\x1b"), ends("c4", "odd", nil, "")),
	)
	wantHarmless(t, shown)
	golden(t, "background-80", shown)
}

func TestJobs(t *testing.T) {
	log := command("c2", "npm start", "background", "Port? ", true)
	log.LogFile = "/home/dev/log/c2.log"
	all := []event.Terminal{command("c1", "make", "running", "", false), log, command("c3", "tail -f x", "background", "", false)}
	for typed, tt := range map[string]struct {
		list  []event.Terminal
		did   string
		shown string
	}{
		"/jobs":         {all, "", "  [1] make\n  [2] npm start in the background\n    waits at: Port?\n    output: ~/log/c2.log\n  [3] tail -f x in the background\n"},
		"/jobs ":        {nil, "", "no command runs\n"},
		"/bg":           {all, "detach t1 c1", ""},
		"/bg 1":         {all, "detach t1 c1", ""},
		"/kill":         {all, "kill t1 c1", ""},
		"/kill 3":       {all, "kill t1 c3", ""},
		"/kill  ":       {all[1:], "", "it is not clear which command is meant; say its number:\n  [1] npm start in the background\n"},
		" /kill":        {all[2:], "kill t1 c3", ""},
		"/kill 9":       {all, "", "no command 9 runs; these do:\n  [1] make\n"},
		"/kill 1 ":      {nil, "", "no command runs\n"},
		"/type y":       {all, `input "y\r" t1 c2`, "typed into [2]\n"},
		"/type 2 y  n":  {all, `input "y  n\r" t1 c2`, ""},
		"/type 2":       {all, `input "\r" t1 c2`, ""},
		"/type":         {all, `input "\r" t1 c2`, ""},
		"/kill all":     {all, "prompt t1 : /kill all", "queued: /kill all"},
		"/bg it":        {all, "prompt t1 : /bg it", ""},
		"/jobs there?":  {all, "prompt t1 : /jobs there?", ""},
		"/killing time": {all, "prompt t1 : /killing time", ""},
	} {
		t.Run(typed, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, keys, s, done := working(t, func(_ context.Context, s *fakeServer) { s.emit(idle(event.Completed)) })
				s.commands.list = tt.list
				keys.enter(typed)
				synctest.Wait()
				keys.enter("/exit")
				text, _ := done()
				wantIn(t, strings.ReplaceAll(text, "/home/dev", "~"), tt.shown)
				wantIn(t, s.noted(), tt.did)
				if n := strings.Count(s.noted(), "t1 c"); n > 1 || n == 1 && tt.did == "" {
					t.Error(s.noted())
				}
			})
		})
	}
	f := newFront(t, console.Options{In: strings.NewReader("/jobs\n/kill\n/exit\n"), Interactive: true})
	f.Run(t.Context(), protocol.TaskNewParams{})
	if strings.Count(f.err.String(), "no command runs\n") != 2 {
		t.Errorf("without a task:\n%s", f.err)
	}
	synctest.Test(t, func(t *testing.T) {
		_, keys, s, done := working(t)
		s.commands.fails = errors.New("the daemon is busy")
		keys.enter("/jobs", "/exit")
		text, _ := done()
		wantIn(t, text, "clined: the daemon is busy\n")
	})
}

// A command's terminal is as wide as its output is shown.
func TestCommandResize(t *testing.T) {
	var columns atomic.Int32
	columns.Store(80)
	o := console.Options{Width: 80, Size: func() (int, int) { return int(columns.Load()), 24 }}
	resized := func(to int32) step {
		return func(f *front, _ *fakeServer, _ *typist) {
			columns.Store(to)
			f.Resized()
		}
	}
	shown, noted, _ := at(t, o,
		emits(command("c1", "top", "running", "", true), command("c2", "make", "running", "", false), command("c1", "top", "running", "", true)),
		resized(40), resized(0), // no longer known
		emits(event.Notice{Text: strings.Repeat("word ", 12)}),
		emits(command("c1", "top", "exited", "", true)), resized(100))
	want := "resize 74x24 t1 c1\nresize 34x24 t1 c1\nshutdown"
	wantIn(t, noted, want)
	wantIn(t, shown, "  word word word word word word word\n  word")
}
