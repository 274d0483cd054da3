package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"clined/internal/config"
	"clined/internal/console"
	"clined/internal/store"
)

type trustCmd struct {
	Dir    string `arg:"" optional:"" default:"." help:"The workspace; default: this folder."`
	List   bool   `xor:"what" help:"List the workspaces that you trust."`
	Remove bool   `xor:"what" help:"Trust the workspace no longer."`
	Yes    bool   `short:"y" help:"Do not ask."`
}

// Help is shown below the flags.
func (c *trustCmd) Help() string {
	return "The file .clined/settings.json of a workspace may forbid more than your own settings, never less, until you trust it. Trust covers what the file says now: when it changes, you are asked again."
}

// Run decides about a workspace.
func (c *trustCmd) Run(ctx context.Context, a *app) error {
	dirs, err := config.FindDirs()
	if err != nil {
		return err
	}
	st, done := a.openStore(dirs.State)
	defer done()
	if c.List {
		return a.listTrusted(ctx, st)
	}
	if c.Remove {
		return a.untrust(ctx, st, c.Dir)
	}
	dir, err := workdir(c.Dir)
	if err != nil {
		return err
	}
	w, problems := config.ReadWorkspace(dir)
	a.tellProblems(problems)
	if len(w.Loosens) == 0 {
		fmt.Fprintf(a.stdout, "%s loosens nothing: there is nothing to decide.\n", w.Root)
		return nil
	}
	if was, ok, err := st.Trusted(ctx, w.Root); err != nil {
		return err
	} else if ok && was == w.Hash {
		fmt.Fprintf(a.stdout, "You trust %s as it is now.\n", w.Root)
		return nil
	} else if ok {
		fmt.Fprintf(a.stderr, "You trusted %s; since then these settings have changed.\n", w.Root)
	}
	a.showLoosenings(w)
	yes, err := c.decide(a)
	switch {
	case err != nil:
		return err
	case !yes:
		fmt.Fprintln(a.stdout, "It is not trusted; the settings that loosen nothing hold.")
		return exit(console.ExitFailed)
	}
	if err := st.Trust(ctx, w.Root, w.Hash); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "You trust %s as it is now.\n", w.Root)
	return nil
}

// decide asks the user.
func (c *trustCmd) decide(a *app) (bool, error) {
	if c.Yes {
		return true, nil
	}
	if !isTerminal(a.stdin) {
		a.complain("this needs an answer, and nobody can give it here", "decide in a terminal, or with --yes")
		return false, exit(exitUndecided)
	}
	fmt.Fprint(a.stderr, "Trust it? [y/N] ")
	line, err := bufio.NewReader(a.stdin).ReadString('\n')
	if err != nil && err != io.EOF {
		return false, err
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes", nil
}

// exitUndecided is the exit code of a decision that nobody can give.
const exitUndecided = 3

// showLoosenings tells what a workspace wants, with what each key means.
func (a *app) showLoosenings(w config.Workspace) {
	fmt.Fprintf(a.stderr, "%s would set:\n\n", config.Printable(w.File))
	for _, l := range w.Loosens {
		fmt.Fprintf(a.stderr, "  %s\n", l)
		if keys, err := config.Find(l.Key); err == nil {
			fmt.Fprintf(a.stderr, "      line %d: %s\n", l.Line, keys[0].Doc)
		}
	}
	fmt.Fprintln(a.stderr)
}

func (a *app) listTrusted(ctx context.Context, st *store.Store) error {
	all, err := st.AllTrusted(ctx)
	if err != nil {
		return err
	}
	for _, t := range all {
		state := "as it is now"
		switch w, _ := config.ReadWorkspace(t.Path); {
		case w.Hash == "":
			state = "loosens nothing now"
		case w.Hash != t.Hash:
			state = "changed since, so not trusted now"
		}
		fmt.Fprintf(a.stdout, "%s  since %s, %s\n", config.Printable(t.Path), t.Created.Local().Format(time.DateTime), state)
	}
	if len(all) == 0 {
		fmt.Fprintln(a.stdout, "You trust no workspace.")
	}
	return nil
}

// untrust takes trust away; the folder need not exist any more.
func (a *app) untrust(ctx context.Context, st *store.Store, dir string) error {
	path, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	_, ok, err := st.Trusted(ctx, path)
	if err != nil {
		return err
	}
	if !ok {
		a.complain(fmt.Sprintf("%q is not trusted", path), "see which are: clined trust --list")
		return exit(console.ExitFailed)
	}
	if err := st.Untrust(ctx, path); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "You trust %s no longer.\n", path)
	return nil
}
