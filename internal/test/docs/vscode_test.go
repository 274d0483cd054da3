package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tailscale/hujson"

	"clined/internal/config"
)

const vscodeManifest = "editors/vscode/package.json"

// property is a setting as contributes.configuration of VS Code's package.json
// takes it.
type property struct {
	Order       int    `json:"order"`
	Scope       string `json:"scope"`
	Description string `json:"markdownDescription"`
	Type        any    `json:"type,omitempty"`
	Enum        []any  `json:"enum,omitempty"`
	Items       any    `json:"items,omitempty"`
	Additional  any    `json:"additionalProperties,omitempty"`
	Minimum     *int   `json:"minimum,omitempty"`
	Maximum     *int   `json:"maximum,omitempty"`
	Default     any    `json:"default"`
}

// scope says who may set a key in VS Code. What a repository's .vscode folder
// says is laid over the user's own settings and comes to the daemon as the
// user's word, so keys that can loosen something are the user's alone. Lists
// too, even of what is denied: there the workspace's takes the user's place.
func scope(k config.Key) string {
	if k.Workspace != config.Free || k.Type == config.List {
		return "machine"
	}
	return "window"
}

// sentence is what a key means as the settings page shows it.
func sentence(k config.Key) string {
	first, rest, _ := strings.Cut(k.Doc, " ")
	if slices.ContainsFunc(k.Choices, func(c json.RawMessage) bool { return string(c) == strconv.Quote(first) }) {
		return fmt.Sprintf("`%s` %s.", first, rest)
	}
	return strings.ToUpper(k.Doc[:1]) + k.Doc[1:] + "."
}

func vscodeProperty(order int, k config.Key) property {
	p := property{Order: order, Scope: scope(k), Description: sentence(k), Default: k.Default, Minimum: k.Min, Maximum: k.Max}
	mode, base, overrides := override(k)
	if overrides {
		p.Description = fmt.Sprintf("`#clined.%s#` in %s mode: %s.", base, mode, k.Doc)
	}
	switch k.Type {
	case config.Choice:
		for _, c := range k.Choices {
			p.Enum = append(p.Enum, c)
		}
		if string(k.Default) == `""` && !overrides {
			p.Enum = append([]any{""}, p.Enum...)
		}
	case config.Flag:
		p.Type = "boolean"
	case config.Count:
		p.Type = "integer"
	case config.Amount:
		p.Type = "number"
	case config.List:
		p.Type, p.Items = "array", map[string]any{"type": "string"}
	case config.Costs:
		number := map[string]any{"type": "number", "minimum": 0, "maximum": 1_000_000}
		p.Type, p.Additional = "object", map[string]any{
			"type": "object", "additionalProperties": false,
			"properties": map[string]any{"input": number, "output": number, "cacheRead": number, "cacheWrite": number},
		}
	default:
		p.Type = "string"
	}
	if overrides { // null: as in both modes
		p.Default = nil
		if p.Enum != nil {
			p.Enum = append(p.Enum, nil)
		} else {
			p.Type = []any{p.Type, "null"}
		}
	}
	return p
}

func TestVSCodeSettings(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("{\n  \"title\": \"clined\",\n  \"properties\": {")
	write := func(name string, p property) {
		if p.Order > 0 {
			b.WriteByte(',')
		}
		var raw bytes.Buffer
		e := json.NewEncoder(&raw)
		e.SetEscapeHTML(false)
		e.SetIndent("    ", "  ")
		if err := e.Encode(p); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "\n    %q: %s", "clined."+name, bytes.TrimSpace(raw.Bytes()))
	}
	keys := config.Keys()
	for i, k := range keys {
		write(k.Name, vscodeProperty(i, k))
	}
	write("path", property{Order: len(keys), Scope: "machine", Type: "string", Default: "",
		Description: "The clined program to start; empty for the one that came with the extension, else the one on PATH."})
	b.WriteString("\n  }\n}\n")
	generated(t, vscodeManifest, withConfiguration(t, read(t, vscodeManifest), b.String()))
}

// withConfiguration is the extension's manifest with these settings, and all else as it was.
func withConfiguration(t *testing.T, manifest, settings string) string {
	t.Helper()
	file, err := hujson.Parse([]byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	value, err := hujson.Parse([]byte(strings.ReplaceAll(strings.TrimSpace(settings), "\n", "\n    ")))
	if err != nil {
		t.Fatalf("no JSON: %v\n%s", err, settings)
	}
	slot := file.Find("/contributes/configuration")
	if slot == nil {
		t.Fatal("the manifest has lost contributes.configuration")
	}
	slot.Value = value.Value
	return string(file.Pack())
}

// Nothing that a repository brings along may loosen what clined may do.
func TestVSCodeScopes(t *testing.T) {
	for _, k := range config.Keys() {
		if want := "machine"; k.Workspace != config.Free && scope(k) != want {
			t.Errorf("%s has scope %s", k.Name, scope(k))
		}
	}
	var manifest struct {
		Contributes struct {
			Configuration struct{ Properties map[string]property }
		}
	}
	if err := json.Unmarshal([]byte(read(t, vscodeManifest)), &manifest); err != nil {
		t.Fatal(err)
	}
	file := manifest.Contributes.Configuration
	for _, name := range []string{"apiKey", "baseUrl", "act.baseUrl", "shell", "mcp.file", "autoApprove.command", "permissions.allow", "permissions.deny", "limits.cost", "prices"} {
		if got := file.Properties["clined."+name].Scope; got != "machine" {
			t.Errorf("clined.%s has scope %q", name, got)
		}
	}
	if got := file.Properties["clined.model"].Scope; got != "window" {
		t.Errorf("clined.model has scope %q", got)
	}
}
