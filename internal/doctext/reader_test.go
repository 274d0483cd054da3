package doctext

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"clined/internal/tools"

	"go.uber.org/goleak"
)

// The test binary also plays the child. It hangs, or takes memory without end,
// where a document says so.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == ChildArg {
		head := make([]byte, 32)
		n, _ := os.Stdin.ReadAt(head, 0)
		switch {
		case bytes.HasPrefix(head[:n], []byte("%PDF- hang")):
			select {}
		case bytes.HasPrefix(head[:n], []byte("%PDF- die")):
			debug.SetMaxStack(maxStack)
			os.Exit(deep(0))
		case bytes.HasPrefix(head[:n], []byte("%PDF- eat")):
			go Main(os.Stdin, os.Stdout, Auto, os.Exit)
			for all := [][]byte{}; ; {
				all = append(all, bytes.Repeat([]byte("x"), 8<<20))
			}
		}
		os.Exit(Main(os.Stdin, os.Stdout, Format(os.Args[2]), os.Exit))
	}
	goleak.VerifyTestMain(m)
}

// deep needs more stack than there is, which nothing can recover from.
func deep(n int) int {
	if n < 0 {
		return 0
	}
	return deep(n+1) + n
}

// disk is the files of a folder.
type disk struct{ dir string }

func (d disk) OpenFile(_ context.Context, p tools.Path) (*os.File, error) { return os.Open(p.Abs) }

func (d disk) Read(_ context.Context, p tools.Path) (*tools.File, error) {
	raw, err := os.ReadFile(p.Abs)
	return &tools.File{Path: p, Text: string(raw), Exists: true}, err
}

func (d disk) write(t *testing.T, name, data string) tools.Path {
	t.Helper()
	p := tools.Path{Display: name, Abs: filepath.Join(d.dir, name)}
	if err := os.WriteFile(p.Abs, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

// readers are one that reads in this process, and one that has a child do it.
func readers(t *testing.T) (disk, map[string]*Reader) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	d := disk{t.TempDir()}
	return d, map[string]*Reader{"here": {Files: d}, "child": {Files: d, Child: exe}}
}

func TestReader(t *testing.T) {
	d, all := readers(t)
	for name, r := range all {
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct{ name, data, kind, text, fails string }{
				{"a.pdf", onePage("BT /F 12 Tf (Hello) Tj ET", ""), "PDF, 1 page", mark + "Hello", ""},
				{"no extension", word(t, para("x")), "Word document", "x", ""},
				{"a.ipynb", `{"nbformat":4,"cells":[{"cell_type":"raw","source":"s"}]}`, "Jupyter notebook, 1 cell", "=== cell 1: raw ===\ns", ""},
				{"b.ipynb", `{`, "", "", `"b.ipynb" is a Jupyter notebook that cannot be read`},
				{"a.zip", makeZip(t, "x", ""), "", "", `"a.zip" is a ZIP archive, not a text`},
				{"a.pdf", "%PDF-", "", "", `"a.pdf" is a PDF that cannot be read`},
				{"text.docx", "in fact a text", "", "", ""},
				{"empty.xlsx", "", "", "", ""},
			} {
				doc, ok, err := r.Document(t.Context(), d.write(t, c.name, c.data))
				switch {
				case c.fails != "":
					if err == nil || ok || !strings.HasPrefix(err.Error(), c.fails) {
						t.Errorf("%s: %v, want %q", c.name, err, c.fails)
					}
				case err != nil || ok != (c.kind != ""):
					t.Errorf("%s: %v, %v", c.name, ok, err)
				case ok && (doc.Kind != c.kind || doc.Text != c.text):
					t.Errorf("%s: %+v", c.name, doc)
				}
			}
			if _, ok, err := r.Document(t.Context(), tools.Path{Display: "none.pdf", Abs: filepath.Join(d.dir, "none.pdf")}); ok || !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%v, %v", ok, err)
			}
		})
	}
}

