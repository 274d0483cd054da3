package mcphub

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
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

// lists asks for everything the server offers. Warnings are for the user.
func (k *conn) lists(ctx context.Context, maxTools int) (s tools.MCPServer, warnings []string, err error) {
	s.Instructions = strings.TrimSpace(k.hello.Instructions)
	// Tools are asked for even if not announced: old servers forget to.
	raw, warn, err := k.pages(ctx, "tools", func(ctx context.Context, r mcp.PaginatedRequest) error {
		_, err := k.client.ListToolsByPage(ctx, mcp.ListToolsRequest{PaginatedRequest: r})
		return err
	})
	if err != nil && !(errors.Is(err, mcp.ErrMethodNotFound) && k.hello.Capabilities.Tools == nil) {
		return s, nil, err
	}
	warnings = append(warnings, warn...)
	s.Tools, warn = parseTools(raw, maxTools)
	warnings = append(warnings, warn...)
	if k.hello.Capabilities.Resources == nil {
		return s, warnings, nil
	}

	raw, warn, err = k.pages(ctx, "resources", func(ctx context.Context, r mcp.PaginatedRequest) error {
		_, err := k.client.ListResourcesByPage(ctx, mcp.ListResourcesRequest{PaginatedRequest: r})
		return err
	})
	if err != nil && !errors.Is(err, mcp.ErrMethodNotFound) {
		return s, nil, err
	}
	s.Resources = parseResources(raw)
	warnings = append(warnings, warn...)
	raw, warn, err = k.pages(ctx, "resourceTemplates", func(ctx context.Context, r mcp.PaginatedRequest) error {
		_, err := k.client.ListResourceTemplatesByPage(ctx, mcp.ListResourceTemplatesRequest{PaginatedRequest: r})
		return err
	})
	if err != nil && !errors.Is(err, mcp.ErrMethodNotFound) {
		return s, nil, err
	}
	s.Templates = parseResources(raw)
	return s, append(warnings, warn...), nil
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

// parseTools reads tools with their schemas untouched, in the order of their
// names, at most limit of them.
func parseTools(raw []json.RawMessage, limit int) (list []tools.MCPTool, warnings []string) {
	seen := map[string]bool{}
	for _, item := range raw {
		var t struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			InputSchema json.RawMessage `json:"inputSchema"`
			Annotations struct {
				ReadOnlyHint bool `json:"readOnlyHint"`
			} `json:"annotations"`
		}
		if err := json.Unmarshal(item, &t); err != nil || t.Name == "" || seen[t.Name] {
			warnings = append(warnings, fmt.Sprintf("a tool was left out, as its entry is broken or doubled (%q)", t.Name))
			continue
		}
		seen[t.Name] = true
		if len(t.InputSchema) == 0 || string(t.InputSchema) == "null" {
			t.InputSchema = json.RawMessage(`{"type":"object"}`)
		}
		if err := checkSchema(t.InputSchema); err != nil {
			warnings = append(warnings, fmt.Sprintf("the tool %q was left out: %v", t.Name, err))
			continue
		}
		tool := tools.MCPTool{Name: t.Name, Description: t.Description, Schema: t.InputSchema, ReadOnly: t.Annotations.ReadOnlyHint}
		tool.Hash = hash(tool)
		list = append(list, tool)
	}
	slices.SortFunc(list, func(a, b tools.MCPTool) int { return cmp.Compare(a.Name, b.Name) })
	if len(list) > limit {
		names := make([]string, 0, len(list)-limit)
		for _, t := range list[limit:] {
			names = append(names, t.Name)
		}
		warnings = append(warnings, fmt.Sprintf("it offers %d tools, the limit is %d; left out: %s", len(list), limit, strings.Join(names, ", ")))
		list = list[:limit]
	}
	return list, warnings
}

// maxSchemaDepth is deeper than any provider reads.
const maxSchemaDepth = 60

// checkSchema finds what no provider can be told of: arguments are an object
// (MCP 2025-06-18, tools, "inputSchema"), nested within reason.
func checkSchema(schema json.RawMessage) error {
	var top struct {
		Type any `json:"type"`
	}
	if json.Unmarshal(schema, &top) != nil {
		return errors.New("its schema is no object")
	}
	types, many := top.Type.([]any)
	if top.Type != nil && top.Type != "object" && !(many && slices.Contains(types, any("object"))) {
		return fmt.Errorf("its schema is of type %v, not an object", top.Type)
	}
	depth, deepest := 0, 0
	for decoder := json.NewDecoder(bytes.NewReader(schema)); ; {
		token, err := decoder.Token()
		if err != nil { // the end: it was valid JSON
			break
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		deepest = max(deepest, depth)
	}
	if deepest > maxSchemaDepth {
		return fmt.Errorf("its schema is nested %d deep", deepest)
	}
	return nil
}

// hash identifies what the model and the user are told of a tool. The order
// and spacing of a schema's keys do not matter.
func hash(t tools.MCPTool) string {
	schema := []byte(t.Schema)
	decoder := json.NewDecoder(bytes.NewReader(schema))
	decoder.UseNumber()
	var v any
	if decoder.Decode(&v) == nil {
		if canonical, err := json.Marshal(v); err == nil {
			schema = canonical
		}
	}
	told, err := json.Marshal([]any{t.Name, t.Description, string(schema), t.ReadOnly})
	if err != nil {
		panic("mcphub: texts and a bool cannot be marshalled: " + err.Error())
	}
	sum := sha256.Sum256(told)
	return hex.EncodeToString(sum[:])
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
