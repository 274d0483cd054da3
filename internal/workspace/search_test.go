package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"go.uber.org/goleak"

	"clined/internal/tools"
	"clined/internal/workspace"
)

// grep writes an answer as "path:number:text", context with a dash.
func grep(r *tools.SearchResult) string {
	var b strings.Builder
	for _, f := range r.Files {
		for _, l := range f.Lines {
			sign := "-"
			if l.Match {
				sign = ":"
			}
			fmt.Fprintf(&b, "%s%s%d%s%s\n", f.Path, sign, l.Number, sign, l.Text)
		}
	}
	return b.String()
}

func search(t testing.TB, tree *workspace.Tree, p tools.Path, regex, glob string, l tools.SearchLimits) *tools.SearchResult {
	t.Helper()
	r, err := tree.Search(t.Context(), p, regex, glob, l)
	if err != nil {
		t.Fatalf("search for %q: %v", regex, err)
	}
	return r
}

func TestSearch(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	dir := plant(t,
		".gitignore: *.log\nsecret/\n", "a.log: needle", "secret/x: needle", ".git/x: needle", "node_modules/x.js: needle",
		".github/ci.yml: run: needle\n",
		"src/a.go: package a\n\nfunc Needle() {}\n\tneedle := 1\n",
		"src/b.ts: const needle = `x`;\r\nneedle\r\nlast needle",
		"dist/x.js: needle",
		"bin/x: \x00\x01needle", "late: needle\n\x00", "utf16: \xff\xfen\x00e\x00e\x00d\x00l\x00e\x00\n\x00",
		"bom: \xef\xbb\xbfneedle", "latin: needle \xff\xfe!", "regex: a.b (x) [y] foobar fooBAZ\nTODO one\nFIXME two\n",
		"unicode: \u212Aelvin ſtraße STRASSE\nÄrger ärger\n",
		"link -> src/a.go", "dirlink -> src",
	)
	all := `.github/ci.yml:1:run: needle
bom:1:needle
dist/x.js:1:needle
latin:1:needle ` + "\uFFFD" + `!
src/a.go:4:	needle := 1
src/b.ts:1:const needle = ` + "`x`;" + `
src/b.ts:2:needle
src/b.ts:3:last needle
utf16:1:needle
`
	tests := []struct{ name, path, regex, glob, want string }{
		{"literal", ".", "needle", "", all},
		{"regex with a literal", ".", "ne+dle", "", all},
		{"names", ".", "needle", "*.go", "src/a.go:4:\tneedle := 1\n"},
		{"paths", ".", "^needle", "src/**/*.ts", "src/b.ts:2:needle\n"},
		{"paths from the workspace folder", "src", "^needle", "src/*.ts", "src/b.ts:2:needle\n"},
		{"paths with a dot", ".", "^needle", "./src/*", "src/b.ts:2:needle\n"},
		{"a folder", ".", "^needle", "src/", "src/b.ts:2:needle\n"},
		{"braces", ".", "^needle|Needle", "*.{go,ts}", "src/a.go:3:func Needle() {}\nsrc/b.ts:2:needle\n"},
		{"commas", ".", "^needle|Needle", "*.go, *.ts", "src/a.go:3:func Needle() {}\nsrc/b.ts:2:needle\n"},
		{"all but", ".", "^needle$", "!{bom,utf16}", "dist/x.js:1:needle\nsrc/b.ts:2:needle\n"},
		{"begin", "bom", "^needle", "", "bom:1:needle\n"},
		{"end before CRLF", "src/b.ts", "needle$", "", "src/b.ts:2:needle\nsrc/b.ts:3:last needle\n"},
		{"text ends are line ends", "src/b.ts", `\Aneedle\z`, "", "src/b.ts:2:needle\n"},
		{"ignore case", "src/a.go", "(?i)NEEDLE", "", "src/a.go:3:func Needle() {}\nsrc/a.go:4:\tneedle := 1\n"},
		{"alternatives", "regex", "TODO|FIXME|XXX", "", "regex:2:TODO one\nregex:3:FIXME two\n"},
		{"no literal", "regex", `^[A-Z]{4}\s`, "", "regex:2:TODO one\n"},
		{"blanks do not cross lines", "regex", `BAZ\s+TODO`, "", ""},
		{"negation does not cross lines", "regex", `BAZ[^x]+TODO`, "", ""},
		{"dot does not cross lines", "regex", `(?s)BAZ.+TODO`, "", ""},
		{"escapes", "regex", `a\.b \(x\)`, "", "regex:1:a.b (x) [y] foobar fooBAZ\n"},
		{"Kelvin sign", "unicode", "(?i)kelvin", "", "unicode:1:\u212Aelvin ſtraße STRASSE\n"},
		{"long s", "unicode", "(?i)^.*stras", "", "unicode:1:\u212Aelvin ſtraße STRASSE\n"},
		{"umlauts", "unicode", "(?i)ÄRGER$", "", "unicode:2:Ärger ärger\n"},
		{"ignored folder by name", "secret", "needle", "", "secret/x:1:needle\n"},
		{"ignored file by name", "a.log", "needle", "", "a.log:1:needle\n"},
		{"link by name", "link", "needle", "", "link:4:\tneedle := 1\n"},
		{"nothing", ".", "nowhere to be found", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := search(t, rootTree(dir), at(dir, tt.path), tt.regex, tt.glob, tools.SearchLimits{})
			if got := grep(r); got != tt.want || r.Incomplete {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
			if n := strings.Count(tt.want, "\n"); r.Total != n {
				t.Errorf("total = %d, want %d", r.Total, n)
			}
		})
	}
}

