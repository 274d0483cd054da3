package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"clined/internal/llm"
	"clined/internal/tools"
)

// mcpID is the id that all tools of servers share.
const mcpID = "use_mcp_tool"

// MCPTool returns what makes a tool of a server's tool, for tools.SetConfig.
func MCPTool(servers tools.MCPServers) func(server tools.MCPServer, t tools.MCPTool, name string) tools.Tool {
	return func(server tools.MCPServer, t tools.MCPTool, name string) tools.Tool {
		return newMCPTool(servers, server, t, name)
	}
}

func newMCPTool(servers tools.MCPServers, server tools.MCPServer, t tools.MCPTool, name string) tools.Tool {
	schema := t.Schema
	if len(schema) == 0 {
		schema = json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return &simple{
		spec: tools.Spec{
			ID: mcpID, Name: name, Family: llm.Generic, Kind: tools.MCP, Description: t.Description,
			Schema: schema, ReadOnly: t.ReadOnly, NoChecklist: true, Server: server.Name, Tool: t.Name,
		},
		prepare: func(_ context.Context, call tools.Call) (*tools.Action, error) {
			args, err := json.Marshal(nonNil(call.Args))
			if err != nil {
				return nil, fmt.Errorf("the arguments are not valid JSON: %w; nothing was done", err)
			}
			return &tools.Action{
				Title: fmt.Sprintf("Use %s of MCP server %s", t.Name, server.Name),
				Subject: tools.Subject{
					Kind: tools.MCP, ReadOnly: t.ReadOnly, Server: server.Name, MCPTool: t.Name, Args: args, Trusted: t.AutoApprove,
					SchemaHash: t.Hash,
				},
				Run: func(ctx context.Context, _ tools.Decision) tools.Result {
					return mcpResult(servers.CallTool(ctx, server.Name, t.Name, args, inLines(call.Emit)))
				},
			}, nil
		},
	}
}

// inLines makes each message of a server's progress a line of the live output.
func inLines(emit func(output string)) func(text string) {
	if emit == nil {
		return nil
	}
	return func(text string) { emit(strings.TrimRight(text, "\n") + "\n") }
}

func nonNil(args tools.Args) tools.Args {
	if args == nil {
		return tools.Args{}
	}
	return args
}

// mcpResult words a server's answer. The text is the server's own; nothing in
// it is taken for anything but text.
func mcpResult(r *tools.MCPResult, err error) tools.Result {
	switch {
	case errors.Is(err, context.Canceled):
		return tools.Result{Outcome: tools.Cancelled,
			Text: "Interrupted by the user before the server answered. It may have been carried out in part; look before you rely on it."}
	case err != nil:
		return tools.Fail(err.Error())
	}
	res := tools.Result{Text: r.Text, Images: r.Images}
	if strings.TrimSpace(res.Text) == "" {
		res.Text = "(no text in the answer)"
	}
	if r.IsError {
		res.Outcome = tools.Failed
		res.Text = "The tool reports an error:\n" + res.Text
	}
	return res
}

// server finds a connected server by name.
func (k *kit) server(ctx context.Context, name string) (tools.MCPServer, error) {
	var names []string
	if k.Servers != nil {
		for _, s := range k.Servers.Servers(ctx) {
			if s.Name == name {
				return s, nil
			}
			names = append(names, s.Name)
		}
	}
	if len(names) == 0 {
		return tools.MCPServer{}, fmt.Errorf("no MCP server is connected; nothing was done")
	}
	return tools.MCPServer{}, fmt.Errorf("there is no connected MCP server %q, only: %s; nothing was done", name, strings.Join(names, ", "))
}

func needsMCP(c tools.Context) bool { return c.MCP }
