package builtin

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clined/internal/tools"
)

// failingFiles are files of which one cannot be taken away.
type failingFiles struct {
	tools.Files
	at string
}

func (f *failingFiles) SetAside(ctx context.Context, base *tools.File) (tools.Aside, error) {
	if filepath.Base(base.Path.Abs) == f.at {
		return nil, errors.New("the disk is on fire")
	}
	return f.Files.SetAside(ctx, base)
}

// Files that a patch deleted before a later one failed are put back as they were:
// bytes, mode, time and all.
func TestDeletedFilesComeBack(t *testing.T) {
	p := newProject(t, map[string]string{
		"text": "a\r\nb\n", "latin1": "caf\xE9\n", "koi8": "\xD0\xD2\xC9\xD7\xC5\xD4 \xA4\xA6\xA7\xAD\n", "utf16": "\xFF\xFEa\x00\n\x00", "mark": "\xEF\xBB\xBFx\n",
		"bin": "\x00\x01\x02", "twin": "t\n", "target": "x\n", "last": "z\n", "sub/only": "o\n",
	})
	if err := errors.Join(os.Link(filepath.Join(p.dir, "twin"), filepath.Join(p.dir, "other name")), os.Symlink("target", filepath.Join(p.dir, "link"))); err != nil {
		t.Fatal(err)
	}
	names := []string{"text", "latin1", "koi8", "utf16", "mark", "bin", "twin", "link", "sub/only"}
	for i, name := range names {
		old := time.Date(2001, 2, 3, 4, 5, 6, 789, time.UTC)
		if path := filepath.Join(p.dir, name); name != "link" {
			if err := errors.Join(os.Chmod(path, os.FileMode(0o400+i)), os.Chtimes(path, old, old)); err != nil {
				t.Fatal(err)
			}
		}
	}
	files := &failingFiles{p.ws, "last"}
	k := newTaskWith(t, Deps{Files: files, CWD: p.dir}, nil)
	before := snapshot(t, p.dir)
	var parts []string
	for _, name := range append(names, "last") {
		parts = append(parts, deletion(name))
	}
	res := k.call("apply_patch", "input", envelope(parts...))
	wantText(t, res, tools.Failed, "the disk is on fire", "was taken back: sub/only, link, twin, bin, mark, utf16, koi8, latin1, text.")
	wantSame(t, "the failed patch", before, snapshot(t, p.dir))

	files.at = ""
	wantText(t, k.call("apply_patch", "input", envelope(parts...)), tools.OK, "Changed 10 files", "Deleted bin (binary file, 3 bytes).")
	left, err := os.ReadDir(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, e := range left {
		kept = append(kept, e.Name())
	}
	if got := strings.Join(kept, ", "); got != "other name, sub, target" {
		t.Errorf("left: %s", got)
	}
}

// A binary file can be deleted: the user is told what it is, and a no, or a change
// meanwhile, leaves it alone.
func TestDeleteBinary(t *testing.T) {
	k := newTask(t, newWorld(map[string]string{"logo.png": "\x89PNG\x00", "a.txt": "one\n"}))
	patch := envelope(update("a.txt", "@@\n-one\n+1\n"), deletion("logo.png"))
	k.deny = true
	wantText(t, k.call("apply_patch", "input", patch), tools.Denied)
	edits := k.action().Subject.Edits
	if len(edits) != 2 || edits[1].Op != opDelete || edits[1].Diff != "binary file, 5 bytes\n" || edits[1].Base != "" {
		t.Errorf("asked: %+v", edits)
	}
	if k.deny = false; k.w.writes > 0 {
		t.Error("written though denied")
	}
	k.between = func() { k.w.set("logo.png", "\x89PNG\x00new") }
	wantText(t, k.call("apply_patch", "input", patch), tools.Failed, "logo.png", "meanwhile", "taken back: a.txt")
	k.wantFile("a.txt", "one\n")
	k.wantFile("logo.png", "\x89PNG\x00new")
	k.between = nil
	wantText(t, k.call("apply_patch", "input", patch), tools.OK, "Deleted logo.png (binary file, 8 bytes).")
	wantText(t, k.call("apply_patch", "input", envelope(moved("logo.png", "x.png", "@@\n-a\n+b\n"))), tools.Failed, "logo.png")
	wantText(t, k.call("apply_patch", "input", envelope(deletion("none.png"))), tools.Failed, "none.png", "othing was changed")
}