// A child that comes to grief is told, and nothing else suffers.
func TestChildThatComesToGrief(t *testing.T) {
	d, all := readers(t)
	r := all["child"]
	if _, _, err := r.Document(t.Context(), d.write(t, "die.pdf", "%PDF- die")); err == nil || err.Error() != `"die.pdf" is a document that cannot be read: it is damaged, or made to do harm` {
		t.Error(err)
	}
	if _, _, err := r.Document(t.Context(), d.write(t, "eat.pdf", "%PDF- eat")); err == nil || !strings.Contains(err.Error(), "needs more than 512 MB of memory") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r.Files = stopping{d, cancel}
	if _, _, err := r.Document(ctx, d.write(t, "hang.pdf", "%PDF- hang")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	r.Child = filepath.Join(d.dir, "none")
	if _, _, err := r.Document(t.Context(), d.write(t, "a.pdf", "%PDF-")); err == nil || !strings.Contains(err.Error(), "no process can be started") {
		t.Error(err)
	}
}

// stopping ends the context when a file is opened.
type stopping struct {
	disk
	cancel func()
}

func (s stopping) OpenFile(ctx context.Context, p tools.Path) (*os.File, error) {
	s.cancel()
	return s.disk.OpenFile(ctx, p)
}

// Files made to do harm: each is told, or read in part, within the limits. They
// are read in this process, where too deep a recursion would end it.
func TestHostileFiles(t *testing.T) {
	font := "/Resources << /Font << /F << >> >> >>"
	self := stream("/X Do /X Do /X Do", "/Subtype /Form /Resources << /XObject << /X 4 0 R >> >>")
	for name, c := range map[string]struct{ data, want string }{
		"2 MB of open arrays":           {"%PDF-1.7 1 0 obj " + strings.Repeat("[", 2<<20), "no pages"},
		"2 MB of open dictionaries":     {"%PDF-1.7 1 0 obj " + strings.Repeat("<</A", 500_000), "no pages"},
		"arrays in a content":           {onePage(strings.Repeat("[", 2<<20)+" BT /F 9 Tf (x) Tj ET", ""), "without text"},
		"packed arrays":                 {makePDF("<< /Pages 2 0 R >>", stream(deflate("9 0 "+strings.Repeat("[", 8<<20)), "/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode")), "without text"},
		"a stream that unpacks to much": {onePage("", "/Contents 4 0 R", stream(deflate(strings.Repeat("x ", 40<<20)), "/Filter /FlateDecode")), ""},
		"forms that paint themselves":   {onePage("/X Do", "/Resources << /XObject << /X 4 0 R >> >>", self), ""},
		"pages without end":             {makePDF("<< /Pages 2 0 R >>", "<< /Kids 3 0 R >>", "[ << /Kids 3 0 R >> << /Kids 3 0 R >> << /Kids 3 0 R >> ]"), "too much work"},
		"references in a circle":        {makePDF("<< /Pages 2 0 R >>", "3 0 R", "2 0 R"), "no pages"},
		"a filter of filters":           {onePage("x", "/Contents 4 0 R", stream("x", "/Filter ["+strings.Repeat("/ASCIIHexDecode ", 100_000)+"]")), ""},
		"obj obj obj":                   {"%PDF-1.7 " + strings.Repeat("1 0 obj ", 200_000), "no pages"},
		"trailer trailer":               {"%PDF-1.7 " + strings.Repeat("trailer << ", 200_000), "no pages"},
		"widths without end":            {onePage("BT /F 9 Tf (xx) Tj ET", "/Resources << /Font << /F << /Subtype /Type0 /DescendantFonts [ << /W ["+strings.Repeat("0 65535 1 ", 50_000)+"] >> ] >> >> >>"), ""},
		"a font at every word":          {onePage("BT "+strings.Repeat("/F 9 Tf ", 200_000)+"(x) Tj ET", "/Resources << /Font << /F << /Widths ["+strings.Repeat("1 ", 10_000)+"] >> >> >>"), ""},
		"strings without end":           {onePage("BT /F 9 Tf ["+strings.Repeat("(", 1<<20), font), ""},
		"a map without end":             {onePage("BT /F 9 Tf (x) Tj ET", "/Resources << /Font << /F << /ToUnicode 4 0 R >> >> >>", stream(strings.Repeat("1 beginbfrange <00> <FF> <0041> endbfrange ", 100_000))), ""},
		"a huge array":                  {onePage("BT /F 9 Tf ["+strings.Repeat("(x) ", 500_000)+"] TJ ET", font), ""},
		"XML that is one text":          {word(t, "<w:p><w:t>"+strings.Repeat("0123456789abcdef<w:br/>", 400_000)), ""},
		"deep XML":                      {word(t, strings.Repeat("<w:p>", 500_000)), ""},
		"a table in a table in a table": {word(t, strings.Repeat("<w:tbl><w:tr><w:tc>", 100_000)+para("x")), ""},
		"a cell of many paragraphs":     {word(t, "<w:tbl><w:tr><w:tc>"+strings.Repeat(para("x"), 200_000)), ""},
		"rows out of order":             {excel(t, strings.Repeat(`<row r="999999999999"><c r="ZZZZZZZZZZ1"><v>1</v></c></row>`, 20_000)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			doc, err := extract(t, c.data, Auto)
			if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if err != nil && len(err.Error()) > 500 || doc != nil && len(doc.Text) > maxText {
				t.Errorf("too long: %.600v", err)
			}
		})
	}
}

// The end of the context ends reading, whatever is read.
func TestExtractIsStopped(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errSlow)
	for name, data := range map[string]string{"pdf": onePage("(x) Tj", ""), "docx": word(t, para("x")), "xlsx": excel(t, ""), "notebook": "{}"} {
		f := Auto
		if name == "notebook" {
			f = Notebook
		}
		if _, err := Extract(ctx, strings.NewReader(data), int64(len(data)), f); !errors.Is(err, errSlow) && fmt.Sprint(err) != "is , not a text" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFilesTooLarge(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "a.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("%PDF-1.7"); err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(5 << 30); err != nil {
		t.Fatal(err)
	}
	if _, err := Extract(t.Context(), f, 5<<30, Auto); err == nil || !strings.Contains(err.Error(), "is a PDF of 5368709120 bytes, more than the 104857600 that are looked into") {
		t.Error(err)
	}
}
