package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxLinks is how many links may be followed for one path, as in Linux.
const maxLinks = 40

var errTooManyLinks = errors.New("too many symbolic links")

// realPath returns where a clean absolute path leads, by the names that folders
// list: all links are followed as far as there is something, links to nothing
// included, and what does not exist yet is kept as written.
func realPath(path string) (string, error) {
	volume := filepath.VolumeName(path)
	done := volume + string(filepath.Separator)
	rest := split(path[len(volume):])
	for links := 0; len(rest) > 0; {
		name := rest[0]
		next := filepath.Join(done, name)
		rest = rest[1:]
		info, err := os.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
			// Clean only now: nothing exists, so ".." of a link's target can be
			// worked out from the words.
			return filepath.Join(append([]string{next}, rest...)...), nil
		case err != nil:
			return "", err
		case info.Mode()&fs.ModeSymlink == 0:
			if done = next; name != ".." && name != "." {
				done = filepath.Join(filepath.Dir(next), lookupIn(filepath.Dir(next)).nameOf(name, info))
			}
			continue
		}
		if links++; links > maxLinks {
			return "", errTooManyLinks
		}
		target, err := os.Readlink(next)
		if err != nil {
			return "", err
		}
		if filepath.IsAbs(target) {
			volume = filepath.VolumeName(target)
			done = volume + string(filepath.Separator)
			target = target[len(volume):]
		}
		rest = append(split(target), rest...)
	}
	return done, nil
}

// split cuts a path into its elements; ".." stays, as it means the parent of
// where a link led. filepath.Join resolves it against a path free of links.
func split(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r < 128 && os.IsPathSeparator(uint8(r)) })
}

// realOrClean is realPath for paths that are trusted, such as roots.
func realOrClean(path string) string {
	path = filepath.Clean(path)
	if !filepath.IsAbs(path) {
		return path
	}
	if real, err := realPath(path); err == nil {
		return real
	}
	return path
}

// within reports whether the clean path is dir or below it.
func within(dir, path string) bool {
	_, ok := below(dir, path)
	return ok
}

// below returns the path relative to dir, "." for dir itself.
func below(dir, path string) (rel string, ok bool) {
	if dir == "" {
		return "", false
	}
	if path == dir {
		return ".", true
	}
	if !strings.HasSuffix(dir, string(filepath.Separator)) {
		dir += string(filepath.Separator)
	}
	return strings.CutPrefix(path, dir)
}
