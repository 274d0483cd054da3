// Package safefile owns how small files that people and several processes share
// are read and changed: bounded reads of regular files, and changes under a
// lock that replace the whole file at once, so that no reader ever sees half of
// one and no change is lost. Of any file it remembers that this process is making
// it or writes in it, for the case that the process is killed.
//
// It knows nothing of what is in them. It imports nothing of ours; config,
// secret and daemon use it.
package safefile

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrNotRegular is the error of reading a folder, a pipe or a device.
var ErrNotRegular = errors.New("it is no regular file")

// Read returns the bytes of a regular file, at most limit+1 of them: a result
// longer than limit tells that the file is. A pipe is not waited for.
func Read(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrNotRegular}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit+1))
}

// Update gives a file the bytes that change makes of the old ones, nil for a
// file that is not there. No other Update of that file runs meanwhile, in any
// process. What is there is replaced by a complete file of the same mode and
// owner; a link stays a link. A new file has mode 0600, new folders 0700. When
// change fails or returns the same bytes, nothing is written.
func Update(ctx context.Context, path string, change func(old []byte) ([]byte, error)) error {
	target, err := follow(path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return err
	}
	unlock, err := Lock(ctx, target)
	if err != nil {
		return err
	}
	defer unlock()
	old, info, err := current(target)
	if err != nil {
		return err
	}
	text, err := change(old)
	if err != nil || info != nil && bytes.Equal(old, text) {
		return err
	}
	return replace(target, text, info)
}

// current reads what is there; info is nil for nothing.
func current(path string) ([]byte, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &fs.PathError{Op: "read", Path: path, Err: ErrNotRegular}
	}
	if info.Mode().Perm()&0o200 == 0 { // a rename would get round it
		return nil, nil, &fs.PathError{Op: "write", Path: path, Err: errors.New("it is read-only")}
	}
	text, err := os.ReadFile(path)
	return text, info, err
}

// replace renames a complete file over path. was describes the one that is
// there, nil for none. The caller holds the lock of path.
func replace(path string, text []byte, was fs.FileInfo) (err error) {
	dir, prefix, random := filepath.Dir(path), ".clined-"+filepath.Base(path)+"-", rand.Text()
	sweep(dir, prefix, len(random))
	temp := filepath.Join(dir, prefix+random)
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temp)
		}
	}()
	_, err = f.Write(text)
	if err == nil && was != nil {
		err = alike(f, was)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// sweep removes what an Update of the same file left that was killed: nobody
// makes another one while the lock is held. random is the length of the rest of
// its name.
func sweep(dir, prefix string, random int) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // the write itself will tell
	}
	for _, e := range entries {
		if rest, ok := strings.CutPrefix(e.Name(), prefix); ok && len(rest) == random && e.Type().IsRegular() {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// maxLinks is how many links are followed, as Linux does.
const maxLinks = 40

// follow returns the file that a path means, whether or not it is there.
func follow(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for range maxLinks {
		to, err := os.Readlink(path)
		if err != nil { // no link, or not there yet
			return path, nil
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", fmt.Errorf("%s: too many links", path)
}
