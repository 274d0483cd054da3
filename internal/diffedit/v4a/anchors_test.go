package v4a

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"clined/internal/diffedit"
)

// anchored are patches of n chunks or anchors on files of about 10 times n
// lines that the anchors fit over and over.
var anchored = map[string]func(n int) (before, chunks string){
	"one anchor over and over": func(n int) (string, string) {
		return strings.Repeat("def a():\n    pass\n", 5*n) + "last\n", strings.Repeat("@@ def a():\n", n) + "-last\n+end\n"
	},
	"the same anchor for each chunk": func(n int) (string, string) {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "@@ def a():\n-    x = %d\n+    y = %d\n", i, i)
		}
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "def a():\n    x = %d\n", i)
		}
		return text.String(), b.String()
	},
	"the same chunk for each place": func(n int) (string, string) {
		return strings.Repeat("def a():\n    x\n", n), strings.Repeat("@@ def a():\n-    x\n+    y\n", n)
	},
	"the same lines in each class": func(n int) (string, string) {
		var text, b strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "class C%d:\n    def a():\n        x\n", i)
			fmt.Fprintf(&b, "@@ class C%d:\n@@ def a():\n-        x\n+        y%d\n", i, i)
		}
		return text.String(), b.String()
	},
}

// sectionOf returns the applier of a patch and what it makes.
func sectionOf(t testing.TB, before, chunks string) (*applier, *diffedit.Result, error) {
	t.Helper()
	f := &mustParse(t, "*** Begin Patch\n*** Update File: f\n"+chunks+"*** End Patch").Files[0]
	a := newApplier(before)
	res, err := a.apply(f, 0, len(f.Chunks))
	return a, res, err
}

// What is looked at grows with the patch and the file, not with their product.
func TestLookedAt(t *testing.T) {
	for name, of := range anchored {
		var looked [2]int
		for i, n := range []int{1000, 4000} {
			a, _, err := sectionOf(t, first(of(n)), second(of(n)))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			looked[i] = a.looked
		}
		if looked[1] > 5*looked[0]+1000 {
			t.Errorf("%s: %d lines looked at for 1000, %d for 4000", name, looked[0], looked[1])
		}
	}
}

func first(s, _ string) string  { return s }
func second(_, s string) string { return s }

// An anchor that is said twice is said once.
func TestRepeatedAnchor(t *testing.T) {
	for _, anchors := range []string{
		"@@ class B:\n", "@@ class B:\n@@ class B:\n", strings.Repeat("@@ class B:\n", 500), "@@ class B:\n@@ class B:\n@@ def run(self):\n@@ def run(self):\n",
	} {
		_, res, err := sectionOf(t, twoClasses, anchors+" start()\n-        return 1\n+        return 2\n")
		if err != nil {
			t.Fatal(err)
		}
		if want := lineOf(17, "        return 2"); res.Text != want {
			t.Errorf("%.40q: %s", anchors, res.Text)
		}
	}
}

// Where nothing makes it less, the search ends, with words for the model.
func TestTooManyLookedAt(t *testing.T) {
	// Each line goes on with the block of the one above.
	text := strings.Repeat("}\nend\n", 1<<16)
	a, _, err := sectionOf(t, text, strings.Repeat("@@ }\n@@ end\n", 1<<10)+"-end\n+END\n")
	var e *Error
	if !errors.As(err, &e) || e.Kind != diffedit.Ambiguous || !strings.Contains(e.Error(), "nothing was changed") || !strings.Contains(e.Error(), "give each chunk one or two anchors") {
		t.Errorf("%v", err)
	}
	if a.looked > maxLooked+2*len(a.text.Lines()) {
		t.Errorf("%d lines were looked at", a.looked)
	}
}

// So it does for anchors that are nowhere or parts of lines; headings of a
// unified diff are left out from there on.
func TestTooManyMissing(t *testing.T) {
	filler := strings.Repeat("filler\n", 1<<20)
	var anchors, heads, before, after strings.Builder
	for i := range 1 << 9 {
		fmt.Fprintf(&anchors, "@@ nowhere %d\n", i)
		fmt.Fprintf(&heads, "@@ -1 +1 @@ nowhere %d\n-last %d\n+end %d\n", i, i, i)
		fmt.Fprintf(&before, "last %d\n", i)
		fmt.Fprintf(&after, "end %d\n", i)
	}
	text, want := filler+before.String(), filler+after.String()
	_, _, err := sectionOf(t, text, anchors.String()+"-last 1\n+end\n")
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(e.Error(), "nowhere in the file; give each chunk") {
		t.Errorf("%v", err)
	}
	f := &mustParse(t, "--- a/f\n+++ b/f\n"+heads.String()).Files[0]
	if res, err := f.Apply(text); err != nil || res.Text != want {
		t.Errorf("headings: %v", err)
	}
}

func BenchmarkAnchors(b *testing.B) {
	for name, of := range anchored {
		for _, n := range []int{1000, 2000, 4000, 8000} {
			before, chunks := of(n)
			f := &mustParse(b, "*** Begin Patch\n*** Update File: f\n"+chunks+"*** End Patch").Files[0]
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := f.Apply(before); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
