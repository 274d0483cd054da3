package safefile_test

import (
	"bytes"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"clined/internal/safefile"
)

// keptBy has a process keep files that hold old and are to hold after, and be
// killed. Those that end in "done" are done before.
func keptBy(t *testing.T, old, after string, paths ...string) (lists string) {
	t.Helper()
	lists = filepath.Join(t.TempDir(), "lists")
	cmd := exec.Command(os.Args[0], append([]string{"-test.run=^TestKeepingProcess$", "--"}, paths...)...)
	cmd.Env = append(os.Environ(), "CLINED_TEST_KEEP="+lists, "CLINED_TEST_OLD="+old, "CLINED_TEST_AFTER="+after)
	if out, err := cmd.CombinedOutput(); err == nil {
		t.Fatalf("the process was not killed: %s", out)
	}
	return lists
}

func TestKeepingProcess(t *testing.T) {
	lists := os.Getenv("CLINED_TEST_KEEP")
	if lists == "" {
		return // it is run by keptBy
	}
	u := safefile.NewUnfinished(lists, slog.New(slog.DiscardHandler))
	for i, arg := range os.Args {
		if arg != "--" {
			continue
		}
		for _, path := range os.Args[i+1:] {
			done, err := u.Keep(path, []byte(os.Getenv("CLINED_TEST_OLD")), []byte(os.Getenv("CLINED_TEST_AFTER")))
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Ext(path) == ".done" {
				done()
			}
		}
	}
	p, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	_ = p.Kill()
	select {}
}

// What a killed process left half written is put back; what is complete, was not
// begun, was changed by others since or is no file any more is left alone.
func TestPutBack(t *testing.T) {
	const old, longer, shorter = "old text", "another text, longer", "short"
	for _, tc := range []struct{ name, after, now, want string }{
		{"not begun", longer, old, old},
		{"tail only", longer, "old text" + "tex", old},
		{"no such mixture", longer, "anoh" + "text" + "text, longer", "anoh" + "text" + "text, longer"},
		{"head begun", longer, "anot" + "text" + "text, longer", old},
		{"complete", longer, longer, longer},
		{"shorter, head begun", shorter, "sho text", old},
		{"shorter, not cut yet", shorter, "shortext", old},
		{"shorter, complete", shorter, shorter, shorter},
		{"changed since", longer, "the user's", "the user's"},
		{"changed since in one byte", longer, "old texT", "old texT"},
		{"cut since", longer, "old", "old"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			path, twin := filepath.Join(dir, "f"), filepath.Join(dir, "twin")
			if err := os.WriteFile(path, []byte(tc.now), 0o640); err != nil {
				t.Fatal(err)
			}
			if err := os.Link(path, twin); err != nil {
				t.Fatal(err)
			}
			done := filepath.Join(dir, "f.done")
			if err := os.WriteFile(done, []byte("old texttex"), 0o640); err != nil {
				t.Fatal(err)
			}
			lists := keptBy(t, old, tc.after, done, path, filepath.Join(dir, "gone"), dir)
			safefile.NewUnfinished(lists, slog.New(slog.DiscardHandler)).Sweep()
			for file, want := range map[string]string{path: tc.want, twin: tc.want, done: "old texttex"} {
				if raw, err := os.ReadFile(file); err != nil || string(raw) != want {
					t.Errorf("%s holds %q, %v", file, raw, err)
				}
			}
			empty(t, lists)
		})
	}
}

// Without a place for the old bytes the caller is told, before it writes.
func TestKeepWithoutAPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	u := safefile.NewUnfinished(filepath.Join(file, "lists"), slog.New(slog.DiscardHandler))
	if _, err := u.Keep("x", nil, nil); err == nil {
		t.Error("kept nowhere")
	}
}

// What a living process keeps is its own, and gone when it is done.
func TestKeepOfALivingProcess(t *testing.T) {
	dir := t.TempDir()
	lists, path := filepath.Join(dir, "lists"), filepath.Join(dir, "f")
	living := safefile.NewUnfinished(lists, slog.New(slog.DiscardHandler))
	half := bytes.Repeat([]byte("b"), 3)
	done, err := living.Keep(path, []byte("aaaaaa"), []byte("bbbbbb"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(half, "aaa"...), 0o600); err != nil {
		t.Fatal(err)
	}
	safefile.NewUnfinished(lists, slog.New(slog.DiscardHandler)).Sweep()
	if raw, _ := os.ReadFile(path); string(raw) != "bbbaaa" {
		t.Errorf("put back under a living process: %q", raw)
	}
	done()
	living.Close()
	empty(t, lists)
}
