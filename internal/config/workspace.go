package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// WorkspaceFile is where the settings of a workspace are.
func WorkspaceFile(root string) string { return filepath.Join(root, ".clined", "settings.json") }

// Workspace is a folder whose settings loosen something, or might.
type Workspace struct {
	// Root is the folder's real path, File its settings file.
	Root, File string
	// Hash stands for all that the file would loosen; "" for nothing. Trust is
	// given to a hash: it does not reach what the file says later.
	Hash string
	// Loosens are these settings. In what Settings.Untrusted returns they are
	// only those that are held back.
	Loosens []Loosening
}

// Loosening is a setting of a workspace that allows more.
type Loosening struct {
	Key string
	// Value is JSON.
	Value json.RawMessage
	// Line in the file, from 1.
	Line int
}

// ReadWorkspace reads the settings that a folder brings along, to be shown to
// the user before they trust it. Problems tell what is wrong with the file.
func ReadWorkspace(root string) (Workspace, []Problem) {
	l, problems := readWorkspace(root)
	return Workspace{Root: l.root, File: l.Source, Hash: l.hash, Loosens: loosenings(mayLoosen(l))}, problems
}

func readWorkspace(root string) (Layer, []Problem) {
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	l, problems := readFile(WorkspaceFile(root))
	l.rank, l.root, l.hash = workspaceRank, root, LooseningHash(l)
	return l, problems
}

// LooseningHash is a hash of the settings of a layer that may loosen something,
// and of their values: neither their order nor how the file is written matters.
// It is "" when there are none.
func LooseningHash(l Layer) string {
	values := mayLoosen(l)
	if len(values) == 0 {
		return ""
	}
	slices.SortFunc(values, func(a, b value) int { return strings.Compare(a.key.Name, b.key.Name) })
	h := sha256.New()
	for _, v := range values {
		_ = json.NewEncoder(h).Encode([]any{v.key.Name, v.data.Interface()}) // a hash takes all, and the values came from JSON
	}
	return hex.EncodeToString(h.Sum(nil))
}

// mayLoosen are the values that loosen, whatever the user's own settings are.
func mayLoosen(l Layer) (list []value) {
	for _, v := range l.values {
		tightest := v.key.Workspace == Tighten && v.key.looseness(v.data) == 0
		nothing := (v.key.Type == List || v.key.Type == Costs) && v.data.Len() == 0
		if v.key.Workspace != Free && !tightest && !nothing {
			list = append(list, v)
		}
	}
	return list
}

// loosens says whether the value would allow more than the field does.
func (v *value) loosens(field reflect.Value) bool {
	switch v.key.Workspace {
	case Free:
		return false
	case Tighten:
		return v.key.looseness(v.data) > v.key.looseness(field)
	}
	return adds(field, v.data)
}

// holdBack tells of the values of a workspace that do not hold.
func (s *Settings) holdBack(l *Layer, held []value) (problems []Problem) {
	if len(held) == 0 {
		return nil
	}
	for _, v := range held {
		problems = append(problems, Problem{
			Level: slog.LevelWarn, Source: l.Source, Line: v.line, Column: v.column, Key: v.key.Name,
			Message: fmt.Sprintf("%q of this workspace does not hold: the workspace is not trusted as it is now", v.key.Name),
			Hint:    "see what it wants and decide with: clined trust " + quoted(l.root),
		})
	}
	s.untrusted = append(s.untrusted, Workspace{Root: l.root, File: l.Source, Hash: l.hash, Loosens: loosenings(held)})
	return problems
}

// Untrusted returns the workspaces of which something is held back.
func (s *Settings) Untrusted() []Workspace { return s.untrusted }

// String is the setting as a line for people. A text of a repository cannot steer
// a terminal with it.
func (l Loosening) String() string { return l.Key + " = " + Printable(string(l.Value)) }

// Printable has an escape in place of what is not to be seen, or moves a cursor.
func Printable(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}

func loosenings(values []value) (list []Loosening) {
	for _, v := range values {
		raw, _ := json.Marshal(v.data.Interface()) // it came from JSON
		list = append(list, Loosening{Key: v.key.Name, Value: raw, Line: v.line})
	}
	return list
}

// quoted is a path as an argument for a shell.
func quoted(path string) string {
	if strings.IndexFunc(path, func(r rune) bool { return !strings.ContainsRune("/._-", r) && !isWord(r) }) < 0 && path != "" {
		return path
	}
	if os.PathSeparator == '\\' {
		return `"` + path + `"`
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

func isWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r > 127
}
