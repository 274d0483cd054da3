package v4a

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"clined/internal/diffedit"
)

// numberless takes off what only tells of the place in the patch.
func numberless(files []File) []File {
	files = slices.Clone(files)
	for i := range files {
		files[i].Line, files[i].parts = 0, 0
		files[i].Chunks = slices.Clone(files[i].Chunks)
		for k := range files[i].Chunks {
			files[i].Chunks[k].Line = 0
		}
	}
	return files
}

// A patch that is written comes back as it was, whatever its lines look like.
func TestEmitAndParse(t *testing.T) {
	r := seeded(1)
	for range 2000 {
		files := randomPatch(r)
		text := emit(files)
		p, err := Parse(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if got := numberless(p.Files); !reflect.DeepEqual(got, files) {
			t.Fatalf("got  %+v\nwant %+v\nfrom\n%s", got, files, text)
		}
	}
}

// checkSplit holds that pieces make no difference, and that what is whole so
// far is what the whole patch begins with.
func checkSplit(t testing.TB, text string, next func() int) {
	t.Helper()
	want, wantErr := Parse(text)
	var p Parser
	for at := 0; at < len(text); {
		n := min(max(next(), 1), len(text)-at)
		p.Write(text[at : at+n])
		at += n
		files := p.Files()
		if want == nil {
			continue
		}
		for _, f := range files {
			checkWhole(t, text, f, want.Files)
		}
	}
	got, err := p.Close()
	if fmt.Sprint(err) != fmt.Sprint(wantErr) || !reflect.DeepEqual(got, want) {
		t.Fatalf("in pieces %+v, %v\nat once  %+v, %v\n%s", got, err, want, wantErr, text)
	}
}

func checkWhole(t testing.TB, text string, f File, all []File) {
	t.Helper()
	for _, w := range all {
		if w.Path != f.Path && w.Line != f.Line {
			continue
		}
		grown := len(f.Chunks) <= len(w.Chunks) && reflect.DeepEqual(f.Chunks, w.Chunks[:len(f.Chunks):len(f.Chunks)]) || len(f.Chunks) == 0
		content := strings.HasPrefix(w.Content, f.Content) || strings.TrimSuffix(f.Content, "\n") == w.Content
		if f.Growing && grown && content || w.Op == Update && grown || reflect.DeepEqual(f, w) {
			return
		}
	}
	t.Fatalf("%+v is no part of %+v\n%s", f, all, text)
}

func TestAnySplit(t *testing.T) {
	r := seeded(2)
	good := 0
	for range 1000 {
		text := sloppy(r, emit(randomPatch(r)))
		size := pick(r, 1, 3, 20, 100)
		if _, err := Parse(text); err == nil {
			good++
		}
		checkSplit(t, text, func() int { return r.IntN(size) + 1 })
	}
	if good < 250 {
		t.Errorf("only %d could be read", good)
	}
}

// The order of files means nothing.
func TestOrderOfFiles(t *testing.T) {
	r := seeded(3)
	for range 1000 {
		files := randomPatch(r)
		before := randomText(r, 20)
		shuffled := slices.Clone(files)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		p, q := mustParse(t, emit(files)), mustParse(t, emit(shuffled))
		for _, f := range p.Files {
			i := slices.IndexFunc(q.Files, func(g File) bool { return g.Path == f.Path })
			a, errA := f.Apply(before)
			b, errB := q.Files[i].Apply(before)
			if (errA == nil) != (errB == nil) || a != nil && a.Text != b.Text {
				t.Fatalf("%+v, %v\n%+v, %v", a, errA, b, errB)
			}
		}
	}
}

// patchOf cuts lines of a text into a chunk that changes those from at on.
func patchOf(lines []string, from, to, at, end int, fresh ...string) string {
	var b strings.Builder
	b.WriteString("@@\n")
	for i := from; i < to; i++ {
		if i == at {
			for _, l := range fresh {
				b.WriteString("+" + l + "\n")
			}
		}
		b.WriteString(map[bool]string{true: "-", false: " "}[i >= at && i < end] + lines[i] + "\n")
	}
	return b.String()
}

// An edit of a line that stands once changes no other byte, whatever is around.
func TestOtherBytesStay(t *testing.T) {
	r := seeded(4)
	for range 1000 {
		head, tail := randomText(r, r.IntN(12)), randomText(r, r.IntN(12))
		if head != "" && !strings.HasSuffix(head, "\n") {
			head += "\n"
		}
		end := pick(r, "\n", "\r\n")
		indent := pick(r, "", "\t", "    ")
		text := head + indent + "unique = 1" + end + tail
		lines := diffedit.NewText(text).Lines()
		at := slices.Index(lines, indent+"unique = 1")
		from, to := max(0, at-r.IntN(4)), min(len(lines), at+1+r.IntN(4))
		res, err := applyTo(t, text, patchOf(lines, from, to, at, at+1, indent+"unique = 2"))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if want := head + indent + "unique = 2" + end + tail; res.Text != want {
			t.Fatalf("got  %q\nwant %q", res.Text, want)
		}
		checkEdits(t, text, res)
	}
}

// However much a chunk changes, the lines that stay keep their bytes: blanks at
// their ends, and the ends themselves.
func TestLargeChunk(t *testing.T) {
	r := seeded(8)
	var before, want, patch strings.Builder
	for i := range 2000 {
		blanks, end := pick(r, "", " ", "\t"), pick(r, "\n", "\r\n")
		if i%2 == 0 {
			line := fmt.Sprintf("  stays %d%s%s", r.IntN(50), blanks, end)
			before.WriteString(line)
			want.WriteString(line)
			patch.WriteString(" " + strings.TrimRight(line, " \t\r\n") + "\n")
			continue
		}
		old := fmt.Sprintf("  old %d", r.IntN(50))
		before.WriteString(old + blanks + end)
		fmt.Fprintf(&want, "  new %d%s", i, end)
		fmt.Fprintf(&patch, "-%s\n+  new %d\n", old, i)
	}
	res, err := applyTo(t, before.String(), patch.String())
	if err != nil {
		t.Fatal(err)
	}
	if res.Text != want.String() {
		t.Error("lines that stay were changed")
	}
}

// A chunk with one wrong line in its middle applies where it was taken from, or
// not at all.
func TestWrongMiddleLine(t *testing.T) {
	r := seeded(5)
	refused := 0
	for range 1000 {
		text := randomText(r, 30)
		lines := slices.Clone(diffedit.NewText(text).Lines())
		from := r.IntN(len(lines) - 3)
		to := min(from+3+r.IntN(5), len(lines))
		at := from + r.IntN(to-from)
		wrong := from + 1 + r.IntN(to-from-2)
		lines[wrong] += pick(r, " extra", "x", "()", "1")
		res, err := applyTo(t, text, patchOf(lines, from, to, at, at+1, "REPLACED"))
		if err != nil {
			refused++
			continue
		}
		if e := res.Edits[0]; e.Line != at+1 {
			// Another place that truly reads so is right.
			now := diffedit.NewText(text)
			was := diffedit.Place{From: e.Line - 1 - (at - from), To: e.Line - 1 + to - at}
			if !slices.ContainsFunc(now.Find(lines[from:to], diffedit.Anchored), func(p diffedit.Place) bool { return p.From <= was.From+1 && p.To >= was.To-1 }) {
				t.Fatalf("edited line %d instead of %d of\n%q\n%q", e.Line, at+1, text, lines[from:to])
			}
		}
	}
	if refused < 600 {
		t.Errorf("only %d refused", refused)
	}
}

// Chunks cut from a text apply as they were meant: where they could mean other
// places too they are refused, never misplaced. Their order decides only where
// it leaves one way.
func TestManyChunks(t *testing.T) {
	r := seeded(6)
	applied := 0
	for range 1200 {
		text := randomText(r, 40)
		lines := diffedit.NewText(text).Lines()
		var patch, want strings.Builder
		done := 0
		for at := r.IntN(8); at < len(lines); at += 4 + r.IntN(12) {
			from, to := max(done, at-3), min(len(lines), at+4)
			patch.WriteString(patchOf(lines, from, to, at, at+1, fmt.Sprintf("new %d", at)))
			done = at + 1
		}
		for i, l := range diffedit.NewText(text).Lines() {
			if strings.Contains(patch.String(), fmt.Sprintf("+new %d\n", i)) {
				l = fmt.Sprintf("new %d", i)
			}
			want.WriteString(l + "\n")
		}
		res, err := applyTo(t, text, patch.String())
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Kind != diffedit.Ambiguous && e.Kind != diffedit.Overlap {
				t.Fatalf("%v\n%q\n%s", err, text, patch.String())
			}
			continue
		}
		applied++
		if got := strings.Join(diffedit.NewText(res.Text).Lines(), "\n") + "\n"; got != want.String() {
			t.Fatalf("got  %q\nwant %q\n%s", got, want.String(), patch.String())
		}
	}
	if applied < 600 {
		t.Errorf("only %d applied", applied)
	}
}

