package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"clined/internal/approval"
	"clined/internal/config"
	"clined/internal/console"
	"clined/internal/daemon"
	"clined/internal/protocol"
	"clined/internal/store"
)

type rulesCmd struct {
	List   rulesListCmd   `cmd:"" default:"withargs" help:"List what an \"always\" allows, here and everywhere."`
	Remove rulesRemoveCmd `cmd:"" help:"Take rules away: what they allow asks again."`
	Log    rulesLogCmd    `cmd:"" help:"Show what was allowed and denied, and by whom."`
}

type rulesListCmd struct {
	Cwd  string `default:"." help:"The workspace." placeholder:"DIR"`
	All  bool   `help:"Those of all workspaces."`
	JSON bool   `name:"json" help:"As JSON, for programs."`
}

// Help is shown below the flags.
func (c *rulesListCmd) Help() string {
	return "Rules of the settings (permissions.allow, ask and deny) are shown by clined config get permissions."
}

// Run lists rules.
func (c *rulesListCmd) Run(ctx context.Context, a *app) error {
	return a.withRules(c.Cwd, func(rules *daemon.Rules) error {
		list, err := rules.List(ctx, c.All)
		if err != nil {
			return err
		}
		if c.JSON {
			return a.printJSON(map[string]any{"rules": append([]protocol.RuleInfo{}, list...)})
		}
		for _, r := range list {
			where := r.Scope
			if c.All && r.Workspace != "" {
				where = config.Printable(r.Workspace)
			}
			fmt.Fprintf(a.stdout, "%d  %s %s (%s, %s)\n", r.ID, r.Verdict, config.Printable(r.Pattern), where, since(r.Created))
		}
		if len(list) == 0 {
			fmt.Fprintln(a.stdout, "There are no rules. An approval answered with \"always\" makes one.")
		}
		return nil
	})
}

// since shows when something was made, in local time.
func since(created string) string {
	at, err := time.Parse(time.RFC3339, created)
	if err != nil {
		return created
	}
	return "since " + at.Local().Format(time.DateTime)
}

type rulesRemoveCmd struct {
	IDs []int64 `arg:"" name:"id" help:"The numbers that clined rules shows."`
}

// Run removes rules; each that is there goes, whatever the others are.
func (c *rulesRemoveCmd) Run(ctx context.Context, a *app) error {
	return a.withRules("", func(rules *daemon.Rules) error {
		missing := false
		for _, id := range c.IDs {
			switch err := rules.Remove(ctx, id); {
			case errors.Is(err, daemon.ErrNoRule):
				a.complain(fmt.Sprintf("there is no rule %d", id), "see which there are: clined rules --all")
				missing = true
			case err != nil:
				return err
			default:
				fmt.Fprintf(a.stdout, "Rule %d is removed.\n", id)
			}
		}
		if missing {
			return exit(console.ExitFailed)
		}
		return nil
	})
}

// withRules gives f the stored rules as they are in dir; "" is nowhere.
func (a *app) withRules(dir string, f func(*daemon.Rules) error) error {
	dirs, err := config.FindDirs()
	if err != nil {
		return err
	}
	if dir != "" {
		if dir, err = workdir(dir); err != nil {
			return err
		}
	}
	st := store.Open(dirs.State, store.Options{})
	defer st.Close()
	return f(daemon.NewRules(st, dir))
}

type rulesLogCmd struct {
	Task  string `help:"Only what this task did: its id, or the beginning of it." placeholder:"ID"`
	Limit int    `short:"n" default:"50" help:"How many of the newest; 0 for all."`
	JSON  bool   `name:"json" help:"As JSON lines, for programs."`
}

// Run shows decisions, the newest last.
func (c *rulesLogCmd) Run(_ context.Context, a *app) error {
	if c.Limit < 0 {
		return &usageError{text: fmt.Sprintf("--limit is %d", c.Limit), hint: "give how many decisions to show, or 0 for all"}
	}
	dirs, err := config.FindDirs()
	if err != nil {
		return err
	}
	var list []approval.Entry
	unread, err := daemon.EachDecision(dirs.State, func(e approval.Entry) bool {
		if strings.HasPrefix(e.TaskID, c.Task) {
			list = append(list, e)
		}
		if c.Limit > 0 && len(list) > 2*c.Limit { // keep what may be shown
			list = append(list[:0], list[len(list)-c.Limit:]...)
		}
		return true
	})
	if err != nil {
		return err
	}
	if c.Limit > 0 && len(list) > c.Limit {
		list = list[len(list)-c.Limit:]
	}
	if unread > 0 {
		a.complain(fmt.Sprintf("%d lines of %s cannot be read", unread, filepath.Join(dirs.State, "log")), "they are left out")
	}
	if c.JSON {
		e := json.NewEncoder(a.stdout)
		e.SetEscapeHTML(false)
		for _, d := range list {
			if err := e.Encode(d); err != nil {
				return err
			}
		}
		return nil
	}
	for _, d := range list {
		fmt.Fprintln(a.stdout, decisionLine(d))
	}
	if len(list) == 0 {
		fmt.Fprintln(a.stdout, "Nothing was decided yet.")
	}
	return nil
}

// decisionLine is a decision for people.
func decisionLine(e approval.Entry) string {
	what := map[approval.Verdict]string{approval.Allow: "allowed", approval.Deny: "denied", approval.AskV: "undecided"}[e.Verdict]
	line := fmt.Sprintf("%s  %-9s  %s", e.At.Local().Format(time.DateTime), what, config.Printable(e.Title))
	why := string(e.By)
	if e.Rule != "" {
		why += ": " + config.Printable(e.Rule)
	} else if e.Reason != "" {
		why += ": " + config.Printable(e.Reason)
	}
	if e.Feedback != "" {
		why += fmt.Sprintf(", who said %q", e.Feedback)
	}
	return line + "\n" + strings.Repeat(" ", 21) + why
}
