package workspace

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"clined/internal/tools"
	"clined/internal/transcript"
)

// maxImage is what providers take at most, in bytes before base64.
const maxImage = 5 << 20

// pictures are the media types that models see.
var pictures = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

var _ tools.Images = (*Workspace)(nil)

// Image implements tools.Images: the type goes by the content, not the name.
func (w *Workspace) Image(ctx context.Context, p tools.Path) (transcript.Image, error) {
	if err := ctx.Err(); err != nil {
		return transcript.Image{}, err
	}
	raw, err := readRaw(w, p)
	if err != nil {
		return transcript.Image{}, err
	}
	media := http.DetectContentType(raw)
	switch {
	case !slices.Contains(pictures, media):
		return transcript.Image{}, fmt.Errorf("%q is no picture that can be shown: its content is %s", p.Display, media)
	case len(raw) > maxImage:
		return transcript.Image{}, fmt.Errorf("%q has %d bytes, more than the %d of a picture that can be shown", p.Display, len(raw), maxImage)
	}
	return transcript.Image{MediaType: media, Data: raw}, nil
}
