package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"

	"clined/internal/console"
	"clined/internal/daemon"
	"clined/internal/protocol"
	"clined/internal/rpc"
)

type tasksCmd struct {
	List     tasksListCmd     `cmd:"" default:"withargs" help:"List tasks, the newest first."`
	Show     tasksShowCmd     `cmd:"" help:"Show what was said and done in a task."`
	Search   tasksSearchCmd   `cmd:"" help:"List the tasks in which words were said."`
	Resume   tasksResumeCmd   `cmd:"" help:"Go on with a task; the same as clined run --resume."`
	Delete   tasksDeleteCmd   `cmd:"" help:"Delete tasks, after a question."`
	Export   tasksExportCmd   `cmd:"" help:"Write a task down as Markdown or JSON."`
	Rename   tasksRenameCmd   `cmd:"" help:"Give a task another title."`
	Favorite tasksFavoriteCmd `cmd:"" help:"Mark a task as a favorite."`
}

// lastFlags name a task without its id.
type lastFlags struct {
	Last bool   `help:"The newest task of this folder, instead of an ID; so does the ID last."`
	Cwd  string `default:"." help:"The folder that --last goes by." placeholder:"DIR"`
}

// which takes the id off the front of the words, unless --last stands for it.
func (l lastFlags) which(words []string) (w console.Which, rest []string, err error) {
	w.Last = l.Last
	if w.Cwd, err = workdir(l.Cwd); err != nil {
		return w, nil, err
	}
	if l.Last {
		return w, words, nil
	}
	if len(words) == 0 {
		return w, nil, &usageError{text: "it is not said which task", hint: "give its id, or a part of it, or --last: see clined tasks"}
	}
	w.ID = words[0]
	return w, words[1:], nil
}

// look runs f with a front that looks at tasks: no workspace is open, and
// nothing is started for one.
func (a *app) look(ctx context.Context, o console.Options, f func(*console.Front) error) error {
	options, err := a.daemonOptions()
	if err != nil {
		return err
	}
	d, _, err := daemon.New(options)
	if err != nil {
		return err
	}
	defer a.closeDaemon(d)
	front, hangUp, err := connect(ctx, d, o, console.Workspace{Version: version()})
	if err != nil {
		return err
	}
	defer hangUp()
	return f(front)
}

// connect attaches a front to a daemon in this process. hangUp also waits for
// the daemon's side.
func connect(ctx context.Context, d *daemon.Daemon, o console.Options, w console.Workspace) (front *console.Front, hangUp func(), err error) {
	here, there := net.Pipe()
	served := make(chan struct{})
	go func() {
		defer close(served)
		d.Serve(context.WithoutCancel(ctx), there, rpc.Header)
	}()
	front = console.New(o)
	bye, err := front.Connect(ctx, here, w)
	if err != nil {
		<-served
		return nil, nil, fmt.Errorf("the daemon could not be started: %w", err)
	}
	return front, func() {
		bye()
		<-served
	}, nil
}

// listOptions are for what is written to stdout as a whole.
func (a *app) listOptions(json bool) console.Options {
	o := a.consoleOptions(json, false)
	o.Width = columns(a.stdout)
	o.Color = isTerminal(a.stdout) && colors()
	return o
}

type tasksListCmd struct {
	Cwd       string `help:"Only the tasks of this folder." placeholder:"DIR"`
	Here      bool   `help:"Only the tasks of the current folder."`
	Favorites bool   `help:"Only favorites."`
	All       bool   `help:"The old ones, too."`
	JSON      bool   `name:"json" help:"As JSON, for programs."`
}

// Run lists tasks.
func (c *tasksListCmd) Run(ctx context.Context, a *app) error {
	l := console.Listing{Favorite: c.Favorites, All: c.All}
	if c.Here && c.Cwd == "" {
		c.Cwd = "."
	}
	if c.Cwd != "" { // it may be gone; its tasks are not
		abs, err := filepath.Abs(c.Cwd)
		if err != nil {
			return err
		}
		l.Cwd = abs
	}
	return a.look(ctx, a.listOptions(c.JSON), func(f *console.Front) error { return f.List(ctx, l) })
}

type tasksSearchCmd struct {
	Words []string `arg:"" help:"Words that a task must have, each whole or by its beginning."`
	All   bool     `help:"The old ones, too."`
	JSON  bool     `name:"json" help:"As JSON, for programs."`
}

// Run lists the tasks that have the words.
func (c *tasksSearchCmd) Run(ctx context.Context, a *app) error {
	l := console.Listing{Query: strings.Join(c.Words, " "), All: c.All}
	return a.look(ctx, a.listOptions(c.JSON), func(f *console.Front) error { return f.List(ctx, l) })
}

type tasksShowCmd struct {
	ID []string `arg:"" optional:"" name:"id" help:"Its id, or the beginning or end of it."`
	lastFlags
	Full bool `help:"Fold nothing: whole outputs, changes and thoughts."`
	JSON bool `name:"json" help:"As JSON, for programs."`
}

// Run shows a task.
func (c *tasksShowCmd) Run(ctx context.Context, a *app) error {
	return a.onTask(ctx, a.listOptions(c.JSON), c.lastFlags, c.ID, func(f *console.Front, t protocol.TaskInfo, rest []string) error {
		if len(rest) > 0 {
			return tooMuch("show", rest)
		}
		return f.ShowTask(ctx, t.TaskID, c.Full)
	})
}

