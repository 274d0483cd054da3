package builtin

import (
	"errors"
	"maps"
	"reflect"
	"strings"
	"testing"

	"clined/internal/llm"
	"clined/internal/tools"
)

// envelope makes a patch of its sections.
func envelope(sections ...string) string {
	return "*** Begin Patch\n" + strings.Join(sections, "") + "*** End Patch\n"
}

func update(name, chunk string) string  { return "*** Update File: " + name + "\n" + chunk }
func addition(name, text string) string { return "*** Add File: " + name + "\n" + text }
func deletion(name string) string       { return "*** Delete File: " + name + "\n" }

func moved(name, to, chunk string) string {
	return "*** Update File: " + name + "\n*** Move to: " + to + "\n" + chunk
}

var patchWorld = map[string]string{
	"a.go": "package a\n\nfunc A() int {\n\treturn 1\n}\n", "b.txt": "one\r\ntwo\r\nthree\r\n", "old.txt": "gone\nsoon\n",
}

const chunkA = "@@ func A() int {\n-\treturn 1\n+\treturn 2\n }\n"

func TestPatch(t *testing.T) {
	k := newTask(t, newWorld(patchWorld))
	res := k.call("apply_patch", "input", envelope(
		update("a.go", chunkA), moved("b.txt", "sub/c.txt", "@@\n one\n-two\n+TWO\n"), addition("new/n.md", "+# New\n+\n"), deletion("old.txt")))
	wantExactly(t, res, `Changed 4 files: 4 added, 4 removed.
Edited a.go: 1 added, 1 removed.
 1 | package a
 2 | 
 3 | func A() int {
-4 | 	return 1
+4 | 	return 2
 5 | }
Moved b.txt to sub/c.txt: 1 added, 1 removed.
 1 | one
-2 | two
+2 | TWO
 3 | three
Created new/n.md (2 lines).
Deleted old.txt (2 lines).`)
	k.wantFile("a.go", "package a\n\nfunc A() int {\n\treturn 2\n}\n")
	k.wantFile("sub/c.txt", "one\r\nTWO\r\nthree\r\n")
	k.wantFile("new/n.md", "# New\n\n")
	if len(k.w.files) != 3 {
		t.Errorf("there are %v", slicesOf(k.w.files))
	}
	a := k.action()
	if a.Title != "Edit a.go, move b.txt to sub/c.txt, create new/n.md and 1 more" {
		t.Errorf("title %q", a.Title)
	}
	var ops, paths []string
	for _, e := range a.Subject.Edits {
		ops = append(ops, e.Op)
	}
	for _, p := range a.Subject.Paths {
		paths = append(paths, p.Display)
	}
	if strings.Join(ops, " ") != "modify rename create delete" || strings.Join(paths, " ") != "a.go b.txt sub/c.txt new/n.md old.txt" {
		t.Errorf("ops %q, paths %q", ops, paths)
	}
	if to := a.Subject.Edits[1].To; to == nil || to.Abs != "/w/sub/c.txt" {
		t.Errorf("renamed to %+v", to)
	}
	for _, part := range []string{"rename from b.txt\nrename to sub/c.txt\n", "--- a/old.txt", "+# New"} {
		if !strings.Contains(res.Diff, part) {
			t.Errorf("no %q in the diff for people:\n%s", part, res.Diff)
		}
	}
	if !reflect.DeepEqual(res.Locations, []string{"/w/a.go", "/w/b.txt", "/w/sub/c.txt", "/w/new/n.md", "/w/old.txt"}) {
		t.Errorf("locations %v", res.Locations)
	}
	// What it wrote it knows: writing on is no change behind its back.
	wantText(t, k.call("write_to_file", "path", "sub/c.txt", "content", "x\n"), tools.OK, "Edited")
	wantText(t, k.call("write_to_file", "path", "b.txt", "content", "x\n"), tools.OK, "Created")
}

func slicesOf(m map[string]string) (names []string) {
	for n := range m {
		names = append(names, n)
	}
	return names
}

// One file reads as with the other tools.
func TestPatchOfOneFile(t *testing.T) {
	k := newTask(t, newWorld(patchWorld))
	wantText(t, k.call("apply_patch", "patch", update("a.go", chunkA)), tools.OK, "Edited a.go: 1 added, 1 removed.", "+4 | \treturn 2")
	wantExactly(t, k.call("apply_patch", "input", envelope(addition("n", "+x\n"))), "Created n (1 line).")
	wantExactly(t, k.call("apply_patch", "input", envelope(deletion("n"))), "Deleted n (1 line).")
	wantExactly(t, k.call("apply_patch", "input", envelope(moved("old.txt", "o/ld.txt", ""))), "Moved old.txt to o/ld.txt.")
	k.wantFile("o/ld.txt", "gone\nsoon\n")
	wantText(t, k.call("apply_patch", "input", envelope(moved("b.txt", "./b.txt", "@@\n-two\n+TWO\n"))), tools.OK, "Edited b.txt")
	k.wantFile("b.txt", "one\r\nTWO\r\nthree\r\n")
}

