package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"clined/internal/safefile"
)

const (
	// maxLog is the size of a log file in bytes at which the next one begins.
	maxLog = 5 << 20
	// keptLogs are the older files that stay, as clined.log.1 and so on.
	keptLogs = 3
)

// rotated is a log file of bounded size that several processes append to. It is
// opened at the first write.
type rotated struct {
	dir, path string
	max       int64

	mu sync.Mutex // guards the rest
	f  *os.File
}

func newRotated(dir, name string, limit int64) *rotated {
	return &rotated{dir: dir, path: filepath.Join(dir, name), max: limit}
}

// Write appends a line.
func (r *rotated) Write(line []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	size, err := r.openLocked()
	if err == nil && size > 0 && size+int64(len(line)) > r.max {
		r.turnLocked()
		_, err = r.openLocked()
	}
	if err != nil {
		return 0, err
	}
	return r.f.Write(line)
}

// openLocked makes r.f what is at the path now, which another process may have
// renamed, and returns its size.
func (r *rotated) openLocked() (size int64, err error) {
	now, err := os.Stat(r.path)
	if err == nil && r.f != nil {
		if held, err := r.f.Stat(); err == nil && os.SameFile(held, now) {
			return now.Size(), nil
		}
	}
	r.closeLocked()
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return 0, err
	}
	if r.f, err = os.OpenFile(r.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600); err != nil {
		r.f = nil
		return 0, err
	}
	if now, err = r.f.Stat(); err != nil {
		return 0, err
	}
	return now.Size(), nil
}

// turnLocked renames the files, unless another process just did. When it
// cannot, the file grows on: that is better than to lose lines.
func (r *rotated) turnLocked() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	unlock, err := safefile.Lock(ctx, r.path)
	if err != nil {
		return
	}
	defer unlock()
	now, err := os.Stat(r.path)
	held, also := r.f.Stat()
	if err != nil || also != nil || !os.SameFile(now, held) {
		return
	}
	r.closeLocked() // Windows renames no open file
	for n := keptLogs; n > 0; n-- {
		from := r.path
		if n > 1 {
			from = fmt.Sprintf("%s.%d", r.path, n-1)
		}
		if err := os.Rename(from, fmt.Sprintf("%s.%d", r.path, n)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
}

// Close closes the file; a later write opens it again.
func (r *rotated) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closeLocked()
}

func (r *rotated) closeLocked() {
	if r.f != nil {
		_ = r.f.Close()
		r.f = nil
	}
}
