package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var root = filepath.Join("..", "..", "..")

// read returns the text of a file of the project.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// markdown lists the documentation.
func markdown(t *testing.T) []string {
	t.Helper()
	files := []string{"README.md"}
	for _, dir := range []string{"docs", "examples"} {
		err := fs.WalkDir(os.DirFS(root), dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".md") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) < 5 {
		t.Fatalf("only %v were found", files)
	}
	return files
}

var (
	fence  = regexp.MustCompile("(?ms)^```[^\n]*\n(.*?)^```")
	inline = regexp.MustCompile("`([^`\n]+)`")
	blocks = regexp.MustCompile("(?m)^    .*$")
	parts  = regexp.MustCompile(`[$A-Za-z0-9_./-]+`)
)

// codeWords are the words that stand in code: in `backticks` or in a block.
func codeWords(text string) map[string]bool {
	words := map[string]bool{}
	add := func(code string) {
		for _, w := range parts.FindAllString(code, -1) {
			words[w], words[strings.Trim(w, ".")] = true, true
		}
	}
	for _, m := range fence.FindAllStringSubmatch(text, -1) {
		add(m[1])
	}
	text = fence.ReplaceAllString(text, "")
	for _, m := range inline.FindAllStringSubmatch(text, -1) {
		add(m[1])
	}
	for _, line := range blocks.FindAllString(text, -1) {
		add(line)
	}
	return words
}

func TestCodeWords(t *testing.T) {
	words := codeWords("a `b: c/d` e\n```json\n{\"f\": 1}\n```\n    g --h\n`i")
	for _, w := range []string{"b", "c/d", "f", "g", "--h"} {
		if !words[w] {
			t.Errorf("%q was not found", w)
		}
	}
	for _, w := range []string{"a", "e", "i"} {
		if words[w] {
			t.Errorf("%q is no code", w)
		}
	}
}

// Links within the project lead to files and headings that exist.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#\s]*)(#[^)\s]*)?\)`)
	for _, file := range markdown(t) {
		for _, m := range link.FindAllStringSubmatch(read(t, file), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			target := file
			if m[1] != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(file), m[1]))
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(target))); err != nil {
				t.Errorf("%s: there is no %s", file, target)
				continue
			}
			if m[2] != "" && !slices.Contains(headings(read(t, target)), m[2]) {
				t.Errorf("%s: %s has no heading %s", file, target, m[2])
			}
		}
	}
}

// headings are the anchors that a reader of Markdown gives them.
func headings(text string) []string {
	var list []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		name := regexp.MustCompile(`[^\pL\pN _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		list = append(list, "#"+strings.ReplaceAll(name, " ", "-"))
	}
	return list
}

// Targets of make that are told of must be in the Makefile.
func TestMakeTargets(t *testing.T) {
	makefile := read(t, "Makefile")
	for _, file := range markdown(t) {
		for _, m := range regexp.MustCompile("(?m)(?:`|^    )make ([a-z-]+)").FindAllStringSubmatch(read(t, file), -1) {
			if !strings.Contains(makefile, "\n"+m[1]+":") {
				t.Errorf("%s tells of make %s, which the Makefile does not have", file, m[1])
			}
		}
	}
}
