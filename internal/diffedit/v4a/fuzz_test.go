package v4a

import "testing"

func seeds(f *testing.F, add func(patch, text string)) {
	r := seeded(20)
	add(plain, twoClasses)
	add("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "a\n")
	add("diff --git a/x b/y\nrename from x\nrename to y\n", "")
	add("*** Update File: a\n@@ class B\n@@ def run\n-        return 1\n+        return 2\n\\ No newline at end of file\n*** End of File\n*** Update File: a\n+x\n", twoClasses)
	for range 20 {
		add(sloppy(r, emit(randomPatch(r))), randomText(r, 10))
	}
}

func FuzzPatch(f *testing.F) {
	seeds(f, func(patch, text string) { f.Add(patch, text) })
	f.Fuzz(func(t *testing.T, patch, text string) { checkAny(t, patch, text) })
}

func FuzzSplit(f *testing.F) {
	seeds(f, func(patch, text string) { f.Add(patch, len(text)) })
	f.Fuzz(func(t *testing.T, patch string, size int) {
		n := 0
		if len(patch) > 5000 {
			return // each piece is compared with the whole
		}
		checkSplit(t, patch, func() int {
			n++
			return (size*n)%37 + 1
		})
	})
}
