package fileuri

import (
	"strings"
	"testing"
)

// One canonical key, exact round trips, no disk path for what is no file.
func TestURIs(t *testing.T) {
	tests := []struct {
		style     Style
		uri, path string // path "": refused
		canonical string // "": the uri itself
	}{
		{Windows, "file:///d%3A/My%20Code/a.go", `D:\My Code\a.go`, "file:///D:/My%20Code/a.go"},
		{Windows, "file:///D:/My%20Code/a.go", `D:\My Code\a.go`, ""},
		{Windows, "file:///d:/My%20Code/./b/../a.go", `D:\My Code\a.go`, "file:///D:/My%20Code/a.go"},
		{Windows, "FILE:///c:/", `C:\`, "file:///C:/"},
		{Windows, "file:///c:", `C:\`, "file:///C:/"},
		{Windows, `file:///c:/a\b`, `C:\a\b`, "file:///C:/a/b"},
		{Windows, "file://srv/share/x", `\\srv\share\x`, ""},
		{Windows, "file://SRV/Share/x", `\\srv\Share\x`, "file://srv/Share/x"},
		{Windows, "file:////srv/share/x", `\\srv\share\x`, "file://srv/share/x"},
		{Windows, "file://wsl$/Ubuntu/home/a", `\\wsl$\Ubuntu\home\a`, ""},
		{Windows, "file:///tmp/a", "", ""},
		{Windows, "file://srv", "", ""},
		{Windows, "file:///1:/a", "", ""},
		{Posix, "file:///tmp/a%20b%23c%3Fd%2525e/%C3%BC.txt", "/tmp/a b#c?d%25e/ü.txt", ""},
		{Posix, "file:///tmp/a b/ü.txt", "/tmp/a b/ü.txt", "file:///tmp/a%20b/%C3%BC.txt"},
		{Posix, "file:/tmp/a", "/tmp/a", "file:///tmp/a"},
		{Posix, "file://localhost/tmp/a", "/tmp/a", "file:///tmp/a"},
		{Posix, "file:///tmp/a/../b//c/", "/tmp/b/c", "file:///tmp/b/c"},
		{Posix, "file:///tmp/100%/x%zz", "/tmp/100%/x%zz", "file:///tmp/100%25/x%25zz"},
		{Posix, "file:///tmp/a?query#part", "/tmp/a?query#part", "file:///tmp/a%3Fquery%23part"},
		{Posix, "file:///tmp/%FF", "/tmp/\xff", ""},
		{Posix, "file:///tmp/%252e%252e/a", "/tmp/%2e%2e/a", ""},
		{Posix, "file:///", "/", ""},
		{Posix, "file://srv/share/x", "", ""},
		{Posix, "file:///tmp/a%00b", "", ""},
		{Posix, "file:tmp/a", "", ""},
		{Posix, "untitled:Untitled-1", "", ""},
		{Posix, "vscode-remote://ssh-remote+h/home/a", "", ""},
		{Posix, "vscode-notebook-cell:/a/b.ipynb#W0", "", ""},
		{Posix, "git:/a/b.go?%7B%7D", "", ""},
		{Posix, "/tmp/a", "", ""},
		{Posix, "", "", ""},
	}
	for _, tt := range tests {
		got, ok := tt.style.Path(tt.uri)
		if ok != (tt.path != "") || ok && got != tt.path {
			t.Errorf("%s: path %q, %v; want %q", tt.uri, got, ok, tt.path)
		}
		want := tt.canonical
		if want == "" {
			want = tt.uri
		}
		if c := tt.style.Canonical(tt.uri); c != want {
			t.Errorf("%s: canonical %q, want %q", tt.uri, c, want)
		}
		if ok {
			if u := tt.style.FromPath(got); u != want {
				t.Errorf("%s: back again %q", tt.uri, u)
			}
		}
	}
	for _, tt := range []struct {
		style     Style
		path, uri string
	}{
		{Posix, "relative/a", ""}, {Posix, "", ""}, {Posix, `C:\a`, ""},
		{Windows, `a\b`, ""}, {Windows, `\a`, ""}, {Windows, "C:a", ""}, {Windows, "", ""}, {Windows, `\\`, ""},
		{Windows, `\\?\c:\a\b`, "file:///C:/a/b"}, {Windows, `\\?\UNC\Srv\s\x`, "file://srv/s/x"}, {Windows, "c:/a", "file:///C:/a"},
	} {
		if got := tt.style.FromPath(tt.path); got != tt.uri {
			t.Errorf("%q: %q, want %q", tt.path, got, tt.uri)
		}
	}
}

func FuzzURIs(f *testing.F) {
	for _, s := range []string{"file:///d%3A/a%20b", "/tmp/a b#c?d%25e/ü.txt", `\\srv\share\x`, `c:\a`, "file://wsl$/x", "untitled:U", "file:////a/b", "\xff%00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, style := range []Style{Posix, Windows} {
			if p, ok := style.Path(s); ok {
				checkRoundTrip(t, style, p)
			}
		}
		if p := "/" + s; !strings.ContainsRune(p, 0) {
			u := Posix.FromPath(p)
			if clean, ok := Posix.Path(u); !ok || Posix.FromPath(clean) != u {
				t.Errorf("%q: %q, %q, %v", p, u, clean, ok)
			}
		}
	})
}

func checkRoundTrip(t *testing.T, style Style, p string) {
	t.Helper()
	u := style.FromPath(p)
	back, ok := style.Path(u)
	if !ok || back != p || style.Canonical(u) != u {
		t.Errorf("style %d: path %q, uri %q, back %q, %v", style, p, u, back, ok)
	}
}
