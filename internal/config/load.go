package config

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"
	"syscall"

	"clined/internal/safefile"
)

// Sources is what settings come from beside the user's file.
type Sources struct {
	// Roots are the folders of the workspace, absolute.
	Roots []string
	// Trusted tells whether the user trusts a folder, by its real path, with
	// what it loosens now (Workspace.Hash). nil trusts none. It is asked only
	// when there is something.
	Trusted func(root, hash string) bool
	// Editor is the editor's settings, see FromEditor; nil for none.
	Editor json.RawMessage
	// Flags are settings by key as text, see FromFlags.
	Flags map[string]string
	// Environ is the environment as os.Environ gives it; nil means the process's.
	Environ []string
}

// Files are the paths that Load reads: when one changes, the settings do.
func (from Sources) Files(dirs Dirs) []string {
	list := []string{dirs.SettingsFile()}
	for _, root := range from.Roots {
		list = append(list, WorkspaceFile(root))
	}
	return list
}

// Load reads the user's file in dirs, those of the workspace and the
// environment and merges all layers. It always gives settings that can be used:
// problems tell what of the user's does not hold.
func Load(dirs Dirs, from Sources) (*Settings, []Problem) {
	if from.Environ == nil {
		from.Environ = os.Environ()
	}
	user, problems := readFile(dirs.SettingsFile())
	layers := []Layer{user}
	for _, root := range from.Roots {
		if sameFile(WorkspaceFile(root), dirs.SettingsFile()) { // the user's own, as with CLINED_HOME=~/.clined
			continue
		}
		l, more := readWorkspace(root)
		if l.hash != "" && from.Trusted != nil {
			l.trusted = from.Trusted(l.root, l.hash)
		}
		layers, problems = append(layers, l), append(problems, more...)
	}
	editor, more := FromEditor(from.Editor)
	problems = append(problems, more...)
	env, more := FromEnv(from.Environ)
	problems = append(problems, more...)
	flags, more := FromFlags(from.Flags)
	problems = append(problems, more...)
	layers = append(layers, editor, env, flags)
	for i, l := range layers {
		base := dirs.Config
		if l.root != "" {
			base = l.root
		}
		layers[i].absolute(base)
	}
	s, more := Merge(lookup(from.Environ), layers...)
	s.file = dirs.SettingsFile()
	return s, append(problems, more...)
}

// lookup is os.Getenv for an environment; the last of several entries counts.
func lookup(environ []string) func(string) string {
	return func(name string) string {
		for _, entry := range slices.Backward(environ) {
			if value, ok := strings.CutPrefix(entry, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

func readFile(path string) (Layer, []Problem) {
	text, err := safefile.Read(path, maxFile)
	switch {
	case err == nil:
		return FromFile(path, text)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return Layer{Source: path, rank: fileRank}, nil
	}
	return Layer{Source: path, rank: fileRank, damaged: true}, []Problem{unreadable(path, err)}
}

func unreadable(path string, err error) Problem {
	hint := "see to its permissions"
	if info, gone := os.Stat(path); gone == nil && !info.Mode().IsRegular() {
		hint = "put a file in its place"
	}
	return Problem{Level: slog.LevelError, Source: path,
		Message: "the settings cannot be read: " + reason(err), Hint: hint + "; until then none of its settings hold"}
}

// reason is the error without the path, which the problem names already.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
