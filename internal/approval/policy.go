package approval

import (
	"fmt"
	"slices"

	"clined/internal/tools"
)

// Commands says which commands run without asking.
type Commands string

// SafeCommands are those known only to read inside the workspace.
const (
	NoCommands   Commands = ""
	SafeCommands Commands = "safe"
	AllCommands  Commands = "all"
)

// Settings are the user's general wishes. The zero value asks for everything.
type Settings struct {
	// What is allowed without asking. Outside extends: it needs the other too.
	Read, ReadOutside bool
	Edit, EditOutside bool
	Command           Commands
	MCP               bool
	// Rules as the settings write them (see ParseRules); their verdict is that
	// of the list. A prefix that is the whole command also allows what takes
	// code or writes; a longer command of that kind still asks.
	Allow, Ask, Deny []Rule
	// Yes answers every ask, protected paths too. It never overrides a deny.
	Yes bool
}

// Policy is everything a judgement depends on.
type Policy struct {
	Settings
	Rules []Rule
	// Unread is set when not all rules could be read: one that denies may be
	// missing, so that nothing is allowed unasked.
	Unread bool
	// Limits bound commands; nil for none.
	Limits *CommandLimits
	// Roots are the workspace's folders, also as where links lead, and Home the
	// user's; the paths of rules are relative to them.
	Roots []string
	Home  string
	// Hidden tells whether a word of a command names a file that the ignore
	// file hides; nil when there is none. Words are relative to where the
	// command runs, and may be globs.
	Hidden func(word string) bool
	// HiddenAs is the name of the hidden file that a glob stands for, "" where that
	// is none or not known; nil when nobody tells.
	HiddenAs func(word string) string
	// Holds says, in words that follow its name, that a word names a folder with
	// something below it that the ignore file hides, or of which that cannot be
	// told; "" for others, and nil as Hidden. A literal word is no glob.
	Holds func(word string, literal bool) string
	// Outside tells whether a word that looks like a path in the workspace
	// leads out of it by a link; nil when that is not known.
	Outside func(word string) bool
	// Paths are the absolute paths, as written and where links lead, that an
	// absolute one in a command may stand for, which may be a glob. all is false
	// when there may be others. Without it paths are as written.
	Paths func(name string) (paths []string, all bool)
	// Protected says why what a word names is to be changed only when somebody
	// was asked, "" when it is not; nil when nothing is. Words are as for Hidden.
	Protected func(word string) string
	// ForeignShell names the shell that commands run in where it reads lines in a
	// way of its own; "" otherwise.
	ForeignShell string
	// PlainCaret is set where commands run in a shell for which a "^" that begins
	// a word is a letter as others are.
	PlainCaret bool
	noted      noted
}

// noted is what was found out for one judgement: the parts of a line ask for the
// same again.
type noted struct {
	// lists are the rules by kind and verdict.
	lists map[string][]Rule
	// ruled are the rules on files by verdict and path, nil where there is none.
	ruled map[string]*Rule
}

// Judge says whether a subject may go ahead.
func (p Policy) Judge(s tools.Subject, mode tools.Mode) Judgement {
	return p.answered(p.judge(s, mode)).fit()
}

// answered is a judgement where everything may be approved.
func (p Policy) answered(j Judgement) Judgement {
	switch {
	case j.Verdict == Ask && p.Yes && p.Unread:
		return Judgement{Verdict: Deny, By: BySettings, Reason: unread, Parts: j.Parts}
	case j.Verdict == Ask && p.Yes && j.unsure:
		return Judgement{Verdict: Deny, By: BySettings, Reason: j.Reason + " Write it plainly.", Parts: j.Parts}
	case j.Verdict == Ask && p.Yes:
		return Judgement{Verdict: Allow, By: BySettings, Rule: everything, Parts: approved(j.Parts)}
	}
	return j
}

// allowing is the policy with all of a kind allowed; what is outside of the
// workspace has settings of its own.
func (p Policy) allowing(kind tools.Kind) Policy {
	switch kind {
	case tools.Read:
		p.Read = true
	case tools.Edit:
		p.Edit = true
	case tools.Command:
		p.Command = AllCommands
	case tools.MCP:
		p.MCP = true
	}
	return p
}

