package docs

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// rooms returns our packages below internal/ (but not those for tests), each
// with the rooms it imports, as go list tells them.
func rooms(t *testing.T) map[string][]string {
	t.Helper()
	// Folders that this process looked at are what go test's cache goes by.
	look := func(_ string, _ fs.DirEntry, err error) error { return err }
	if err := filepath.WalkDir(filepath.Join(root, "internal"), look); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./internal/...")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	list := map[string][]string{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		room := strings.TrimPrefix(p.ImportPath, "clined/internal/")
		if strings.HasPrefix(room, "test/") {
			continue
		}
		list[room] = []string{}
		for _, path := range p.Imports {
			if of, ok := strings.CutPrefix(path, "clined/internal/"); ok {
				list[room] = append(list[room], of)
			}
		}
		slices.Sort(list[room])
	}
	return list
}

// The table of rooms names each room once, with what it really imports.
func TestRooms(t *testing.T) {
	row := regexp.MustCompile("(?m)^\\| \\d \\| `([a-z0-9/]+)` \\| .* \\| ([^|]*) \\|$")
	told := map[string]string{}
	for _, m := range row.FindAllStringSubmatch(read(t, "docs/architecture.md"), -1) {
		told[m[1]] = m[2]
	}
	real := rooms(t)
	if len(real) < 20 {
		t.Fatalf("go list told of %d rooms", len(real))
	}
	for room, imports := range real {
		want := strings.Join(imports, ", ")
		if want == "" {
			want = "–"
		}
		if told[room] != want {
			t.Errorf("docs/architecture.md: the row of %s ends with %q, want %q", room, told[room], want)
		}
	}
	for room := range told {
		if _, ok := real[room]; !ok {
			t.Errorf("docs/architecture.md tells of %s, which is no room", room)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(filepath.Join(root, filepath.FromSlash(path)))
	return err == nil
}

// Source files that are told of must exist.
func TestSourceFiles(t *testing.T) {
	source := regexp.MustCompile(`^[a-z][a-z0-9_]+/[a-z0-9_/]+\.go$`)
	for _, file := range markdown(t) {
		for word := range codeWords(read(t, file)) {
			if source.MatchString(word) && !exists(word) && !exists("internal/"+word) {
				t.Errorf("%s tells of %s, which is not there", file, word)
			}
		}
	}
}
