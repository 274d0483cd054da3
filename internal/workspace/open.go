package workspace

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"

	"clined/internal/tools"
)

// OpenFile opens the regular file at a resolved path for reading, with the
// refusals of Read but for size and content. The caller closes it.
func (w *Workspace) OpenFile(ctx context.Context, p tools.Path) (*os.File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, _, err := w.openFile(p)
	if err != nil {
		return nil, err
	}
	return f.File, nil
}

// openFile opens the file at a resolved path, with errors for the model.
func (w *Workspace) openFile(p tools.Path) (*fileHandle, fs.FileInfo, error) {
	dir, err := w.openDir(filepath.Dir(p.Real), nil)
	if err != nil {
		return nil, nil, sentence(p, err)
	}
	defer dir.Close()
	f, info, err := openIn(dir, baseName(p.Real), os.O_RDONLY)
	if err != nil {
		return nil, nil, sentence(p, err)
	}
	return f, info, nil
}
