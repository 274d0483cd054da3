package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"clined/internal/approval"
	"clined/internal/config"
	"clined/internal/console"
	"clined/internal/daemon"
	"clined/internal/tools"
)

type policyCmd struct {
	Explain policyExplainCmd `cmd:"" help:"Tell whether a command, or reading or writing a file, would be allowed, asked about or denied, and why."`
}

type policyExplainCmd struct {
	Command []string `arg:"" optional:"" help:"The command line, in quotes, behind --." placeholder:"COMMAND"`
	Read    string   `xor:"what" help:"Ask about reading this file instead." placeholder:"PATH"`
	Write   string   `xor:"what" help:"Ask about writing this file instead." placeholder:"PATH"`
	Cwd     string   `default:"." help:"The folder to work in." placeholder:"DIR"`
	Mode    string   `default:"act" enum:"act,plan" help:"act or plan."`
	Allow   []string `sep:"none" help:"A rule that allows, beside those that hold: the first words of commands, such as 'git status'." placeholder:"RULE"`
	Ask     []string `sep:"none" help:"A rule that asks." placeholder:"RULE"`
	Deny    []string `sep:"none" help:"A rule that denies." placeholder:"RULE"`
	JSON    bool     `name:"json" help:"As JSON, for programs."`
}

// Help is shown below the flags.
func (c *policyExplainCmd) Help() string {
	return "Your settings, trust and stored rules count as they would in a session in that folder. Exit code: 0 allow, 3 ask, 4 deny. " +
		"A RULE may also begin with its kind: 'exact: make test', 'read: ~/notes/**', 'edit: docs/**'."
}

// verdictCodes are the exit codes by verdict.
var verdictCodes = map[approval.Verdict]int{approval.Allow: 0, approval.Ask: 3, approval.Deny: 4}

// Run explains.
func (c *policyExplainCmd) Run(ctx context.Context, a *app) error {
	q, err := c.question()
	if err != nil {
		return err
	}
	o, err := a.daemonOptions()
	if err != nil {
		return err
	}
	d, err := a.newDaemon(o)
	if err != nil {
		return err
	}
	defer a.closeDaemon(d)
	j, at, err := d.Explain(ctx, q)
	if err != nil {
		return &usageError{text: err.Error(), hint: "give a path in the folder of --cwd, or an absolute one"}
	}
	if c.JSON {
		err = console.WriteJSON(a.stdout, explained(j, at))
	} else {
		err = writeExplained(a.stdout, j, at)
	}
	if err != nil {
		return err
	}
	if code := verdictCodes[j.Verdict]; code != 0 {
		return exit(code)
	}
	return nil
}

// question reads the command line.
func (c *policyExplainCmd) question() (q daemon.Question, err error) {
	q = daemon.Question{Mode: tools.Mode(c.Mode), Command: strings.Join(c.Command, " "), Path: c.Read + c.Write, Write: c.Write != ""}
	if len(c.Command) > 1 {
		return q, &usageError{text: "the command line must be one argument", hint: "put it in quotes: clined policy explain -- 'git status | head'"}
	}
	if (strings.TrimSpace(q.Command) == "") == (q.Path == "") {
		return q, &usageError{text: "give either a command line, or a file", hint: "such as: clined policy explain -- 'git status', or clined policy explain --write docs/a.md"}
	}
	if q.Cwd, err = workdir(c.Cwd); err != nil {
		return q, err
	}
	for _, l := range []struct {
		flag string
		from []string
		v    approval.Verdict
		to   *[]approval.Rule
	}{{"--allow", c.Allow, approval.Allow, &q.Allow}, {"--ask", c.Ask, approval.Ask, &q.Ask}, {"--deny", c.Deny, approval.Deny, &q.Deny}} {
		if *l.to, err = approval.ParseRules(l.from, l.v); err != nil {
			return q, &usageError{text: l.flag + ": " + err.Error(), hint: "a rule is the first words of a command, such as 'git status'"}
		}
	}
	return q, nil
}

// explanation is the answer as JSON.
type explanation struct {
	Verdict approval.Verdict  `json:"verdict"`
	Reason  string            `json:"reason,omitempty"`
	Rule    string            `json:"rule,omitempty"`
	Parts   []explanationPart `json:"parts,omitempty"`
	Path    *tools.Path       `json:"path,omitempty"`
	// Offers are the rules that an "always" could store.
	Offers []string `json:"offers,omitempty"`
}

type explanationPart struct {
	Command string           `json:"command"`
	Verdict approval.Verdict `json:"verdict"`
	Reason  string           `json:"reason,omitempty"`
	Rule    string           `json:"rule,omitempty"`
}

func explained(j approval.Judgement, at *tools.Path) explanation {
	e := explanation{Verdict: j.Verdict, Reason: j.Reason, Rule: j.Rule, Path: at}
	for _, p := range j.Parts {
		e.Parts = append(e.Parts, explanationPart{Command: p.Command, Verdict: p.Verdict, Reason: p.Reason, Rule: p.Rule})
	}
	for _, o := range j.Offers {
		e.Offers = append(e.Offers, o.String())
	}
	return e
}

// writeExplained writes the verdict, then what it is made of.
func writeExplained(w io.Writer, j approval.Judgement, at *tools.Path) error {
	fmt.Fprintf(w, "%s: %s\n", j.Verdict, because(j.Reason, j.Rule))
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	if len(j.Parts) > 0 {
		fmt.Fprintln(t)
	}
	for _, p := range j.Parts {
		fmt.Fprintf(t, "  %s\t%s\t%s\n", p.Verdict, config.Printable(oneLine(p.Command)), because(p.Reason, p.Rule))
	}
	if at != nil {
		fmt.Fprintf(t, "\n  path\t%s\n", config.Printable(at.Abs))
		for _, fact := range pathFacts(*at) {
			fmt.Fprintf(t, "  %s\t%s\n", fact[0], fact[1])
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(j.Offers) > 0 {
		fmt.Fprintln(w)
	}
	for _, o := range j.Offers {
		if _, err := fmt.Fprintf(w, "  could always be allowed: %s\n", o); err != nil {
			return err
		}
	}
	return nil
}

// pathFacts are what judging a path goes by.
func pathFacts(at tools.Path) (facts [][2]string) {
	if at.Real != at.Abs {
		facts = append(facts, [2]string{"real path", config.Printable(at.Real)})
	}
	where := "inside the workspace"
	if at.Outside {
		where = "outside the workspace"
	}
	facts = append(facts, [2]string{"where", where})
	if at.Protected != "" {
		facts = append(facts, [2]string{"protected", at.Protected})
	}
	if at.Ignored {
		facts = append(facts, [2]string{"ignored", "the ignore file hides it"})
	}
	return facts
}

func because(reason, rule string) string {
	switch {
	case reason == "" && rule == "":
		return "nothing stands against it"
	case reason == "":
		return "by " + rule
	}
	return reason
}

// oneLine shows a command of several lines on one.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