// fit lets the parts say no less than the whole. Where none of them is to blame,
// such as for what they do together, those nearest to it are.
func (j Judgement) fit() Judgement {
	is := func(v Verdict) bool { return slices.ContainsFunc(j.Parts, func(c Part) bool { return c.Verdict == v }) }
	if j.Verdict == Allow || is(j.Verdict) {
		return j
	}
	nearest := Allow
	if is(Ask) {
		nearest = Ask
	}
	parts := slices.Clone(j.Parts)
	for i, c := range parts {
		if c.Verdict == nearest {
			parts[i] = Part{Command: c.Command, Verdict: j.Verdict, Reason: j.Reason, Rule: j.Rule}
		}
	}
	j.Parts = parts
	return j
}

const everything = "everything is approved (--yes)"

// approved are the parts where everything is.
func approved(parts []Part) (list []Part) {
	for _, c := range parts {
		if c.Verdict == Ask {
			c = Part{Command: c.Command, Verdict: Allow, Rule: everything}
		}
		list = append(list, c)
	}
	return list
}

func (p Policy) judge(s tools.Subject, mode tools.Mode) Judgement {
	if s.Kind == tools.Ask || s.Kind == tools.Control {
		return Judgement{Verdict: Allow, By: BySettings}
	}
	j := p.judgeKind(s, mode)
	if p.Unread && j.Verdict == Allow {
		j.Verdict, j.By, j.Rule = Ask, BySettings, ""
		j.Reason = unread
	}
	if p.Unread {
		j.Offers = nil
	}
	return j
}

const unread = "The stored rules cannot be read, and one of them may deny this."

func (p Policy) judgeKind(s tools.Subject, mode tools.Mode) Judgement {
	switch s.Kind {
	case tools.Read:
		return p.judgePaths(s, s.Paths)
	case tools.Edit:
		if mode == tools.Plan {
			return planDenies("files are not edited")
		}
		return p.judgePaths(s, editedPaths(s))
	case tools.Command:
		return p.judgeCommand(s, mode)
	case tools.MCP:
		return p.judgeMCP(s, mode)
	}
	return askFor(fmt.Sprintf("clined has no rule for calls of the kind %q.", s.Kind))
}

// editedPaths are all that an edit touches, from and to.
func editedPaths(s tools.Subject) []tools.Path {
	paths := slices.Clone(s.Paths)
	for _, e := range s.Edits {
		paths = append(paths, e.Path)
		if e.To != nil {
			paths = append(paths, *e.To)
		}
	}
	return paths
}

func askFor(reason string) Judgement {
	return Judgement{Verdict: Ask, By: BySettings, Reason: reason}
}

// planDenies is why plan mode refuses, with what to do instead.
func planDenies(what string) Judgement {
	return Judgement{Verdict: Deny, By: BySettings, Reason: "In plan mode nothing may be changed: " + what + ". " +
		"Explore with what only reads, present the plan with plan_mode_respond, and ask the user to switch to act mode."}
}

func (p Policy) judgeMCP(s tools.Subject, mode tools.Mode) Judgement {
	covers := func(v Verdict) *Rule {
		for _, r := range p.with(tools.MCP, v) {
			if r.coversMCP(s) {
				return &r
			}
		}
		return nil
	}
	if r := covers(Deny); r != nil {
		return Judgement{Verdict: Deny, By: ByRule, Rule: r.name(), Reason: r.says()}
	}
	if mode == tools.Plan && !s.ReadOnly {
		return planDenies("MCP tools that are not marked read-only are not called")
	}
	if r := covers(Ask); r != nil {
		return askFor(r.says())
	}
	switch r := covers(Allow); {
	case s.Trusted:
		return Judgement{Verdict: Allow, By: BySettings, Rule: "autoApprove of the MCP server " + s.Server}
	case p.MCP:
		return Judgement{Verdict: Allow, By: BySettings, Rule: "autoApprove.mcp"}
	case r != nil:
		return Judgement{Verdict: Allow, By: ByRule, Rule: r.name()}
	}
	j := askFor("Calling MCP tools asks first.")
	if s.Server != "" && s.MCPTool != "" && s.SchemaHash != "" {
		j.Offers = []Rule{{Scope: TaskScope, Kind: tools.MCP, Server: s.Server, Tool: s.MCPTool, SchemaHash: s.SchemaHash}}
	}
	return j
}
