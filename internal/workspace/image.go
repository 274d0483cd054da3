package workspace

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"

	"golang.org/x/image/webp"

	"clined/internal/tools"
	"clined/internal/transcript"
)

// What providers take at most: bytes before base64, and pixels a side (Anthropic's
// "Vision"; others make larger ones small).
const (
	maxImage = 5 << 20
	maxSide  = 8000
)

// pictureFormat is one that models see.
type pictureFormat struct {
	// magic is what a file begins with.
	magic, media string
	config       func(io.Reader) (image.Config, error)
}

// pictureOf tells a picture by its content, nil for anything else.
func pictureOf(raw []byte) *pictureFormat {
	head := string(raw[:min(len(raw), 12)])
	if len(head) == 12 && head[:4] == "RIFF" && head[8:] == "WEBP" {
		return &pictureFormat{"RIFF", "image/webp", webp.DecodeConfig}
	}
	for _, f := range []pictureFormat{
		{"\x89PNG\r\n\x1a\n", "image/png", png.DecodeConfig},
		{"\xff\xd8\xff", "image/jpeg", jpeg.DecodeConfig},
		{"GIF87a", "image/gif", gif.DecodeConfig},
		{"GIF89a", "image/gif", gif.DecodeConfig},
	} {
		if strings.HasPrefix(head, f.magic) {
			return &f
		}
	}
	return nil
}

var _ tools.Images = (*Workspace)(nil)

// Image implements tools.Images: the type goes by the content, not the name. What a
// provider would refuse is refused here, where the model can do something else; a
// picture whose head is sound may still be damaged.
func (w *Workspace) Image(ctx context.Context, p tools.Path) (transcript.Image, error) {
	if err := ctx.Err(); err != nil {
		return transcript.Image{}, err
	}
	raw, _, err := readRaw(w, p)
	if err != nil {
		return transcript.Image{}, err
	}
	format := pictureOf(raw)
	switch {
	case format == nil:
		return transcript.Image{}, fmt.Errorf("%q is no PNG, JPEG, GIF or WebP picture, whatever its name says", p.Display)
	case len(raw) > maxImage:
		return transcript.Image{}, fmt.Errorf("%q has %d bytes, more than the %d of a picture that can be shown; make it smaller with a command", p.Display, len(raw), maxImage)
	}
	size, err := format.config(bytes.NewReader(raw))
	kind := strings.TrimPrefix(format.media, "image/")
	switch {
	case err != nil:
		return transcript.Image{}, fmt.Errorf("%q begins like a picture (%s) and is none, or a damaged one: %v", p.Display, kind, err)
	case size.Width <= 0 || size.Height <= 0:
		return transcript.Image{}, fmt.Errorf("%q is a damaged picture (%s): it has %d by %d pixels", p.Display, kind, size.Width, size.Height)
	case size.Width > maxSide || size.Height > maxSide:
		return transcript.Image{}, fmt.Errorf("%q has %d by %d pixels, and a picture that can be shown at most %d a side; make it smaller with a command", p.Display, size.Width, size.Height, maxSide)
	}
	return transcript.Image{MediaType: format.media, Data: raw}, nil
}
