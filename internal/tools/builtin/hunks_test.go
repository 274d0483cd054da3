package builtin

import (
	"maps"
	"reflect"
	"strings"
	"testing"

	"clined/internal/tools"
)

// The user takes some of the changes only: that is written, and told as such.
func TestSomeHunksTaken(t *testing.T) {
	before := "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	diff := replace("1", "one") + replace("5", "five") + replace("9", "nine")
	for name, newTask := range map[string]func() *task{
		"written": func() *task { return newTask(t, newWorld(map[string]string{"a": before})) },
		"saved by the view": func() *task {
			k, _ := newViewTask(t, map[string]string{"a": before})
			return k
		},
	} {
		t.Run(name, func(t *testing.T) {
			k := newTask()
			k.decision.Hunks = map[string]tools.HunkChoice{"/w/a": {Taken: 2, Of: 3}}
			k.decision.Edited = map[string]string{"/w/a": "one\n2\n3\n4\n5\n6\n7\n8\nnine\n"}
			res := k.call("replace_in_file", "path", "a", "diff", diff)
			wantText(t, res, tools.OK, "2 added, 2 removed", "The user took 2 of 3 changes; keep their version. How it differs from your proposal:", "-five\n+5")
			if strings.Contains(res.Text, "-nine") || strings.Contains(res.Text, "The user changed") {
				t.Errorf("too much is told:\n%s", res.Text)
			}
			k.wantFile("a", "one\n2\n3\n4\n5\n6\n7\n8\nnine\n")
		})
	}
}

// A file of which nothing was taken stays as it is, the others are written.
func TestNoHunksTaken(t *testing.T) {
	k, v := newViewTask(t, map[string]string{"a": "1\n", "b": "1\n", "old": "x\n", "here": "x\n"})
	k.decision.Hunks = map[string]tools.HunkChoice{
		"/w/a": {Taken: 0, Of: 1}, "/w/new": {Taken: 0, Of: 1}, "/w/old": {Taken: 0, Of: 1}, "/w/here": {Taken: 0, Of: 1}}
	patch := envelope(update("a", "@@\n-1\n+2\n"), update("b", "@@\n-1\n+2\n"), addition("new", "+x\n"), deletion("old"), moved("here", "there", ""))
	before := maps.Clone(k.w.files)
	res := k.call("apply_patch", "input", patch)
	wantText(t, res, tools.OK, "Changed 1 file: 1 added, 1 removed.", "Edited b", "a was not changed: the user took none of your changes.",
		"new was not", "old was not", "here was not")
	before["/w/b"] = "2\n"
	if !maps.Equal(k.w.files, before) {
		t.Errorf("there is %v", k.w.files)
	}
	if len(v.open) > 0 {
		t.Errorf("left open: %v", v.open)
	}
	if yes := slicesCount(v.closed, true); yes != 1 {
		t.Errorf("closed %v", v.closed)
	}
	// It may have changed meanwhile: nobody is to write it.
	k.w.set("b", "1\n")
	k.between = func() { k.w.set("a", "theirs\n") }
	wantText(t, k.call("apply_patch", "input", patch), tools.OK, "Edited b")
	k.wantFile("a", "theirs\n")

	// Nothing at all: that is no success.
	k, _ = newViewTask(t, map[string]string{"a": "1\n"})
	k.decision.Hunks = map[string]tools.HunkChoice{"/w/a": {Taken: 0, Of: 1}}
	wantText(t, k.call("write_to_file", "path", "a", "content", "2\n"), tools.Denied, "a was not changed: the user took none")
	k.wantFile("a", "1\n")
}

// The user puts back by hand what the model wants: nothing is written.
func TestProposalPutBack(t *testing.T) {
	k := newTask(t, newWorld(map[string]string{"a": "1\r\n", "old": "x\n"}))
	k.decision.Edited = map[string]string{"/w/a": "1\n", "/w/old": "x\n"}
	for _, call := range [][]any{{"replace_in_file", "path", "a", "diff", replace("1", "2")}, {"apply_patch", "input", envelope(deletion("old"))}} {
		wantText(t, k.call(call[0].(string), call[1:]...), tools.Denied, "was not changed: the user took none of your changes")
	}
	if k.w.writes > 0 {
		t.Errorf("%d writes", k.w.writes)
	}
}

func slicesCount(list []bool, v bool) (n int) {
	for _, b := range list {
		if b == v {
			n++
		}
	}
	return n
}

