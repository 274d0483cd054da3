package mcphub

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"clined/internal/tools"
)

// maxPages bounds a list whose cursor changes for ever.
const maxPages = 1000

// lists asks for everything the server offers. Warnings are for the user, notes
// for the log.
func (k *conn) lists(ctx context.Context, maxTools int) (s tools.MCPServer, warnings, notes []string, err error) {
	s.Instructions = strings.TrimSpace(k.hello.Instructions)
	// Tools are asked for even if not announced: old servers forget to.
	raw, warn, err := k.pages(ctx, "tools", func(ctx context.Context, r mcp.PaginatedRequest) error {
		_, err := k.client.ListToolsByPage(ctx, mcp.ListToolsRequest{PaginatedRequest: r})
		return err
	})
	if err != nil && !(errors.Is(err, mcp.ErrMethodNotFound) && k.hello.Capabilities.Tools == nil) {
		return s, nil, nil, err
	}
	warnings = append(warnings, warn...)
	s.Tools, warn, notes = parseTools(raw, maxTools)
	warnings = append(warnings, warn...)
	if k.hello.Capabilities.Resources == nil {
		return s, warnings, notes, nil
	}

	raw, warn, err = k.pages(ctx, "resources", func(ctx context.Context, r mcp.PaginatedRequest) error {
		_, err := k.client.ListResourcesByPage(ctx, mcp.ListResourcesRequest{PaginatedRequest: r})
		return err
	})
	if err != nil && !errors.Is(err, mcp.ErrMethodNotFound) {
		return s, nil, nil, err
	}
	s.Resources = parseResources(raw)
	warnings = append(warnings, warn...)
	raw, warn, err = k.pages(ctx, "resourceTemplates", func(ctx context.Context, r mcp.PaginatedRequest) error {
		_, err := k.client.ListResourceTemplatesByPage(ctx, mcp.ListResourceTemplatesRequest{PaginatedRequest: r})
		return err
	})
	if err != nil && !errors.Is(err, mcp.ErrMethodNotFound) {
		return s, nil, nil, err
	}
	s.Templates = parseResources(raw)
	return s, append(warnings, warn...), notes, nil
}

// pages follows a list to its end and returns its items as the server wrote them.
func (k *conn) pages(ctx context.Context, key string, ask func(context.Context, mcp.PaginatedRequest) error) (items []json.RawMessage, warnings []string, err error) {
	seen := map[string]bool{"": true}
	cursor := ""
	for range maxPages {
		var request mcp.PaginatedRequest
		request.Params.Cursor = mcp.Cursor(cursor)
		tapped, got := withCapture(ctx)
		raw, err := got.result(ask(tapped, request))
		if err != nil {
			return nil, nil, k.explain(err)
		}
		var page map[string]json.RawMessage
		var found []json.RawMessage
		if err := json.Unmarshal(raw, &page); err != nil {
			return nil, nil, fmt.Errorf("its list of %s cannot be read: %w", key, err)
		}
		if list := page[key]; list != nil {
			if err := json.Unmarshal(list, &found); err != nil {
				return nil, nil, fmt.Errorf("its list of %s cannot be read: %w", key, err)
			}
		}
		items = append(items, found...)
		cursor = ""
		_ = json.Unmarshal(page["nextCursor"], &cursor) // missing or no text: the end
		if cursor == "" {
			return items, nil, nil
		}
		if seen[cursor] {
			return items, []string{fmt.Sprintf("its list of %s repeats a page; what came before is used", key)}, nil
		}
		seen[cursor] = true
	}
	return items, []string{fmt.Sprintf("its list of %s does not end; the first %d pages are used", key, maxPages)}, nil
}

// parseResources reads resources, or templates, in the order of their URIs.
func parseResources(raw []json.RawMessage) (list []tools.MCPResource) {
	for _, item := range raw {
		var r struct {
			URI         string `json:"uri"`
			URITemplate string `json:"uriTemplate"`
			Name        string `json:"name"`
			Description string `json:"description"`
			MimeType    string `json:"mimeType"`
		}
		if json.Unmarshal(item, &r) != nil || r.URI == "" && r.URITemplate == "" {
			continue
		}
		list = append(list, tools.MCPResource{URI: cmp.Or(r.URI, r.URITemplate), Name: r.Name, Description: r.Description, MimeType: r.MimeType})
	}
	slices.SortFunc(list, func(a, b tools.MCPResource) int {
		return cmp.Or(cmp.Compare(a.URI, b.URI), cmp.Compare(a.Name, b.Name))
	})
	return list
}
