package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"clined/internal/console"
	"clined/internal/daemon"
	"clined/internal/protocol"

	"golang.org/x/term"
)

type runCmd struct {
	Task   []string `arg:"" optional:"" help:"What to do; - reads it from stdin."`
	Cwd    string   `default:"." help:"The folder to work in; a task that is resumed has its own." placeholder:"DIR"`
	Resume string   `help:"Go on with this task: its id, or a part of it, or last for the newest of this folder." placeholder:"ID"`
	taskFlags
}

// taskFlags say how a task is done.
type taskFlags struct {
	Mode string `default:"" enum:",act,plan" placeholder:"MODE" help:"act, or plan: explore and propose, change nothing. Default: act, or as the task was."`
	modelFlags
	approvalFlags
	JSON        bool `name:"json" help:"Write events to stdout, one JSON object a line."`
	Interactive bool `short:"i" help:"Go on as a conversation; /help tells what can be said."`
	NoTools     bool `help:"Plain chat: the model is given no tools."`
}

// Run does a task in the terminal.
func (c *runCmd) Run(ctx context.Context, a *app) error {
	task := strings.Join(c.Task, " ")
	cwd, err := workdir(c.Cwd)
	if err != nil {
		return err
	}
	if c.Resume != "" {
		return c.resume(ctx, a, console.Which{ID: c.Resume, Cwd: cwd}, task)
	}
	if !utf8.ValidString(cwd) {
		return notUTF8(cwd)
	}
	s, err := c.session(a)
	if err != nil {
		return err
	}
	if task, err = a.words(task); err != nil {
		return err
	}
	if strings.TrimSpace(task) == "" && !c.Interactive {
		return &usageError{text: "there is nothing to do", hint: `say what: clined run "fix the failing test", or start a conversation: clined run -i`}
	}
	s.cwd = cwd
	return s.run(ctx, a, task)
}

// resume goes on with a task, in the folder that is its own.
func (c *taskFlags) resume(ctx context.Context, a *app, which console.Which, task string) error {
	s, err := c.session(a)
	if err != nil {
		return err
	}
	if task, err = a.words(task); err != nil {
		return err
	}
	err = a.look(ctx, a.consoleOptions(false, false), func(f *console.Front) (err error) {
		s.resumes, err = f.Find(ctx, which)
		return err
	})
	if err != nil {
		return err
	}
	if _, err := workdir(s.resumes.Cwd); err != nil {
		return &console.Problem{Text: fmt.Sprintf("the task's folder %q is not there any more", s.resumes.Cwd), Hint: "what was said is kept: clined tasks show, clined tasks export"}
	}
	s.cwd = s.resumes.Cwd
	return s.run(ctx, a, task)
}

// words returns the task as it was said; "-" is on stdin, which is used up then.
func (a *app) words(task string) (string, error) {
	if task != "-" {
		return task, nil
	}
	text, err := io.ReadAll(a.stdin)
	a.stdin = nil
	return string(text), err
}

// session is a task in this terminal with a daemon in this process.
type session struct {
	options           daemon.Options
	cwd, mode         string
	json, interactive bool
	// resumable says that the task outlives this.
	resumable bool
	// resumes is the task that is gone on with, "" as its id for a new one.
	resumes protocol.TaskInfo
	// intro is shown before the task starts.
	intro func(show func(string))
}

// session is what the flags ask for.
func (c *taskFlags) session(a *app) (*session, error) {
	approvals, err := c.approvalFlags.settings()
	if err != nil {
		return nil, err
	}
	chat := map[string]string{}
	if c.NoTools {
		chat["toolCalling"] = "none"
	}
	o, err := a.daemonOptions(c.modelFlags.settings(), approvals, chat)
	if err != nil {
		return nil, err
	}
	o.Yes = c.Yes
	return &session{options: o, mode: c.Mode, json: c.JSON, interactive: c.Interactive, resumable: true}, nil
}

// run does the task and returns an exit error for anything but success.
func (s *session) run(ctx context.Context, a *app, task string) error {
	d, _, err := daemon.New(s.options) // what is wrong with the settings is told in the task
	if err != nil {
		return err
	}
	defer d.Close()
	o := a.consoleOptions(s.json, s.interactive)
	o.Resumable = s.resumable
	front, hangUp, err := connect(ctx, d, o, console.Workspace{Cwd: s.cwd, Roots: s.resumes.Roots, Version: version()})
	if err != nil {
		return err
	}
	if s.intro != nil {
		s.intro(front.Show)
	}
	stop := func() {}
	if o.Size != nil {
		stop = onResize(front.Resized)
	}
	code := s.do(ctx, front, task)
	stop()
	hangUp()
	if code != console.ExitDone {
		return exit(code)
	}
	return nil
}

// do begins the task, or goes on with it.
func (s *session) do(ctx context.Context, front *console.Front, task string) int {
	if s.resumes.TaskID != "" {
		return front.Resume(ctx, console.Resuming{Task: s.resumes, Prompt: strings.TrimSpace(task), Mode: s.mode})
	}
	params := protocol.TaskNewParams{Cwd: s.cwd, Mode: s.mode}
	if strings.TrimSpace(task) != "" {
		params.Prompt = protocol.Text(task)
	}
	return front.Run(ctx, params)
}

// consoleOptions look at what the streams are.
func (a *app) consoleOptions(json, interactive bool) console.Options {
	outTTY, errTTY := isTerminal(a.stdout), isTerminal(a.stderr)
	o := console.Options{
		Out: a.stdout, Err: a.stderr, In: a.stdin, InTTY: isTerminal(a.stdin),
		Color:  errTTY && colors(),
		OutTTY: outTTY && errTTY, Width: columns(a.stderr), JSON: json, Interactive: interactive,
		Home: home(),
	}
	if f, ok := a.stdin.(*os.File); ok && o.InTTY {
		o.Hide = hideTyping(int(f.Fd()))
	}
	if f, ok := a.stderr.(*os.File); ok && errTTY {
		o.Size = func() (columns, rows int) {
			columns, rows, _ = term.GetSize(int(f.Fd())) // 0 where it is not known
			return columns, rows
		}
	}
	return o
}

// colors reports whether the user wants any.
func colors() bool { return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" }

// home is the user's folder, "" when it is not known.
func home() string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return dir
}

// isTerminal looks at a stream, a reader or a writer.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// columns is the width of a terminal, 0 for anything else.
func columns(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}
