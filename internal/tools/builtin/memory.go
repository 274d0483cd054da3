package builtin

import (
	"crypto/sha256"
	"slices"
	"strings"
	"sync"

	"clined/internal/tools"
)

// memoryBytes bounds the texts kept to show what changed in a file since the
// model saw it. Beyond it only hashes are kept.
const memoryBytes = 8 << 20

// memory is what the model has seen of files in this task, by absolute path.
type memory struct {
	mu    sync.Mutex
	files map[string]*seenFile
	bytes int
}

type seenFile struct {
	hash [sha256.Size]byte
	// text is kept while memory allows; kept tells.
	text string
	kept bool
	// shown are the ranges given out since the text is what it is.
	shown []lineRange
}

// lineRange is 1-based, both ends included.
type lineRange struct{ from, to int }

func newMemory() *memory { return &memory{files: map[string]*seenFile{}} }

// clear forgets everything.
func (m *memory) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.files)
	m.bytes = 0
}

// hashOf does not tell line ends apart: a buffer may hold other ones than the disk.
func hashOf(text string) [sha256.Size]byte { return sha256.Sum256([]byte(lf(text))) }

// saw notes that the model knows the file as text.
func (m *memory) saw(abs, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sawLocked(abs, text)
}

func (m *memory) sawLocked(abs, text string) *seenFile {
	hash := hashOf(text)
	f := m.files[abs]
	if f != nil && f.hash == hash {
		return f
	}
	m.dropLocked(abs)
	f = &seenFile{hash: hash}
	if m.bytes+len(text) <= memoryBytes {
		f.text, f.kept = text, true
		m.bytes += len(text)
	}
	m.files[abs] = f
	return f
}

// sawFile notes that the model knows what there is now, or that nothing is.
func (m *memory) sawFile(abs string, f *tools.File) {
	if f.Exists {
		m.saw(abs, shownText(f))
		return
	}
	m.forget(abs)
}

// forget drops a file that is gone.
func (m *memory) forget(abs string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.dropLocked(abs)
}

func (m *memory) dropLocked(abs string) {
	if f := m.files[abs]; f != nil {
		m.bytes -= len(f.text)
		delete(m.files, abs)
	}
}

// changed reports whether the model saw the file as something else than text.
// before is what it saw; ok is false when that was not kept.
func (m *memory) changed(abs, text string) (changed bool, before string, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.files[abs]
	if f == nil || f.hash == hashOf(text) {
		return false, "", false
	}
	return true, f.text, f.kept
}

// knows reports whether the model has seen the file.
func (m *memory) knows(abs string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.files[abs] != nil
}

// show notes that the model is given a range of text, and reports whether it
// has that range already. A repeat is reported once: who asks again gets the
// lines, for the first answer may have been cut out of the context.
func (m *memory) show(abs, text string, r lineRange) (repeated bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.sawLocked(abs, text)
	for i, s := range f.shown {
		if s.from <= r.from && r.to <= s.to {
			f.shown = slices.Delete(f.shown, i, i+1)
			return true
		}
	}
	f.shown = append(f.shown, r)
	return false
}

func lf(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
