package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"clined/examples/weather/server"
	"clined/internal/config"
	"clined/internal/demo"
	"clined/internal/llm/openai"
)

type demoCmd struct {
	Story string `arg:"" optional:"" default:"weather" help:"weather, or edit."`
	Task  string `help:"Ask this instead of the story's question." placeholder:"TEXT"`
	Yes   bool   `short:"y" help:"Approve everything that would ask."`
	Data  string `type:"existingfile" help:"Answer forecasts from this recording instead of the built-in one." placeholder:"FILE"`
	Live  bool   `help:"Use the configured model, or a local Ollama, instead of the scripted one."`
	Fast  bool   `help:"Do not slow the scripted model down to reading speed."`
	JSON  bool   `name:"json" help:"Write events to stdout, one JSON object a line."`
	Keep  bool   `help:"Keep the throw-away folder."`
}

// Run plays a story on throw-away files.
func (c *demoCmd) Run(ctx context.Context, a *app) error {
	story, err := demo.Find(c.Story)
	if err != nil {
		return &usageError{text: err.Error()}
	}
	dir, err := os.MkdirTemp("", "clined-demo-")
	if err != nil {
		return err
	}
	if c.Keep {
		fmt.Fprintf(a.stderr, "kept: %s\n", dir)
	} else {
		defer os.RemoveAll(dir)
	}
	ws := filepath.Join(dir, story.Name)
	if err := c.lay(ctx, story, ws); err != nil {
		return err
	}
	model, flags, err := c.model(ctx)
	if err != nil {
		return err
	}
	defer model.close()
	mcp, err := c.servers(dir)
	if err != nil {
		return err
	}
	flags["mcp.file"], flags["mcp.wait"] = mcp, "60" // the story is about a server, however slow the machine
	flags["autoApprove.read"] = "false"              // each step asks, as the demo is to show
	o, err := a.daemonOptions(flags)
	if err != nil {
		return err
	}
	if !c.Live {
		o.Dirs.Config = filepath.Join(dir, "config") // the user's own settings are left out
	}
	o.Dirs.State = filepath.Join(dir, "state")
	o.Yes = c.Yes
	task, gloss := story.Task, story.Gloss
	if c.Task != "" {
		task, gloss = c.Task, ""
	}
	s := session{options: o, cwd: ws, mode: "act", json: c.JSON, intro: func(show func(string)) {
		show("model: " + model.label)
		if model.hint != "" {
			show(model.hint)
		}
		show("workspace: " + ws + " (thrown away afterwards)")
		show("\n› " + task)
		if gloss != "" {
			show("  (" + gloss + ")")
		}
	}}
	return s.run(ctx, a, task)
}

// lay unpacks the story's files, as a repository where the story wants one and
// git is there.
func (c *demoCmd) lay(ctx context.Context, story demo.Story, ws string) error {
	if err := story.Unpack(ws); err != nil {
		return err
	}
	if !story.Git {
		return nil
	}
	git, err := exec.LookPath("git")
	if err != nil {
		return nil // the story goes without
	}
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "."},
		{"-c", "user.name=demo", "-c", "user.email=demo@localhost", "-c", "commit.gpgsign=false", "commit", "-q", "-m", "the shop"},
	} {
		cmd := exec.CommandContext(ctx, git, args...)
		cmd.Dir = ws
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
	}
	return nil
}

// servers writes the MCP settings: the example weather server, as a process of
// its own.
func (c *demoCmd) servers(dir string) (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	args := demo.ServerArgs()
	if c.Data != "" {
		args = []string{"weather", "--data", c.Data}
	}
	text, err := json.MarshalIndent(map[string]any{
		"mcpServers": map[string]any{"weather": map[string]any{"type": "stdio", "command": exe, "args": args}},
	}, "", "  ")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "mcp.json")
	return file, os.WriteFile(file, text, 0o600)
}

// demoModel is the model of a demonstration.
type demoModel struct {
	label, hint string
	close       func()
}

// model chooses the scripted model, or with --live a real one, and the
// settings that lead to it.
func (c *demoCmd) model(ctx context.Context) (demoModel, map[string]string, error) {
	real, flags := liveModel(ctx)
	if c.Live {
		if real == "" {
			return demoModel{}, nil, &usageError{text: "--live needs a model, and none is configured and no local Ollama answers",
				hint: "set model, baseUrl and apiKey in settings.json, or OPENAI_API_KEY, or start Ollama"}
		}
		return demoModel{label: real, close: func() {}}, flags, nil
	}
	o := demo.Options{Pace: demo.Pace}
	if c.Fast {
		o.Pace = 0
	}
	m, err := demo.Start(o)
	if err != nil {
		return demoModel{}, nil, fmt.Errorf("the scripted model could not be started: %w", err)
	}
	d := demoModel{label: "scripted, embedded in clined (no language model), at " + m.BaseURL, close: m.Close}
	if real != "" {
		d.hint = "you also have " + real + "; --live uses it"
	}
	return d, map[string]string{"provider": "openai", "model": demo.ModelID, "baseUrl": m.BaseURL}, nil
}

// liveModel names the real model that there is, "" for none, and the settings
// that lead to it where they are not the user's own.
func liveModel(ctx context.Context) (string, map[string]string) {
	flags := map[string]string{}
	dirs, err := config.FindDirs()
	if err != nil {
		return "", flags
	}
	settings, _ := config.Load(dirs, config.Sources{Environ: os.Environ()})
	if e, err := settings.Endpoint("act", config.Lookup{Getenv: os.Getenv}); err == nil {
		return fmt.Sprintf("%s at %s", e.Model, config.ShownURL(e.BaseURL)), flags
	}
	for _, found := range openai.Discover(ctx, []string{openai.Ollama}) {
		if len(found.Models) > 0 {
			flags["provider"], flags["model"], flags["baseUrl"] = "ollama", found.Models[0], found.BaseURL
			return fmt.Sprintf("%s at %s (Ollama)", found.Models[0], found.BaseURL), flags
		}
	}
	return "", flags
}

type weatherCmd struct {
	Args []string `arg:"" optional:"" passthrough:""`
}

// Run is the example MCP server, for the demo: a process of its own.
func (c *weatherCmd) Run(ctx context.Context) error {
	err := server.Main(ctx, c.Args)
	if errors.Is(err, flag.ErrHelp) {
		return exit(2)
	}
	return err
}
