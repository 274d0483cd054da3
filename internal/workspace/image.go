package workspace

import (
	"context"
	"fmt"
	"strings"

	"clined/internal/tools"
	"clined/internal/transcript"
)

// maxImage is what providers take at most, in bytes before base64.
const maxImage = 5 << 20

// pictures are the first bytes of the formats that models see.
var pictures = []struct{ magic, media string }{
	{"\x89PNG\r\n\x1a\n", "image/png"},
	{"\xff\xd8\xff", "image/jpeg"},
	{"GIF87a", "image/gif"},
	{"GIF89a", "image/gif"},
}

// pictureType tells a picture by its content, "" for anything else.
func pictureType(raw []byte) string {
	head := string(raw[:min(len(raw), 12)])
	for _, p := range pictures {
		if strings.HasPrefix(head, p.magic) {
			return p.media
		}
	}
	if len(head) == 12 && head[:4] == "RIFF" && head[8:] == "WEBP" {
		return "image/webp"
	}
	return ""
}

var _ tools.Images = (*Workspace)(nil)

// Image implements tools.Images: the type goes by the content, not the name.
func (w *Workspace) Image(ctx context.Context, p tools.Path) (transcript.Image, error) {
	if err := ctx.Err(); err != nil {
		return transcript.Image{}, err
	}
	raw, _, err := readRaw(w, p)
	if err != nil {
		return transcript.Image{}, err
	}
	media := pictureType(raw)
	switch {
	case media == "":
		return transcript.Image{}, fmt.Errorf("%q is no PNG, JPEG, GIF or WebP picture, whatever its name says", p.Display)
	case len(raw) > maxImage:
		return transcript.Image{}, fmt.Errorf("%q has %d bytes, more than the %d of a picture that can be shown", p.Display, len(raw), maxImage)
	}
	return transcript.Image{MediaType: media, Data: raw}, nil
}
