package builtin

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"clined/internal/tools"
	"clined/internal/workspace"
)

// allKinds changes files in every way there is: it makes, edits, moves with and
// without an edit, writes in place, and deletes.
const allKinds = `*** Begin Patch
*** Add File: new/deep/e
+hello
*** Update File: b
@@
-b1
+B1
*** Update File: c
*** Move to: moved/c2
@@
-c1
+C1
*** Update File: d
*** Move to: moved/d2
*** Update File: h
@@
-h1
+H1
+H2
*** Delete File: a
*** Delete File: bin
*** End Patch
`

// faultyTree is what allKinds is for; the names of h are two.
func faultyTree(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	old := time.Date(2021, 2, 3, 4, 5, 6, 789, time.UTC)
	for _, name := range []string{"a", "b", "c", "d", "h", "bin"} {
		text := name + "1\n" + name + "2\n"
		if name == "bin" {
			text = "\x00\x01\x02"
		}
		at := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(at, []byte(text), 0o640), os.Chtimes(at, old, old)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(filepath.Join(dir, "h"), filepath.Join(dir, "h2")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func faultyTask(t *testing.T, dir string, fault workspace.Fault) *task {
	t.Helper()
	ws := workspace.New(workspace.Options{Roots: []string{dir}, Fault: fault, Log: slog.New(slog.DiscardHandler)})
	return newTaskWith(t, Deps{Files: ws, Lister: ws.Tree(), CWD: dir}, nil)
}

// disk tells all about what is below dir, with times or without.
func disk(t *testing.T, dir string, times bool) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		fmt.Fprint(&b, rel, " ", info.Mode())
		if !e.IsDir() {
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %q", raw)
			if times {
				fmt.Fprint(&b, " ", info.ModTime())
			}
		}
		fmt.Fprintln(&b)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Whatever call to the system fails, once, during a call that changes many files:
// all is done, or all is as it was, times and folders too, and the model hears which.
func TestFaultDuringPatch(t *testing.T) {
	good := faultyTree(t)
	all, made := 0, 0 // how many calls there are, and before the first folder is made
	count := func(call, _ string) error {
		if all++; call == "mkdir" && made == 0 {
			made = all
		}
		return nil
	}
	wantText(t, faultyTask(t, good, count).call("apply_patch", "input", allKinds), tools.OK, "h", "moved/c2")
	after := disk(t, good, false)
	errs := []error{syscall.EIO, syscall.EMFILE, syscall.ENOSPC, syscall.EACCES}
	if all-made < 200 {
		t.Errorf("only %d calls, %d of them before anything is done", all, made)
	}
	for n := 1; n <= all; n++ {
		if n < made && n%10 != 0 {
			continue // nothing is done yet
		}
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel() // the disk is what they wait for
			patchWithFault(t, n, errs[n%len(errs)], after)
		})
	}
}

// patchWithFault has the n-th call to the system fail.
func patchWithFault(t *testing.T, n int, why error, after string) {
	dir := faultyTree(t)
	before := disk(t, dir, true)
	calls, failed := 0, ""
	k := faultyTask(t, dir, func(call, path string) error {
		if calls++; calls != n {
			return nil
		}
		failed = call + " " + path
		return &fs.PathError{Op: call, Path: path, Err: why}
	})
	res := k.call("apply_patch", "input", allKinds)
	switch res.Outcome {
	case tools.OK:
		if now := disk(t, dir, false); now != after {
			t.Errorf("%s: %s\nand this is there:\n%s", failed, res.Text, now)
		}
	case tools.Failed:
		if now := disk(t, dir, true); now != before {
			t.Errorf("%s: %s\nand this is there:\n%s", failed, res.Text, now)
		}
		for _, lie := range []string{"changed since", "meanwhile", "could not be taken back", tools.ErrHalfDone.Error(), "does not exist"} {
			if strings.Contains(res.Text, lie) {
				t.Errorf("%s: %s", failed, res.Text)
			}
		}
	default:
		t.Errorf("%s: %v: %s", failed, res.Outcome, res.Text)
	}
}

// A call whose last file can never be written: all is as it was.
func TestUndoGivesTimesBack(t *testing.T) {
	dir := faultyTree(t)
	before := disk(t, dir, true)
	k := faultyTask(t, dir, func(call, path string) error {
		if call == "rename" && filepath.Base(path) == "a" {
			return &fs.PathError{Op: call, Path: path, Err: syscall.EIO}
		}
		return nil
	})
	wantText(t, k.call("apply_patch", "input", allKinds), tools.Failed, `nothing was written: "a": input/output error`, "taken back: h, d, c, b, new/deep/e.")
	if now := disk(t, dir, true); now != before {
		t.Errorf("before:\n%snow:\n%s", before, now)
	}
}

// Two names of one file: a change under one of them is one under the other.
func TestPatchNamesAFileTwice(t *testing.T) {
	dir := faultyTree(t)
	before := disk(t, dir, true)
	edit := func(name string) string { return "*** Update File: " + name + "\n@@\n-h1\n+H1\n" }
	for _, patch := range []string{
		edit("h") + edit("h2"),
		edit("h2") + "*** Delete File: h\n",
		"*** Update File: h\n*** Move to: h3\n" + edit("h2"),
	} {
		res := faultyTask(t, dir, nil).call("apply_patch", "input", "*** Begin Patch\n"+patch+"*** End Patch\n")
		wantText(t, res, tools.Failed, "two names of one file (hard links)", "name it once; nothing was changed")
		if now := disk(t, dir, true); now != before {
			t.Errorf("%s\nmade:\n%s", patch, now)
		}
	}
	k := faultyTask(t, dir, nil)
	wantText(t, k.call("apply_patch", "input", "*** Begin Patch\n*** Delete File: h\n*** Delete File: h2\n*** Update File: a\n@@\n-a1\n+A1\n*** End Patch\n"), tools.OK, "h2")
	if now := disk(t, dir, false); strings.Contains(now, "h2 ") || !strings.Contains(now, "A1") {
		t.Errorf("this is there:\n%s", now)
	}
}

// A number or truth is written as it came: it may have lost its quotes on the way.
// What is no text at all, or not there, is refused.
func TestContentThatIsNoText(t *testing.T) {
	for _, c := range []struct {
		content any
		want    string
	}{
		{5, "5"}, {1.50, "1.5"}, {true, "true"}, {"5", "5"}, {`{"a":1}`, `{"a":1}`},
	} {
		k := newTask(t, newWorld(nil))
		res := k.call("write_to_file", "path", "f.json", "content", c.content)
		_, isText := c.content.(string)
		if res.Outcome != tools.OK || strings.Contains(res.Text, "came as a number or truth and not as a text") == isText {
			t.Errorf("%v: %s", c.content, res.Text)
		}
		k.wantFile("f.json", c.want)
	}
	for _, args := range [][]any{{"path", "f"}, {"path", "f", "content", nil}, {"path", "f", "content", map[string]any{"a": 1}}, {"path", "f", "content", []int{1}}} {
		k := newTask(t, newWorld(map[string]string{"f": "old\n"}))
		wantText(t, k.call("write_to_file", args...), tools.Failed, "content")
		k.wantFile("f", "old\n")
	}
}
