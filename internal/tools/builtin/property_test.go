package builtin

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clined/internal/tools"
)

// bytesOf makes a file of random bytes in some encoding, without NUL, with a line
// "mark" on its own somewhere, and returns it with the place of the mark.
func bytesOf(r *rand.Rand) (raw []byte, at int) {
	alphabets := []string{
		"abc xyz\t(){};=", "caf\xE9 \xFCber na\xEFve\x80\x9C", "\xC4\xE3\xBA\xC3 int\xD6\xD0\xB9\xFA", "\x95\x5C\x83\x65\x83\x58\x83\x67",
		"\xD0\xD2\xC9\xD7\xC5\xD4 \xA4\xA6\xA7\xAD\xB4\xB6 \xD3\xD7\xC6\xD4", "\x81\x30\x81\x30 \xA1\xA1\xFE\xFE\xA4\xB3", "\x1B$B$3\x1B(B",
		"h\u00e9llo w\u00f6rld \u65e5\u672c \U0001F600", "\x0C\x1B[0m\x08", "\xFF\xFE\xC3\xC3\x28\xF0\x9F",
	}
	alphabet := alphabets[r.IntN(len(alphabets))]
	ends := [][]string{{"\n"}, {"\r\n"}, {"\n", "\r\n"}, {"\n", "\r\n", "\n\r\n", "\r\n\n"}}[r.IntN(4)]
	end := func() string { return ends[r.IntN(len(ends))] }
	random := r.IntN(4) == 0
	line := func() string {
		n := r.IntN(12)
		if random { // any bytes that may stand in a line of text
			raw := make([]byte, n)
			for i := range raw {
				raw[i] = byte(0x20 + r.IntN(0xE0))
			}
			return string(raw)
		}
		from := r.IntN(len(alphabet))
		return strings.Repeat(alphabet, 3)[from : from+n]
	}
	var b bytes.Buffer
	if r.IntN(6) == 0 {
		b.WriteString("\xEF\xBB\xBF")
	}
	if r.IntN(4) == 0 {
		b.WriteString("# coding: " + []string{"koi8-u", "koi8-r", "gbk", "shift_jis", "windows-1252", "latin-1", "utf-8", "none"}[r.IntN(8)] + end())
	}
	for range r.IntN(8) {
		b.WriteString(line() + end())
	}
	at = b.Len()
	b.WriteString("mark")
	for range r.IntN(8) {
		b.WriteString(end() + line())
	}
	if r.IntN(2) == 0 {
		b.WriteString(end())
	}
	return b.Bytes(), at
}

// edits change the line "mark" to "MARK 2" with each tool that edits parts.
var edits = map[string][]any{
	"replace_in_file": {"path", "f", "diff", replace("mark", "MARK 2")},
	"apply_patch":     {"input", envelope(update("f", "@@\n-mark\n+MARK 2\n"))},
}

// An ASCII edit of a file of random bytes changes no other byte, nor its mode.
func TestEditsKeepEveryOtherByte(t *testing.T) {
	p := newProject(t, nil)
	path := filepath.Join(p.dir, "f")
	refused := map[string]int{}
	const rounds = 400
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 7))
		raw, at := bytesOf(r)
		if bytes.Count(raw, []byte("mark")) > 1 {
			continue
		}
		want := append(append(append([]byte{}, raw[:at]...), "MARK 2"...), raw[at+4:]...)
		mode := []fs.FileMode{0o644, 0o600, 0o755, 0o444}[r.IntN(4)]
		for tool, args := range edits {
			put(t, path, raw, mode)
			res := p.call(tool, args...)
			switch got, info := look(t, path); {
			case res.Outcome != tools.OK:
				refused[tool]++
				if !bytes.Equal(got, raw) || info.Mode().Perm() != mode {
					t.Errorf("seed %d: a refused %s made %q of %q (%s): %s", seed, tool, got, raw, info.Mode(), res.Text)
				}
			case !bytes.Equal(got, want):
				t.Errorf("seed %d: %s made %q of %q, want %q", seed, tool, got, raw, want)
			case info.Mode().Perm() != mode:
				t.Errorf("seed %d: %s made the mode %s of %s", seed, tool, info.Mode(), mode)
			}
		}
	}
	for tool, n := range refused {
		if n > rounds/10 {
			t.Errorf("%s refused %d of %d", tool, n, rounds)
		}
	}
}

