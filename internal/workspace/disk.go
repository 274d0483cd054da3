package workspace

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"clined/internal/tools"
)

// MaxFile is the size in bytes beyond which a file is not loaded as a text.
const MaxFile = 20 << 20

// readTime is how long a file may let a reader wait: some special files that
// look like ordinary ones (/proc/kmsg) wait for more to come.
const readTime = time.Second

// attempts is how often an open is tried when somebody replaces the file at
// the same time.
const attempts = 20

// errMoved says that a path does not lead where it led when it was resolved.
var errMoved = fmt.Errorf("the path now leads elsewhere: %w", tools.ErrChanged)

// errNoFolder says that a file stands where a folder would have to be.
var errNoFolder error = notThere{"a file stands where a folder would have to be"}

// baseName is the last element of a path, "." for the top of a file system.
func baseName(path string) string {
	if name := filepath.Base(path); name != string(filepath.Separator) {
		return name
	}
	return "."
}

// openDir opens a real directory so that what is done in it cannot be led
// elsewhere by a link that takes the place of a folder in the meantime: from
// the root on each element is opened from its parent and must be the very
// directory that stood there, no link. Missing ones are made if made is given
// and recorded there.
func (w *Workspace) openDir(real string, made *madeDirs) (*dirHandle, error) {
	base := w.anchor(real)
	dir, err := openRoot(base, w.s.opts.Fault)
	if err != nil {
		return nil, err
	}
	// The way to the root itself is the user's; a folder outside may have
	// become a link since it was resolved.
	if err := dir.is(base); err != nil {
		dir.Close()
		return nil, err
	}
	if made != nil {
		made.kept = &w.s.made
	}
	rel, _ := below(base, real)
	for _, name := range split(rel) {
		if name == "." {
			break
		}
		next, err := step(dir, name, made)
		if !made.holds(dir) {
			dir.Close()
		}
		if err != nil {
			return nil, err
		}
		dir = next
	}
	return dir, nil
}

// anchor returns the directory from which a path is opened step by step: its
// workspace folder, else the deepest directory that exists.
func (w *Workspace) anchor(real string) string {
	for _, r := range w.Roots() {
		if within(r.Real, real) {
			return r.Real
		}
	}
	for {
		if info, err := os.Lstat(real); (err == nil && info.IsDir()) || filepath.Dir(real) == real {
			return real
		}
		real = filepath.Dir(real)
	}
}

// madeDirs are folders made on the way to a new file.
type madeDirs struct {
	dirs []madeDir
	kept *madeFolders // told of those that stay
}

type madeDir struct {
	parent *dirHandle
	name   string
}

func (m *madeDirs) add(parent *dirHandle, name string) {
	m.dirs = append(m.dirs, madeDir{parent, name})
}

// holds reports whether parent must stay open for undo.
func (m *madeDirs) holds(parent *dirHandle) bool {
	return m != nil && len(m.dirs) > 0 && m.dirs[len(m.dirs)-1].parent == parent
}

// done lets go of the folders; with undo they are removed if still empty.
func (m *madeDirs) done(undo bool) {
	for i := len(m.dirs) - 1; i >= 0; i-- {
		d := m.dirs[i]
		if undo {
			_ = tryAgain(func() error { return d.parent.Remove(d.name) }) // somebody else may have put something there
		} else {
			m.kept.add(filepath.Join(d.parent.Name(), d.name))
		}
		d.parent.Close()
	}
}

// tryAgain does something once more that failed: what keeps an undo from being
// complete may have passed.
func tryAgain(do func() error) error {
	err := do()
	if err != nil {
		err = do()
	}
	return err
}

