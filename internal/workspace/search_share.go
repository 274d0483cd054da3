package workspace

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"sync"

	"clined/internal/tools"
)

// fileHits is what was found in one file.
type fileHits struct {
	// index is the place of the file in the order of the answer.
	index int
	path  string
	total int
	// lines show the first kept of the matches.
	kept  int
	lines []tools.MatchLine
}

// hits gathers what is found, in any order, and keeps no more than the answer
// may need.
type hits struct {
	limits tools.SearchLimits

	mu    sync.Mutex
	files []*fileHits
	// level is what a file may have at most as things stand, 0 when that is
	// not known yet.
	level        int
	kept         int // matches in files
	total, count int // matches and files with some, all of them
}

func (h *hits) add(f *fileHits) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.files = append(h.files, f)
	h.kept += f.kept
	h.total += f.total
	h.count++
	if h.kept > 4*h.limits.Matches {
		h.shareLocked()
	}
}

// room returns how many matches a file may add at most.
func (h *hits) room() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.level > 0 {
		return min(h.level, h.limits.PerFile)
	}
	return h.limits.PerFile
}

// shareLocked cuts each file to its share of the matches that may be shown. A
// file's share never grows as more files come, so this may be done at any time.
func (h *hits) shareLocked() {
	slices.SortFunc(h.files, func(a, b *fileHits) int { return cmp.Compare(a.index, b.index) })
	counts := make([]int, len(h.files))
	for i, f := range h.files {
		counts[i] = f.kept
	}
	h.kept = 0
	portions, level := shares(counts, h.limits.Matches)
	for i, n := range portions {
		h.files[i].trim(n, h.limits.Context)
		h.kept += n
	}
	h.level = level + 1
	h.files = slices.DeleteFunc(h.files, func(f *fileHits) bool { return f.kept == 0 })
}

// shares divides limit among files that have that many matches each: none has
// more than another unless that one has no more, so that one file with many
// does not hide the others. What is left over goes to the first files, one more
// than the level each.
func shares(counts []int, limit int) (portions []int, level int) {
	left := limit
	for {
		open := 0 // files that would take one more each
		for _, n := range counts {
			if n > level {
				open++
			}
		}
		if open == 0 || left < open {
			break
		}
		step := left / open
		for _, n := range counts {
			if n > level {
				step = min(step, n-level)
			}
		}
		level, left = level+step, left-step*open
	}
	portions = make([]int, len(counts))
	for i, n := range counts {
		portions[i] = min(n, level)
		if n > level && left > 0 {
			portions[i]++
			left--
		}
	}
	return portions, level
}

// trim leaves the lines of the first n matches.
func (f *fileHits) trim(n, context int) {
	if f.kept <= n {
		return
	}
	f.kept = n
	matches, last := 0, 0
	for i, l := range f.lines {
		if l.Match {
			if matches++; matches <= n {
				last = l.Number
			}
		}
		if matches > n || matches == n && !l.Match && l.Number > last+context {
			f.lines = slices.Clip(f.lines[:i])
			break
		}
	}
	if n == 0 {
		f.lines = nil
	}
}

// result returns the answer. base is what the paths are below.
func (h *hits) result(base string) *tools.SearchResult {
	if name, err := strconv.Unquote(base); err == nil { // as visible puts it
		base = name
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.shareLocked()
	r := &tools.SearchResult{Total: h.total, TotalFiles: h.count}
	for _, f := range h.files {
		r.Files = append(r.Files, tools.FileMatches{Path: visible(path.Join(base, f.path)), Lines: f.lines, Total: f.total})
	}
	return r
}