// A whole text with one line changed changes no byte of the others, where the
// model can write them; a move keeps all.
func TestWholeTextsKeepEveryOtherByte(t *testing.T) {
	p := newProject(t, nil)
	path := filepath.Join(p.dir, "f")
	for seed := range uint64(250) {
		r := rand.New(rand.NewPCG(seed, 8))
		raw, at := bytesOf(r)
		put(t, path, raw, 0o640)
		resolved, err := p.ws.Resolve("f")
		if err != nil {
			t.Fatal(err)
		}
		f, err := p.ws.Read(t.Context(), resolved)
		if err != nil {
			continue // not taken for a text
		}
		want := append(append(append([]byte{}, raw[:at]...), "MARK 2"...), raw[at+4:]...)
		text := lf(strings.Replace(f.Text, "mark", "MARK 2", 1))
		res := p.call("write_to_file", "path", "f", "content", text)
		got, info := look(t, path)
		if res.Outcome == tools.OK && !bytes.Equal(got, want) {
			t.Errorf("seed %d: %q of %q, want %q", seed, got, raw, want)
		}
		if res.Outcome != tools.OK && !bytes.Equal(got, raw) || info.Mode().Perm() != 0o640 {
			t.Errorf("seed %d: %s: %q of %q, %s", seed, res.Text, got, raw, info.Mode())
		}
		res = p.call("apply_patch", "input", envelope(moved("f", "sub/g", "")))
		moved, info := look(t, filepath.Join(p.dir, "sub/g"))
		if res.Outcome != tools.OK || !bytes.Equal(moved, got) || info.Mode().Perm() != 0o640 {
			t.Errorf("seed %d: moved: %s: %q of %q, %s", seed, res.Text, moved, got, info.Mode())
		}
		if err := os.Remove(filepath.Join(p.dir, "sub/g")); err != nil {
			t.Fatal(err)
		}
	}
}

func put(t *testing.T, path string, raw []byte, mode fs.FileMode) {
	t.Helper()
	_ = os.Remove(path)
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func look(t *testing.T, path string) ([]byte, fs.FileInfo) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw, info
}

