package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Temp are the folders for temporary files: TMPDIR of env, unless that holds the
// home folder, and the system's.
func Temp(env []string, home string) []string {
	dirs := []string{"/tmp", "/var/tmp"}
	if dir := lookup(env, "TMPDIR"); usable(dir, home) {
		dirs = append([]string{filepath.Clean(dir)}, dirs...)
	}
	return dirs
}

// Caches are the caches of tools that are there and may be written: where env
// moves them to, else where the tools look below home. A missing one whose tool
// is installed is made, empty, for a command could not make it.
func Caches(env []string, home string) []string {
	var paths []string
	path, base := lookup(env, "PATH"), cacheHome(env, home)
	programs, onPath := programFolders(path), places(filepath.SplitList(path))
	for _, c := range caches {
		for _, dir := range c.folders(env, home, base) {
			lacking := c.program != "" && missing(dir, home, base) && installed(c.program, programs)
			if slices.Contains(paths, dir) || !lacking && !exists(dir) || holdsAny(dir, onPath) {
				continue // DENO_DIR can be ~/.deno, where programs are in bin
			}
			if lacking {
				provide(dir)
			}
			if exists(dir) {
				paths = append(paths, dir)
			}
		}
	}
	return paths
}

// cacheHome is the folder that most tools have theirs in, as the XDG Base
// Directory Specification has it, "" for none.
func cacheHome(env []string, home string) string {
	dir := lookup(env, "XDG_CACHE_HOME")
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(home, ".cache")
	}
	if !usable(dir, home) {
		return ""
	}
	return filepath.Clean(dir)
}

// folders are where a cache lies, whether there is one or not. base is the
// cacheHome, which no tool is given as a whole.
func (c cache) folders(env []string, home, base string) []string {
	at := lookup(env, c.env)
	name, shared := strings.CutPrefix(c.home, ".cache/")
	switch {
	case at != "":
		at, _, _ = strings.Cut(at, string(filepath.ListSeparator)) // GOPATH is a list
	case shared && base == "", !shared && home == "":
		return nil
	case shared:
		at = filepath.Join(base, name)
	default:
		at = filepath.Join(home, c.home)
	}
	at = filepath.Clean(at)
	if !usable(at, home) || (len(c.below) == 0 && base != "" && within(base, at)) {
		return nil
	}
	if len(c.below) == 0 {
		return []string{at}
	}
	var folders []string
	for _, name := range c.below {
		folders = append(folders, filepath.Join(at, name))
	}
	return folders
}

// usable: a cache is not the home folder, nor anything that this lies in.
func usable(dir, home string) bool {
	dir = filepath.Clean(dir)
	return filepath.IsAbs(dir) && dir != "/" && (home == "" || !within(filepath.Clean(home), dir))
}

// missing reports whether a cache is not there and is for us to make: outside of
// the home folder and of a base that is there, it is for who chose that place.
func missing(path, home, base string) bool {
	if exists(path) {
		return false
	}
	return (home != "" && within(path, filepath.Clean(home))) || (base != "" && within(path, base) && exists(base))
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// provide makes a folder, and of cargo's locks an empty file. Failures show when
// a command wants to write.
func provide(path string) {
	if !strings.HasPrefix(filepath.Base(path), ".package-cache") {
		_ = os.MkdirAll(path, 0o700)
		return
	}
	if os.MkdirAll(filepath.Dir(path), 0o700) == nil {
		if f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600); err == nil {
			f.Close()
		}
	}
}

// programFolders are those of a PATH that are there, each once: where /bin is a link to
// /usr/bin, one of them.
func programFolders(path string) (dirs []string) {
	var seen []os.FileInfo
	for _, dir := range filepath.SplitList(path) {
		info, err := os.Stat(dir)
		if !filepath.IsAbs(dir) || err != nil || slices.ContainsFunc(seen, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
			continue
		}
		seen, dirs = append(seen, info), append(dirs, dir)
	}
	return dirs
}

// holdsAny reports whether one of paths, which are places, is dir or lies in it,
// there or not: a command could make it.
func holdsAny(dir string, paths []string) bool {
	at := places([]string{dir})
	return slices.ContainsFunc(paths, func(path string) bool {
		return slices.ContainsFunc(at, func(dir string) bool { return within(path, dir) })
	})
}

// places are the absolute ones of paths, as they are given and where links lead
// as far as they are there.
func places(paths []string) (list []string) {
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			continue
		}
		list = append(list, filepath.Clean(path), realParent(filepath.Clean(path)))
	}
	return list
}

func installed(program string, dirs []string) bool {
	for _, dir := range dirs {
		if info, err := os.Stat(filepath.Join(dir, program)); err == nil && info.Mode()&0o111 != 0 && !info.IsDir() {
			return true
		}
	}
	return false
}

// lookup is the value of a variable in env, "" for none; the last one counts.
func lookup(env []string, name string) (value string) {
	for _, kv := range env {
		if k, v, ok := strings.Cut(kv, "="); ok && k == name && name != "" {
			value = v
		}
	}
	return value
}
