package builtin

import (
	"context"
	"fmt"
	"strings"

	"clined/internal/tools"
)

// useMCPTool serves the tools of all servers by name, for models that see no
// tools of their own for them. It only stands for the tool that is meant.
type useMCPTool struct {
	simple
	k *kit
}

func (k *kit) useMCPTool() tools.Tool {
	args := optional("arguments", "string")
	args.JSON = true
	t := &useMCPTool{k: k}
	t.spec = spec(mcpID, tools.MCP, required("server_name", "string"), required("tool_name", "string"), args)
	t.spec.Unlisted, t.spec.Requires = true, needsMCP
	t.prepare = func(ctx context.Context, call tools.Call) (*tools.Action, error) {
		tool, call, err := t.Route(ctx, call)
		if err != nil {
			return nil, err
		}
		return tool.Prepare(ctx, call)
	}
	return t
}

// Route implements tools.Router.
func (t *useMCPTool) Route(ctx context.Context, call tools.Call) (tools.Tool, tools.Call, error) {
	server, err := t.k.server(ctx, call.Args.String("server_name"))
	if err != nil {
		return nil, call, err
	}
	inner, err := call.Args.Object("arguments")
	if err != nil {
		return nil, call, fmt.Errorf("arguments: %w", err)
	}
	name := call.Args.String("tool_name")
	var names []string
	var refs []tools.MCPRef
	for _, tool := range server.Tools {
		names = append(names, tool.Name)
		refs = append(refs, tools.MCPRef{Server: server.Name, Tool: tool.Name})
	}
	for _, tool := range server.Tools {
		if tool.Name != name {
			continue
		}
		call.Args, _ = tools.StripChecklist(inner, tools.OwnsChecklist(tool.Schema))
		ref := tools.MCPRef{Server: server.Name, Tool: name}
		return newMCPTool(t.k.Servers, server, tool, tools.MCPNames(refs)[ref]), call, nil
	}
	return nil, call, fmt.Errorf("the MCP server %s has no tool %q, only: %s; nothing was done", server.Name, name, strings.Join(names, ", "))
}
