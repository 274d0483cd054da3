package builtin

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/yosida95/uritemplate/v3"

	"clined/internal/tools"
)

// resourceHash pins a rule for reading resources: what that does never changes.
const resourceHash = "resources/read"

func (k *kit) accessMCPResource() tools.Tool {
	s := spec("access_mcp_resource", tools.MCP, required("server_name", "string"), required("uri", "string"))
	s.ReadOnly, s.Requires = true, needsMCP
	return &simple{s, k.prepareResource}
}

func (k *kit) prepareResource(ctx context.Context, call tools.Call) (*tools.Action, error) {
	server, err := k.server(ctx, call.Args.String("server_name"))
	if err != nil {
		return nil, err
	}
	uri := call.Args.String("uri")
	if !offers(server, uri) {
		return nil, fmt.Errorf("the MCP server %s did not tell of a resource %q; %s; nothing was read", server.Name, uri, offered(server))
	}
	args, err := json.Marshal(map[string]string{"uri": uri})
	if err != nil {
		return nil, err
	}
	return &tools.Action{
		Title: fmt.Sprintf("Read %s from MCP server %s", uri, server.Name),
		// The method's name stands where a tool's would: no rule for a tool
		// covers it, and none for it a tool.
		Subject: tools.Subject{
			Kind: tools.MCP, ReadOnly: true, Server: server.Name, MCPTool: "resources/read", Args: args,
			SchemaHash: resourceHash,
		},
		Run: func(ctx context.Context, _ tools.Decision) tools.Result {
			return mcpResult(k.Servers.ReadResource(ctx, server.Name, uri))
		},
	}, nil
}

// offers reports whether the server told of the resource, or of a template
// that it comes from.
func offers(s tools.MCPServer, uri string) bool {
	for _, r := range s.Resources {
		if r.URI == uri {
			return true
		}
	}
	for _, r := range s.Templates {
		t, err := uritemplate.New(r.URI)
		if err == nil && t.Match(uri) != nil {
			return true
		}
	}
	return false
}

// offered lists what the server told of.
func offered(s tools.MCPServer) string {
	const limit = 50
	var uris []string
	for _, r := range append(s.Resources[:len(s.Resources):len(s.Resources)], s.Templates...) {
		uris = append(uris, r.URI)
	}
	switch n := len(uris); {
	case n == 0:
		return "it has none"
	case n > limit:
		return fmt.Sprintf("it has %s and %d more", strings.Join(uris[:limit], ", "), n-limit)
	}
	return "it has " + strings.Join(uris, ", ")
}
