package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Fault is asked before each call to the system on the way to a change of a file,
// by its usual name such as "rename" or "fsync", and told the file or folder it is
// about. The call fails with what Fault returns, unless that is nil. It is how a
// test finds out what becomes of files when the system fails.
type Fault func(call, path string) error

// dirHandle is an open directory, fileHandle an open file: what all changes on disk
// go through. What their methods do is what those of os.Root and os.File do.
type dirHandle struct {
	*os.Root
	fault Fault
}

type fileHandle struct {
	*os.File
	fault Fault
}

func openRoot(path string, fault Fault) (*dirHandle, error) {
	if fault != nil {
		if err := fault("open", path); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &dirHandle{root, fault}, nil
}

func (d *dirHandle) fails(call, name string) error {
	if d.fault == nil {
		return nil
	}
	return d.fault(call, filepath.Join(d.Name(), name))
}

func (d *dirHandle) Lstat(name string) (fs.FileInfo, error) {
	if err := d.fails("lstat", name); err != nil {
		return nil, err
	}
	return d.Root.Lstat(name)
}

func (d *dirHandle) Stat(name string) (fs.FileInfo, error) {
	if err := d.fails("stat", name); err != nil {
		return nil, err
	}
	return d.Root.Stat(name)
}

func (d *dirHandle) Readlink(name string) (string, error) {
	if err := d.fails("readlink", name); err != nil {
		return "", err
	}
	return d.Root.Readlink(name)
}

func (d *dirHandle) OpenRoot(name string) (*dirHandle, error) {
	if err := d.fails("open", name); err != nil {
		return nil, err
	}
	root, err := d.Root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &dirHandle{root, d.fault}, nil
}

func (d *dirHandle) Open(name string) (*fileHandle, error) {
	return d.OpenFile(name, os.O_RDONLY, 0)
}

func (d *dirHandle) OpenFile(name string, flag int, perm fs.FileMode) (*fileHandle, error) {
	if err := d.fails("open", name); err != nil {
		return nil, err
	}
	f, err := d.Root.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &fileHandle{f, d.fault}, nil
}

func (d *dirHandle) Mkdir(name string, perm fs.FileMode) error {
	if err := d.fails("mkdir", name); err != nil {
		return err
	}
	return d.Root.Mkdir(name, perm)
}

func (d *dirHandle) Remove(name string) error {
	if err := d.fails("unlink", name); err != nil {
		return err
	}
	return d.Root.Remove(name)
}

func (d *dirHandle) Rename(name, newName string) error {
	if err := d.fails("rename", name); err != nil {
		return err
	}
	return d.Root.Rename(name, newName)
}

func (d *dirHandle) Link(name, newName string) error {
	if err := d.fails("link", name); err != nil {
		return err
	}
	return d.Root.Link(name, newName)
}

func (d *dirHandle) Chmod(name string, mode fs.FileMode) error {
	if err := d.fails("chmod", name); err != nil {
		return err
	}
	return d.Root.Chmod(name, mode)
}

func (d *dirHandle) Chtimes(name string, access, change time.Time) error {
	if err := d.fails("utimes", name); err != nil {
		return err
	}
	return d.Root.Chtimes(name, access, change)
}

func (f *fileHandle) fails(call string) error {
	if f.fault == nil {
		return nil
	}
	return f.fault(call, f.Name())
}

func (f *fileHandle) Stat() (fs.FileInfo, error) {
	if err := f.fails("stat"); err != nil {
		return nil, err
	}
	return f.File.Stat()
}

func (f *fileHandle) Read(p []byte) (int, error) {
	if err := f.fails("read"); err != nil {
		return 0, err
	}
	return f.File.Read(p)
}

func (f *fileHandle) Write(p []byte) (int, error) {
	if err := f.fails("write"); err != nil {
		n, _ := f.File.Write(p[:len(p)/2]) // as a full disk does
		return n, err
	}
	return f.File.Write(p)
}

func (f *fileHandle) WriteAt(p []byte, at int64) (int, error) {
	if err := f.fails("write"); err != nil {
		n, _ := f.File.WriteAt(p[:len(p)/2], at)
		return n, err
	}
	return f.File.WriteAt(p, at)
}

func (f *fileHandle) Truncate(size int64) error {
	if err := f.fails("truncate"); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

func (f *fileHandle) Sync() error {
	if err := f.fails("fsync"); err != nil {
		return err
	}
	return f.File.Sync()
}

func (f *fileHandle) Chmod(mode fs.FileMode) error {
	if err := f.fails("chmod"); err != nil {
		return err
	}
	return f.File.Chmod(mode)
}

func (f *fileHandle) Chown(uid, gid int) error {
	if err := f.fails("chown"); err != nil {
		return err
	}
	return f.File.Chown(uid, gid)
}

func (f *fileHandle) Close() error {
	err := f.File.Close()
	if failed := f.fails("close"); failed != nil {
		return failed
	}
	return err
}
