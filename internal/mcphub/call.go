package mcphub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"clined/internal/tools"
)

// CallTool implements tools.MCPServers. Its errors are sentences for the
// model, except when ctx ended: then the error is ctx's.
func (h *Hub) CallTool(ctx context.Context, server, tool string, args json.RawMessage, progress func(text string)) (*tools.MCPResult, error) {
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	return h.ask(ctx, server, callResult, func(ctx context.Context, k *conn) error {
		var request mcp.CallToolRequest
		request.Params.Name, request.Params.Arguments = tool, args
		if progress != nil {
			token, forget := k.track(progress)
			defer forget()
			request.Params.Meta = &mcp.Meta{ProgressToken: token}
		}
		_, err := k.client.CallTool(ctx, request)
		return err
	})
}

// ReadResource implements tools.MCPServers; errors are as with CallTool.
func (h *Hub) ReadResource(ctx context.Context, server, uri string) (*tools.MCPResult, error) {
	return h.ask(ctx, server, readResult, func(ctx context.Context, k *conn) error {
		var request mcp.ReadResourceRequest
		request.Params.URI = uri
		_, err := k.client.ReadResource(ctx, request)
		return err
	})
}

// ask makes a request of a connected server within the server's time limit and
// converts the raw result. An error that the server itself answered is a result.
func (h *Hub) ask(ctx context.Context, name string, convert func(json.RawMessage) (*tools.MCPResult, error), request func(context.Context, *conn) error) (*tools.MCPResult, error) {
	s, err := h.find(name)
	if err != nil {
		return nil, err
	}
	k, limit, err := s.live()
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tapped, got := withCapture(limited)
	err = request(tapped, k)
	if got.response != nil && got.response.Error != nil {
		return &tools.MCPResult{Text: got.response.Error.Message, IsError: true}, nil
	}
	raw, err := got.result(err)
	switch {
	case err == nil:
		result, err := convert(raw)
		if err != nil {
			return nil, fmt.Errorf("MCP server %q: %w", name, err)
		}
		return result, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("MCP server %q did not answer within %v, the request was cancelled. Ask for less at once; the user can raise \"timeout\" in the MCP settings", name, limit)
	}
	return nil, fmt.Errorf("MCP server %q did not answer: %w", name, k.explain(err))
}
