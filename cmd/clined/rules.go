package main

import (
	"context"
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
	return "Rules of the settings (permissions.allow, ask and deny) are not among them: clined config get permissions.allow"
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
			fmt.Fprintln(a.stdout, ruleLine(r, len(fmt.Sprint(list[len(list)-1].ID))))
		}
		if len(list) == 0 {
			fmt.Fprintln(a.stdout, "There are no rules. An approval answered with \"always\" makes one.")
		}
		return nil
	})
}

// ruleLine is a rule for people, its number so many digits wide.
func ruleLine(r protocol.RuleInfo, digits int) string {
	where := map[string]string{"user": "everywhere", "workspace": "in " + ownPath(r.Workspace)}[r.Scope]
	if where == "" {
		where = r.Scope
	}
	since := r.Created
	if at, err := time.Parse(time.RFC3339, r.Created); err == nil {
		since = at.Local().Format("2006-01-02 15:04")
	}
	return config.Printable(fmt.Sprintf("%*d  %-5s  %s (%s, since %s)", digits, r.ID, r.Verdict, r.Pattern, where, since))
}

// ownPath is a path with ~ for the user's folder.
func ownPath(path string) string {
	rel, err := filepath.Rel(home(), path)
	switch {
	case err != nil || home() == "" || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)):
		return path
	case rel == ".":
		return "~"
	}
	return filepath.Join("~", rel)
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
	st, done := a.openStore(dirs.State)
	defer done()
	return f(daemon.NewRules(st, dir))
}

type rulesLogCmd struct {
	Task  string `help:"Only what this task did: its id, or the beginning or end of it." placeholder:"ID"`
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
		if strings.HasPrefix(e.TaskID, c.Task) || strings.HasSuffix(e.TaskID, c.Task) {
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
		for _, d := range list {
			if err := console.WriteJSON(a.stdout, d); err != nil {
				return err
			}
		}
		return nil
	}
	for _, d := range list {
		fmt.Fprintln(a.stdout, decisionLine(d))
	}
	switch {
	case len(list) > 0:
	case c.Task != "":
		fmt.Fprintf(a.stdout, "Nothing was decided in a task %q.\n", c.Task)
	default:
		fmt.Fprintln(a.stdout, "Nothing was decided yet.")
	}
	return nil
}

// decisionLine is a decision for people: when, what and, below it, by whom and why.
func decisionLine(e approval.Entry) string {
	what := map[approval.Verdict]string{approval.Allow: "allowed", approval.Deny: "denied", approval.Ask: "undecided"}[e.Verdict]
	title := e.Title
	if e.Unsandboxed && !strings.Contains(title, "sandbox") {
		title += " (outside the sandbox)"
	}
	first := fmt.Sprintf("%s  %-9s  %s", e.At.Local().Format(time.DateTime), what, title)
	return config.Printable(first) + "\n" + strings.Repeat(" ", len(time.DateTime)+2) + config.Printable(decidedBy(e))
}

// decidedBy says who or what decided, and why it was asked about.
func decidedBy(e approval.Entry) string {
	why := strings.TrimSuffix(e.Reason, ".")
	var text string
	switch {
	case e.By == approval.ByUser && e.Rule != "":
		text = "by you, from now on " + scopeWords(e.Scope) + ": " + e.Rule
	case e.By == approval.ByUser && why != "":
		text = "by you, asked because: " + why
	case e.By == approval.ByUser:
		text = "by you"
	case e.Unanswered != "":
		text = e.Unanswered + "; asked because: " + why
	case e.By == approval.ByNobody:
		text = "nobody was there to be asked: " + why
	case e.Rule != "":
		text = "by " + e.Rule
	default:
		text = "by the " + string(e.By) + ": " + why
	}
	if e.Feedback != "" {
		text += fmt.Sprintf("; you said %q", e.Feedback)
	}
	return text
}

func scopeWords(s approval.Scope) string {
	switch s {
	case approval.UserScope:
		return "everywhere"
	case approval.WorkspaceScope:
		return "in that workspace"
	}
	return "in that task"
}
