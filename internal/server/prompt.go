package server

import (
	"encoding/base64"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"clined/internal/protocol"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// imageTypes are those every provider that sees takes.
var imageTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// parts reads the blocks of a prompt; field names them in errors.
func parts(field string, blocks []protocol.ContentBlock) ([]transcript.Part, error) {
	var out []transcript.Part
	for i, b := range blocks {
		at := fmt.Sprintf("%s[%d]", field, i)
		switch b.Type {
		case "text":
			// Some providers refuse a NUL, and the whole task with it.
			text := strings.ReplaceAll(b.Text, "\x00", "\uFFFD")
			if strings.TrimSpace(text) != "" {
				out = append(out, transcript.TextPart(text))
			}
		case "image":
			img, err := image(at, b)
			if err != nil {
				return nil, err
			}
			out = append(out, transcript.Part{Kind: transcript.ImagePart, Image: img})
		case "":
			return nil, protocol.InvalidParams(at+".type", `is missing; it is "text" or "image"`)
		default:
			return nil, protocol.InvalidParams(at+".type", `%q is not supported; use "text" or "image"`, b.Type)
		}
	}
	if len(out) == 0 {
		return nil, protocol.InvalidParams(field, "is empty")
	}
	return out, nil
}

func image(at string, b protocol.ContentBlock) (*transcript.Image, error) {
	if !slices.Contains(imageTypes, b.MimeType) {
		return nil, protocol.InvalidParams(at+".mimeType", "%q is not supported; use one of %s", b.MimeType, strings.Join(imageTypes, ", "))
	}
	data, err := base64.StdEncoding.DecodeString(b.Data)
	if err != nil {
		return nil, protocol.InvalidParams(at+".data", "is not base64: %v", err)
	}
	if len(data) == 0 {
		return nil, protocol.InvalidParams(at+".data", "is empty")
	}
	return &transcript.Image{MediaType: b.MimeType, Data: data}, nil
}

func mode(field, value string) (tools.Mode, error) {
	switch m := tools.Mode(value); m {
	case "", tools.Plan, tools.Act:
		return m, nil
	}
	return "", protocol.InvalidParams(field, `%q is unknown; use "plan" or "act"`, value)
}

// absolute checks a path of the params.
func absolute(field, path string) (string, error) {
	if !filepath.IsAbs(path) {
		return "", protocol.InvalidParams(field, "%q is not an absolute path", path)
	}
	return filepath.Clean(path), nil
}
