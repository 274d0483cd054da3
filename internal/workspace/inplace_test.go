package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// brokenFile fails at the n-th operation.
type brokenFile struct {
	*os.File
	n int
}

var errBroken = errors.New("broken")

func (b *brokenFile) fail() bool { b.n--; return b.n == 0 }

func (b *brokenFile) WriteAt(p []byte, off int64) (int, error) {
	if b.fail() {
		n, _ := b.File.WriteAt(p[:len(p)/2], off)
		return n, errBroken
	}
	return b.File.WriteAt(p, off)
}

func (b *brokenFile) Truncate(n int64) error {
	if b.fail() {
		return errBroken
	}
	return b.File.Truncate(n)
}

func (b *brokenFile) Sync() error {
	if b.fail() {
		return errBroken
	}
	return nil
}

func TestWriteInPlaceComesBack(t *testing.T) {
	for _, raw := range []string{"short", "exactly as long!", "quite a lot longer than what was there before"} {
		for n := 1; n <= 5; n++ {
			f, err := os.Create(filepath.Join(t.TempDir(), "f"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			const old = "sixteen old byte"
			if _, err := f.WriteString(old); err != nil {
				t.Fatal(err)
			}
			err = writeInPlace(&brokenFile{f, n}, []byte(old), []byte(raw))
			want := old
			if n == 5 {
				want = raw
			}
			if (err == nil) != (n == 5) || onDisk(t, f.Name()) != want {
				t.Errorf("%q, failing at %d: %v, holds %q", raw, n, err, onDisk(t, f.Name()))
			}
		}
	}
}