// snapshot tells everything of the files below a folder: kind, mode, time, bytes.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		text := ""
		switch {
		case info.Mode().IsRegular():
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text = string(raw)
		case info.Mode()&fs.ModeSymlink != 0:
			if text, err = os.Readlink(path); err != nil {
				return err
			}
		}
		when := info.ModTime().String()
		if info.IsDir() {
			when = ""
		}
		all[path] = fmt.Sprintf("%s %s %q", info.Mode(), when, text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A call that fails or is refused changes nothing at all: no byte, time or mode,
// no file and no folder comes or goes. One that cannot be done asks nobody.
func TestFailedCallsLeaveNoTrace(t *testing.T) {
	long := strings.Repeat("n", 256)
	fails := map[string]map[string][]any{
		"write_to_file": {
			"a directory": {"path", "dir", "content", "x"}, "a slash": {"path", "dir/", "content", "x"}, "a slash behind nothing": {"path", "new/", "content", "x"},
			"in a file": {"path", "a.txt/x", "content", "x"}, "deep in a file": {"path", "a.txt/x/y/z", "content", "x"}, "a pipe": {"path", "pipe", "content", "x"},
			"a device": {"path", "/dev/null", "content", "x"}, "a link to a device": {"path", "zero", "content", "x"}, "NUL": {"path", "a\x00b", "content", "x"},
			"long": {"path", long, "content", "x"}, "deep and long": {"path", "dir/" + long + "/x", "content", "x"}, "no path": {"content", "x"},
			"no content": {"path", "a.txt"}, "two paths": {"path", "a.txt", "absolutePath", "/etc/x", "content", "x"},
			"lazy":               {"path", "long.go", "content", "package x\n// ... rest of code unchanged ...\n"},
			"a link in a circle": {"path", "circle", "content", "x"},
		},
		"replace_in_file": {
			"a miss": {"path", "a.txt", "diff", replace("nine", "9")}, "one of two": {"path", "a.txt", "diff", replace("one", "1") + replace("nine", "9")},
			"twins": {"path", "twins", "diff", replace("x", "y")}, "no blocks": {"path", "a.txt", "diff", "nothing"}, "nowhere": {"path", "none/x", "diff", replace("a", "b")},
			"a directory": {"path", "dir", "diff", replace("a", "b")}, "a pipe": {"path", "pipe", "diff", replace("a", "b")}, "a slash": {"path", "a.txt/", "diff", replace("one", "1")},
		},
		"apply_patch": {
			"a miss":        {"input", envelope(update("a.txt", "@@\n-nine\n+9\n"))},
			"second misses": {"input", envelope(update("a.txt", "@@\n-one\n+1\n"), addition("new/x", "+x\n"), update("twins", "@@\n-x\n+y\n"))},
			"onto a file":   {"input", envelope(moved("a.txt", "twins", "@@\n-one\n+1\n"))},
			"into a file":   {"input", envelope(addition("a.txt/b", "+x\n"))},
			"a pipe":        {"input", envelope(deletion("pipe"))},
			"one twice":     {"input", envelope(update("a.txt", "@@\n-one\n+1\n"), deletion("link"))},
			"a device":      {"input", envelope(addition("ok", "+x\n"), deletion("zero"))},
		},
		"new_rule": {"elsewhere": {"path", "a.md", "content", "x"}},
	}
	p := newProject(t, map[string]string{"a.txt": "one\r\ntwo\n", "twins": "x\ny\nx\n", "dir/f": "f\n", "long.go": manyLines(300)})
	special(t, p.dir)
	old := time.Date(2021, 2, 3, 4, 5, 6, 0, time.UTC)
	for _, name := range []string{"a.txt", "twins", "long.go"} {
		if err := os.Chtimes(filepath.Join(p.dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	before := snapshot(t, p.dir)
	for tool, calls := range fails {
		for name, args := range calls {
			p.asked = nil
			res := p.call(tool, args...)
			if res.Outcome != tools.Failed || !strings.Contains(res.Text, "nothing was") && !strings.Contains(res.Text, "Nothing was") {
				t.Errorf("%s, %s: outcome %q: %s", tool, name, res.Outcome, res.Text)
			}
			if len(res.Text) > 2500 {
				t.Errorf("%s, %s: %d bytes", tool, name, len(res.Text))
			}
			p.wantNoEdits()
			wantSame(t, tool+", "+name, before, snapshot(t, p.dir))
		}
	}
	// A no to what could be done.
	p.deny = true
	for tool, args := range map[string][]any{
		"write_to_file": {"path", "new/deep/er/x", "content", "x"}, "replace_in_file": {"path", "a.txt", "diff", replace("one", "1")},
		"apply_patch": {"input", envelope(update("a.txt", "@@\n-one\n+1\n"), addition("new/deep/x", "+x\n"), deletion("twins"), moved("dir/f", "else/where", ""))},
		"new_rule":    {"path", ".clinerules/x.md", "content", "x"},
	} {
		if res := p.call(tool, args...); res.Outcome != tools.Denied {
			t.Errorf("%s: %s", tool, res.Text)
		}
		wantSame(t, tool+" denied", before, snapshot(t, p.dir))
	}
	// A yes to what is there already.
	p.deny, p.asked = false, nil
	for tool, args := range map[string][]any{
		"write_to_file": {"path", "a.txt", "content", "one\ntwo\n"}, "replace_in_file": {"path", "a.txt", "diff", replace("one", "one")},
	} {
		wantText(t, p.call(tool, args...), tools.OK, "a.txt already holds exactly this text; nothing was written")
		p.wantNoEdits()
		wantSame(t, tool+" of the same", before, snapshot(t, p.dir))
	}
}

func wantSame(t *testing.T, what string, before, after map[string]string) {
	t.Helper()
	for name, state := range before {
		if after[name] != state {
			t.Errorf("%s: %s is %s, was %s", what, name, after[name], state)
		}
	}
	for name := range after {
		if _, ok := before[name]; !ok {
			t.Errorf("%s: %s was left", what, name)
		}
	}
}
