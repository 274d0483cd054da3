package ignore

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// gitignore is the name of the file that holds a directory's patterns.
const gitignore = ".gitignore"

// Dir holds the rules in force inside one directory: its own .gitignore, those
// of the directories above it up to the top of the repository, and the
// repository's exclude files. It does not change and may be used by several
// goroutines.
type Dir struct {
	parent *Dir
	abs    string
	// rel is the path below the top with a slash at its end, "" at the top.
	rel string
	own *Matcher
	// shared are at the top only: patterns for the whole repository, the
	// strongest first.
	shared []*Matcher
	opts   Options
}

// Load returns the rules inside dir, an absolute path. They start at the top
// of the git repository around dir or, where there is none, at root if dir is
// in it. ignored tells that dir itself or a directory around it is ignored.
// What cannot be read holds no rules.
func Load(root, dir string) (d *Dir, ignored bool) {
	dir = filepath.Clean(dir)
	top := findTop(dir)
	if top == "" {
		top = dir
		if rel, ok := below(filepath.Clean(root), dir); ok && rel != "" {
			top = root
		}
	}
	d = newTop(filepath.Clean(top), exists(filepath.Join(top, gitignore)))
	rel, _ := below(d.abs, dir)
	for name := range strings.SplitSeq(rel, "/") {
		if name == "" {
			break
		}
		ignored = ignored || d.Ignored(name, true)
		d = d.child(name, exists(filepath.Join(d.abs, name, gitignore)))
	}
	return d, ignored
}

// All returns rules that ignore nothing inside dir.
func All(dir string) *Dir { return &Dir{abs: dir} }

// Child returns the rules inside the directory name of d, whose entries are
// given. A repository of its own begins with its own rules.
func (d *Dir) Child(name string, entries []fs.DirEntry) *Dir {
	hasFile, hasRepository := false, false
	for _, e := range entries {
		switch e.Name() {
		case gitignore:
			hasFile = true
		case ".git":
			hasRepository = true
		}
	}
	if abs := filepath.Join(d.abs, name); hasRepository && isRepository(abs) {
		return newTop(abs, hasFile)
	}
	return d.child(name, hasFile)
}

// Ignored tells whether the entry name of the directory is ignored. The
// directory itself is taken not to be. A link is no directory, as for git.
func (d *Dir) Ignored(name string, isDir bool) bool {
	path := d.rel + name
	for at := d; at != nil; at = at.parent {
		if at.own != nil {
			if v := at.own.decide(path[len(at.rel):], isDir); v != undecided {
				return v == ignored
			}
		}
		for _, m := range at.shared {
			if v := m.decide(path, isDir); v != undecided {
				return v == ignored
			}
		}
	}
	return false
}

func newTop(abs string, hasFile bool) *Dir {
	d := &Dir{abs: abs}
	d.shared, d.opts = repositoryRules(abs)
	if hasFile {
		d.own = readRules(filepath.Join(abs, gitignore), d.opts)
	}
	return d
}

func (d *Dir) child(name string, hasFile bool) *Dir {
	c := &Dir{parent: d, abs: filepath.Join(d.abs, name), rel: d.rel + name + "/", opts: d.opts}
	if hasFile {
		c.own = readRules(filepath.Join(c.abs, gitignore), d.opts)
	}
	return c
}

// maxFile is the size in bytes beyond which an ignore file is not read.
const maxFile = 4 << 20

// readRules reads a .gitignore. As with git, one that is a link does not count.
func readRules(path string, o Options) *Matcher {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil
	}
	return parseFile(path, o)
}

// parseFile returns nil for a file without patterns.
func parseFile(path string, o Options) *Matcher {
	if m := Parse(readText(path), o); !m.Empty() {
		return m
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// below returns the slash path of dir inside base, "" for base itself.
func below(base, dir string) (rel string, ok bool) {
	rel, err := filepath.Rel(base, dir)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	if rel == "." {
		return "", true
	}
	return filepath.ToSlash(rel), true
}
