// Package binary builds the clined that tests start as a process of its own,
// once for all tests of a test binary. Only tests import it.
package binary

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// TB is what a test gives.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

var built struct {
	once sync.Once
	dir  string
	err  error
	out  []byte
}

// Path returns the file, which anybody may run.
func Path(t TB) string {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "clined-binary-"); built.err != nil {
			return
		}
		if built.err = os.Chmod(built.dir, 0o755); built.err != nil {
			return
		}
		built.out, built.err = exec.Command("go", "build", "-o", file(), "clined/cmd/clined").CombinedOutput()
	})
	if built.err != nil {
		t.Fatalf("the binary cannot be built: %v: %s", built.err, built.out)
	}
	return file()
}

func file() string { return filepath.Join(built.dir, "clined") }

// Built returns the file that Path gave, "" when nobody asked for it. It is for
// the end of a TestMain, as Remove is.
func Built() string {
	if built.dir == "" {
		return ""
	}
	return file()
}

// Remove takes away what was built.
func Remove() {
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
}
