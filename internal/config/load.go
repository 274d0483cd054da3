package config

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// Sources is what settings come from beside the user's file.
type Sources struct {
	// Editor is the editor's settings, see FromEditor; nil for none.
	Editor json.RawMessage
	// Flags are settings by key as text, see FromFlags.
	Flags map[string]string
	// Environ is the environment as os.Environ gives it; nil means the process's.
	Environ []string
}

// Load reads the user's file in dirs and the environment and merges all layers.
// It always gives settings that can be used: problems tell what of the user's
// does not hold.
func Load(dirs Dirs, from Sources) (*Settings, []Problem) {
	if from.Environ == nil {
		from.Environ = os.Environ()
	}
	file, problems := readUserFile(dirs.SettingsFile())
	editor, more := FromEditor(from.Editor)
	problems = append(problems, more...)
	env, more := FromEnv(from.Environ)
	problems = append(problems, more...)
	flags, more := FromFlags(from.Flags)
	problems = append(problems, more...)
	s, more := Merge(lookup(from.Environ), file, editor, env, flags)
	s.absolute(dirs.Config)
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

func readUserFile(path string) (Layer, []Problem) {
	text, err := os.ReadFile(path)
	switch {
	case err == nil:
		return FromFile(path, text)
	case errors.Is(err, fs.ErrNotExist):
		return Layer{Source: path, rank: fileRank}, nil
	}
	return Layer{Source: path, rank: fileRank, damaged: true}, []Problem{{Level: slog.LevelError, Source: path,
		Message: "the settings cannot be read: " + reason(err), Hint: "see to its permissions; until then none of its settings hold"}}
}

// reason is the error without the path, which the problem names already.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// absolute makes the settings that are paths absolute: "~/" is the home folder,
// and a relative path starts at the config folder.
func (s *Settings) absolute(config string) {
	for _, k := range keys() {
		if k.kind != "path" {
			continue
		}
		field := reflect.ValueOf(s).Elem().FieldByIndex(k.index)
		path := field.String()
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			if home, err := os.UserHomeDir(); err == nil {
				path = filepath.Join(home, rest)
			}
		}
		if path != "" && !filepath.IsAbs(path) {
			path = filepath.Join(config, path)
		}
		field.SetString(path)
	}
}
