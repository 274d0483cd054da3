//go:build unix

package builtin

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// special makes files that are none, and links.
func special(t *testing.T, dir string) {
	t.Helper()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"zero": "/dev/zero", "link": "a.txt", "circle": "circle"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}
