package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestImage(t *testing.T) {
	dir := t.TempDir()
	w := New(Options{Roots: []string{dir}})
	png := "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00", 30)
	for name, tc := range map[string]struct{ content, media, fails string }{
		"a.png":   {png, "image/png", ""},
		"b.jpg":   {png, "image/png", ""}, // the content counts
		"d.webp":  {"RIFF\x01\x02\x03\x04WEBPVP8 ", "image/webp", ""},
		"e.webp":  {"RIFF\x01\x02\x03\x04WAVEfmt ", "", "is no PNG"},
		"c.png":   {"plain text", "", "is no PNG"},
		"big.png": {png + strings.Repeat("x", maxImage), "", "more than"},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(tc.content), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := w.Resolve(name)
		if err != nil {
			t.Fatal(err)
		}
		img, err := w.Image(t.Context(), p)
		if tc.fails != "" {
			if err == nil || !strings.Contains(err.Error(), tc.fails) {
				t.Errorf("%s: %v, want %q", name, err, tc.fails)
			}
			continue
		}
		if err != nil || img.MediaType != tc.media || string(img.Data) != tc.content {
			t.Errorf("%s: %s, %d bytes, %v", name, img.MediaType, len(img.Data), err)
		}
	}
}
