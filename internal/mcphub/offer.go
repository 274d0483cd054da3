package mcphub

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"clined/internal/tools"
)

// Bounds of what one tool may say, in bytes: all of it is in every request.
const (
	maxDescription = 4 << 10
	maxSchema      = 64 << 10
	maxName        = 1 << 10 // MCP asks for 128 at most (2025-11-25, tools, "Tool Names")
)

// maxWarnings is how many single tools the user is told of.
const maxWarnings = 5

// parseTools reads tools with their schemas untouched, in the order of their
// names, at most limit of them. Notes are for the log.
func parseTools(raw []json.RawMessage, limit int) (list []tools.MCPTool, warnings, notes []string) {
	seen := map[string]bool{}
	untold := 0
	warn := func(format string, args ...any) {
		if len(warnings) == maxWarnings {
			untold++
			return
		}
		warnings = append(warnings, fmt.Sprintf(format, args...))
	}
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
			warn("a tool was left out, as its entry is broken or doubled (%q)", short(t.Name))
			continue
		}
		seen[t.Name] = true
		if len(t.InputSchema) == 0 || string(t.InputSchema) == "null" {
			t.InputSchema = json.RawMessage(`{"type":"object"}`)
		}
		if err := cmp.Or(checkName(t.Name), checkSchema(t.InputSchema)); err != nil {
			warn("the tool %q was left out: %v", short(t.Name), err)
			continue
		}
		list = append(list, tools.MCPTool{Name: t.Name, Description: t.Description, Schema: t.InputSchema, ReadOnly: t.Annotations.ReadOnlyHint})
	}
	slices.SortFunc(list, func(a, b tools.MCPTool) int { return cmp.Compare(a.Name, b.Name) })
	if untold > 0 {
		warnings = append(warnings, fmt.Sprintf("%d more tools were left out", untold))
	}
	if len(list) > limit {
		warnings = append(warnings, fmt.Sprintf("it offers %d tools, the limit is %d; left out: %s", len(list), limit, firstNames(list[limit:])))
		list = list[:limit:limit]
	}
	for i := range list {
		t := &list[i]
		t.Hash = hash(*t) // of all it says, also of what the model is not told
		if n := len(t.Description); n > maxDescription {
			t.Description = cutText(t.Description, maxDescription)
			notes = append(notes, fmt.Sprintf("the description of the tool %q has %d bytes; the model is told the first %d", t.Name, n, len(t.Description)))
		}
	}
	return list, warnings, notes
}

// firstNames lists tools for a person.
func firstNames(list []tools.MCPTool) string {
	const most = 10
	var names []string
	for _, t := range list[:min(len(list), most)] {
		names = append(names, t.Name)
	}
	text := strings.Join(names, ", ")
	if more := len(list) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// short is a name as a sentence can bear it.
func short(name string) string { return cutText(name, 64) }

// cutText cuts a text that is longer than limit bytes, between characters.
func cutText(text string, limit int) string {
	const mark = " …"
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit-len(mark)], "") + mark
}

func checkName(name string) error {
	if len(name) > maxName {
		return fmt.Errorf("its name has %d bytes, the limit is %d", len(name), maxName)
	}
	return nil
}

// maxSchemaDepth is deeper than any provider reads.
const maxSchemaDepth = 60

// checkSchema finds what no provider can be told of: arguments are an object
// (MCP 2025-06-18, tools, "inputSchema"), nested within reason.
func checkSchema(schema json.RawMessage) error {
	if len(schema) > maxSchema {
		return fmt.Errorf("its schema has %d bytes, the limit is %d", len(schema), maxSchema)
	}
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
