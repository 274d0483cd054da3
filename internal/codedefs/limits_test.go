//go:build cgo

package codedefs_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"clined/internal/codedefs"
	"clined/internal/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// within fails a test that hangs or takes minutes.
const within = 20 * time.Second

// None of these may take the process down, or hold it up.
func TestDeepNesting(t *testing.T) {
	const deep = 100_000
	elseIfs := "void f(int a) {\n" + strings.Repeat("if (a) { a++; } else ", 3000) + "{}\n}\nint after(void) { return 1; }\n"
	tests := map[string]string{
		"parens.js":   strings.Repeat("(", deep) + "1" + strings.Repeat(")", deep),
		"open.js":     strings.Repeat("(", deep),
		"braces.js":   strings.Repeat("{", deep),
		"braces.go":   "package p\nfunc f() " + strings.Repeat("{", 60_000),
		"array.ts":    "const a = " + strings.Repeat("[", deep) + strings.Repeat("]", deep),
		"class.java":  strings.Repeat("class A {", 20_000),
		"classes.py":  "x = " + strings.Repeat("[", deep),
		"mods.rs":     strings.Repeat("mod a {", 20_000) + strings.Repeat("}", 20_000),
		"names.cpp":   strings.Repeat("namespace a {", 20_000),
		"pointers.c":  "int " + strings.Repeat("(*", deep) + "x" + strings.Repeat(")", deep) + ";",
		"stars.c":     "int " + strings.Repeat("*", deep) + "f(void) { }",
		"arrows.c":    "void f(struct n *a) { a" + strings.Repeat("->next", 60) + " = 0; }\n",
		"else.c":      elseIfs,
		"template.hh": "template<" + strings.Repeat("A<", deep),
		"jsx.tsx":     strings.Repeat("<a>", 20_000),
		"quotes.py":   strings.Repeat("f'{", 20_000),
	}
	f := codedefs.New()
	for name, source := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			_, ok, err := f.Definitions(t.Context(), name, []byte(source))
			if !ok {
				t.Error("the language is not known")
			}
			if took := time.Since(start); took > within {
				t.Errorf("took %s", took)
			}
			t.Logf("error = %v", err)
		})
	}
	defs, _, err := f.Definitions(t.Context(), "else.c", []byte(elseIfs))
	if err != nil || len(defs) != 2 {
		t.Errorf("nested else: %v, %v; want f and after", defs, err)
	}
}

// One language may be read in many goroutines at once.
func TestConcurrentUseOfOneLanguage(t *testing.T) {
	f := codedefs.New()
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			for j := range 5 {
				source := fmt.Sprintf("package p\n%s\nfunc F%d_%d() {}\n", strings.Repeat("type T struct{ a int }\n", 200), i, j)
				defs, _, err := f.Definitions(t.Context(), "a.go", []byte(source))
				if err != nil || len(defs) != 201 || defs[200].Name != fmt.Sprintf("F%d_%d", i, j) {
					t.Errorf("%d definitions, %v", len(defs), err)
				}
			}
		})
	}
	wg.Wait()
}

func bigScript(size int) []byte {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "function f%d(a,b){var c=[a,b,{x:1,y:[2,3]}];return c.map(q=>q?q.x:%d)}\n", i, i)
	}
	return []byte(b.String()[:size])
}

// A cancelled context ends the reading soon.
func TestCancel(t *testing.T) {
	f := codedefs.New()
	source := bigScript(2 << 20)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, ok, err := f.Definitions(ctx, "a.js", source)
	if !ok || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("ok = %v, error = %v; want the context's error", ok, err)
	}
	// 200 ms is the aim; a loaded machine and the race detector get more.
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("came back after %s", took)
	}
}

func TestCancelWhileWaitingForAParser(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := codedefs.New().Definitions(ctx, "a.go", []byte("package p")); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want context.Canceled", err)
	}
}

func TestTooLarge(t *testing.T) {
	_, ok, err := codedefs.New().Definitions(t.Context(), "a.js", bigScript(5<<20))
	if !ok || err == nil || !strings.Contains(err.Error(), "larger than 2 MB") {
		t.Errorf("ok = %v, error = %v", ok, err)
	}
}

// C memory is invisible to Go's profiler, so ask the kernel.
func TestMemoryStaysFlat(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Log("no /proc here: the test only runs the code")
	}
	f := codedefs.New()
	good := string(bigScript(20_000))
	round := func(n int) {
		for i := range 40 {
			source := good + fmt.Sprintf("// %d %d\n", n, i) // not in the cache
			if i%10 == 0 {
				source = "function broken( {{{ (" + source
			}
			ctx, cancel := context.WithCancel(t.Context())
			if i%7 == 0 {
				cancel()
			}
			_, _, err := f.Definitions(ctx, "a.js", []byte(source))
			if err != nil && i%7 != 0 {
				t.Fatal(err)
			}
			cancel()
		}
	}
	for n := range 3 {
		round(n)
	}
	before := residentMB(t)
	for n := range 12 {
		round(100 + n)
	}
	after := residentMB(t)
	t.Logf("resident: %d MB, then %d MB", before, after)
	if after > before+40 {
		t.Errorf("resident memory grew from %d MB to %d MB", before, after)
	}
}

