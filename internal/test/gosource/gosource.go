// Package gosource gives tests real code to work on: the sources of Go's library.
// It changes none of them. Only tests import it.
package gosource

import (
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// maxFile is the size in bytes from which a file is too long for a test of seconds.
const maxFile = 60_000

// Files are the lines of the files of a folder below src that are not too long.
func Files(t testing.TB, folder string) [][]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", folder, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no Go sources in %q: %v", build.Default.GOROOT, err)
	}
	var out [][]string
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) < maxFile {
			out = append(out, strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"))
		}
	}
	return out
}
