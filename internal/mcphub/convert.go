package mcphub

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"clined/internal/tools"
	"clined/internal/transcript"
)

// content is an item of a tool's answer (MCP 2025-06-18, tools, "Tool Result").
type content struct {
	Type     string    `json:"type"`
	Text     string    `json:"text"`
	Data     string    `json:"data"`
	MimeType string    `json:"mimeType"`
	URI      string    `json:"uri"`
	Name     string    `json:"name"`
	Title    string    `json:"title"`
	Desc     string    `json:"description"`
	Resource *resource `json:"resource"`
}

// resource is the contents of a resource: text or a base64 blob.
type resource struct {
	URI      string  `json:"uri"`
	MimeType string  `json:"mimeType"`
	Text     *string `json:"text"`
	Blob     string  `json:"blob"`
}

// answer gathers the pieces of a result. Base64 never becomes text.
type answer struct {
	texts  []string
	images []transcript.Image
}

func (a *answer) result(empty string, isError bool) *tools.MCPResult {
	text := strings.Join(a.texts, "\n\n")
	if text == "" && len(a.images) == 0 {
		text = empty
	}
	return &tools.MCPResult{Text: text, Images: a.images, IsError: isError}
}

func (a *answer) text(s string) {
	if s != "" {
		a.texts = append(a.texts, s)
	}
}

// binary takes data that is no text: an image as such, anything else as a note.
func (a *answer) binary(kind, mimeType, data, from string) {
	raw, err := base64.StdEncoding.DecodeString(data)
	if from != "" {
		from = " from " + from
	}
	switch {
	case err != nil:
		a.text(fmt.Sprintf("[%s%s that cannot be decoded]", kind, from))
	case strings.HasPrefix(mimeType, "image/"):
		a.images = append(a.images, transcript.Image{MediaType: mimeType, Data: raw})
	default:
		a.text(fmt.Sprintf("[%s%s, %s, %d bytes, not shown]", kind, from, or(mimeType, "unknown type"), len(raw)))
	}
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// callResult converts the result of tools/call.
func callResult(raw json.RawMessage) (*tools.MCPResult, error) {
	var r struct {
		Content    []json.RawMessage `json:"content"`
		Structured json.RawMessage   `json:"structuredContent"`
		IsError    bool              `json:"isError"`
		// ToolResult is how servers of 2024-10-07 and before answered.
		ToolResult json.RawMessage `json:"toolResult"`
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, fmt.Errorf("its answer cannot be read: %w", err)
	}
	var a answer
	for _, item := range r.Content {
		a.content(item)
	}
	// A server that sends both says the same twice.
	if len(a.texts) == 0 && len(a.images) == 0 {
		for _, raw := range []json.RawMessage{r.Structured, r.ToolResult} {
			if len(raw) > 0 && string(raw) != "null" {
				a.text(string(raw))
			}
		}
	}
	return a.result("(No response)", r.IsError), nil
}

func (a *answer) content(item json.RawMessage) {
	var c content
	if err := json.Unmarshal(item, &c); err != nil {
		a.text("[content that cannot be read]")
		return
	}
	switch c.Type {
	case "text":
		a.text(c.Text)
	case "image":
		a.binary("image", or(c.MimeType, "image/png"), c.Data, "")
	case "audio":
		a.binary("audio", c.MimeType, c.Data, "")
	case "resource_link":
		a.text(link(c))
	case "resource":
		switch r := c.Resource; {
		case r == nil:
		case r.Text != nil:
			a.text("Resource " + r.URI + ":\n" + *r.Text)
		default:
			a.resource(*r)
		}
	default:
		a.text(fmt.Sprintf("[content of type %q, not shown]", c.Type))
	}
}

func link(c content) string {
	s := "Resource: " + c.URI
	if name := or(c.Title, c.Name); name != "" {
		s = "Resource " + name + ": " + c.URI
	}
	if c.MimeType != "" {
		s += " (" + c.MimeType + ")"
	}
	if c.Desc != "" {
		s += "\n" + c.Desc
	}
	return s
}

func (a *answer) resource(r resource) {
	if r.Text != nil {
		a.text(*r.Text)
		return
	}
	a.binary("binary data", r.MimeType, r.Blob, r.URI)
}

// readResult converts the result of resources/read.
func readResult(raw json.RawMessage) (*tools.MCPResult, error) {
	var r struct {
		Contents []resource `json:"contents"`
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, fmt.Errorf("its answer cannot be read: %w", err)
	}
	var a answer
	for _, c := range r.Contents {
		a.resource(c)
	}
	return a.result("(Empty response)", false), nil
}