// The user may change what is moved, and keep what was to go.
func TestUserEditsOfAPatch(t *testing.T) {
	k := newTask(t, newWorld(map[string]string{"a": "1\r\n2\r\n", "old": "x\r\ny\r\n", "c": "1\n"}))
	k.decision.Edited = map[string]string{"/w/a": "1\ntwo!\n", "/w/old": "x\n", "/w/n": "mine\n"}
	res := k.call("apply_patch", "input", envelope(moved("a", "b", "@@\n-2\n+two\n"), deletion("old"), addition("n", "+yours\n"), update("c", "@@\n-1\n+2\n")))
	wantText(t, res, tools.OK, "Changed 4 files", "Moved a to b", "-two\n+two!", "-yours\n+mine", "Edited old: 0 added, 1 removed", "The user changed your proposal")
	k.wantFile("b", "1\r\ntwo!\r\n")
	k.wantFile("old", "x\r\n")
	k.wantFile("n", "mine\n")
	k.wantFile("c", "2\n")
}

// A proposal without a line end does not decide which ones the user's version has.
func TestUserEditsKeepLineEnds(t *testing.T) {
	for name, c := range map[string]struct{ file, content, user, want string }{
		"shrunk to a line": {"one\r\ntwo\r\n", "one", "one\nuser\n", "one\r\nuser\r\n"},
		"emptied":          {"one\r\n", "", "mine\n", "mine\r\n"},
		"of one line":      {"one", "two", "two\nuser\n", "two\nuser\n"},
		"LF":               {"one\ntwo\n", "one", "one\r\nuser\r\n", "one\nuser\n"},
	} {
		for _, told := range []string{"by the answer", "by the save"} {
			t.Run(name+", "+told, func(t *testing.T) {
				k, v := newViewTask(t, map[string]string{"a": c.file})
				if told == "by the save" {
					v.user = &c.user
				} else {
					k.decision.Edited = map[string]string{"/w/a": c.user}
				}
				wantText(t, k.call("write_to_file", "path", "a", "content", c.content), tools.OK, "The user changed your proposal")
				k.wantFile("a", c.want)
			})
		}
	}
}

// The user's version of the proposal, or what they took of it, goes on what the
// file holds by then; where that cannot be, the model hears of it.
func TestUsersVersionOfWhatChanged(t *testing.T) {
	const file = "1\n2\n3\n4\n5\n6\n"
	diff := []any{"replace_in_file", "path", "a", "diff", replace("2", "two") + replace("5", "five")}
	patch := []any{"apply_patch", "input", envelope(update("a", "@@\n-2\n+two\n@@\n-5\n+five\n"), addition("n", "+n\n"))}
	whole := []any{"write_to_file", "path", "a", "content", "1\ntwo\n3\n4\nfive\n6\n"}
	const users = "The user had accepted the edit with changes of their own; make these too"
	for name, c := range map[string]struct {
		call       []any
		user, disk string
		taken      int // of the two hunks, 0 for no choice
		want       string
		tells      []string
	}{
		"changed elsewhere": {call: diff, user: "1\ntwo\n3\n4\nfive\n6 mine\n", disk: "0\n" + file, want: "0\n1\ntwo\n3\n4\nfive\n6 mine\n",
			tells: []string{"had changed meanwhile", "The user changed your proposal", "-6\n+6 mine"}},
		"some hunks": {call: diff, user: "1\ntwo\n3\n4\n5\n6\n", disk: "0\n" + file, taken: 1, want: "0\n1\ntwo\n3\n4\n5\n6\n",
			tells: []string{"The user took 1 of 2 changes", "-five\n+5"}},
		"of a patch": {call: patch, user: "1\n2!\n3\n4\nfive\n6\n", disk: file + "7\n", want: "1\n2!\n3\n4\nfive\n6\n7\n",
			tells: []string{"-two\n+2!"}},
		"where the user changed it": {call: diff, user: "1\ntwo\n3\n4\nfive\n6 mine\n", disk: "1\n2\n3\n4\n5\nsix\n",
			tells: []string{"where the user's version of it changes it too", "six", users, "-6\n+6 mine"}},
		"where the model changed it": {call: diff, user: "1\ntwo\n3\n4\nfive\n6 mine\n", disk: "1\n2\n3\n4\nV\n6\n",
			tells: []string{"does not fit its present text", users, "-6\n+6 mine"}},
		"a whole text": {call: whole, user: "1\ntwo\n3\n4\nfive\n6 mine\n", disk: "0\n" + file,
			tells: []string{"it changed since you read it", users, "-6\n+6 mine"}},
		"to what was proposed": {call: diff, user: "1\ntwo\n3\n4\nfive\n6 mine\n", disk: "1\ntwo\n3\n4\nfive\n6\n",
			tells: []string{users, "-6\n+6 mine"}},
	} {
		t.Run(name, func(t *testing.T) {
			k, _ := newViewTask(t, map[string]string{"a": file})
			k.decision.Edited = map[string]string{"/w/a": c.user}
			if c.taken > 0 {
				k.decision.Hunks = map[string]tools.HunkChoice{"/w/a": {Taken: c.taken, Of: 2}}
			}
			k.between = func() { k.w.set("a", c.disk) }
			outcome, want := tools.OK, c.want
			if want == "" {
				outcome, want = tools.Failed, c.disk
			}
			wantText(t, k.call(c.call[0].(string), c.call[1:]...), outcome, c.tells...)
			k.wantFile("a", want)
		})
	}
}

