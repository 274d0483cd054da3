package workspace

import (
	"context"
	"fmt"
	"strings"

	"clined/internal/tools"
)

// Keep implements tools.Files. Buffer and disk are equal then, so that an editor
// that looks at the disk finds nothing new.
func (w *Workspace) Keep(ctx context.Context, base *tools.File) error {
	_, err := w.change(ctx, base, func(f *tools.File, v *version) (*tools.Written, error) {
		switch err := unchanged(base, f); {
		case err != nil:
			return nil, err
		case !f.Dirty:
			return &tools.Written{}, nil
		case v.doc == nil || v.disk != nil && (!v.disk.enc.exact() || mixedEnds(v.disk.text)):
			return nil, fmt.Errorf("%q is for the editor to save", base.Path.Display)
		}
		text := f.Text
		if v.disk != nil && strings.Contains(v.disk.text, "\r\n") {
			text = strings.ReplaceAll(plainText(text), "\n", "\r\n")
		}
		return &tools.Written{}, w.writeDisk(base.Path, v.disk, text)
	})
	return err
}
