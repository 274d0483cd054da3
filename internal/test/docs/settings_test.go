package docs

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"clined/internal/config"
)

var update = flag.Bool("update", false, "write what is made of the settings: the table of docs/settings.md, the schema, and the files of the editors")

const (
	tableBegin = "<!-- the keys: written by go test ./internal/test/docs -update -->\n"
	tableEnd   = "<!-- end of the keys -->\n"
)

// generated holds a file to what is made of the code.
func generated(t *testing.T, name, want string) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(name))
	text, err := os.ReadFile(file)
	if string(text) == want || err != nil && !*update {
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	if !*update {
		t.Fatalf("%s does not fit the settings; run go test ./internal/test/docs -update", name)
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(want), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func TestSettingsTable(t *testing.T) {
	text := read(t, "docs/settings.md")
	before, rest, ok := strings.Cut(text, tableBegin)
	_, after, ok2 := strings.Cut(rest, tableEnd)
	if !ok || !ok2 {
		t.Fatalf("docs/settings.md has lost the marks around its table")
	}
	generated(t, "docs/settings.md", before+tableBegin+settingsTable()+tableEnd+after)
}

func TestSettingsSchema(t *testing.T) {
	schema, err := config.Schema()
	if err != nil {
		t.Fatal(err)
	}
	generated(t, "docs/settings.schema.json", string(schema))
}

func settingsTable() string {
	var b strings.Builder
	b.WriteString("| key | variable | values | default | workspace | meaning |\n|---|---|---|---|---|---|\n")
	for _, k := range config.Keys() {
		values, meaning := cell(k.Expect), cell(k.Doc)
		if mode, base, ok := override(k); ok {
			values, meaning = "", fmt.Sprintf("`%s` in %s mode", base, mode)
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s | %s |\n", k.Name, k.Env, values, shownDefault(k), k.Workspace, meaning)
	}
	return b.String()
}

// override splits the name of a key that holds in one mode only.
func override(k config.Key) (mode, base string, ok bool) {
	mode, base, ok = strings.Cut(k.Name, ".")
	return mode, base, ok && (mode == "plan" || mode == "act")
}

// cell keeps a text from ending its cell.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// shownDefault is the default as JSON, "" where nothing is set.
func shownDefault(k config.Key) string {
	value := string(k.Default)
	if _, _, inherits := override(k); inherits || slices.Contains([]string{`""`, "[]", "{}"}, value) {
		return ""
	}
	return "`" + value + "`"
}

// Variables that are told of must be known.
func TestVariables(t *testing.T) {
	known := map[string]bool{"CLINED_HOME": true, "CLINED_READING_ENVIRONMENT": true} // that are no settings
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
