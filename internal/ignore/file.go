package ignore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
)

// maxIncludes bounds the files an ignore file may take in, all in all.
const maxIncludes = 32

// LoadFile compiles an ignore file in which a line "!include PATH" stands for
// the lines of another file, relative to the file it is in. Files are UTF-8, or
// UTF-16 with a byte order mark. A file that does
// not exist holds no patterns and is no error, an include that does not exist
// is one. The Matcher is never nil: on an error it holds what could be read, and
// ignores everything when there is a file that could not.
func LoadFile(path string, o Options) (*Matcher, error) {
	l := loader{seen: map[string]bool{}}
	err := l.read(filepath.Clean(path))
	if errors.Is(err, fs.ErrNotExist) && len(l.seen) == 1 {
		err = nil
	}
	if l.unread {
		l.text.WriteString("*\n")
	}
	m := Parse(l.text.String(), o)
	m.Files = slices.Sorted(maps.Keys(l.seen))
	return m, err
}

type loader struct {
	text strings.Builder
	seen map[string]bool
	// unread is set when something is there that could not be read.
	unread bool
}

func (l *loader) read(path string) (err error) {
	l.seen[path] = true
	known := false
	defer func() { l.unread = l.unread || err != nil && !known && !errors.Is(err, fs.ErrNotExist) }()
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file", path)
	case info.Size() > maxFile:
		return fmt.Errorf("%s is larger than %d MB", path, maxFile>>20)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	known = true // errors from here on are those of other files
	var errs []error
	for line := range strings.SplitSeq(decode(text), "\n") {
		other, ok := strings.CutPrefix(line, "!include ")
		if !ok {
			l.text.WriteString(line + "\n")
			continue
		}
		errs = append(errs, l.include(filepath.Dir(path), strings.TrimSpace(other)))
	}
	return errors.Join(errs...)
}

// decode also reads UTF-16, in which PowerShell writes what it redirects: taken
// for UTF-8, such a file would hide nothing.
func decode(text []byte) string {
	var order binary.ByteOrder
	switch s := string(text[:min(len(text), 2)]); s {
	case "\xff\xfe":
		order = binary.LittleEndian
	case "\xfe\xff":
		order = binary.BigEndian
	default:
		return strings.TrimPrefix(string(text), "\ufeff")
	}
	units := make([]uint16, 0, len(text)/2)
	for text = text[2:]; len(text) >= 2; text = text[2:] {
		units = append(units, order.Uint16(text))
	}
	return string(utf16.Decode(units))
}

func (l *loader) include(dir, name string) error {
	path := joined(dir, name)
	switch {
	case l.seen[path]:
		return nil
	case len(l.seen) > maxIncludes:
		l.unread = true
		return fmt.Errorf("%s is not included: more than %d files", path, maxIncludes)
	}
	if err := l.read(path); err != nil {
		return fmt.Errorf("include %q: %w", name, err)
	}
	return nil
}
