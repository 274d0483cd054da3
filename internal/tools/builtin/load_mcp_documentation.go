package builtin

import (
	"context"
	"fmt"
	"strings"

	"clined/internal/tools"
)

func (k *kit) loadMCPDocumentation() tools.Tool {
	s := spec("load_mcp_documentation", tools.Control)
	s.NoChecklist, s.ReadOnly = true, true
	return &simple{s, func(context.Context, tools.Call) (*tools.Action, error) {
		return &tools.Action{
			Title:   "Load the guide for MCP servers",
			Subject: tools.Subject{Kind: tools.Control, ReadOnly: true},
			Run: func(ctx context.Context, _ tools.Decision) tools.Result {
				return tools.Result{Text: k.guide(ctx)}
			},
		}, nil
	}}
}

func (k *kit) guide(ctx context.Context) string {
	raw, _ := texts.ReadFile("mcp_guide.md")
	text := strings.Replace(string(raw), "{{FILE}}", k.MCPFile, 1)
	var names []string
	if k.Servers != nil {
		for _, s := range k.Servers.Servers(ctx) {
			names = append(names, fmt.Sprintf("%s (%s)", s.Name, plural(len(s.Tools), "tool")))
		}
	}
	if len(names) == 0 {
		return text + "\nNo server is connected at the moment.\n"
	}
	return text + "\nConnected at the moment: " + strings.Join(names, ", ") + ".\n"
}
