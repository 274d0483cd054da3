package approval

import (
	"fmt"
	"strings"

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
	// Command prefixes in words (see ParsePrefix). An Allow that is the whole
	// command also allows what takes code or writes; a longer command of that
	// kind still asks.
	Allow, Ask, Deny [][]string
	// Yes answers every ask, protected paths too. It never overrides a deny.
	Yes bool
}

// Policy is everything a judgement depends on.
type Policy struct {
	Settings
	Rules []Rule
	// Hidden tells whether a word of a command names a file that the ignore
	// file hides; nil when there is none. Words are relative to where the
	// command runs, and may be globs.
	Hidden func(word string) bool
	// Outside tells whether a word that looks like a path in the workspace
	// leads out of it by a link; nil when that is not known.
	Outside func(word string) bool
}

// Judge says whether a subject may go ahead.
func (p Policy) Judge(s tools.Subject, mode tools.Mode) Judgement {
	j := p.judge(s, mode)
	switch {
	case j.Verdict == AskV && p.Yes && j.unsure:
		return Judgement{Verdict: Deny, Reason: j.Reason + " Write it plainly."}
	case j.Verdict == AskV && p.Yes:
		return Judgement{Verdict: Allow, Rule: "everything is approved (--yes)"}
	}
	return j
}

func (p Policy) judge(s tools.Subject, mode tools.Mode) Judgement {
	switch s.Kind {
	case tools.Ask, tools.Control:
		return Judgement{Verdict: Allow}
	case tools.Read:
		return p.judgePaths(s, s.Paths)
	case tools.Edit:
		if mode == tools.Plan {
			return planDenies("files are not edited")
		}
		paths := s.Paths
		for _, e := range s.Edits {
			paths = append(paths[:len(paths):len(paths)], e.Path)
		}
		return p.judgePaths(s, paths)
	case tools.Command:
		return p.judgeCommand(s, mode)
	case tools.MCP:
		return p.judgeMCP(s, mode)
	}
	return ask(fmt.Sprintf("clined has no rule for calls of the kind %q.", s.Kind))
}

func ask(reason string) Judgement { return Judgement{Verdict: AskV, Reason: reason} }

// planDenies is why plan mode refuses, with what to do instead.
func planDenies(what string) Judgement {
	return Judgement{Verdict: Deny, Reason: "In plan mode nothing may be changed: " + what + ". " +
		"Explore with what only reads, present the plan with plan_mode_respond, and ask the user to switch to act mode."}
}

// judgePaths judges reading or editing; every path must be allowed.
func (p Policy) judgePaths(s tools.Subject, paths []tools.Path) Judgement {
	auto, outside, setting := p.Read, p.ReadOutside, "autoApprove.read"
	if s.Kind == tools.Edit {
		auto, outside, setting = p.Edit, p.EditOutside, "autoApprove.edit"
		if len(paths) == 0 {
			return ask("The edit names no file.")
		}
	}
	if len(paths) == 0 { // reads something, but no file of its choice
		paths = []tools.Path{{}}
	}
	for _, path := range paths {
		if path.Ignored {
			return Judgement{Verdict: Deny, Reason: fmt.Sprintf("%s is hidden by the ignore file.", path.Display)}
		}
	}
	asked, allowed := Judgement{}, Judgement{Verdict: Allow}
	for _, path := range paths {
		switch {
		case s.Kind == tools.Edit && path.Protected != "":
			return ask(fmt.Sprintf("%s is protected: %s.", path.Display, strings.TrimSuffix(path.Protected, ".")))
		case p.pathRule(s.Kind, path) != "":
			allowed.Rule = p.pathRule(s.Kind, path)
		case auto && path.Outside && outside:
			allowed.Rule = setting + "Outside"
		case auto && !path.Outside:
			allowed.Rule = setting
		case asked.Verdict == "" || path.Outside:
			asked = askForPath(s.Kind, path)
		}
	}
	if asked.Verdict != "" {
		return asked
	}
	return allowed
}

func (p Policy) pathRule(kind tools.Kind, path tools.Path) string {
	for _, r := range p.Rules {
		if r.coversPath(kind, path) {
			return r.name()
		}
	}
	return ""
}

// askForPath asks and offers what would have allowed it. Writing outside of the
// workspace is never offered.
func askForPath(kind tools.Kind, path tools.Path) Judgement {
	verb := map[tools.Kind]string{tools.Read: "Reading", tools.Edit: "Editing"}[kind]
	j := Judgement{Verdict: AskV, Reason: verb + " files asks first."}
	if path.Outside {
		j.Reason = fmt.Sprintf("%s is outside the workspace.", path.Real)
	}
	if kind == tools.Read || !path.Outside {
		j.Offers = []Rule{{Scope: TaskScope, Kind: kind, Inside: !path.Outside}}
	}
	return j
}

func (p Policy) judgeMCP(s tools.Subject, mode tools.Mode) Judgement {
	if mode == tools.Plan && !s.ReadOnly {
		return planDenies("MCP tools that are not marked read-only are not called")
	}
	switch {
	case s.Trusted:
		return Judgement{Verdict: Allow, Rule: "autoApprove of the MCP server " + s.Server}
	case p.MCP:
		return Judgement{Verdict: Allow, Rule: "autoApprove.mcp"}
	}
	for _, r := range p.Rules {
		if r.coversMCP(s) {
			return Judgement{Verdict: Allow, Rule: r.name()}
		}
	}
	j := ask("Calling MCP tools asks first.")
	if s.Server != "" && s.MCPTool != "" && s.SchemaHash != "" {
		j.Offers = []Rule{{Scope: TaskScope, Kind: tools.MCP, Server: s.Server, Tool: s.MCPTool, SchemaHash: s.SchemaHash}}
	}
	return j
}