// is fails with errMoved when the open directory is not the one at path, or a link
// leads there.
func (d *dirHandle) is(path string) error {
	now, err := realPath(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil || now != path {
		return errMoved
	}
	here, err := d.Stat(".")
	if err != nil {
		return err
	}
	there, err := os.Lstat(path)
	if err != nil || !os.SameFile(here, there) {
		return errMoved
	}
	return nil
}

// sameDir reports whether an open directory is the one at path.
func sameDir(dir *os.Root, path string) bool {
	a, err := dir.Stat(".")
	if err != nil {
		return false
	}
	b, err := os.Lstat(path)
	return err == nil && os.SameFile(a, b)
}

// step opens the directory name in dir.
func step(dir *dirHandle, name string, made *madeDirs) (*dirHandle, error) {
	last := errMoved
	for range attempts {
		info, err := dir.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) && made != nil {
			switch err := dir.Mkdir(name, 0o777); {
			case err == nil:
				made.add(dir, name)
			case !errors.Is(err, fs.ErrExist):
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return nil, errMoved
		}
		if !info.IsDir() {
			return nil, errNoFolder
		}
		next, err := dir.OpenRoot(name)
		if err != nil {
			last = err
			continue
		}
		got, err := next.Stat(".")
		if err == nil && os.SameFile(got, info) {
			return next, nil
		}
		last = orMoved(err)
		next.Close()
	}
	return nil, last
}

// openIn opens the regular file name in dir, and no other: a link is refused,
// and so is what would block or never end.
func openIn(dir *dirHandle, name string, flag int) (*fileHandle, fs.FileInfo, error) {
	last := errMoved
	for range attempts {
		info, err := dir.Lstat(name)
		if err != nil {
			return nil, nil, err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return nil, nil, errMoved
		}
		if err := regular(info); err != nil {
			return nil, nil, err
		}
		f, err := dir.OpenFile(name, flag|openNonblock, 0)
		if err != nil { // perhaps replaced since Lstat; that tells
			last = err
			continue
		}
		got, err := f.Stat()
		if err == nil && os.SameFile(got, info) {
			return f, got, nil
		}
		last = orMoved(err)
		f.Close()
	}
	return nil, nil, last
}

// orMoved is why what was opened is not what was looked at.
func orMoved(err error) error { return cmp.Or(err, errMoved) }

// regular says what a file is when it is not a regular one.
func regular(info fs.FileInfo) error {
	mode := info.Mode()
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return errors.New("is a directory; use list_files to see what is in it")
	case mode&fs.ModeNamedPipe != 0:
		return errors.New("is a named pipe, not a file")
	case mode&fs.ModeSocket != 0:
		return errors.New("is a socket, not a file")
	case mode&fs.ModeDevice != 0:
		return errors.New("is a device, not a file")
	}
	return errors.New("is no regular file")
}

// diskFile is a file as it was on disk.
type diskFile struct {
	text string
	enc  encoding
	size int64
	sum  [sha256.Size]byte
	// changed is when the file was changed last; back is the time that it gets
	// when it is written, if not zero.
	changed, back time.Time
	// shown is true when an editor shows it as it is, in its way.
	shown bool
}

// readDisk reads a resolved path from disk as a text, which d, if not nil, shows.
// Errors are sentences for the model; a missing file is an fs.ErrNotExist.
func readDisk(w *Workspace, p tools.Path, d *document) (*diskFile, error) {
	raw, info, err := readRaw(w, p)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(raw)
	know := w.s.tables.of(p.Real, sum)
	if d != nil {
		know.shown = d.text
	}
	text, enc, err := decode(raw, know)
	if err != nil {
		return nil, binaryFile(p, int64(len(raw)))
	}
	return &diskFile{
		text: text, enc: enc, size: int64(len(raw)), sum: sum, changed: info.ModTime(),
		shown: d != nil && (sameText(text, d.text) || !enc.exact() && shownAmiss(raw, d.text)),
	}, nil
}

// readRaw reads the bytes of a resolved path, with errors as readDisk's.
func readRaw(w *Workspace, p tools.Path) ([]byte, fs.FileInfo, error) {
	f, info, err := w.openFile(p)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info.Size() > MaxFile {
		return nil, nil, tooLarge(p, info.Size())
	}
	f.SetReadDeadline(time.Now().Add(readTime)) // not for ordinary files, which never wait
	raw, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, nil, sentence(p, err)
	}
	if len(raw) > MaxFile {
		return nil, nil, tooLarge(p, int64(len(raw)))
	}
	return raw, info, nil
}
