package workspace

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// comparePaths orders paths so that a folder is followed by what is in it.
func comparePaths(a, b string) int {
	for {
		x, restA, inA := strings.Cut(a, "/")
		y, restB, inB := strings.Cut(b, "/")
		if c := compareNames(x, y); c != 0 {
			return c
		}
		if !inA || !inB {
			return cmp.Compare(len(a), len(b))
		}
		a, b = restA, restB
	}
}

// compareNames orders names as people do: letters without regard to case, and
// numbers by value. Names that are equal so far are ordered by their bytes.
func compareNames(a, b string) int {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if isDigit(a[i]) && isDigit(b[j]) {
			x, y := digits(a[i:]), digits(b[j:])
			i, j = i+len(x), j+len(y)
			x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
			if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
				return c
			}
			continue
		}
		ra, n := utf8.DecodeRuneInString(a[i:])
		rb, m := utf8.DecodeRuneInString(b[j:])
		if c := cmp.Compare(unicode.ToLower(ra), unicode.ToLower(rb)); c != 0 {
			return c
		}
		i, j = i+n, j+m
	}
	return cmp.Or(cmp.Compare(len(a)-i, len(b)-j), cmp.Compare(a, b))
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

func digits(s string) string {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return s[:n]
}

// visible quotes a path that holds characters which would break the line or
// cannot be seen, as git does.
func visible(path string) string {
	for _, r := range path {
		if r == utf8.RuneError || r != ' ' && !unicode.IsGraphic(r) {
			return strconv.Quote(path)
		}
	}
	return path
}
