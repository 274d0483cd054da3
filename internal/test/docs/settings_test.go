package docs

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"clined/internal/config"
)

var update = flag.Bool("update", false, "write the table of docs/settings.md")

const (
	tableBegin = "<!-- the keys: written by go test ./internal/test/docs -update -->\n"
	tableEnd   = "<!-- end of the keys -->\n"
)

func TestSettingsTable(t *testing.T) {
	text := read(t, "docs/settings.md")
	before, rest, ok := strings.Cut(text, tableBegin)
	table, after, ok2 := strings.Cut(rest, tableEnd)
	if !ok || !ok2 {
		t.Fatalf("docs/settings.md has lost the marks around its table")
	}
	want := settingsTable(t)
	if table == want {
		return
	}
	if !*update {
		t.Fatalf("docs/settings.md does not fit config.Keys(); run go test ./internal/test/docs -update")
	}
	file := filepath.Join(root, "docs", "settings.md")
	if err := os.WriteFile(file, []byte(before+tableBegin+want+tableEnd+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

func settingsTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| key | variable | values | default | meaning |\n|---|---|---|---|---|\n")
	raw, err := json.Marshal(config.Default())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range config.Keys() {
		values, meaning := cell(k.Expect), cell(k.Doc)
		if mode, base, ok := strings.Cut(k.Name, "."); ok && (mode == "plan" || mode == "act") {
			values, meaning = "", fmt.Sprintf("`%s` in %s mode", base, mode)
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s |\n", k.Name, k.Env, values, defaultOf(t, raw, k.Name), meaning)
	}
	return b.String()
}

// cell keeps a text from ending its cell.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// defaultOf shows the default as JSON, nothing where nothing is set.
func defaultOf(t *testing.T, settings []byte, key string) string {
	value := settings
	for name := range strings.SplitSeq(key, ".") {
		var group map[string]json.RawMessage
		if err := json.Unmarshal(value, &group); err != nil || group[name] == nil {
			t.Fatalf("the settings have no %s", key)
		}
		value = group[name]
	}
	if bytes.Equal(value, []byte(`""`)) || bytes.Equal(value, []byte("null")) {
		return ""
	}
	inherits := strings.HasPrefix(key, "plan.") || strings.HasPrefix(key, "act.")
	if inherits && bytes.Equal(value, []byte("0")) {
		return ""
	}
	return "`" + string(value) + "`"
}

// Variables that are told of must be known.
func TestVariables(t *testing.T) {
	known := map[string]bool{"CLINED_HOME": true}
	for _, k := range config.Keys() {
		known[k.Env] = true
	}
	for _, file := range markdown(t) {
		for _, name := range regexp.MustCompile(`\bCLINED_[A-Z_]+\b`).FindAllString(read(t, file), -1) {
			if !known[name] {
				t.Errorf("%s tells of %s, which is no setting", file, name)
			}
		}
	}
}
