package doctext

import (
	"bytes"
	"context"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clined/internal/tools"
)

var update = flag.Bool("update", false, "write what is read from the files of testdata beside them")

// Files that well-known programs wrote; testdata/README.md tells which. Beside
// each is what is read from it.
func TestFilesOfPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		if ext := filepath.Ext(name); ext == ".txt" || ext == ".md" {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			got := readFile(t, name)
			golden := name + ".txt"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// readFile is what is read from a file, or why nothing is.
func readFile(t *testing.T, name string) string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	format := Auto
	if strings.HasSuffix(name, ".ipynb") {
		format = Notebook
	}
	doc, err := Extract(t.Context(), f, info.Size(), format)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	return strings.Join(append([]string{"kind: " + doc.Kind}, doc.Notes...), "\nnote: ") + "\n\n" + doc.Text + "\n"
}

// Damage to them is told, or passed over: bits that fell over, and ends that are
// missing.
func TestDamagedFiles(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		pattern string
		extract func(context.Context, io.ReaderAt, int64, *builder) (*tools.Document, error)
	}{{"testdata/*.pdf", extractPDF}, {"testdata/*.docx", extractDOCX}, {"testdata/*.xlsx", extractXLSX}, {"testdata/*.ipynb", extractNotebook}} {
		files, err := filepath.Glob(c.pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(c.pattern, err)
		}
		for _, name := range files {
			whole, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for range 60 {
				data := bytes.Clone(whole)
				for range 1 + random.IntN(20) {
					data[random.IntN(len(data))] ^= 1 << random.IntN(8)
				}
				if random.IntN(4) == 0 {
					data = data[:random.IntN(len(data))]
				}
				fuzzed(t, c.extract, string(data))
			}
		}
	}
}
