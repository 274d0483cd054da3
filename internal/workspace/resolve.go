package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"clined/internal/tools"
)

// ErrHidden says that the ignore file hides a path from the model.
var ErrHidden = errors.New("hidden by " + ignoreFile)

// Resolve implements tools.Files. Nothing in a path is expanded or decoded
// except a whole file:// URI, and every path ends as a clean absolute one that
// is judged by where it really leads. With ErrHidden the Path is filled in too.
func (w *Workspace) Resolve(path string) (tools.Path, error) {
	abs, err := w.absolute(path)
	if meant := unwrapped(path); meant != path && (err != nil || !exists(abs)) {
		path = meant
		abs, err = w.absolute(path)
	}
	if err == nil {
		err = foreign(path, abs)
	}
	if err != nil {
		return tools.Path{}, err
	}
	return w.resolveAbs(abs)
}

// unwrapped takes blanks and line ends off a path, and the quotes in which
// Display puts names that cannot be seen: nobody means them where no such file
// is.
func unwrapped(path string) string {
	path = strings.TrimSpace(path)
	if strings.HasPrefix(path, `"`) {
		if name, err := strconv.Unquote(path); err == nil {
			return name
		}
	}
	return path
}

// resolveAbs tells all about a clean absolute path.
func (w *Workspace) resolveAbs(abs string) (tools.Path, error) {
	if err := fits(abs); err != nil {
		return tools.Path{}, err
	}
	p := tools.Path{Abs: abs, Display: w.Display(abs)}
	real, err := realPath(abs)
	if err != nil {
		return tools.Path{}, fmt.Errorf("where %q leads cannot be told: %w", p.Display, plain(err))
	}
	hiding := w.Hiding()
	p.Real = real
	p.Outside = !w.inside(real)
	p.Protected = w.protectedAs(abs, real, hiding)
	switch {
	case w.s.isSecret(real):
		p.Ignored = true
		return p, fmt.Errorf("%q holds keys that are for clined alone; tools neither read nor change it", p.Display)
	case hiding.HidesPath(p):
		p.Ignored = true
		return p, fmt.Errorf("%q is %w; the user does not want it to be read or changed", p.Display, ErrHidden)
	}
	return p, nil
}

// maxPath is the longest path that common systems take, in bytes: PATH_MAX of
// Linux.
const maxPath = 4095

// fits says that a path is too long; the system's own words come late and would
// have the path in them.
func fits(path string) error {
	if len(path) > maxPath {
		return fmt.Errorf("the path has %d bytes, and a path has at most %d: %.60q…", len(path), maxPath, path)
	}
	return nil
}

func (w *Workspace) inside(real string) bool {
	in := func(dir string) bool { return within(dir, real) }
	return w.readOnly(real) || slices.ContainsFunc(w.Roots(), func(r Root) bool { return in(r.Real) })
}

// readOnly reports whether a real path belongs to clined's own records.
func (w *Workspace) readOnly(real string) bool {
	return slices.ContainsFunc(w.readable, func(dir string) bool { return within(realOrClean(dir), real) })
}

// uri matches what starts like a URI of at least two letters: one letter is a
// drive.
var uri = regexp.MustCompile(`^(?i)[a-z][a-z0-9+.-]+:/|^(?:file|untitled):`)

// absolute turns a path as written into a clean absolute one.
func (w *Workspace) absolute(path string) (string, error) {
	switch {
	case strings.TrimSpace(path) == "":
		return "", errors.New("the path is empty")
	case strings.ContainsRune(path, 0):
		return "", errors.New("the path holds a NUL character")
	case path == "~" || strings.HasPrefix(path, "~/"):
		hint := ""
		if home, err := os.UserHomeDir(); err == nil {
			hint = fmt.Sprintf("; the home directory is %s", home)
		}
		return "", fmt.Errorf("%q: ~ is not expanded, write the path out%s", path, hint)
	case uri.MatchString(path):
		if _, abs := documentKey(path); abs != "" {
			return abs, nil
		}
		return "", fmt.Errorf("%q is not a file on disk", path)
	case filepath.IsAbs(path):
		return filepath.Clean(path), nil
	}
	roots, cwd := w.Roots(), w.Cwd()
	if cwd == "" {
		return "", fmt.Errorf("no folder is open, so %q leads nowhere; give an absolute path", path)
	}
	if abs, ok := atRoot(path, roots); ok {
		return abs, nil
	}
	if first := split(path)[0]; len(roots) == 1 || first == "." || first == ".." {
		return filepath.Join(cwd, path), nil
	}
	return w.pick(path, roots, cwd)
}

