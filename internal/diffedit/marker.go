package diffedit

import "strings"

// marker is what a line of a diff may be.
type marker int

const (
	noMarker marker = iota
	searchMarker
	divider
	replaceMarker
)

// markerOf classifies a line. Markers start in the first column, so that
// indented look-alikes stay text.
func markerOf(line string) marker {
	if len(line) < 3 || line[0] != line[1] || line[0] != line[2] {
		return noMarker
	}
	sign := line[0]
	if sign != '=' && sign != '-' && sign != '<' && sign != '+' && sign != '>' {
		return noMarker
	}
	rest := strings.Trim(strings.TrimLeft(line, string(sign)), " \t\r")
	word := strings.TrimRight(strings.TrimSuffix(rest, ">"), " \t")
	switch {
	case sign == '=' && rest == "":
		return divider
	case (sign == '-' || sign == '<') && word == "SEARCH":
		return searchMarker
	case (sign == '+' || sign == '>') && word == "REPLACE":
		return replaceMarker
	}
	return noMarker
}

// signs is how many signs a marker has.
func signs(marker string) int { return len(marker) - len(strings.TrimLeft(marker, marker[:1])) }

// isCutReplaceMarker reports whether a last line is the beginning of a REPLACE
// marker. A few signs alone may be text.
func isCutReplaceMarker(line string) bool {
	line = strings.TrimRight(line, " \t\r")
	if line == "" || (line[0] != '+' && line[0] != '>') {
		return false
	}
	n := signs(line)
	word := strings.TrimLeft(line[n:], " ")
	return strings.HasPrefix("REPLACE", word) && (n >= usualSigns || n >= 3 && word != "")
}

// escapedLine reports whether a line is a marker-like line behind a backslash,
// as some models write conflict markers, and returns it without the backslash.
func escapedLine(line string) (string, bool) {
	if len(line) < 4 || line[0] != '\\' || !strings.ContainsRune("-<=>+", rune(line[1])) {
		return line, false
	}
	rest := strings.TrimLeft(line[1:], line[1:2])
	return line[1:], len(line)-1-len(rest) >= 3
}

// isFence reports whether a line begins or ends a Markdown fence.
func isFence(line string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " \t"), "```")
}

// isFenceEnd reports whether a line may end a Markdown fence.
func isFenceEnd(line string) bool { return trimBlanks(line) == "```" }
