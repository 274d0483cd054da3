package workspace

import (
	"os"
	"path/filepath"
)

// maxBelow is how many entries of folders are looked at, for one command, to see
// whether anything below them is hidden.
const maxBelow = 20_000

// What Holds says of a folder.
const (
	holdsHidden = "which holds files that the ignore file hides"
	maybeHolds  = "which is too large to tell whether it holds files that the ignore file hides"
)

// Holds tells, in words that follow the folder's name, that a word names a folder
// with something in it, at any depth, that the ignore file hides, or one of which
// that cannot be told; "" for others. A literal word is no glob. Links are followed
// as the most curious of programs would.
func (ws *Words) Holds(word string, literal bool) string {
	if ws.h.Empty() {
		return ""
	}
	if !filepath.IsAbs(word) {
		word = ws.w.Cwd() + string(filepath.Separator) + word
	}
	paths := []string{filepath.Clean(word)}
	if !literal {
		all := false
		if paths, all = ws.named(word, anywhere); !all {
			return maybeHolds
		}
	}
	for _, path := range append(paths, ws.physical(word)) {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			continue
		}
		if says := ws.holds(realOrClean(path)); says != "" {
			return says
		}
	}
	return ""
}

// holds is Holds of a real folder. What is hidden is in the roots, so one that is
// above them is as they are.
func (ws *Words) holds(dir string) string {
	if says, known := ws.held[dir]; known {
		return says
	}
	var from []string
	for _, r := range ws.w.Roots() {
		switch {
		case within(r.Real, dir):
			from = append(from, dir)
		case within(dir, r.Real):
			from = append(from, r.Real)
		}
	}
	says := ws.walk(from)
	if ws.held == nil {
		ws.held = map[string]string{}
	}
	ws.held[dir] = says
	return says
}

// walk looks for hidden entries, those nearest to the folders first.
func (ws *Words) walk(dirs []string) string {
	seen := map[string]bool{}
	for ; len(dirs) > 0; dirs = dirs[1:] {
		dir := dirs[0]
		if seen[dir] {
			continue
		}
		seen[dir] = true
		f, err := os.Open(dir)
		if err != nil {
			continue // nor can the command
		}
		entries, _ := f.ReadDir(max(1, maxBelow-ws.walked+1))
		f.Close()
		if ws.walked += len(entries); ws.walked > maxBelow {
			return maybeHolds
		}
		for _, e := range entries {
			path, isDir := filepath.Join(dir, e.Name()), e.IsDir()
			real := path
			if e.Type()&os.ModeSymlink != 0 {
				real, isDir = linked(path)
			}
			if ws.h.Hides(path, isDir) || real != path && real != "" && ws.h.Hides(real, isDir) {
				return holdsHidden
			}
			if isDir && e.Name() != gitDir && ws.below(real) {
				dirs = append(dirs, real)
			}
		}
	}
	return ""
}

// gitDir holds no files by their names.
const gitDir = ".git"

// linked is where a link leads; "" when nowhere.
func linked(path string) (real string, isDir bool) {
	real, err := realPath(path)
	if err != nil {
		return "", false
	}
	info, err := os.Stat(real)
	return real, err == nil && info.IsDir()
}
