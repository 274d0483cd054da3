//go:build cgo

package codedefs_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clined/internal/codedefs"
	"clined/internal/tools"
)

var update = flag.Bool("update", false, "write the goldens anew")

func TestOutlines(t *testing.T) {
	samples, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(samples) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	f := codedefs.New()
	for _, sample := range samples {
		name := strings.TrimSuffix(filepath.Base(sample), ".txt")
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(sample)
			if err != nil {
				t.Fatal(err)
			}
			defs, ok, err := f.Definitions(t.Context(), "src/"+name, source)
			if err != nil || !ok {
				t.Fatalf("ok = %v, error = %v", ok, err)
			}
			got := render(defs)
			golden := strings.TrimSuffix(sample, ".txt") + ".golden"
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
				t.Errorf("the outline differs from %s; got:\n%s", golden, got)
			}
		})
	}
}

func render(defs []tools.Definition) string {
	var b strings.Builder
	for _, d := range defs {
		fmt.Fprintf(&b, "%3d-%-3d %s%s %s | %s\n", d.Line, d.EndLine, strings.Repeat("  ", d.Depth), d.Kind, d.Name, d.Signature)
	}
	return b.String()
}
