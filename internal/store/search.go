package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"clined/internal/event"
)

// The full-text index is FTS5 with the tokenizer unicode61: words, by prefix,
// without case and accents. Scripts that put no blanks between words are indexed
// character by character and looked for as phrases, so that any piece of them is
// found. The tokenizer trigram would find no word of one or two characters,
// which in Chinese most are, and its index is several times as large.

// spaceless are the scripts that are written without blanks between words, and
// Hangul, whose words carry endings.
var spaceless = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// split puts blanks around each character of a spaceless script.
func split(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range text {
		switch {
		case r == 0:
			b.WriteByte(' ')
		case r >= utf8.RuneSelf && unicode.In(r, spaceless...):
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// maxTerms bounds the words of one search.
const maxTerms = 32

// terms returns what a person looks for: words that hold a letter or a digit.
func terms(text string) (terms []string) {
	for _, word := range strings.Fields(strings.ToValidUTF8(text, " ")) {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) && len(terms) < maxTerms {
			terms = append(terms, word)
		}
	}
	return terms
}

// matching makes an FTS5 expression of anything: each word a phrase whose last
// part may go on. "" matches nothing.
func matching(text string) string {
	var b strings.Builder
	for _, term := range terms(text) {
		b.WriteString(`"` + strings.ReplaceAll(split(term), `"`, " ") + `"* `)
	}
	return b.String()
}

// Hit is a place where a search found something.
type Hit struct {
	Info Info
	// MessageID is "" for a title.
	MessageID string
	// Snippet is the text around the first word found, in one line.
	Snippet string
}

// Search looks for texts that hold all words, each as the beginning of a word,
// in titles and in what user and model said; the best first. Any text will do.
func (s *Store) Search(ctx context.Context, text string, limit int) ([]Hit, error) {
	match := matching(text)
	if match == "" {
		return nil, nil
	}
	if limit <= 0 {
		limit = 50
	}
	var hits []Hit
	err := s.read(ctx, "search the tasks", func(view *sql.Tx) error {
		hits = nil
		rows, err := view.QueryContext(ctx, `SELECT t.id, t.title, i.key, i.body FROM said f
			LEFT JOIN items i ON i.n = f.rowid JOIN tasks t ON t.n = coalesce(i.task, -f.rowid)
			WHERE f.text MATCH ? AND coalesce(i.hidden, 0) = 0 ORDER BY f.rank LIMIT ?`, match, limit)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var h Hit
			var key, body sql.NullString
			if err := rows.Scan(&h.Info.ID, &h.Info.Title, &key, &body); err != nil {
				return err
			}
			h.Snippet = snippet(h.Info.Title, text)
			if key.Valid {
				h.MessageID = strings.TrimPrefix(key.String, "message:")
				h.Snippet = snippet(saidIn(body.String), text)
			}
			hits = append(hits, h)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		return s.fill(ctx, view, hits)
	})
	return hits, err
}

// fill reads the tasks of hits.
func (s *Store) fill(ctx context.Context, view *sql.Tx, hits []Hit) (err error) {
	known := map[string]Info{}
	for k := range hits {
		id := hits[k].Info.ID
		if _, ok := known[id]; !ok {
			if known[id], _, err = s.infoIn(ctx, view, id); err != nil {
				return err
			}
		}
		hits[k].Info = known[id]
	}
	return nil
}

func saidIn(body string) string {
	var e event.Envelope
	if json.Unmarshal([]byte(body), &e) != nil {
		return ""
	}
	return said(e.Event)
}

// snippet cuts out the surroundings of the first word found.
func snippet(text, query string) string {
	const before, all = 40, 160
	runes := []rune(strings.Join(strings.Fields(text), " "))
	lower := strings.ToLower(string(runes))
	at := -1
	for _, term := range terms(query) {
		if k := strings.Index(lower, strings.ToLower(term)); k >= 0 && (at < 0 || k < at) {
			at = k
		}
	}
	start := 0
	if at > 0 {
		// Lower case may be longer or shorter in bytes, hardly ever in characters.
		start = max(0, min(utf8.RuneCountInString(lower[:at])-before, len(runes)))
	}
	end := min(start+all, len(runes))
	cut := string(runes[start:end])
	if start > 0 {
		cut = "…" + cut
	}
	if end < len(runes) {
		cut += "…"
	}
	return cut
}