// What does not fit changes nothing, asks nobody, and is judged as reading all
// that it tells of.
func TestPatchRefuses(t *testing.T) {
	good := update("a.go", chunkA)
	for name, c := range map[string]struct {
		patch string
		want  []string
	}{
		"second misses":         {envelope(good, update("b.txt", "@@\n-nine\n+9\n")), []string{"b.txt: ", "nothing was changed"}},
		"two miss":              {envelope(update("a.go", "@@\n-nine\n+9\n"), update("b.txt", "@@\n-nine\n+9\n")), []string{"a.go: ", "\nb.txt: "}},
		"ambiguous":             {envelope(good, update("twins", "@@\n-x\n+y\n")), []string{"twins: ", "1", "3"}},
		"no such file":          {envelope(good, update("none.txt", "@@\n-a\n+b\n")), []string{"none.txt does not exist", "*** Add File: none.txt"}},
		"add over a file":       {envelope(good, addition("b.txt", "+x\n")), []string{"b.txt exists already", "*** Update File: b.txt"}},
		"delete nothing":        {envelope(good, deletion("none")), []string{"none does not exist"}},
		"move onto a file":      {envelope(moved("b.txt", "old.txt", "@@\n-two\n+TWO\n")), []string{"b.txt cannot be moved: old.txt exists already"}},
		"a directory":           {envelope(good, update("dir", "@@\n-a\n+b\n")), []string{"dir is a directory", "nothing was changed"}},
		"delete a directory":    {envelope(good, deletion("dir")), []string{"dir is a directory"}},
		"ends in a slash":       {envelope(good, addition("new/", "+x\n")), []string{`"new/" ends in a slash`}},
		"hidden":                {envelope(good, deletion("secret")), []string{"hidden", "nothing was changed"}},
		"hidden target":         {envelope(moved("b.txt", "secret", "")), []string{"hidden", "nothing was changed"}},
		"binary":                {envelope(good, update("bin", "@@\n-x\n+y\n")), []string{"binary"}},
		"unsaved, deleted":      {envelope(good, deletion("dirty")), []string{"dirty: ", "unsaved changes"}},
		"unsaved, moved":        {envelope(good, moved("dirty", "clean", "")), []string{"dirty: ", "unsaved changes"}},
		"one path twice":        {envelope(good, deletion("./a.go")), []string{"a.go", "nothing was changed"}},
		"moved onto each other": {envelope(moved("a.go", "z", ""), moved("b.txt", "sub/../z", "")), []string{"z", "nothing was changed"}},
		"nothing":               {"", []string{"nothing was changed", "*** Begin Patch"}},
		"prose":                 {"I will now edit the file.", []string{"nothing was changed"}},
		"a lazy chunk":          {envelope(update("a.go", "@@\n package a\n-\n-func A() int {\n-\treturn 1\n-}\n+// ... rest of the code unchanged ...\n")), []string{"chunk 1", "rest of the code unchanged", "would be lost"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(patchWorld)
			w.set("twins", "x\ny\nx\n")
			w.set("dir/f", "x")
			w.set("bin", "\x00")
			w.set("dirty", "x\n")
			w.dirty["/w/dirty"] = true
			w.hidden["/w/secret"] = true
			before := maps.Clone(w.files)
			k := newTask(t, w)
			wantText(t, k.call("apply_patch", "input", c.patch), tools.Failed, c.want...)
			k.wantNoEdits()
			if !maps.Equal(before, w.files) || w.writes != 0 {
				t.Errorf("%d writes: %v", w.writes, w.files)
			}
		})
	}
	k := newTask(t, newWorld(patchWorld))
	k.call("apply_patch", "input", envelope(good, update("b.txt", "@@\n-nine\n+9\n")))
	if paths := k.action().Subject.Paths; len(paths) != 2 {
		t.Errorf("judged as reading %v", paths)
	}
}

// When a later file fails, what was done before is put back.
func TestPatchIsAllOrNothing(t *testing.T) {
	patch := envelope(
		update("a.go", chunkA), moved("b.txt", "sub/c.txt", "@@\n-two\n+TWO\n"), addition("n.md", "+x\n"), deletion("old.txt"), deletion("other"))
	for _, failAt := range []string{"a.go", "b.txt", "n.md", "old.txt", "other"} {
		for kind, err := range map[string]error{"disk": errors.New("no space left on device"), "changed": nil} {
			t.Run(failAt+" "+kind, func(t *testing.T) {
				w := newWorld(patchWorld)
				w.set("other", "o\n")
				w.failAt, w.writeErr = "/w/"+failAt, err
				before := maps.Clone(w.files)
				k := newTask(t, w)
				res := k.call("apply_patch", "input", patch)
				if failAt == "a.go" {
					wantText(t, res, tools.Failed)
				} else {
					wantText(t, res, tools.Failed, "taken back: ", "a.go")
				}
				if err != nil {
					wantText(t, res, tools.Failed, err.Error())
				}
				if !maps.Equal(before, w.files) {
					t.Errorf("there is %v\n%s", w.files, res.Text)
				}
				w.failAt, w.writeErr = "", nil
				wantText(t, k.call("apply_patch", "input", patch), tools.OK, "Changed 5 files")
			})
		}
	}
}

