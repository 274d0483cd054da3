package workspace

import (
	"os"
	"path/filepath"
	"sync/atomic"
)

// opened is a folder that stays open as long as somebody holds it, so that its
// files are opened in it wherever its name leads meanwhile.
type opened struct {
	dir     *os.Root
	holders atomic.Int32
}

// openFolder returns nil when the folder cannot be opened any more.
func openFolder(f *folder) *opened {
	dir, err := openBelow(f.root, f.rel)
	if err != nil {
		return nil
	}
	o := &opened{dir: dir}
	o.holders.Store(1)
	return o
}

func (o *opened) retain() *opened {
	o.holders.Add(1)
	return o
}

func (o *opened) release() {
	if o != nil && o.holders.Add(-1) == 0 {
		o.dir.Close()
	}
}

// openJob opens the file of a job, and nothing that took its place outside.
func (s *search) openJob(j searchJob) (*os.File, error) {
	var dir *os.Root
	if j.in != nil {
		dir = j.in.dir
	} else {
		own, err := s.t.openDir(filepath.Dir(j.abs))
		if err != nil {
			return nil, err
		}
		defer own.Close()
		dir = own
	}
	f, _, err := openIn(&dirHandle{Root: dir}, baseName(j.abs), os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	return f.File, nil
}
