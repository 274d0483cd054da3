package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"clined/internal/config"
	"clined/internal/console"
	"clined/internal/daemon"
	"clined/internal/secret"
	"clined/internal/store"
)

type doctorCmd struct {
	Cwd  string `default:"." help:"The workspace to look at." placeholder:"DIR"`
	JSON bool   `name:"json" help:"As JSON, for programs."`
}

// Help is shown below the flags.
func (c *doctorCmd) Help() string {
	return "It asks the model's server for its list of models and starts the MCP servers that are configured. Exit code 0: nothing is wrong; 1: something is (✗)."
}

// finding is what a check found.
type finding struct {
	Name  string `json:"name"`
	State state  `json:"state"`
	Text  string `json:"text"`
	// Hint says what to do next, "" when nothing is to do.
	Hint string `json:"hint,omitempty"`
}

// state of a finding. A warning is worth knowing and stops nothing.
type state string

const (
	good    state = "ok"
	warning state = "warning"
	failure state = "error"
)

// doctor is what the checks look at.
type doctor struct {
	cwd      string
	dirs     config.Dirs
	settings *config.Settings
	problems []config.Problem
	secrets  *secret.Store
	store    *store.Store
}

// Run looks at everything.
func (c *doctorCmd) Run(ctx context.Context, a *app) error {
	cwd, err := workdir(c.Cwd)
	if err != nil {
		return err
	}
	dirs, err := config.FindDirs()
	if err != nil {
		return err
	}
	d := &doctor{cwd: cwd, dirs: dirs, secrets: secret.ForUser(dirs.SecretsFile(), os.Getenv), store: store.Open(dirs.State, store.Options{})}
	defer d.store.Close()
	d.settings, d.problems = config.Load(dirs, config.Sources{Environ: os.Environ(), Roots: []string{cwd}, Trusted: trusted(ctx, d.store)})
	d.problems = append(d.problems, daemon.EnvironmentProblems(os.Getenv)...)
	found := d.examine(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	wrong := 0
	for _, f := range found {
		if f.State == failure {
			wrong++
		}
	}
	if c.JSON {
		err = a.printJSON(map[string]any{"ok": wrong == 0, "checks": found})
	} else {
		err = a.showFindings(found, wrong)
	}
	if err == nil && wrong > 0 {
		return exit(console.ExitFailed)
	}
	return err
}

// printJSON prints v for programs, readable for people too.
func (a *app) printJSON(v any) error {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(a.stdout, console.HarmlessJSON(text.String()))
	return err
}

// examine runs the checks; those that wait for others do so side by side.
func (d *doctor) examine(ctx context.Context) []finding {
	checks := []func(context.Context) []finding{
		d.version, d.folders, d.settingsFiles, d.models, d.servers, d.database, d.keyring, d.shell, d.sandbox,
	}
	results := make([][]finding, len(checks))
	var all sync.WaitGroup
	for i, check := range checks {
		all.Go(func() { results[i] = check(ctx) })
	}
	all.Wait()
	var found []finding
	for _, r := range results {
		found = append(found, r...)
	}
	return found
}

// The columns of the table: mark, name, text.
const (
	nameWidth = 10
	textFrom  = 2 + nameWidth + 1
	fullWidth = 80
)

// showFindings prints a table of at most 80 columns, with hints beneath.
func (a *app) showFindings(found []finding, wrong int) error {
	colour := isTerminal(a.stdout) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	marks := map[state]string{good: "✓", warning: "!", failure: "✗"}
	colours := map[state]string{good: "\x1b[32m", warning: "\x1b[33m", failure: "\x1b[31m"}
	var b strings.Builder
	for _, f := range found {
		mark := marks[f.State]
		if colour {
			mark = colours[f.State] + mark + "\x1b[0m"
		}
		lines := wrap(config.Printable(f.Text), fullWidth-textFrom)
		fmt.Fprintf(&b, "%s %-*s %s\n", mark, nameWidth, f.Name, lines[0])
		for _, line := range lines[1:] {
			fmt.Fprintf(&b, "%*s%s\n", textFrom, "", line)
		}
		if f.Hint != "" {
			for i, line := range wrap(config.Printable(f.Hint), fullWidth-textFrom-2) {
				fmt.Fprintf(&b, "%*s%s%s\n", textFrom, "", []string{"→ ", "  "}[min(i, 1)], line)
			}
		}
	}
	switch {
	case wrong == 0:
		b.WriteString("\nNothing is wrong.\n")
	case wrong == 1:
		b.WriteString("\nOne thing is wrong: see ✗.\n")
	default:
		fmt.Fprintf(&b, "\n%d things are wrong: see ✗.\n", wrong)
	}
	_, err := a.stdout.Write([]byte(b.String()))
	return err
}

// wrap breaks a text between words into lines of at most width characters; a
// longer word has a line of its own.
func wrap(text string, width int) []string {
	lines := []string{""}
	for _, word := range strings.Fields(text) {
		last := &lines[len(lines)-1]
		switch n := len([]rune(*last)); {
		case n == 0:
			*last = word
		case n+1+len([]rune(word)) <= width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}