func TestSearchContext(t *testing.T) {
	dir := plant(t, "f: 1\n2\nX3\n4\n5\n6\n7\nX8\nX9\n10\nX11\n")
	tests := []struct {
		context, perFile int
		want             string
	}{
		{0, 0, "f:3:X3 f:8:X8 f:9:X9 f:11:X11"},
		{1, 0, "f-2-2 f:3:X3 f-4-4 f-7-7 f:8:X8 f:9:X9 f-10-10 f:11:X11"},
		{3, 0, "f-1-1 f-2-2 f:3:X3 f-4-4 f-5-5 f-6-6 f-7-7 f:8:X8 f:9:X9 f-10-10 f:11:X11"},
		{1, 2, "f-2-2 f:3:X3 f-4-4 f-7-7 f:8:X8"},
		{2, 3, "f-1-1 f-2-2 f:3:X3 f-4-4 f-5-5 f-6-6 f-7-7 f:8:X8 f:9:X9 f-10-10"},
	}
	for _, tt := range tests {
		r := search(t, rootTree(dir), at(dir, "."), "X", "", tools.SearchLimits{Context: tt.context, PerFile: tt.perFile})
		if got := strings.Join(strings.Fields(grep(r)), " "); got != tt.want {
			t.Errorf("context %d, %d a file:\ngot  %s\nwant %s", tt.context, tt.perFile, got, tt.want)
		}
		if r.Total != 4 || r.Files[0].Total != 4 || r.TotalFiles != 1 {
			t.Errorf("totals = %d, %d in %d files; want 4, 4 in 1", r.Total, r.Files[0].Total, r.TotalFiles)
		}
	}
}

func TestSearchSharesTheRoom(t *testing.T) {
	dir := plant(t, "a_vendor/x.js: "+strings.Repeat("hit\n", 500), "src/y.ts: hit\nhit\nhit\n")
	var first *tools.SearchResult
	for range 20 {
		r := search(t, rootTree(dir), at(dir, "."), "hit", "", tools.SearchLimits{Matches: 300, Context: 1})
		if first == nil {
			first = r
		}
		if !reflect.DeepEqual(r, first) {
			t.Fatal("two searches differ")
		}
	}
	if len(first.Files) != 2 || first.Total != 503 || first.TotalFiles != 2 ||
		matches(first.Files[0]) != 297 || matches(first.Files[1]) != 3 || first.Files[0].Total != 500 {
		t.Errorf("%d files, %d matches in %d files", len(first.Files), first.Total, first.TotalFiles)
	}
}