func tooMuch(command string, rest []string) error {
	return &usageError{text: fmt.Sprintf("unexpected argument %s", rest[0]), hint: "see clined tasks " + command + " --help"}
}

// onTask looks at the one task that is meant.
func (a *app) onTask(ctx context.Context, o console.Options, l lastFlags, words []string, f func(*console.Front, protocol.TaskInfo, []string) error) error {
	which, rest, err := l.which(words)
	if err != nil {
		return err
	}
	return a.look(ctx, o, func(front *console.Front) error {
		t, err := front.Find(ctx, which)
		if err != nil {
			return err
		}
		return f(front, t, rest)
	})
}

type tasksResumeCmd struct {
	Words []string `arg:"" optional:"" name:"id" help:"Its id, or a part of it, and what is to be said; - reads that from stdin."`
	lastFlags
	taskFlags
}

// Run goes on with a task.
func (c *tasksResumeCmd) Run(ctx context.Context, a *app) error {
	which, rest, err := c.which(c.Words)
	if err != nil {
		return err
	}
	return c.resume(ctx, a, which, strings.Join(rest, " "))
}

type tasksDeleteCmd struct {
	ID []string `arg:"" optional:"" name:"id" help:"Their ids, or parts of them."`
	lastFlags
	Yes bool `short:"y" help:"Do not ask."`
}

// Run deletes tasks.
func (c *tasksDeleteCmd) Run(ctx context.Context, a *app) error {
	first, rest, err := c.which(c.ID)
	if err != nil {
		return err
	}
	return a.look(ctx, a.consoleOptions(false, false), func(f *console.Front) error {
		all, seen := []protocol.TaskInfo{}, map[string]bool{}
		for i := -1; i < len(rest); i++ {
			w := first
			if i >= 0 {
				w = console.Which{ID: rest[i], Cwd: first.Cwd}
			}
			t, err := f.Find(ctx, w)
			if err != nil {
				return err
			}
			if !seen[t.TaskID] {
				all, seen[t.TaskID] = append(all, t), true
			}
		}
		if code := f.Delete(ctx, all, c.Yes); code != console.ExitDone {
			return exit(code)
		}
		return nil
	})
}

type tasksExportCmd struct {
	ID []string `arg:"" optional:"" name:"id" help:"Its id, or the beginning or end of it."`
	lastFlags
	Format string `default:"markdown" enum:"markdown,json" help:"markdown or json."`
	Output string `short:"o" help:"Write to this file, or into this folder, instead of stdout." placeholder:"FILE"`
}

// Run writes a task down.
func (c *tasksExportCmd) Run(ctx context.Context, a *app) error {
	return a.onTask(ctx, a.listOptions(false), c.lastFlags, c.ID, func(f *console.Front, t protocol.TaskInfo, rest []string) error {
		if len(rest) > 0 {
			return tooMuch("export", rest)
		}
		res, err := f.Export(ctx, t.TaskID, c.Format)
		if err != nil {
			return err
		}
		if c.Output == "" || c.Output == "-" {
			_, err := io.WriteString(a.stdout, res.Text)
			return err
		}
		file := c.Output
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			file = filepath.Join(file, res.FileName)
		}
		// What was said may be nobody else's business.
		if err := os.WriteFile(file, []byte(res.Text), 0o600); err != nil {
			return err
		}
		f.Show("written to " + file)
		return nil
	})
}

type tasksRenameCmd struct {
	Words []string `arg:"" optional:"" name:"id" help:"Its id, or a part of it, and the new title."`
	lastFlags
}

// Run gives a task another title.
func (c *tasksRenameCmd) Run(ctx context.Context, a *app) error {
	return a.onTask(ctx, a.listOptions(false), c.lastFlags, c.Words, func(f *console.Front, t protocol.TaskInfo, rest []string) error {
		title := strings.TrimSpace(strings.Join(rest, " "))
		if title == "" {
			return &usageError{text: "there is no title", hint: `clined tasks rename ID "the new title"`}
		}
		return f.Rename(ctx, t, title)
	})
}

type tasksFavoriteCmd struct {
	ID []string `arg:"" optional:"" name:"id" help:"Its id, or the beginning or end of it."`
	lastFlags
	Off bool `help:"Take the mark away."`
}

// Run marks a task.
func (c *tasksFavoriteCmd) Run(ctx context.Context, a *app) error {
	return a.onTask(ctx, a.listOptions(false), c.lastFlags, c.ID, func(f *console.Front, t protocol.TaskInfo, rest []string) error {
		if len(rest) > 0 {
			return tooMuch("favorite", rest)
		}
		return f.Favorite(ctx, t, !c.Off)
	})
}

// asProblem puts what a front could not do into the form of all messages.
func (a *app) asProblem(err error) (code int, ok bool) {
	var p *console.Problem
	if !errors.As(err, &p) {
		return 0, false
	}
	a.complain(p.Text, p.Hint)
	if p.Usage {
		return console.ExitUsage, true
	}
	return console.ExitFailed, true
}