func residentMB(t *testing.T) int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				t.Fatal(err)
			}
			return kb / 1024
		}
	}
	t.Fatal("no VmRSS in /proc/self/status")
	return 0
}

func TestLanguageOf(t *testing.T) {
	tests := []struct {
		path, source string
		known        bool
		first        string // the first definition, "" for none
	}{
		{"a.txt", "func f() {}", false, ""},
		{"Makefile", "all:", false, ""},
		{"", "", false, ""},
		{"dir.go/x", "", false, ""},
		{"A.GO", "package p\nfunc F() {}", true, "function F"},
		{"empty.py", "", true, ""},
		{`dir\x.py`, "def f(): pass", true, "function f"},
		{"c.h", "/* class Foo { */\nstruct s { int a; };\n#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f(void);\n", true, "struct s"},
		{"cpp.h", "#pragma once\nclass Foo : public Bar {\n  void f();\n};\n", true, "class Foo"},
		{"ns.h", "namespace a::b {\nint f();\n}\n", true, "namespace a::b"},
		{"tpl.h", "template <class T>\nT g(T t);\n", true, "function g"},
		{"std.h", "inline int size(const std::string& s) { return 1; }\n", true, "function size"},
	}
	f := codedefs.New()
	for _, tt := range tests {
		defs, ok, err := f.Definitions(t.Context(), tt.path, []byte(tt.source))
		got := ""
		if len(defs) > 0 {
			got = defs[0].Kind + " " + defs[0].Name
		}
		if ok != tt.known || err != nil || got != tt.first {
			t.Errorf("%q: known = %v, first = %q, error = %v; want %v, %q", tt.path, ok, got, err, tt.known, tt.first)
		}
	}
}

func TestAnswersAreTheCallersOwn(t *testing.T) {
	f := codedefs.New()
	source := []byte("package p\nfunc F() {}\n")
	first, _, _ := f.Definitions(t.Context(), "a.go", source)
	want := slices.Clone(first)
	first[0] = tools.Definition{Name: "spoilt"}
	second, _, _ := f.Definitions(t.Context(), "b.go", source)
	second[0].Name = "spoilt too"
	third, _, _ := f.Definitions(t.Context(), "a.go", source)
	if !slices.Equal(third, want) {
		t.Errorf("got %v, want %v", third, want)
	}
}

func TestDefinitionsSurviveABrokenFunction(t *testing.T) {
	defs, _, err := codedefs.New().Definitions(t.Context(), "a.go", []byte("package p\nfunc f() {\n\tif x {\n\ntype T struct{}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"f", "T"} {
		if !slices.ContainsFunc(defs, func(d tools.Definition) bool { return d.Name == name }) {
			t.Errorf("%s is missing in %v", name, defs)
		}
	}
}

func FuzzDefinitions(f *testing.F) {
	for _, ext := range []string{".go", ".tsx", ".js", ".py", ".rs", ".c", ".cpp", ".java", ".h"} {
		f.Add("a"+ext, "class A { f() {} }\nfunc (\xff")
	}
	samples, err := os.ReadDir("testdata")
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range samples {
		if name, ok := strings.CutSuffix(s.Name(), ".txt"); ok {
			text, err := os.ReadFile("testdata/" + s.Name())
			if err != nil {
				f.Fatal(err)
			}
			f.Add(name, string(text))
		}
	}
	finder := codedefs.New()
	f.Fuzz(func(t *testing.T, path, source string) {
		defs, _, err := finder.Definitions(t.Context(), path, []byte(source))
		if err != nil {
			return
		}
		lines := strings.Count(source, "\n") + 1
		for i, d := range defs {
			if d.Line < 1 || d.EndLine < d.Line || d.EndLine > lines || i > 0 && d.Line < defs[i-1].Line {
				t.Errorf("bad lines in %+v of %d", d, lines)
			}
			if d.Name == "" || d.Kind == "" || d.Depth < 0 || strings.ContainsAny(d.Signature+d.Name, "\n\r") {
				t.Errorf("bad definition %+v", d)
			}
		}
	})
}

func BenchmarkDefinitions(b *testing.B) {
	for _, name := range []string{"sample.go", "sample.ts", "sample.py", "sample.java", "sample.cpp"} {
		text, err := os.ReadFile("testdata/" + name + ".txt")
		if err != nil {
			b.Fatal(err)
		}
		source := []byte(strings.Repeat(string(text), 20))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(source)))
			for i := range b.N {
				f := codedefs.New()
				if _, _, err := f.Definitions(b.Context(), name, fmt.Appendf(source, "\n%d", i)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
