package ignore_test

import (
	"testing"

	"clined/internal/ignore"
)

func TestMatch(t *testing.T) {
	tests := []struct {
		patterns, path string
		dir, want      bool
	}{
		{"*.log", "a/b.log", false, true},
		{"/a.log", "x/a.log", false, false},
		{"build/", "build", false, false},
		{"build/", "build", true, true},
		{"build/", "src/build/x.o", false, true},
		{"doc/*.txt", "doc/a/b.txt", false, false},
		{"a/**/b", "a/b", false, true},
		{"a/**/b", "a/x/y/b", false, true},
		{"**/b", "b", false, true},
		{"a/**", "a/x/y", false, true},
		{"a/**", "a", true, false},
		{"abc**/def", "abcx/y/def", false, true}, // git's own oddity
		{"x*\n!xa", "xa", false, false},
		{"x*\n!xa\n", "xb", false, true},
		// A file below an ignored directory cannot be taken back.
		{"audit/\n!audit/keep.txt", "audit/keep.txt", false, true},
		{"audit/*\n!audit/keep.txt", "audit/keep.txt", false, false},
		{`\#a`, "#a", false, true},
		{"#a", "#a", false, false},
		{`\!a`, "!a", false, true},
		{"a  ", "a", false, true},
		{`a\ `, "a ", false, true},
		{"a\t", "a", false, false},
		{"a\r\nb", "a", false, true},
		{"\ufeffa", "a", false, true},
		{"[a-c]x", "bx", false, true},
		{"[!a-c]x", "bx", false, false},
		{"[]]x", "]x", false, true},
		{"[[:digit:]]*", "1a", false, true},
		{"a[", "a[", false, false},
		{"a[[:nope:]]", "an", false, false},
		{"/", "a", true, false},
		{"*", "a", false, true},
		{"?", "ab", false, false},
		{"", "a", false, false},
	}
	for _, tt := range tests {
		m := ignore.Parse(tt.patterns, ignore.Options{})
		if got := m.Match(tt.path, tt.dir); got != tt.want {
			t.Errorf("%q ignores %q (dir %v) = %v, want %v", tt.patterns, tt.path, tt.dir, got, tt.want)
		}
	}
}

func TestMatchFoldsCase(t *testing.T) {
	m := ignore.Parse("/svc/.env.prod\n*.PEM\n[A-C]1\nTmp?\n", ignore.Options{FoldCase: true})
	for _, path := range []string{"SVC/.ENV.PROD", "x.pem", "x.Pem", "b1", "B1", "tMPx"} {
		if !m.Match(path, false) {
			t.Errorf("%q is not ignored", path)
		}
	}
	if m.Match("d1", false) {
		t.Error(`"d1" is ignored`)
	}
}

func TestZeroMatcherIgnoresNothing(t *testing.T) {
	var m *ignore.Matcher
	if m.Match("a", false) || !m.Empty() || new(ignore.Matcher).Match("a", true) {
		t.Error("the zero Matcher ignores something")
	}
}
