package workspace

import (
	"crypto/sha256"
	"strings"
	"sync"
	"unicode/utf8"
)

// knowledge is what is known of a file beside its bytes.
type knowledge struct {
	// shown is its text as an editor shows it, "" when none does.
	shown string
	// before is the table in which these bytes were written, nil when they were not.
	before *table
}

// knownTables remembers in what tables files were written here, so that an edit
// that leaves little of what told a table does not make the text another.
type knownTables struct {
	mu sync.Mutex
	by map[string]writtenIn // by real path
}

type writtenIn struct {
	sum   [sha256.Size]byte // of the bytes
	table *table
}

// of returns what is known of a file whose bytes have a sum.
func (k *knownTables) of(path string, sum [sha256.Size]byte) knowledge {
	k.mu.Lock()
	defer k.mu.Unlock()
	if in := k.by[path]; in.sum == sum {
		return knowledge{before: in.table}
	}
	return knowledge{}
}

func (k *knownTables) keep(path string, raw []byte, t *table) {
	const most = 1000
	if t == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.by == nil || len(k.by) >= most {
		k.by = map[string]writtenIn{}
	}
	k.by[path] = writtenIn{sha256.Sum256(raw), t}
}

// likeShown returns the table in which bytes are the text that an editor shows,
// nil for none. Latin-1 is not among them: it is what editors take when they do
// not know.
func likeShown(raw []byte, text string) *table {
	const most = 1 << 20 // it is tried with each table
	if text == "" || len(raw) > most || sameText(asLatin1(raw), text) {
		return nil
	}
	for _, t := range tables() {
		if got, ok := t.decode(raw); ok && sameText(got, text) {
			return &t
		}
	}
	return nil
}

// shownAmiss reports whether an editor shows bytes that are not UTF-8 as if they
// were Latin-1, or as UTF-8 with the replacement character. Saving that may
// damage the file, but nobody has changed it.
func shownAmiss(raw []byte, text string) bool {
	if sameText(asLatin1(raw), text) {
		return true
	}
	const lost = string(utf8.RuneError)
	return strings.Contains(text, lost) && sameText(strings.ToValidUTF8(string(raw), lost), oneLost(text))
}

// oneLost makes one replacement character of several in a row: decoders differ in
// how many they write.
func oneLost(text string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range text {
		if r != utf8.RuneError || last != utf8.RuneError {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}
