package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// pkg is what go list tells of a package.
type pkg struct {
	ImportPath, Dir, Name, Doc string
	GoFiles, CgoFiles          []string
	TestGoFiles, XTestGoFiles  []string
	Imports, Deps              []string
	Standard                   bool
	Module                     *struct{ Main bool }
}

// ours says whether the package is part of this project.
func (p *pkg) ours() bool { return p.Module != nil && p.Module.Main }

// room is the name in the tables: below internal/ without that, else as it is.
func (p *pkg) room() string { return roomOf(p.ImportPath) }

func roomOf(path string) string {
	path = strings.TrimPrefix(path, module)
	if rest, ok := strings.CutPrefix(path, "internal/"); ok && !strings.HasPrefix(rest, "test/") {
		return rest
	}
	return path
}

// production says whether it is part of the product.
func (p *pkg) production() bool { return isProduction(p.room()) }

func isProduction(room string) bool { return !within(room, "internal/test", "scripts", "examples") }

// within says whether a path is one of the folders or below one.
func within(path string, folders ...string) bool {
	for _, f := range folders {
		if path == f || strings.HasPrefix(path, f+"/") {
			return true
		}
	}
	return false
}

// files are the paths of the source files, or of the tests.
func (p *pkg) files(tests bool) []string {
	names := slices.Concat(p.GoFiles, p.CgoFiles)
	if tests {
		names = slices.Concat(p.TestGoFiles, p.XTestGoFiles)
	}
	for i, n := range names {
		names[i] = filepath.Join(p.Dir, n)
	}
	return names
}

var root = filepath.Join("..", "..", "..")

// lookAtFolders opens every source folder in this process: go test sees that,
// and does not take a result from its cache when a file or package was added.
func lookAtFolders() error {
	for _, dir := range []string{"cmd", "examples", "internal", "scripts"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(_ string, _ fs.DirEntry, err error) error { return err })
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	_, err := os.ReadFile(filepath.Join(root, "go.mod"))
	return err
}

// listed runs go list once for all tests. Packages that do not compile are
// listed too: the compiler complains about them elsewhere.
var listed = sync.OnceValues(func() ([]pkg, error) {
	if err := lookAtFolders(); err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "list", "-e", "-deps", "-json=ImportPath,Dir,Name,Doc,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Imports,Deps,Standard,Module", "./...")
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, errors.New(err.Error() + ": " + stderr.String())
	}
	var all []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
})

func packages(t *testing.T) []pkg {
	t.Helper()
	all, err := listed()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 50 {
		t.Fatalf("go list told of %d packages", len(all))
	}
	return all
}