// atRoot resolves "@name:path".
func atRoot(path string, roots []Root) (string, bool) {
	name, rest, ok := strings.Cut(strings.TrimPrefix(path, "@"), ":")
	if !ok || path[0] != '@' {
		return "", false
	}
	for _, r := range roots {
		if r.Name == name {
			return filepath.Join(r.Path, rest), true
		}
	}
	return "", false
}

// pick resolves a relative path among several roots: it may start at the
// working directory, with a root's name, or at any root. What exists decides.
func (w *Workspace) pick(path string, roots []Root, cwd string) (string, error) {
	here := filepath.Join(cwd, path)
	named := ""
	var there []string
	add := func(abs string) {
		if !slices.Contains(there, abs) && exists(abs) {
			there = append(there, abs)
		}
	}
	add(here)
	for _, r := range roots {
		if rest, ok := strings.CutPrefix(filepath.ToSlash(path)+"/", r.Name+"/"); ok {
			named = filepath.Join(r.Path, rest)
			add(named)
		}
	}
	for _, r := range roots {
		// A root's name means that root, and the nearer one of a root wins.
		if (named == "" || len(there) == 0) && (!within(r.Path, cwd) || !exists(here)) {
			add(filepath.Join(r.Path, path))
		}
	}
	if len(there) == 0 {
		there = []string{here}
		if named != "" {
			there[0] = named
			if first := split(path)[0]; exists(filepath.Join(cwd, first)) {
				there = append(there, here)
			}
		}
	}
	if len(there) == 1 {
		return there[0], nil
	}
	var names []string
	for _, abs := range there {
		names = append(names, w.atName(abs))
	}
	return "", fmt.Errorf("%q is ambiguous: it may be %s; use one of these", path, strings.Join(names, " or "))
}

// atName writes a path in the form that is never ambiguous.
func (w *Workspace) atName(abs string) string {
	for _, r := range w.Roots() {
		if rel, ok := below(r.Path, abs); ok {
			return fmt.Sprintf("`@%s:%s`", r.Name, filepath.ToSlash(rel))
		}
	}
	return "`" + abs + "`"
}

// Display returns a clean absolute path as people and the model see it, in a
// form that Resolve takes back: relative to the working directory inside the
// workspace, with the root's name in front when there are several roots, and
// absolute outside of it; in quotes when there is something in it that would
// break a line or cannot be seen.
func (w *Workspace) Display(abs string) string { return visible(w.display(abs)) }

func (w *Workspace) display(abs string) string {
	roots, cwd := w.Roots(), w.Cwd()
	for _, r := range roots {
		rel, ok := below(r.Path, abs)
		if !ok {
			rel, ok = below(r.Real, abs)
		}
		switch {
		case !ok:
		case len(roots) > 1:
			return filepath.ToSlash(filepath.Join(filepath.FromSlash(r.Name), rel))
		case within(r.Path, cwd):
			if rel, err := filepath.Rel(cwd, filepath.Join(r.Path, rel)); err == nil {
				return asPath(filepath.ToSlash(rel))
			}
		}
	}
	return abs
}

// asPath puts "./" before a name that would be taken for something else.
func asPath(rel string) string {
	if rel[0] == '~' || rel[0] == '@' || uri.MatchString(rel) || strings.TrimSpace(rel) == "" {
		return "./" + rel
	}
	return rel
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// plain takes the operation and the path off a file system error.
func plain(err error) error {
	var p *os.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}
