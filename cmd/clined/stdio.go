package main

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"clined/internal/console"
	"clined/internal/rpc"

	"golang.org/x/term"
)

type stdioCmd struct {
	Stdio bool `help:"Serve even when stdin is a terminal; editors pass this."`
}

const byHand = `clined waits for an editor on standard input, and this is a terminal.

Try:
  clined run "what does this project do?"   a task in the terminal
  clined demo                               a whole task with a scripted model
  clined --help                             all commands

Editors start it as "clined --stdio" (LSP life cycle, Content-Length or newline framing).
`

// Run serves one editor on the standard streams.
func (c *stdioCmd) Run(ctx context.Context, a *app) error {
	if f, ok := a.stdin.(*os.File); ok && !c.Stdio && term.IsTerminal(int(f.Fd())) {
		_, _ = io.WriteString(a.stderr, byHand)
		return exit(console.ExitUsage)
	}
	o, err := a.daemonOptions()
	if err != nil {
		return err
	}
	o.LoginShell = !fromShell(o.Environ)
	d, err := a.newDaemon(o)
	if err != nil {
		return err
	}
	defer a.closeDaemon(d)
	ctx, stop := endWithReader(ctx, a.stdout)
	defer stop()
	code := d.Serve(ctx, streams{a.stdin, a.stdout}, rpc.Sniff)
	if code != 0 {
		return exit(code)
	}
	return nil
}

// fromShell tells whether an environment has been through a shell, so that what
// the user's start-up files set is in it: shells count how deep they are nested.
func fromShell(env []string) bool {
	return slices.ContainsFunc(env, func(kv string) bool { return strings.HasPrefix(kv, "SHLVL=") })
}

// streams are standard input and output as one connection.
type streams struct {
	io.Reader
	io.Writer
}

// Close closes both ends, so that a blocked read or write returns.
func (s streams) Close() error {
	var errs []error
	if c, ok := s.Reader.(io.Closer); ok {
		errs = append(errs, c.Close())
	}
	if c, ok := s.Writer.(io.Closer); ok {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