// A file that is removed while the user thinks is told as removed, not as one in
// which nothing fits.
func TestRemovedMeanwhile(t *testing.T) {
	for name, c := range map[string]struct {
		call []any
		user string
	}{
		"blocks":               {call: []any{"replace_in_file", "path", "a", "diff", replace("2", "two")}},
		"a patch":              {call: []any{"apply_patch", "input", envelope(update("a", "@@\n-2\n+two\n"))}},
		"a patch of two":       {call: []any{"apply_patch", "input", envelope(update("a", "@@\n-2\n+two\n"), addition("n", "+n\n"))}},
		"a whole text":         {call: []any{"write_to_file", "path", "a", "content", "1\ntwo\n"}},
		"with the user's part": {call: []any{"replace_in_file", "path", "a", "diff", replace("2", "two")}, user: "1\ntwo\n3 mine\n"},
	} {
		t.Run(name, func(t *testing.T) {
			k, v := newViewTask(t, map[string]string{"a": "1\n2\n"})
			tells := []string{"a was not written: it was removed or replaced meanwhile"}
			if c.user != "" {
				k.decision.Edited = map[string]string{"/w/a": c.user}
				tells = append(tells, "+3 mine")
			}
			k.between = func() { delete(k.w.files, "/w/a") }
			res := k.call(c.call[0].(string), c.call[1:]...)
			wantText(t, res, tools.Failed, tells...)
			if strings.Contains(res.Text, "SEARCH") || len(k.w.files) > 0 || len(v.open) > 0 {
				t.Errorf("there is %v, open %v; it tells:\n%s", k.w.files, v.open, res.Text)
			}
		})
	}
}

// The byte order mark that an editor sends along is no change by the user.
func TestUserEditsWithByteOrderMark(t *testing.T) {
	k := newTask(t, newWorld(map[string]string{"a": "one\ntwo\n"}))
	k.decision.Edited = map[string]string{"/w/a": "\uFEFFone\nTWO!\n"}
	res := k.call("replace_in_file", "path", "a", "diff", replace("two", "TWO"))
	wantText(t, res, tools.OK, "Edited a: 1 added, 1 removed.", "-TWO\n+TWO!")
	if strings.Contains(res.Text+res.Diff, "\uFEFF") {
		t.Errorf("it tells:\n%q\n%q", res.Text, res.Diff)
	}
	k.wantFile("a", "one\nTWO!\n")
	k.decision.Edited = map[string]string{"/w/a": "\uFEFFone\nTWO!\n"}
	wantText(t, k.call("write_to_file", "path", "a", "content", "one\n"), tools.Denied, "took none")
}

