package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/text/unicode/norm"
)

// A folder whose names are looked up by key, as some file systems do.
func folderOf(key func(string) string, names ...string) lookup {
	files := fstest.MapFS{}
	for _, n := range names {
		files[n] = &fstest.MapFile{}
	}
	return lookup{
		stat: func(name string) (fs.FileInfo, error) {
			for _, n := range names {
				if key(n) == key(name) {
					return files.Stat(n)
				}
			}
			return nil, fs.ErrNotExist
		},
		list: func() ([]string, error) { return slices.Clone(names), nil },
		same: func(a, b fs.FileInfo) bool { return a.Name() == b.Name() },
	}
}

// Where "SVC" is "svc", rules are for the name that is listed.
func TestNamesAsListed(t *testing.T) {
	plain := func(s string) string { return s }
	insensitive := func(s string) string { return norm.NFD.String(strings.ToLower(norm.NFC.String(s))) }
	for _, tc := range []struct {
		name      string
		in        lookup
		ask, want string
	}{
		{"case matters", folderOf(plain, "svc", "SVC"), "SVC", "SVC"},
		{"case does not matter", folderOf(insensitive, "a", ".env.prod", "b"), ".ENV.Prod", ".env.prod"},
		{"listed so", folderOf(insensitive, ".Env"), ".Env", ".Env"},
		{"no letters", folderOf(insensitive, "1"), "1", "1"},
		{"accents", folderOf(insensitive, "cafe\u0301.pem"), "caf\u00e9.pem", "cafe\u0301.pem"},
		{"accents and case", folderOf(insensitive, "caf\u00e9.pem"), "CAFE\u0301.PEM", "caf\u00e9.pem"},
	} {
		info, err := tc.in.stat(tc.ask)
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		if got := tc.in.nameOf(tc.ask, info); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// Two names of one file, of which each is the other in another case, stay two.
func TestNamesOfHardLinks(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "Key", "x")
	if err := os.Link(filepath.Join(dir, "Key"), filepath.Join(dir, "kEY")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Key", "kEY"} {
		if got, err := realPath(dir + "/" + name); err != nil || got != dir+"/"+name {
			t.Errorf("%q, %v", got, err)
		}
	}
}