// checkAny holds what is true of every patch and every text.
func checkAny(t testing.TB, patch, before string) {
	t.Helper()
	p, err := Parse(patch)
	if err != nil {
		checkError(t, err)
		return
	}
	again, err := Parse(emit(p.Files))
	if err == nil { // what is doubtful as text, such as a path of stars, may not come back
		for i := range again.Files {
			if i >= len(p.Files) || again.Files[i].Op != p.Files[i].Op {
				t.Fatalf("%+v\n%+v", again.Files, p.Files)
			}
		}
	}
	for _, f := range p.Files {
		res, err := f.Apply(before)
		if err != nil {
			checkError(t, err)
			continue
		}
		if f.Op != Update {
			continue
		}
		checkJoin(t, before, res)
		d := NewDraft(before)
		for n := range f.Chunks {
			part := f
			part.Chunks = f.Chunks[:n]
			d.Apply(&part)
		}
		if grown, err := d.Apply(&f); err != nil || grown.Text != res.Text || !reflect.DeepEqual(grown.Notes, res.Notes) {
			t.Fatalf("grown %+v, %v\nat once %+v", grown, err, res)
		}
	}
}

func checkJoin(t testing.TB, before string, res *diffedit.Result) {
	t.Helper()
	at, out := 0, ""
	for _, e := range res.Edits {
		if e.Start < at || e.End < e.Start || e.Line < 1 {
			t.Fatalf("edit %+v in %q", e, before)
		}
		out += before[at:e.Start] + e.New
		at = e.End
	}
	if out+before[at:] != res.Text {
		t.Fatalf("edits make %q, not %q", out+before[at:], res.Text)
	}
}

func checkError(t testing.TB, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || len(e.Error()) > 2000 || !strings.Contains(e.Error(), "nothing was changed") {
		t.Fatalf("a strange error: %v", err)
	}
}

// A draft that is fed a growing patch ends where applying it at once does.
func TestDraft(t *testing.T) {
	r := seeded(7)
	for range 1000 {
		text := randomText(r, 30)
		lines := diffedit.NewText(text).Lines()
		var patch strings.Builder
		for range 1 + r.IntN(4) {
			if r.IntN(5) == 0 {
				patch.WriteString("*** Update File: f\n")
			}
			at := r.IntN(len(lines))
			patch.WriteString(patchOf(lines, max(0, at-r.IntN(4)), min(len(lines), at+1+r.IntN(4)), at, at+1, randomLine(r)))
		}
		checkAny(t, "*** Update File: f\n"+patch.String(), text)
	}
}
