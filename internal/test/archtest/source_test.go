package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Uses of packages that a file must not make, as "package.Name".
var (
	// Under stdio, standard output belongs to the transport, and only main may
	// end the process.
	processWide = []string{"os.Stdout", "os.Exit", "fmt.Print", "fmt.Printf", "fmt.Println", "log.Fatal", "log.Fatalf", "log.Fatalln"}
	sleeping    = []string{"time.Sleep"}
)

func TestStdoutAndExitAreUsedInMainOnly(t *testing.T) {
	for _, p := range packages(t) {
		if !p.ours() || within(p.room(), "cmd", "examples", "scripts", "internal/test") {
			continue
		}
		for _, file := range p.files(false) {
			for _, fault := range uses(t, file, nil, processWide) {
				t.Errorf("%s: it belongs to cmd, which hands it on", fault)
			}
		}
	}
}

// A test waits for a condition or uses a fake clock. Inside of a synctest
// bubble time.Sleep takes no time.
func TestTestsDoNotSleep(t *testing.T) {
	for _, p := range packages(t) {
		if !p.ours() {
			continue
		}
		for _, file := range p.files(true) {
			for _, fault := range uses(t, file, nil, sleeping) {
				if !imports(t, file, "testing/synctest") {
					t.Errorf("%s: wait for a condition, or use testing/synctest", fault)
				}
			}
		}
	}
}

func TestPackagesSayWhatTheyOwn(t *testing.T) {
	room := regexp.MustCompile(`^Package \S+ (owns|is|wires) `)
	other := regexp.MustCompile(`^(Package|Command) \S+ [a-z]`)
	for _, p := range packages(t) {
		says := other
		if _, ok := rooms[p.room()]; ok {
			says = room
		}
		if p.ours() && len(p.GoFiles)+len(p.CgoFiles) > 0 && !says.MatchString(p.Doc) {
			t.Errorf("%s: its comment must begin with what it owns; it begins %q", p.ImportPath, p.Doc)
		}
	}
}

func parse(t *testing.T, file string, src any) (*token.FileSet, *ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return fset, f
}

func imports(t *testing.T, file, path string) bool {
	t.Helper()
	_, f := parse(t, file, nil)
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"`+path+`"` })
}

// uses lists where a file uses one of names; imports under another name count.
func uses(t *testing.T, file string, src any, names []string) (faults []string) {
	t.Helper()
	fset, f := parse(t, file, src)
	packages := map[string]string{}
	for _, i := range f.Imports {
		imported := strings.Trim(i.Path.Value, `"`)
		local := path.Base(imported)
		if i.Name != nil {
			local = i.Name.Name
		}
		packages[local] = imported
	}
	ast.Inspect(f, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && packages[x.Name] != "" {
			if name := packages[x.Name] + "." + sel.Sel.Name; slices.Contains(names, name) {
				faults = append(faults, fmt.Sprintf("%s uses %s", fset.Position(n.Pos()), name))
			}
		}
		return true
	})
	return faults
}

func TestUses(t *testing.T) {
	const src = `package x
import ("fmt"; alias "os"; "io")
var os = struct{ Stdout int }{}
func f(w io.Writer) { fmt.Println(); fmt.Fprintln(w); alias.Exit(1); _ = os.Stdout; g := alias.Stdout; _ = g }
`
	got := uses(t, "x.go", src, processWide)
	if len(got) != 3 || !strings.Contains(got[0], "x.go:4:23 uses fmt.Println") || !strings.Contains(got[1], "os.Exit") || !strings.Contains(got[2], "os.Stdout") {
		t.Errorf("%q", got)
	}
}
