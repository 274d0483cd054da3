package diffedit

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"clined/internal/test/gosource"
)

// stands reports whether lines are in others as they are.
func stands(lines, others []string) bool {
	return strings.Contains("\n"+strings.Join(others, "\n")+"\n", "\n"+strings.Join(lines, "\n")+"\n")
}

// slips are what models do to the lines of a block that they quote.
var slips = map[string]func(search, replace []string) (s, r []string){
	"without what all have in front": func(search, replace []string) ([]string, []string) {
		least := 100
		for _, l := range search {
			if !IsBlank(l) {
				least = min(least, len(indentOf(l)))
			}
		}
		return each(search, replace, func(l string) string { return l[min(least, len(l)):] })
	},
	"a level too deep": func(search, replace []string) ([]string, []string) {
		return each(search, replace, func(l string) string {
			if IsBlank(l) {
				return l
			}
			return "\t" + l
		})
	},
	"spaces for tabs": func(search, replace []string) ([]string, []string) {
		return each(search, replace, func(l string) string {
			in := indentOf(l)
			return strings.ReplaceAll(in, "\t", "    ") + l[len(in):]
		})
	},
	"blanks behind": func(search, replace []string) ([]string, []string) {
		return mapLines(search, func(l string) string { return l + " " }), replace
	},
	"the first line lost its own": func(search, replace []string) ([]string, []string) {
		search, replace = slices.Clone(search), slices.Clone(replace)
		search[0], replace[0] = trimLeft(search[0]), trimLeft(replace[0])
		return search, replace
	},
	"the last line lost its end": func(search, replace []string) ([]string, []string) {
		search = slices.Clone(search)
		if last := &search[len(search)-1]; len(trimBlanks(*last)) > minPiece {
			*last = (*last)[:len(*last)-1]
		}
		return search, replace
	},
	"the first line from its middle on": func(search, replace []string) ([]string, []string) {
		search = slices.Clone(search)
		if at := strings.IndexAny(search[0], "({ "); at > 0 && len(trimBlanks(search[0][at:])) > minPiece {
			search[0] = search[0][at:]
		}
		return search, replace
	},
}

func each(search, replace []string, f func(string) string) ([]string, []string) {
	return mapLines(search, f), mapLines(replace, f)
}

// An edit of real code that is quoted with a slip is made where and as it was
// meant, or not at all; of those slips that only blanks are about, most are made.
func TestSlipsOnCode(t *testing.T) {
	files := gosource.Files(t, "net/http")
	for name, slip := range slips {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(4, 11))
			runs, refused := 0, 0
			for range 1500 {
				lines := files[r.IntN(len(files))]
				from := r.IntN(max(len(lines)-10, 1))
				to := min(from+1+r.IntN(9), len(lines))
				region := lines[from:to:to]
				at := r.IntN(len(region))
				if IsBlank(region[at]) || IsBlank(region[0]) || IsBlank(region[len(region)-1]) {
					continue
				}
				in := indentOf(region[at])
				fresh := []string{in + "fresh()"}
				if r.IntN(2) == 0 {
					fresh = []string{in + "if fresh {", in + "\tfresh(a,", in + "\t\tb)", in + "}"}
				}
				replace := slices.Insert(slices.Clone(region), at+r.IntN(2), fresh...)
				if r.IntN(3) == 0 {
					replace = slices.Concat(region[:at], fresh, region[at+1:])
				}
				s, q := slip(region, replace)
				if slices.Equal(s, region) || stands(s, lines) || slices.ContainsFunc(s, func(l string) bool { return markerOf(l) != noMarker }) {
					continue // no slip, or another place said exactly
				}
				runs++
				res, err := Replace(strings.Join(lines, "\n")+"\n", sr(strings.Join(s, "\n"), strings.Join(q, "\n")))
				if err != nil {
					refused++
					continue
				}
				if want := strings.Join(slices.Concat(lines[:from], replace, lines[to:]), "\n") + "\n"; res.Text != want {
					t.Fatalf("%s\n%s", sr(strings.Join(s, "\n"), strings.Join(q, "\n")), Unified("meant to made", want, res.Text, 0))
				}
			}
			t.Log(runs, "runs,", refused, "refused")
			if runs < 200 || !strings.Contains(name, "its end") && !strings.Contains(name, "middle") && refused > runs/6 {
				t.Errorf("%d of %d refused", refused, runs)
			}
		})
	}
}
