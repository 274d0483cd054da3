package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"clined/internal/console"
	"clined/internal/daemon"
	"clined/internal/tools"
)

type toolCmd struct {
	Name string `arg:"" help:"Name of the tool, such as read_file."`
	Args string `arg:"" optional:"" default:"{}" help:"Its arguments as a JSON object."`
	Cwd  string `default:"." help:"The folder to work in." placeholder:"DIR"`
	Mode string `default:"act" enum:"act,plan" help:"act or plan."`
	approvalFlags
}

// exitDenied is the exit code of a tool that was not approved.
const exitDenied = 3

// Run runs one tool and prints what the model would see.
func (c *toolCmd) Run(ctx context.Context, a *app) error {
	cwd, err := workdir(c.Cwd)
	if err != nil {
		return err
	}
	approvals, err := c.approvalFlags.settings()
	if err != nil {
		return err
	}
	o, err := a.daemonOptions(approvals)
	if err != nil {
		return err
	}
	o.Yes = c.Yes
	d, err := a.newDaemon(o)
	if err != nil {
		return err
	}
	defer a.closeDaemon(d)
	signalled, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	front := console.New(a.consoleOptions(false, false))
	res, err := d.RunTool(signalled, daemon.ToolCall{
		Cwd: cwd, Mode: tools.Mode(c.Mode), Name: c.Name, Args: c.Args, Client: front,
	})
	if err != nil {
		return err
	}
	text := res.Text
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	fmt.Fprint(a.stdout, text)
	switch {
	case res.NeedsUser, res.Outcome == tools.Denied:
		return exit(exitDenied)
	case res.Outcome == tools.Cancelled:
		return exit(console.ExitCancelled)
	case res.Outcome != tools.OK:
		return exit(console.ExitFailed)
	}
	return nil
}

type promptCmd struct {
	Task string `arg:"" optional:"" default:"(your task)" help:"The words of the first message."`
	Cwd  string `default:"." help:"The folder to work in." placeholder:"DIR"`
	Mode string `default:"act" enum:"act,plan" help:"act or plan."`
	modelFlags
}

// Run prints what a model would be sent first.
func (c *promptCmd) Run(ctx context.Context, a *app) error {
	cwd, err := workdir(c.Cwd)
	if err != nil {
		return err
	}
	o, err := a.daemonOptions(c.modelFlags.settings())
	if err != nil {
		return err
	}
	d, err := a.newDaemon(o)
	if err != nil {
		return err
	}
	defer a.closeDaemon(d)
	first, err := d.FirstRequest(ctx, cwd, tools.Mode(c.Mode), c.Task)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(a.stdout, first)
	return err
}