// A file that somebody changed meanwhile is not put back over their text.
func TestPatchUndoSparesOthers(t *testing.T) {
	w := newWorld(patchWorld)
	k := newTask(t, w)
	n := 0
	w.beforeWrite = func() {
		if n++; n == 2 {
			w.set("a.go", "theirs\n")
			w.failAt, w.writeErr = "/w/old.txt", errors.New("it is locked")
		}
	}
	res := k.call("apply_patch", "input", envelope(update("a.go", chunkA), deletion("old.txt")))
	wantText(t, res, tools.Failed, "it is locked", "could not be taken back", "a.go (")
	k.wantFile("a.go", "theirs\n")
	k.wantFile("old.txt", "gone\nsoon\n")
}

// What changed while the user thought is found before anything is written; an
// edit that still fits is made on the present text.
func TestPatchChangedWhileWaiting(t *testing.T) {
	k := newTask(t, newWorld(patchWorld))
	k.between = func() { k.w.set("old.txt", "kept\n") }
	res := k.call("apply_patch", "input", envelope(update("a.go", chunkA), deletion("old.txt")))
	wantText(t, res, tools.Failed, "nothing was changed", "old.txt", "+1 | kept")
	if k.w.writes != 0 {
		t.Errorf("%d writes", k.w.writes)
	}
	k.between = func() { k.w.set("a.go", "// first\n"+patchWorld["a.go"]) }
	res = k.call("apply_patch", "input", envelope(update("a.go", chunkA), deletion("old.txt")))
	wantText(t, res, tools.OK, "The file had changed meanwhile", "+5 | \treturn 2")
	k = newTask(t, newWorld(patchWorld))
	k.between = func() { k.w.set("n", "theirs\n") }
	wantText(t, k.call("apply_patch", "input", envelope(update("a.go", chunkA), addition("n", "+x\n"))), tools.Failed, "nothing was changed")
	k.wantFile("n", "theirs\n")
	k.wantFile("a.go", patchWorld["a.go"])
	k.between = func() { k.w.set("m", "theirs\n") }
	wantText(t, k.call("apply_patch", "input", envelope(moved("b.txt", "m", ""))), tools.Failed, "was not moved to m", "changed meanwhile")
}

// A file that the model saw otherwise is not deleted unseen.
func TestPatchDeletesWhatItKnows(t *testing.T) {
	k := newTask(t, newWorld(patchWorld))
	k.call("read_file", "path", "old.txt")
	k.w.set("old.txt", "gone\nsoon\nprecious\n")
	wantText(t, k.call("apply_patch", "input", envelope(deletion("old.txt"))), tools.Failed, "old.txt changed since you read it", "+3 | precious")
	k.wantNoEdits()
	wantText(t, k.call("apply_patch", "input", envelope(deletion("old.txt"))), tools.OK, "Deleted old.txt")
}

func TestPatchDenied(t *testing.T) {
	k := newTask(t, newWorld(patchWorld))
	k.deny = true
	k.call("apply_patch", "input", envelope(update("a.go", chunkA), addition("d/n", "+x\n"), deletion("old.txt")))
	if k.w.writes != 0 || !maps.Equal(k.w.files, newWorld(patchWorld).files) {
		t.Errorf("%d writes: %v", k.w.writes, k.w.files)
	}
}

// Each family is shown its own way to edit, and may use every other.
func TestEditToolsByFamily(t *testing.T) {
	for _, f := range families {
		names := map[string]bool{}
		for _, d := range defs(t, tools.Context{Family: f}) {
			names[d.Name] = true
		}
		patches := f == llm.GPT5 || f == llm.GPTOSS
		if names["apply_patch"] != patches || names["write_to_file"] == patches || names["replace_in_file"] == patches || names["new_rule"] {
			t.Errorf("%s is shown %v", f, names)
		}
		w := newWorld(patchWorld)
		var r tools.Registry
		Register(&r, Deps{Files: w, Lister: w, CWD: "/w"})
		k := &task{t: t, w: w}
		k.Set = tools.NewSet(tools.SetConfig{Registry: &r, Runner: gate{k}, Context: func() tools.Context { return tools.Context{Family: f, CWD: "/w"} }})
		wantText(t, k.call("apply_patch", "input", envelope(update("a.go", chunkA))), tools.OK, "Edited a.go")
		wantText(t, k.call("write_to_file", "path", "n", "content", "x\n"), tools.OK, "Created n")
		wantText(t, k.call("replace_in_file", "path", "n", "diff", replace("x", "y")), tools.OK, "Edited n")
		wantText(t, k.call("new_rule", "path", ".clinerules/n.md", "content", "x\n"), tools.OK, "Created .clinerules/n.md")
		want := `Did you mean "replace_in_file"?`
		if patches {
			want = `Did you mean "apply_patch"?`
		}
		wantText(t, k.call("edit_file", "path", "n"), tools.Failed, want)
	}
}
