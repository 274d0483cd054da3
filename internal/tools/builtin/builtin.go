// Package builtin owns the built-in tools: for each a file <tool>.go with what
// it does and a file <tool>.md with the text the model reads about it.
//
// It touches the world only through the ports of package tools, imports no os
// and decides no permissions: a tool says in its Subject what it would do, and
// its Action does it once somebody allowed it. daemon and the tests import it.
package builtin

import (
	"context"
	"embed"
	"strings"

	"clined/internal/llm"
	"clined/internal/tools"
)

// Deps is the world of one task. Images, Documents, Servers and Diffs may be
// nil: then pictures and documents are not read, there are no MCP servers, and
// edits are not shown.
type Deps struct {
	Files       tools.Files
	Diffs       tools.Diffs
	Images      tools.Images
	Documents   tools.Documents
	Lister      tools.Lister
	Searcher    tools.Searcher
	Definitions tools.Definitions
	Commands    tools.Commands
	Servers     tools.MCPServers
	Asker       tools.Asker
	// Sandbox says in words what the sandbox lets commands do now, "" when there
	// is none; nil for none ever.
	Sandbox func() string
	// CWD is the absolute directory that commands run in.
	CWD string
	// MCPFile is the absolute path of the MCP settings file, for the guide.
	MCPFile string
}

// Register adds the built-in tools of one task. They share what the model has
// seen of files, so a registry belongs to one task.
func Register(r *tools.Registry, d Deps) *Tools {
	k := &kit{Deps: d, seen: newMemory()}
	for _, t := range []tools.Tool{
		k.executeCommand(), k.readFile(), k.writeToFile(), k.replaceInFile(), k.searchFiles(), k.listFiles(),
		k.listCodeDefinitionNames(), k.useMCPTool(), k.accessMCPResource(), k.askFollowupQuestion(),
		k.attemptCompletion(), k.planModeRespond(), k.loadMCPDocumentation(), k.actModeRespond(), k.newRule(),
		unlisted(k.applyPatch(), llm.Generic),
	} {
		r.Register(t)
	}
	for _, f := range []llm.Family{llm.GPT5, llm.GPTOSS} {
		for _, t := range []*simple{listed(k.applyPatch(), f), unlisted(k.writeToFile(), f), unlisted(k.replaceInFile(), f)} {
			r.Register(t)
		}
	}
	return &Tools{k}
}

// listed and unlisted make the tool of one family of models: what a family is
// not told of it may call all the same.
func listed(t *simple, f llm.Family) *simple {
	t.spec.Family = f
	return t
}

func unlisted(t *simple, f llm.Family) *simple {
	t.spec.Unlisted = true
	return listed(t, f)
}

// kit is what the tools of a task share.
type kit struct {
	Deps
	seen   *memory
	drafts drafts
}

// simple is a tool made of a spec and a Prepare function.
type simple struct {
	spec    tools.Spec
	prepare func(ctx context.Context, call tools.Call) (*tools.Action, error)
}

func (t *simple) Spec() *tools.Spec { return &t.spec }

// Prepare implements tools.Tool. Where a result says nothing of them, its title
// and locations are those of the action.
func (t *simple) Prepare(ctx context.Context, call tools.Call) (*tools.Action, error) {
	a, err := t.prepare(ctx, call)
	if err != nil {
		return nil, err
	}
	a.Subject.Tool = call.Name
	run := a.Run
	a.Run = func(ctx context.Context, d tools.Decision) tools.Result {
		res := run(ctx, d)
		if res.Title == "" {
			res.Title = a.Title
		}
		if res.Locations == nil {
			for _, p := range a.Subject.Paths {
				res.Locations = append(res.Locations, p.Abs)
			}
		}
		return res
	}
	return a, nil
}

// says returns an action that touches nothing and gives a fixed result.
func says(title string, kind tools.Kind, res tools.Result) *tools.Action {
	return &tools.Action{
		Title:   title,
		Subject: tools.Subject{Kind: kind, ReadOnly: true},
		Run:     func(context.Context, tools.Decision) tools.Result { return res },
	}
}

//go:embed *.md
var texts embed.FS

// spec makes the generic spec of a tool from its <id>.md: the description,
// then a line "- name: text" per parameter.
func spec(id string, kind tools.Kind, params ...tools.Param) tools.Spec {
	description, about := readText(id)
	for i := range params {
		params[i].Description = about[params[i].Name]
	}
	return tools.Spec{ID: id, Name: id, Family: llm.Generic, Kind: kind, Description: description, Params: params}
}

// readText reads a tool's text. A missing file is an empty text, which a test
// does not let pass.
func readText(id string) (description string, params map[string]string) {
	raw, _ := texts.ReadFile(id + ".md")
	params = map[string]string{}
	var lines []string
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimRight(line, "\r\n")
		name, text, ok := strings.Cut(strings.TrimPrefix(line, "- "), ": ")
		if ok && strings.HasPrefix(line, "- ") && !strings.Contains(name, " ") {
			params[name] = text
			continue
		}
		lines = append(lines, line)
	}
	return strings.TrimSpace(strings.Join(lines, "\n")), params
}

func required(name, kind string, aliases ...string) tools.Param {
	return tools.Param{Name: name, Type: kind, Required: true, Aliases: aliases}
}

func optional(name, kind string, aliases ...string) tools.Param {
	return tools.Param{Name: name, Type: kind, Aliases: aliases}
}
