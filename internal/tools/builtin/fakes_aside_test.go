package builtin

import (
	"context"
	"errors"
	"fmt"

	"clined/internal/tools"
)

func (w *world) Look(ctx context.Context, p tools.Path) (*tools.File, error) {
	f, err := w.Read(ctx, p)
	if errors.Is(err, tools.ErrBinary) {
		text := w.files[p.Abs]
		return &tools.File{Path: p, Exists: true, Opaque: &tools.Opaque{Size: int64(len(text)), Binary: true, Version: text}}, nil
	}
	return f, err
}

func (w *world) SetAside(ctx context.Context, base *tools.File) (tools.Aside, error) {
	was := w.files[base.Path.Abs]
	if base.Opaque != nil {
		base = &tools.File{Path: base.Path, Exists: true, Text: base.Opaque.Version}
	}
	if err := w.Remove(ctx, base); err != nil {
		return nil, err
	}
	return worldAside{w, base.Path, was}, nil
}

type worldAside struct {
	w    *world
	path tools.Path
	text string
}

func (a worldAside) Drop() error { return nil }

func (a worldAside) PutBack() error {
	if _, ok := a.w.files[a.path.Abs]; ok {
		return fmt.Errorf("%s: %w", a.path.Display, tools.ErrChanged)
	}
	a.w.files[a.path.Abs] = a.text
	a.w.writes++
	return nil
}

func (w *world) Keep(_ context.Context, base *tools.File) error {
	w.kept = append(w.kept, base.Path.Display+": "+base.Text)
	return w.keepErr
}
