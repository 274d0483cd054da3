package safefile_test

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"clined/internal/safefile"
)

// A process that is killed leaves a file it was making, and its list. The next
// one removes that file and nothing else.
func TestUnfinishedFilesOfAKilledProcess(t *testing.T) {
	dir := t.TempDir()
	lists, made, kept := filepath.Join(dir, "lists"), filepath.Join(dir, "half made"), filepath.Join(dir, "kept")
	if os.Getenv("CLINED_TEST_MAKE") != "" {
		u := safefile.NewUnfinished(os.Getenv("CLINED_TEST_LISTS"), slog.New(slog.DiscardHandler))
		u.Note(os.Getenv("CLINED_TEST_KEPT"))() // complete
		u.Note(os.Getenv("CLINED_TEST_MAKE"))
		u.Note(filepath.Join(dir, "never made"))
		p, err := os.FindProcess(os.Getpid())
		if err != nil {
			t.Fatal(err)
		}
		_ = p.Kill()
		select {}
	}
	for _, path := range []string{made, kept} {
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), "CLINED_TEST_MAKE="+made, "CLINED_TEST_KEPT="+kept, "CLINED_TEST_LISTS="+lists)
	if err := cmd.Run(); err == nil {
		t.Fatal("the process was not killed")
	}
	u := safefile.NewUnfinished(lists, slog.New(slog.DiscardHandler))
	u.Sweep()
	if _, err := os.Stat(made); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: %v", made, err)
	}
	if _, err := os.Stat(kept); err != nil {
		t.Error(err)
	}
	empty(t, lists)
}

// What a living process makes is left alone.
func TestUnfinishedFilesOfALivingProcess(t *testing.T) {
	dir := t.TempDir()
	lists, made := filepath.Join(dir, "lists"), filepath.Join(dir, "half made")
	if err := os.WriteFile(made, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	living := safefile.NewUnfinished(lists, slog.New(slog.DiscardHandler))
	done := living.Note(made)
	safefile.NewUnfinished(lists, slog.New(slog.DiscardHandler)).Sweep()
	if _, err := os.Stat(made); err != nil {
		t.Error(err)
	}
	done()
	living.Close()
	empty(t, lists)
}

// A state folder that cannot be written keeps nobody from making files.
func TestUnfinishedWithoutAPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	u := safefile.NewUnfinished(filepath.Join(file, "lists"), slog.New(slog.DiscardHandler))
	u.Note("x")()
	u.Sweep()
	u.Close()
}

func empty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
