package sandbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// devices may be written to: those that programs take for granted, terminals,
// and those that compute. They are patterns of path.Match.
var devices = []string{
	"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
	"/dev/tty", "/dev/ptmx", "/dev/pts", "/dev/shm", "/dev/mqueue",
	"/dev/kvm", "/dev/dri", "/dev/kfd", "/dev/nvidia*",
}

// within reports whether path is dir or lies in it; both are clean.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

func withinAny(path string, dirs []string) bool {
	for _, dir := range dirs {
		if within(path, dir) {
			return true
		}
	}
	return false
}

// writable are the real paths of what may be written, without those that lie in
// another.
//
// What is followed on the way is only what no command can have changed: a link
// that lies in a writable folder may have been put there to widen the next plan.
func (p Plan) writable() []string {
	var named, git []string
	for _, root := range p.Workspace {
		if filepath.IsAbs(root) {
			git = append(git, gitFolder(root))
		}
	}
	for _, path := range slices.Concat(p.Workspace, git, p.Writable) {
		if filepath.IsAbs(path) {
			named = append(named, filepath.Clean(path))
		}
	}
	// What lies in another by name lies in it, or behind a link that does not
	// count.
	named = outermost(named)
	// Where links lead is writable as well, and links there count no more. So
	// it takes a second look.
	real := resolveAll(named, named)
	return outermost(resolveAll(named, slices.Concat(real, named)))
}

// outermost leaves out what lies in another, in the order given.
func outermost(paths []string) (outer []string) {
	for i, path := range paths {
		inner := false
		for k, other := range paths {
			inner = inner || (path != other && within(path, other)) || (path == other && k < i)
		}
		if !inner {
			outer = append(outer, path)
		}
	}
	return outer
}

func resolveAll(named, changeable []string) (real []string) {
	for _, path := range named {
		if path, ok := resolve(path, changeable); ok {
			real = append(real, path)
		}
	}
	return real
}

// maxLinks is how many links the kernel follows in a path (path_resolution(7)).
const maxLinks = 40

// resolve follows the links of a clean absolute path; it fails where one of
// them lies in a changeable folder, and when there is nothing.
func resolve(path string, changeable []string) (string, bool) {
	done, rest, links := "/", strings.TrimPrefix(path, "/"), 0
	for rest != "" {
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		if name == "" || name == "." {
			continue
		}
		next := filepath.Join(done, name)
		info, err := os.Lstat(next)
		if err != nil {
			return "", false
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			done = next
			continue
		}
		target, err := os.Readlink(next)
		if links++; err != nil || links > maxLinks || (next != done && withinAny(done, changeable)) {
			return "", false
		}
		if filepath.IsAbs(target) {
			done = "/"
		}
		rest = target + "/" + rest
	}
	return done, true
}

// hidden are the real paths of what is hidden, as far as they exist: the rest of
// a path may come to be later.
func (p Plan) hidden() []string { return realParents(p.Hidden) }

// kept are those of what is kept.
func (p Plan) kept() []string { return realParents(p.Kept) }

func realParents(named []string) (paths []string) {
	for _, path := range named {
		if filepath.IsAbs(path) {
			paths = append(paths, realParent(filepath.Clean(path)))
		}
	}
	return paths
}

// realParent resolves the longest part of a path that exists.
func realParent(path string) string {
	rest := ""
	for at := path; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		if at == filepath.Dir(at) {
			return path
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

// covered are the paths that lie in a writable folder. Landlock only ever adds
// rights, so these must be covered by a mount.
func covered(paths, writable []string) (inside []string) {
	for _, path := range paths {
		if withinAny(path, writable) {
			inside = append(inside, path)
		}
	}
	return inside
}
