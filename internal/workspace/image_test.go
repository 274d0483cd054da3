package workspace

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pictures are small ones in each format.
func pictures(t testing.TB) map[string]string {
	t.Helper()
	img := image.NewPaletted(image.Rect(0, 0, 2, 3), color.Palette{color.Black, color.White})
	var asPNG, asJPEG, asGIF bytes.Buffer
	for _, err := range []error{png.Encode(&asPNG, img), jpeg.Encode(&asJPEG, img, nil), gif.Encode(&asGIF, img, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	// One pixel, as cwebp writes it.
	asWebP, err := base64.StdEncoding.DecodeString("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"png": asPNG.String(), "jpeg": asJPEG.String(), "gif": asGIF.String(), "webp": string(asWebP)}
}

// pngOf is the head of a picture of any size.
func pngOf(width, height uint32) string {
	head := binary.BigEndian.AppendUint32([]byte("IHDR"), width)
	head = append(binary.BigEndian.AppendUint32(head, height), 8, 2, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), head...)
	return string(binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(head)))
}

func TestImage(t *testing.T) {
	dir := t.TempDir()
	w := New(Options{Roots: []string{dir}})
	p := pictures(t)
	for name, tc := range map[string]struct{ content, media, fails string }{
		"a.png":      {p["png"], "image/png", ""},
		"a.jpg":      {p["jpeg"], "image/jpeg", ""},
		"a.gif":      {p["gif"], "image/gif", ""},
		"a.webp":     {p["webp"], "image/webp", ""},
		"b.jpg":      {p["png"], "image/png", ""}, // the content counts
		"e.webp":     {"RIFF\x01\x02\x03\x04WAVEfmt ", "", "is no PNG"},
		"c.png":      {"plain text", "", "is no PNG"},
		"empty.png":  {"", "", "is no PNG"},
		"big.png":    {p["png"] + strings.Repeat("x", maxImage), "", "more than"},
		"largest":    {pngOf(maxSide, maxSide), "image/png", ""},
		"wide":       {pngOf(maxSide+1, 1), "", "has 8001 by 1 pixels"},
		"high":       {pngOf(1, 2147483647), "", "has 1 by 2147483647 pixels"},
		"no size":    {pngOf(0, 5), "", "damaged"},
		"junk.png":   {"\x89PNG\r\n\x1a\nabc", "", `begins like a picture (png)`},
		"junk.jpg":   {"\xff\xd8\xff\xe0junk", "", "begins like a picture (jpeg)"},
		"junk.gif":   {"GIF89a", "", "begins like a picture (gif)"},
		"empty.gif":  {"GIF89a\x00\x00\x00\x00\x00\x00\x00", "", "damaged"},
		"junk.webp":  {"RIFF\x01\x02\x03\x04WEBPVP8 ", "", "begins like a picture (webp)"},
		"magic only": {"\x89PNG\r\n\x1a\n", "", "begins like"},
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

// No bytes make it panic, or take long.
func FuzzPictureOf(f *testing.F) {
	for _, p := range pictures(f) {
		f.Add([]byte(p))
	}
	f.Add([]byte(pngOf(1, 2147483647)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if format := pictureOf(raw); format != nil {
			_, _ = format.config(bytes.NewReader(raw))
		}
	})
}
