package prompt

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

var ownTag = regexp.MustCompile(`(?i)<(\s*/?\s*(?:environment_details|task|user_message|feedback)\b)`)

// data makes text that is not ours safe to stand in a block of ours: it cannot
// close the block or open another.
func data(s string) string {
	return ownTag.ReplaceAllString(strings.ToValidUTF8(s, "\uFFFD"), "&lt;$1")
}

// name makes a path or another name fit for one line.
func name(s string) string {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }) {
		s = strconv.Quote(s)
	}
	return data(s)
}

// indent sets text off from our own lines, which begin at the margin: none of
// it can pass for a heading.
func indent(s string) string {
	return "  " + strings.ReplaceAll(s, "\n", "\n  ")
}

// list writes one entry a line, at most maxLines of them and maxBytes in all;
// a last line counts what is left out. unlisted counts entries that exist
// beside the given ones, -1 for an unknown number.
func list(entries []string, maxLines, maxBytes, unlisted int) string {
	var b strings.Builder
	lines := 0
	for _, e := range entries {
		if lines == maxLines || b.Len()+len(e)+1 > maxBytes {
			continue
		}
		b.WriteString(e + "\n")
		lines++
	}
	left := len(entries) - lines
	switch {
	case unlisted < 0 && left == 0:
		b.WriteString("… and more\n")
	case unlisted < 0:
		fmt.Fprintf(&b, "… %d more, and others\n", left)
	case left+unlisted > 0:
		fmt.Fprintf(&b, "… %d more\n", left+unlisted)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// cut returns the longest start of s of at most limit bytes, in whole runes.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// head cuts text to at most limit bytes and says so on a line of its own.
func head(s string, limit int) string {
	kept := cut(s, limit)
	if kept == s {
		return s
	}
	return fmt.Sprintf("%s\n… %d more bytes", strings.TrimRight(kept, "\n"), len(s)-len(kept))
}

// oneLine joins the words of s and cuts them to at most limit bytes.
func oneLine(s string, limit int) string {
	s = strings.Join(strings.Fields(data(cut(s, 4*limit))), " ") // most of a long text never matters
	if kept := cut(s, limit); kept != s {
		return kept + "…"
	}
	return s
}

// tail returns the newest lines of text, at most maxLines and maxBytes of them,
// or the end of the last line where not even that fits.
func tail(s string, maxLines, maxBytes int) string {
	from := len(s)
	for range maxLines {
		line := strings.LastIndexByte(s[:max(from-1, 0)], '\n') + 1
		if len(s)-line > maxBytes {
			break
		}
		if from = line; from == 0 {
			return s
		}
	}
	if from == len(s) {
		from = len(s) - maxBytes
		for from < len(s) && !utf8.RuneStart(s[from]) {
			from++
		}
	}
	return s[from:]
}

// thousands writes 13905 as "13,905".
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