func matches(f tools.FileMatches) (n int) {
	for _, l := range f.Lines {
		if l.Match {
			n++
		}
	}
	return n
}

func TestSearchInMoreFilesThanMatchesMayBeShown(t *testing.T) {
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprintf("f%d: hit\nhit\nhit\n", i))
	}
	dir := plant(t, names...)
	for range 5 {
		r := search(t, rootTree(dir), at(dir, "."), "hit", "", tools.SearchLimits{Matches: 10, Context: 2})
		if r.Total != 600 || r.TotalFiles != 200 || len(r.Files) != 10 || r.Files[9].Path != "f9" {
			t.Fatalf("%d matches in %d files, %d shown", r.Total, r.TotalFiles, len(r.Files))
		}
		for _, f := range r.Files {
			if matches(f) != 1 || f.Total != 3 {
				t.Fatalf("%s shows %d of %d, want 1 of 3", f.Path, matches(f), f.Total)
			}
		}
	}
}

func TestSearchGiantLines(t *testing.T) {
	pad := strings.Repeat("0123456789abcde ", 90_000/16)
	dir := plant(t,
		"a.go: var zebra = 1",
		"b.min.js: "+pad+"zebra"+pad,
		"w.txt: zebra \xff\xfe",
		"m.txt: before\n"+strings.Repeat(pad, 10)+"zebra"+strings.Repeat(pad, 10)+" zebra\r\nafter zebra\n",
		"u.txt: "+strings.Repeat("ü", 1000)+"zebra"+strings.Repeat("ü", 1000),
	)
	f, err := os.Create(filepath.Join(dir, "t.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for i := range 100 { // 9 MB on one line
		if _, err := f.WriteString(pad); err != nil {
			t.Fatal(err)
		}
		if i == 99 {
			if _, err := f.WriteString("zebra"); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, regex := range []string{"zebra", "z[e]b+ra", "(?i)ZEBRA", "[z][e][b]r"} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := search(t, rootTree(dir), at(dir, "."), regex, "", tools.SearchLimits{Context: 1})
		runtime.ReadMemStats(&after)
		if r.Total != 7 || r.TotalFiles != 6 {
			t.Errorf("%s: %d matches in %d files, want 7 in 6\n%s", regex, r.Total, r.TotalFiles, grep(r))
		}
		size := 0
		for _, f := range r.Files {
			for _, l := range f.Lines {
				size += len(l.Text)
				if len(l.Text) > 520 || !utf8.ValidString(l.Text) || l.Match && !strings.Contains(l.Text, "zebra") {
					t.Errorf("%s: %s:%d has %d bytes: %.80q", regex, f.Path, l.Number, len(l.Text), l.Text)
				}
			}
		}
		if size > 10_000 {
			t.Errorf("%s: the answer has %d bytes", regex, size)
		}
		if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 4 {
			t.Errorf("%s: %d MB were allocated", regex, mb)
		}
	}
	r := search(t, rootTree(dir), at(dir, "m.txt"), "zebra", "", tools.SearchLimits{Context: 1})
	if lines := r.Files[0].Lines; len(lines) != 3 || lines[0].Text != "before" || lines[1].Number != 2 || !strings.HasPrefix(lines[1].Text, "…") || lines[2].Number != 3 {
		t.Errorf("lines around a giant one: %+v", lines)
	}
	// The cuts are no line ends.
	for _, regex := range []string{"^[0-9a-e]", "[0-9a-e ]$"} {
		if r := search(t, rootTree(dir), at(dir, "t.json"), regex, "", tools.SearchLimits{}); r.Total > 1 {
			t.Errorf("%s: %d matches", regex, r.Total)
		}
	}
	if r := search(t, rootTree(dir), at(dir, "t.json"), "e $", "", tools.SearchLimits{}); r.Total != 0 {
		t.Errorf("a cut was taken for the end of a line")
	}
}

func TestSearchSeesUnsavedText(t *testing.T) {
	dir := plant(t, "a.go: old text\n", "b.go: other\n")
	w := workspace.New(workspace.Options{Roots: []string{dir}})
	w.Open(filepath.Join(dir, "a.go"), "go", 1, "new text\nunsaved\n")
	w.Open(filepath.Join(dir, "fresh.go"), "go", 1, "unsaved too\n")
	got := grep(search(t, w.Tree(), at(dir, "."), "text|unsaved", "", tools.SearchLimits{}))
	if want := "a.go:1:new text\na.go:2:unsaved\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	got = grep(search(t, w.Tree(), at(dir, "fresh.go"), "unsaved", "", tools.SearchLimits{}))
	if want := "fresh.go:1:unsaved too\n"; got != want {
		t.Errorf("a file that is only in the editor: got %q, want %q", got, want)
	}
}

func TestSearchLeavesOutHidden(t *testing.T) {
	dir := plant(t, "svc/.env.prod: CANARY", "audit/x/y: CANARY", "ok: CANARY", ".clineignore: /svc/.env.prod\naudit/\n")
	tree := workspace.New(workspace.Options{Roots: []string{dir}}).Tree()
	if got := grep(search(t, tree, at(dir, "."), "CANARY", "", tools.SearchLimits{})); got != "ok:1:CANARY\n" {
		t.Errorf("got %q", got)
	}
	for _, path := range []string{"svc/.env.prod", "audit/x/y"} {
		if _, err := tree.Search(t.Context(), at(dir, path), "CANARY", "", tools.SearchLimits{}); !errors.Is(err, workspace.ErrHidden) {
			t.Errorf("%s: error = %v, want ErrHidden", path, err)
		}
	}
}

func TestSearchErrors(t *testing.T) {
	dir := plant(t, "bin: \x00", "text: x")
	tests := []struct{ path, regex, glob, want string }{
		{".", "", "", "is empty"},
		{".", "foo(", "", "put a \\ before it"},
		{".", "foo(?=bar)", "", "no look-around"},
		{".", "(?<!a)b", "", "no look-around"},
		{".", `(a)\1`, "", "no back-references"},
		{".", `(?>a)`, "", "no atomic groups"},
		{".", `a*+`, "", "no atomic groups, possessive"},
		{".", `\u1234`, "", `\x{`},
		{".", `a{2000}`, "", "not valid"},
		{".", `a\nb`, "", "line by line"},
		{".", "[z-a]", "", "`z-a`"},
		{".", "x", "[", "file pattern"},
		{".", "x", "{a", "file pattern"},
		{".", "x", strings.Repeat("{a,aa}", 20), "file pattern"},
		{"none", "x", "", "none does not exist"},
		{"bin", "x", "", "bin is a binary file"},
	}
	for _, tt := range tests {
		_, err := rootTree(dir).Search(t.Context(), at(dir, tt.path), tt.regex, tt.glob, tools.SearchLimits{})
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %q %q: error = %v, want one with %q", tt.path, tt.regex, tt.glob, err, tt.want)
		}
	}
}

func TestSearchCancelled(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	dir := plant(t, "a: x", "b/c: x")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, path := range []string{".", "a"} {
		if _, err := rootTree(dir).Search(ctx, at(dir, path), "x", "", tools.SearchLimits{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error = %v, want context.Canceled", path, err)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	dir := manyFiles(b)
	for name, regex := range map[string]string{
		"literal": "zebra", "regex": `var\s+needle`, "fold": "(?i)zebra", "alternatives": "TODO|FIXME|XXX",
		"no-literal": `[A-Z]{5}\d`, "many": "Server",
	} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				search(b, rootTree(dir), at(dir, "."), regex, "", tools.SearchLimits{Context: 1})
			}
		})
	}
}
