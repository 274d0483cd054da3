package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"clined/internal/console"
	"clined/internal/daemon"
	"clined/internal/protocol"
	"clined/internal/rpc"

	"golang.org/x/term"
)

type runCmd struct {
	Task []string `arg:"" optional:"" help:"What to do; - reads it from stdin."`
	Cwd  string   `default:"." help:"The folder to work in." placeholder:"DIR"`
	Mode string   `default:"act" enum:"act,plan" help:"act, or plan: explore and propose, change nothing."`
	modelFlags
	approvalFlags
	JSON        bool `name:"json" help:"Write events to stdout, one JSON object a line."`
	Interactive bool `short:"i" help:"Go on as a conversation."`
	NoTools     bool `help:"Plain chat: the model is given no tools."`
}

// Run does a task in the terminal.
func (c *runCmd) Run(ctx context.Context, a *app) error {
	task := strings.Join(c.Task, " ")
	if task == "-" {
		text, err := io.ReadAll(a.stdin)
		if err != nil {
			return err
		}
		task, a.stdin = string(text), nil
	}
	if strings.TrimSpace(task) == "" && !c.Interactive {
		return &usageError{text: "there is nothing to do", hint: `say what: clined run "fix the failing test", or start a conversation: clined run -i`}
	}
	cwd, err := workdir(c.Cwd)
	if err != nil {
		return err
	}
	approvals, err := c.approvalFlags.settings()
	if err != nil {
		return err
	}
	chat := map[string]string{}
	if c.NoTools {
		chat["toolCalling"] = "none"
	}
	o, err := a.daemonOptions(c.modelFlags.settings(), approvals, chat)
	if err != nil {
		return err
	}
	o.Yes = c.Yes
	s := session{options: o, cwd: cwd, mode: c.Mode, json: c.JSON, interactive: c.Interactive}
	return s.run(ctx, a, task)
}

// session is a task in this terminal with a daemon in this process.
type session struct {
	options           daemon.Options
	cwd, mode         string
	json, interactive bool
	// intro is shown before the task starts.
	intro func(show func(string))
}

// run does the task and returns an exit error for anything but success.
func (s *session) run(ctx context.Context, a *app, task string) error {
	d, _, err := daemon.New(s.options) // what is wrong with the settings is told in the task
	if err != nil {
		return err
	}
	defer d.Close()

	here, there := net.Pipe()
	served := make(chan struct{})
	go func() {
		defer close(served)
		d.Serve(context.WithoutCancel(ctx), there, rpc.Header)
	}()
	front := console.New(a.consoleOptions(s.json, s.interactive))
	hangUp, err := front.Connect(ctx, here, console.Workspace{Cwd: s.cwd, Version: version()})
	if err != nil {
		return fmt.Errorf("the daemon could not be started: %w", err)
	}
	if s.intro != nil {
		s.intro(front.Show)
	}
	params := protocol.TaskNewParams{Cwd: s.cwd, Mode: s.mode}
	if strings.TrimSpace(task) != "" {
		params.Prompt = protocol.Text(task)
	}
	code := front.Run(ctx, params)
	hangUp()
	<-served
	if code != console.ExitDone {
		return exit(code)
	}
	return nil
}

// consoleOptions look at what the streams are.
func (a *app) consoleOptions(json, interactive bool) console.Options {
	outTTY, errTTY := isTerminal(a.stdout), isTerminal(a.stderr)
	return console.Options{
		Out: a.stdout, Err: a.stderr, In: a.stdin, InTTY: isTerminal(a.stdin),
		Color:  errTTY && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
		OutTTY: outTTY && errTTY, Width: columns(a.stderr), JSON: json, Interactive: interactive,
	}
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
