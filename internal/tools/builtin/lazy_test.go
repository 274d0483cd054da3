package builtin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clined/internal/tools"
)

// sample is a whole-file write: what a file held and what a model sent for it.
type sample struct{ name, file, before, after string }

func samples(t *testing.T, kind string, atLeast int) []sample {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "lazy", kind, "*.txt"))
	if err != nil || len(paths) < atLeast {
		t.Fatalf("%d samples, %v", len(paths), err)
	}
	var list []sample
	for _, p := range paths {
		raw, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		head, after, ok := strings.Cut(string(raw), "===== after =====\n")
		file, before, ok2 := strings.Cut(head, "\n===== before =====\n")
		if !ok || !ok2 {
			t.Fatalf("%s has no parts", p)
		}
		list = append(list, sample{filepath.Base(p), file, before, after})
	}
	return list
}

// A part that stands for the whole is not written, and everything else is.
func TestLazyCorpus(t *testing.T) {
	for _, s := range samples(t, "bad", 20) {
		k := newTask(t, newWorld(map[string]string{s.file: s.before}))
		res := k.call("write_to_file", "path", s.file, "content", s.after)
		wantText(t, res, tools.Failed, "nothing was written to "+s.file, "replace_in_file")
		if k.wantNoEdits(); res.Outcome != tools.Failed || k.w.writes > 0 {
			t.Errorf("%s was written", s.name)
		}
	}
	for _, s := range samples(t, "good", 50) {
		k := newTask(t, newWorld(map[string]string{s.file: s.before}))
		if res := k.call("write_to_file", "path", s.file, "content", s.after); res.Outcome != tools.OK {
			t.Errorf("%s: %s", s.name, res.Text)
		}
		k.wantFile(s.file, s.after)
	}
}

// The same where the placeholder comes by a block or a chunk: it is refused where
// lines would be lost for it.
func TestLazyParts(t *testing.T) {
	for _, s := range samples(t, "bad", 20) {
		if isProse(s.file) || strings.Contains(s.after, "\n...\n") || strings.Contains(s.after, "// ...\n") {
			continue // dots alone prove too little here
		}
		var old, fresh []string
		lines := splitLines(s.before)
		after := splitLines(s.after)
		head := 0
		for head < len(after) && lines[head] == after[head] {
			head++
		}
		tail := 0
		for tail < len(after)-head && lines[len(lines)-1-tail] == after[len(after)-1-tail] {
			tail++
		}
		old, fresh = lines[head:len(lines)-tail], after[head:len(after)-tail]
		k := newTask(t, newWorld(map[string]string{s.file: s.before}))
		res := k.call("replace_in_file", "path", s.file, "diff", replace(strings.Join(old, "\n"), strings.Join(fresh, "\n")))
		if res.Outcome != tools.Failed || !strings.Contains(res.Text, "would be lost; nothing was changed") {
			t.Errorf("%s as a block: %s", s.name, res.Text)
		}
		chunk := "@@\n-" + strings.Join(old, "\n-") + "\n+" + strings.Join(fresh, "\n+") + "\n"
		res = k.call("apply_patch", "input", envelope(update(s.file, chunk)))
		if res.Outcome != tools.Failed || !strings.Contains(res.Text, "would be lost; nothing was changed") {
			t.Errorf("%s as a chunk: %s", s.name, res.Text)
		}
		if k.wantNoEdits(); k.w.writes > 0 {
			t.Errorf("%s was written", s.name)
		}
		// In place of nothing, or of as many lines, it is a remark.
		for _, diff := range []string{
			replace(lines[0], lines[0]+"\n"+strings.Join(fresh, "\n")),
			replace(lines[0]+"\n"+lines[1], strings.Join(fresh, "\n")),
		} {
			if res := newTask(t, newWorld(map[string]string{s.file: s.before})).call("replace_in_file", "path", s.file, "diff", diff); res.Outcome != tools.OK {
				t.Errorf("%s: %s", s.name, res.Text)
			}
		}
	}
}

// Lines of every kind, each in place of most of a file.
func TestLazyLines(t *testing.T) {
	base := manyLines(100)
	for file, want := range map[string]bool{"lazy_bad.txt": true, "lazy_good.txt": false} {
		raw, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(strings.TrimRight(string(raw), "\n"), "\n") {
			if why := lazy("x.vb", base, "package x\n"+line+"\n"); (why != "") != want {
				t.Errorf("%s: %q: %q", file, line, why)
			}
			if why := lazy("x.vb", base, base+line+"\n"); why != "" {
				t.Errorf("a complete file is refused for %q: %s", line, why)
			}
		}
	}
}