// Views of a patch: one for each file, saved or only looked at.
func TestViewsOfAPatch(t *testing.T) {
	k, v := newViewTask(t, map[string]string{"a": "1\n", "b": "1\n", "old": "x\n", "m": "1\r\n2\n"})
	res := k.call("apply_patch", "input", envelope(
		update("a", "@@\n-1\n+2\n"), moved("b", "sub/b", "@@\n-1\n+3\n"), deletion("old"), addition("n", "+x\n"), update("m", "@@\n-2\n+two\n")))
	wantText(t, res, tools.OK, "Changed 5 files")
	v.want(t, []string{"2\n", "3\n to sub/b", " gone", "x\n", "1\r\ntwo\n"}, []bool{false, false}, []bool{true, true, true, true, true})
	if k.w.writes != 3 { // the move, the removal, and what no editor keeps
		t.Errorf("%d writes", k.w.writes)
	}
	k.wantFile("m", "1\r\ntwo\n")

	// A later failure: what the view saved is put back, the others go.
	k, v = newViewTask(t, map[string]string{"a": "1\n", "old": "x\n"})
	k.w.failAt, k.w.writeErr = "/w/old", errNotSaved
	before := maps.Clone(k.w.files)
	wantText(t, k.call("apply_patch", "input", envelope(update("a", "@@\n-1\n+2\n"), deletion("old"))), tools.Failed, "taken back: a")
	if !maps.Equal(k.w.files, before) || !reflect.DeepEqual(v.closed, []bool{true, false}) {
		t.Errorf("%v, closed %v", k.w.files, v.closed)
	}

	// What went to the disk is not taken back by a change of the editor's buffer.
	patch := envelope(update("a", "@@\n-1\n+2\n"), deletion("old"))
	k, _ = newViewTask(t, map[string]string{"a": "1\n", "old": "x\n"})
	k.w.failAt, k.w.writeErr = "/w/old", errNotSaved
	k.w.beforeWrite = func() { k.w.unsaved = true } // views no longer answer, say
	k.w.keepErr = errNotSaved
	res = k.call("apply_patch", "input", patch)
	wantText(t, res, tools.Failed, "could not be taken back", "a (its old text is in the editor and not saved yet")
	if strings.Contains(res.Text, "was taken back") {
		t.Errorf("it tells:\n%s", res.Text)
	}
	// It is once the disk has it, too.
	k, _ = newViewTask(t, map[string]string{"a": "1\n", "old": "x\n"})
	k.w.failAt, k.w.writeErr = "/w/old", errNotSaved
	k.w.beforeWrite = func() { k.w.unsaved = true }
	wantText(t, k.call("apply_patch", "input", patch), tools.Failed, "was taken back: a.")
	if !reflect.DeepEqual(k.w.kept, []string{"a: 1\n"}) {
		t.Errorf("kept: %q", k.w.kept)
	}
	// What never got there is.
	k = newTask(t, newWorld(map[string]string{"a": "1\n", "old": "x\n"}))
	k.w.failAt, k.w.writeErr, k.w.unsaved = "/w/old", errNotSaved, true
	wantText(t, k.call("apply_patch", "input", patch), tools.Failed, "was taken back: a.")

	// Unsaved text that only the editor has is neither removed nor moved.
	for _, section := range []string{deletion("a"), moved("a", "b", "@@\n-1\n+2\n")} {
		k, v = newViewTask(t, map[string]string{"a": "1\n"})
		v.hidden["/w/a"] = "mine\n"
		wantText(t, k.call("apply_patch", "input", envelope(section)), tools.Failed, "unsaved changes", "nothing was changed")
		if k.wantNoEdits(); len(v.open) > 0 {
			t.Errorf("left open: %v", v.open)
		}
	}
	// Edited, it is the base.
	k, v = newViewTask(t, map[string]string{"a": "1\n2\n", "c": "1\n"})
	v.hidden["/w/a"] = "mine\n2\n"
	wantText(t, k.call("apply_patch", "input", envelope(update("c", "@@\n-1\n+2\n"), update("a", "@@\n-2\n+two\n"))), tools.OK)
	k.wantFile("a", "mine\ntwo\n")

	// Very many are not all shown.
	files := map[string]string{}
	var sections []string
	for i := range 2 * maxViews {
		name := "f" + strings.Repeat("x", i)
		files[name] = "1\n"
		sections = append(sections, update(name, "@@\n-1\n+2\n"))
	}
	k, v = newViewTask(t, files)
	wantText(t, k.call("apply_patch", "input", envelope(sections...)), tools.OK, "Changed 16 files")
	if len(v.shown) != maxViews {
		t.Errorf("%d views", len(v.shown))
	}
	for name := range files {
		k.wantFile(name, "2\n")
	}
}

// A report on very many files stays short.
func TestReportIsBounded(t *testing.T) {
	files := map[string]string{}
	var sections []string
	for i := range 60 {
		name := "f" + strings.Repeat("x", i)
		files[name] = strings.Repeat("line\n", 200)
		sections = append(sections, "*** Delete File: "+name+"\n")
		if i%2 == 0 {
			sections[i] = update(name, "@@\n line\n line\n"+strings.Repeat("-line\n", 190)+strings.Repeat("+new\n", 190)+" line\n line\n*** End of File\n")
		}
	}
	k := newTask(t, newWorld(files))
	res := k.call("apply_patch", "input", envelope(sections...))
	wantText(t, res, tools.OK, "Changed 60 files: 5700 added, 11700 removed.")
	if lines := strings.Count(res.Text, "\n"); lines > manyDiffLines+150 {
		t.Errorf("%d lines", lines)
	}
	if title := k.action().Title; len(title) > 120 {
		t.Errorf("title %q", title)
	}
}
