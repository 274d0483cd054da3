package v4a

import "strings"

// mark is what a line of a patch may be besides content.
type mark int

const (
	noMark mark = iota
	beginPatch
	endPatch
	addFile
	updateFile
	deleteFile
	moveTo
	endOfFile
	// unknownFile is a marker for files that the format does not have.
	unknownFile
)

// markers are the words behind the stars; some are followed by a path.
var markers = [...]struct {
	words string
	mark  mark
	path  bool
}{
	{"begin patch", beginPatch, false},
	{"end patch", endPatch, false},
	{"add file", addFile, true},
	{"update file", updateFile, true},
	{"delete file", deleteFile, true},
	{"move to", moveTo, true},
	{"end of file", endOfFile, false},
}

const stars = "***"

// markOf classifies a line and returns the path behind the marker. Markers
// start in the first column: behind a sign they are content.
func markOf(line string) (m mark, path string) {
	rest, ok := strings.CutPrefix(line, stars)
	if !ok {
		return noMark, ""
	}
	rest = strings.TrimLeft(rest, " \t")
	for _, k := range markers {
		if len(rest) < len(k.words) || !strings.EqualFold(rest[:len(k.words)], k.words) {
			continue
		}
		tail := strings.TrimLeft(rest[len(k.words):], " \t")
		if !k.path && (strings.Trim(tail, "* \t\r") == "" || k.mark == endPatch && strings.Trim(tail, `'"`+"`)") == "") {
			return k.mark, ""
		}
		if path, ok := strings.CutPrefix(tail, ":"); k.path && ok {
			return k.mark, cleanPath(path)
		}
	}
	if word, tail, ok := strings.Cut(rest, " "); ok && word != "" && len(tail) >= 5 && strings.EqualFold(tail[:5], "file:") {
		return unknownFile, ""
	}
	return noMark, ""
}

// cleanPath takes blanks, quotes and closing stars off a path.
func cleanPath(path string) string {
	path = strings.Trim(path, " \t\r")
	path = strings.TrimRight(strings.TrimSuffix(path, " "+stars), " \t")
	for _, q := range []string{"`", `"`, "'"} {
		if len(path) >= 2 && strings.HasPrefix(path, q) && strings.HasSuffix(path, q) {
			return strings.Trim(path[1:len(path)-1], " \t")
		}
	}
	return path
}

// isCutEnd reports whether a last line is the beginning of the closing marker.
func isCutEnd(line string) bool {
	return len(line) >= len(stars) && strings.HasPrefix("*** End Patch", line)
}

// anchorOf reads a line that begins with "@@". Numbers of unified diffs count
// for nothing: models miscount. ok is false when it names no line.
func anchorOf(line string) (a Anchor, ok bool) {
	text := strings.TrimRight(line[2:], " \t")
	if heading, isRange := hunkHeading(text); isRange {
		heading = strings.TrimSpace(heading)
		return Anchor{Text: heading, Heading: true}, heading != ""
	}
	text = strings.TrimPrefix(text, " ")
	text = strings.TrimRight(strings.TrimSuffix(text, "@@"), " \t")
	switch strings.TrimLeft(text, " \t") {
	case "", "...", "…":
		return a, false
	}
	return Anchor{Text: text}, true
}

// hunkHeading returns what stands behind "-1,3 +1,4 @@".
func hunkHeading(text string) (heading string, ok bool) {
	rest := strings.TrimLeft(text, " \t")
	for _, sign := range []string{"-", "+"} {
		rest, ok = strings.CutPrefix(rest, sign)
		tail := strings.TrimLeft(rest, "0123456789,")
		if !ok || len(tail) == len(rest) {
			return "", false
		}
		rest = strings.TrimLeft(tail, " \t")
	}
	if rest == "" {
		return "", true
	}
	return strings.CutPrefix(rest, "@@")
}

// isNoEOL reports whether a line is what diffs write behind a last line that
// has no line end.
func isNoEOL(line string) bool { return strings.HasPrefix(line, `\ No newline`) }
