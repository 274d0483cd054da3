package builtin

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"clined/internal/tools"
)

// However a patch is cut, what is shown last is what the call proposes.
func FuzzPatchPreview(f *testing.F) {
	f.Add("one\ntwo\nthree\n", "two", "TWO", 3)
	f.Add("a\r\nb\r\n", "b", "", 1)
	f.Add("x\n", "x", "é\U0001F600", 2)
	f.Fuzz(func(t *testing.T, file, old, fresh string, piece int) {
		if piece < 1 || strings.ContainsAny(old+fresh, "\r\n") || strings.ContainsAny(file, "\x00") {
			return
		}
		chunk := "@@\n-" + old + "\n+" + fresh + "\n"
		args := arguments("input", envelope(update("f", chunk), addition("new", "+"+fresh+"\n")))
		k, v := newKit(map[string]string{"f": file})
		preview(k, "apply_patch", args, piece)
		parsed, err := tools.ParseArgs(args)
		if err != nil {
			t.Fatal(err)
		}
		a, err := k.preparePatch(t.Context(), tools.Call{ID: "c2", Args: parsed})
		if err != nil || a.Subject.Kind != tools.Edit {
			return
		}
		for _, e := range a.Subject.Edits {
			if got, ok := v.open[e.Path.Abs]; ok && lf(got) != lf(e.Proposed) {
				t.Errorf("%s ends with %q, proposed is %q", e.Path.Display, got, e.Proposed)
			}
		}
	})
}

// The file that an editor made only to show it does not count as being there.
func TestFilesMadeForAPatchView(t *testing.T) {
	k, v := newKit(nil)
	all := &Tools{k}
	args := arguments("input", envelope(addition("new", "+x\n+y\n"), addition("other", "+z\n")))
	show := all.Begin("c1", "apply_patch")
	show(t.Context(), args[:len(args)-2])
	w := k.Files.(*world)
	w.set("new", "")
	w.set("other", "")
	parsed, _ := tools.ParseArgs(args)
	a, err := k.preparePatch(t.Context(), tools.Call{ID: "c1", Args: parsed})
	if err != nil || len(a.Subject.Edits) != 2 || a.Subject.Edits[0].Op != "create" || a.Subject.Edits[1].Op != "create" {
		t.Fatalf("%v, %+v", err, a)
	}
	if len(v.open) != 2 {
		t.Errorf("open: %v", v.open)
	}
}

// The work of showing grows with the length of what is written, not with its square.
func BenchmarkPreview(b *testing.B) {
	for _, blocks := range []int{500, 1000, 2000} {
		var file, diff, chunks strings.Builder
		for i := range blocks {
			fmt.Fprintf(&file, "line %d\nfiller %d\n", i, i)
			diff.WriteString(replace(fmt.Sprintf("line %d", i), fmt.Sprintf("LINE %d", i)))
			fmt.Fprintf(&chunks, "@@\n-line %d\n+LINE %d\n", i, i)
		}
		for name, args := range map[string]string{
			"replace_in_file": arguments("path", "f", "diff", diff.String()),
			"apply_patch":     arguments("input", envelope(update("f", chunks.String()))),
			"write_to_file":   arguments("path", "f", "content", file.String()),
		} {
			b.Run(fmt.Sprintf("%s/%d", name, blocks), func(b *testing.B) {
				b.SetBytes(int64(len(args)))
				for b.Loop() {
					k, _ := newKit(map[string]string{"f": file.String()})
					k.Diffs = nowhere{}
					// Thirty times a second for four seconds, as much as comes in them.
					preview(k, name, args, len(args)/120+1)
				}
			})
		}
	}
}

// nowhere shows everything and costs nothing.
type nowhere struct{}

func (nowhere) Show(context.Context, tools.Proposal) (*string, bool) { return nil, true }
func (nowhere) Save(context.Context, string, *tools.File, *string) (*tools.Shown, error) {
	return nil, tools.ErrNoView
}
func (nowhere) Touched(_ string, _ *tools.File, text string) (string, error) { return text, nil }
func (nowhere) Close(string, bool, ...string)                                {}
