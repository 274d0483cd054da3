package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A lookup is how names are looked up in one folder.
type lookup struct {
	stat func(name string) (fs.FileInfo, error) // of the name itself, no link followed
	list func() ([]string, error)
	same func(a, b fs.FileInfo) bool
}

func lookupIn(dir string) lookup {
	return lookup{
		stat: func(name string) (fs.FileInfo, error) { return os.Lstat(filepath.Join(dir, name)) },
		list: func() ([]string, error) {
			d, err := os.Open(dir)
			if err != nil {
				return nil, err
			}
			defer d.Close()
			return d.Readdirnames(-1)
		},
		same: os.SameFile,
	}
}

// nameOf returns the name by which a folder lists what was found as name. It is
// another where the file system takes names for equal that differ in case or in
// how their accents are written: rules go by the one name that is listed. Folders
// that tell such names apart cost one look.
func (l lookup) nameOf(name string, info fs.FileInfo) string {
	alike := func(other string) bool {
		if other == name {
			return false
		}
		found, err := l.stat(other)
		return err == nil && l.same(found, info)
	}
	if !slices.ContainsFunc(variants(name), alike) {
		return name
	}
	names, err := l.list()
	if err != nil || slices.Contains(names, name) { // two names of one file
		return name
	}
	// What is like it first; a short name (8.3) is like nothing.
	slices.SortStableFunc(names, func(a, b string) int {
		switch x, y := sameName(a, name), sameName(b, name); {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
	if i := slices.IndexFunc(names, alike); i >= 0 {
		return names[i]
	}
	return name
}

// variants are other ways to write a name.
func variants(name string) []string {
	list := []string{swapCase(name)}
	if !isASCII(name) {
		list = append(list, norm.NFC.String(name), norm.NFD.String(name))
	}
	return list
}

func swapCase(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, name)
}

// sameName compares names as file systems do that ignore case and how accents
// are written.
func sameName(a, b string) bool {
	return strings.EqualFold(a, b) || strings.EqualFold(norm.NFD.String(a), norm.NFD.String(b))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
