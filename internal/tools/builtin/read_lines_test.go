package builtin

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"clined/internal/tools"
)

func TestReadFileRanges(t *testing.T) {
	w := newWorld(map[string]string{"a": "one\ntwo\nthree\n", "long": "x\n" + strings.Repeat("é", 5000) + "\nlast"})
	for _, c := range []struct {
		args []any
		want string
	}{
		{[]any{"start_line", 0, "end_line", 1}, "a, lines 1-1 of 3\n1 | one\n[Lines and characters are counted from 1.]\n[2 lines more; go on with start_line 2]"},
		{[]any{"start_line", "2", "end_line", "2"}, "a, lines 2-2 of 3\n2 | two\n[1 line more; go on with start_line 3]"},
		{[]any{"start_line", 2, "end_line", 1000000}, "a, lines 2-3 of 3\n2 | two\n3 | three"},
		{[]any{"end_line", -1}, "a, 3 lines\n1 | one\n2 | two\n3 | three"},
		{[]any{"start_line", 2, "start_char", 2}, "a, lines 2-3 of 3\n2:2 | wo\n3 | three"},
		{[]any{"start_line", 2, "end_line", 2, "start_char", 1}, "a, line 2 of 3 from character 1 on\n2:1 | two\n[1 line more; go on with start_line 3]"},
	} {
		wantExactly(t, newTask(t, w).call("read_file", append([]any{"path", "a"}, c.args...)...), c.want)
	}
	for _, c := range []struct {
		args []any
		want string
	}{
		{[]any{"start_line", 4}, "a has only 3 lines; start_line 4 is past its end"},
		{[]any{"start_line", 3, "end_line", 2}, "a: end_line 2 is before start_line 3"},
		{[]any{"start_line", -2}, "a: start_line is -2, but lines and characters are counted from 1"},
		{[]any{"end_line", -2}, "a: end_line is -2, but lines"},
		{[]any{"end_line", 0}, "a: end_line is 0, but lines are counted from 1"},
		{[]any{"start_char", -1}, "a: start_char is -1"},
		{[]any{"start_line", 2, "start_char", 9}, "a: line 2 has only 3 characters; start_char 9 is past its end"},
		{[]any{"start_line", "two"}, `"start_line" must be of type integer, not "two"`},
		{[]any{"start_line", 1.5}, `"start_line" must be of type integer, not 1.5`},
	} {
		wantText(t, newTask(t, w).call("read_file", append([]any{"path", "a"}, c.args...)...), tools.Failed, c.want)
	}

	// Of several each is judged by itself.
	res := newTask(t, w).call("read_file", "files", []any{
		map[string]any{"path": "a", "start_line": "x"}, map[string]any{"path": "a", "start_line": 3, "end_line": 3}, map[string]any{"path": "a", "start_line": []int{1}},
		map[string]any{"path": "a", "start_line": 9}, map[string]any{"path": "a", "start_line": 1, "end_line": 1}, map[string]any{"path": "long", "start_line": 2, "start_char": 4999},
	})
	wantExactly(t, res, `Error: a: start_line is a whole number from 1 on, such as 10, not "x"`+"\n\na, lines 3-3 of 3\n3 | three\n\n"+
		"Error: a: start_line is a whole number from 1 on, such as 10, not [1]\n\nError: a has only 3 lines; start_line 9 is past its end\n\n"+
		"a, lines 1-1 of 3\n1 | one\n[2 lines more; go on with start_line 2]\n\nlong, lines 2-3 of 3\n2:4999 | éé\n3 | last")

	wantText(t, newTask(t, w).call("read_file", "path", "long"), tools.OK, "é [… 3200 characters more: start_line 2, start_char 1801]\n3 | last")
}

// What is read of a line by character was not seen when its beginning was.
func TestReadFileOnInALine(t *testing.T) {
	w := newWorld(map[string]string{"f": strings.Repeat("a", 1800) + strings.Repeat("b", 60_000) + "c"})
	k := newTask(t, w)
	wantText(t, k.call("read_file", "path", "f"), tools.OK, "a [… 60001 characters more: start_line 1, start_char 1801]")
	for range 2 {
		wantText(t, k.call("read_file", "path", "f", "start_line", 1, "start_char", 1801), tools.OK, "1:1801 | bbb", "b\n[Line 1 goes on; read on with start_line 1, start_char 45001]")
	}
	wantText(t, k.call("read_file", "path", "f", "start_char", 45_001), tools.OK, "bc")
	wantText(t, k.call("read_file", "path", "f"), tools.OK, "unchanged since you read it")
}

// huge is a world whose files are too large to be loaded.
type huge struct{ *world }

func (h huge) Read(context.Context, tools.Path) (*tools.File, error) {
	return nil, fmt.Errorf("it %w", tools.ErrTooLarge)
}

