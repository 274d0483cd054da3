package config

import (
	"cmp"
	"fmt"
	"strings"
)

// longName is the longest name that a suggestion is looked for, in bytes; a
// file may hold many, of any length.
const longName = 64

// suggest is the hint to a name that is no setting, and the setting or group
// that it may have meant, "" for none.
func suggest(name string) (hint, meant string) {
	var names, groups []string
	for _, k := range keys() {
		names = append(names, k.Name)
		if group, _, ok := strings.Cut(k.Name, "."); ok {
			groups = append(groups, group)
		}
	}
	all, limit := append(names, groups...), (len(name)-strings.LastIndexByte(name, '.'))/3+1
	if n := cmp.Or(nearest(name, all, min(limit, 2)), within(name, names), nearest(name, all, limit)); n != "" {
		return fmt.Sprintf("did you mean %q?", n), n
	}
	if group, _, _ := strings.Cut(name, "."); len(name) > longName || !isGroup(group) {
		name = ""
	}
	return "there are " + strings.Join(siblings(name), ", "), ""
}

// within returns the setting without a group whose name a longer one without a
// group ends with, such as apiKey for openai_api_key; "" for none.
func within(name string, names []string) string {
	if len(name) > longName || strings.Contains(name, ".") {
		return ""
	}
	bare := strings.NewReplacer("_", "", "-", "")
	best := ""
	for _, n := range names {
		ends := strings.HasSuffix(strings.ToLower(bare.Replace(name)), strings.ToLower(n))
		if ends && len(n) > len(best) && !isGroup(n) && !strings.Contains(n, ".") {
			best = n
		}
	}
	return best
}

// nearest returns the name that a misspelt or misplaced one may have meant,
// "" when none is at most limit changes away.
func nearest(name string, names []string, limit int) string {
	if len(name) > longName {
		return ""
	}
	best, bestDistance := "", limit+1
	for _, n := range names {
		if strings.HasSuffix(n, "."+name) {
			return n
		}
		if d := distance(strings.ToLower(name), strings.ToLower(n)); d < bestDistance {
			best, bestDistance = n, d
		}
	}
	return best
}

// distance is the Levenshtein distance in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// short keeps a name from a file from filling a message.
func short(name string) string {
	if len(name) > longName {
		return strings.ToValidUTF8(name[:longName], "") + "…"
	}
	return name
}
