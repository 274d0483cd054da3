package tools

import (
	"context"
	"encoding/json"

	"clined/internal/transcript"
)

// MCPServers is the tools' view of the MCP hub.
type MCPServers interface {
	// Servers lists those that are connected now, sorted by name.
	Servers(ctx context.Context) []MCPServer
	// CallTool calls a tool by its original name. progress, if set, is told of
	// progress notifications. An error is a failure to get an answer; an answer
	// that is an error has IsError.
	CallTool(ctx context.Context, server, tool string, args json.RawMessage, progress func(text string)) (*MCPResult, error)
	// ReadResource reads a resource as text.
	ReadResource(ctx context.Context, server, uri string) (*MCPResult, error)
}

// MCPServer is a connected server.
type MCPServer struct {
	Name string
	// Instructions are the server's own words on how to use it.
	Instructions string
	Tools        []MCPTool
	Resources    []MCPResource
	Templates    []MCPResource
	// Command is how it was started, with secrets masked; "" for remote ones.
	Command string
}

// MCPTool is a tool of a server.
type MCPTool struct {
	Name, Description string
	// Schema is the raw input schema.
	Schema json.RawMessage
	// ReadOnly is the server's own hint that the tool changes nothing.
	ReadOnly bool
	// AutoApprove is set in the server's settings.
	AutoApprove bool
	// Hash changes when the description, the schema or the hints do: an
	// "always" that was given for another hash asks again.
	Hash string
}

// MCPResource is a resource, or a template with {placeholders} in URI.
type MCPResource struct{ URI, Name, Description, MimeType string }

// MCPResult is an answer of a server.
type MCPResult struct {
	Text    string
	Images  []transcript.Image
	IsError bool
}