// Window cuts as the workspace does.
func (h huge) Window(_ context.Context, p tools.Path, from tools.Place, lines, most int) (*tools.Window, error) {
	all := strings.SplitAfter(strings.TrimSuffix(h.files[p.Abs], "\n"), "\n")
	w := &tools.Window{Size: int64(len(h.files[p.Abs]))}
	for n := from.Line; n <= len(all); n++ {
		line := all[n-1]
		at := 0
		if n == from.Line {
			at = min(from.Char, utf8.RuneCountInString(line))
			line = line[offset(line, at):]
		}
		if n == from.Line+lines || len(w.Text) > 0 && len(w.Text)+len(line) > most {
			w.Next = tools.Place{Line: n}
			return w, nil
		}
		if fit := line[:min(len(line), most)]; len(fit) < len(line) {
			for !utf8.ValidString(fit) {
				fit = fit[:len(fit)-1]
			}
			w.Text, w.Next = fit, tools.Place{Line: n, Char: at + utf8.RuneCountInString(fit)}
			return w, nil
		}
		w.Text += line
	}
	w.Lines = len(all)
	return w, nil
}

// tooLarge is documents of files that are.
type tooLarge struct{}

func (tooLarge) Document(context.Context, tools.Path) (*tools.Document, bool, error) {
	return nil, false, fmt.Errorf("it %w", tools.ErrTooLarge)
}

func hugeTask(t *testing.T, w *world) *task {
	h := huge{w}
	return newTaskWith(t, Deps{Files: h, Images: w, Lister: w, CWD: "/w"}, nil)
}

// A file of any size is read in parts.
func TestReadFileTooLargeToLoad(t *testing.T) {
	w := newWorld(map[string]string{"log": manyLines(3000), "line": "a\n" + strings.Repeat("x", 100_000) + "\nb\n"})
	k := hugeTask(t, w)
	wantText(t, k.call("read_file", "path", "log"), tools.OK, "log, lines 1-1000, 28893 bytes\n1 | line 1\n", "\n1000 | line 1000\n[More lines follow; go on with start_line 1001]")
	wantText(t, k.call("read_file", "path", "log", "start_line", 2999), tools.OK, "log, lines 2999-3000 of 3000, 28893 bytes\n2999 | line 2999\n3000 | line 3000")
	wantText(t, k.call("read_file", "path", "log", "start_line", 3001), tools.Failed, "log has only 3000 lines; start_line 3001 is past its end")
	wantText(t, k.call("read_file", "path", "line", "start_line", 2), tools.OK, "xx [… the line goes on: start_line 2, start_char 1801]")
	w.files["/w/n.ipynb"] = manyLines(9) // too large for its cells to be shown
	wantText(t, newTaskWith(t, Deps{Files: huge{w}, Lister: w, Documents: tooLarge{}, CWD: "/w"}, nil).call("read_file", "path", "n.ipynb", "end_line", 1), tools.OK, "1 | line 1\n[More lines follow")
	wantText(t, k.call("read_file", "path", "line", "start_line", 2, "start_char", 99_999), tools.OK, "2:99999 | xx\n3 | b")
}

var (
	rowForm  = regexp.MustCompile(`^(\d+)(?::(\d+))? \| (.*?)(?: \[… .*: start_line \d+, start_char (\d+)\])?$`)
	tailForm = regexp.MustCompile(`^\[.* on with start_line (\d+)(?:, start_char (\d+))?\]$`)
)

// Whoever follows the notes sees each character of each line, whatever the
// lines are like, and no result is cut by the limits.
func TestReadFileByItsNotes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for round := range 24 {
		var want []string
		for range random.IntN(4) * random.IntN(700) {
			size := random.IntN(30)
			if random.IntN(50) == 0 {
				size = random.IntN(40_000)
			}
			want = append(want, strings.Repeat([]string{"a", "é", "a𝛼", "x | ["}[random.IntN(4)], size))
		}
		want = append(want, "end")
		w := newWorld(map[string]string{"f": strings.Join(want, "\n")})
		fresh := newTask
		if round%2 == 1 {
			fresh = hugeTask
		}
		got := followNotes(t, func(args ...any) tools.Result {
			return fresh(t, w).call("read_file", append([]any{"path", "f"}, args...)...)
		}, len(want))
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("round %d, line %d: %d of %d characters: %.60q", round, i+1, utf8.RuneCountInString(got[i]), utf8.RuneCountInString(want[i]), got[i])
			}
		}
	}
}

// followNotes reads a file of so many lines from its start as its results say.
func followNotes(t *testing.T, read func(args ...any) tools.Result, lines int) []string {
	t.Helper()
	got := make([]string, lines)
	type place struct{ line, char int }
	seen := map[place]bool{}
	for todo := []place{{1, 0}}; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		if seen[at] {
			continue
		}
		seen[at] = true
		args := []any{"start_line", at.line}
		if at.char > 0 {
			args = append(args, "start_char", at.char)
		}
		res := read(args...)
		if res.Outcome != tools.OK || strings.Contains(res.Text, "omitted") || utf8.RuneCountInString(res.Text) > tools.MaxChars {
			t.Fatalf("%v: %q, %d characters: %.200s", args, res.Outcome, utf8.RuneCountInString(res.Text), res.Text)
		}
		for _, row := range strings.Split(res.Text, "\n")[1:] {
			if m := tailForm.FindStringSubmatch(row); m != nil {
				todo = append(todo, place{number(m[1]), number(m[2])})
			}
			m := rowForm.FindStringSubmatch(row)
			if m == nil {
				continue
			}
			n := number(m[1])
			if utf8.RuneCountInString(got[n-1]) == max(number(m[2])-1, 0) {
				got[n-1] += m[3]
			}
			if m[4] != "" {
				todo = append(todo, place{n, number(m[4])})
			}
		}
	}
	return got
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
