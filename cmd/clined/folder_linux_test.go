package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A folder whose path is not UTF-8 is not said to be missing, and a link leads there.
func TestFolderThatIsNotUTF8(t *testing.T) {
	bad, link := filepath.Join(t.TempDir(), "b\xffd"), filepath.Join(t.TempDir(), "good")
	if err := errors.Join(os.Mkdir(bad, 0o700), os.WriteFile(filepath.Join(bad, "f"), []byte("on\n"), 0o600), os.Symlink(bad, link)); err != nil {
		t.Fatal(err)
	}
	says := []string{"cannot be used: its path is not UTF-8", "hint: make a link"}
	for _, args := range [][]string{{"run", "--cwd", bad, "x"}, {"tool", "read_file", `{"path":"f"}`, "--cwd", bad}, {"trust", bad}} {
		command(t, "", args...).want(t, 2, nil, says)
	}
	command(t, "", "tool", "read_file", `{"path":"f"}`, "--cwd", link).want(t, 0, []string{"1 | on"}, nil)
	t.Chdir(bad)
	command(t, "", "run", "--model", "m", "--base-url", "http://127.0.0.1:1/v1", "x").want(t, 2, nil, says)
}
