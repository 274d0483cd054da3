package scenario

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// compare checks a text by a word: has, lacks, is, ends, below (that many bytes).
func compare(what, text, how string, parts []string) error {
	switch how {
	case "is":
		if text != parts[0] {
			return fmt.Errorf("%s is %q, want %q", what, tail(text, 2000), tail(parts[0], 2000))
		}
	case "has":
		return hasParts(what, text, parts)
	case "lacks":
		for _, p := range parts {
			if strings.Contains(text, p) {
				return fmt.Errorf("%s has %q in it: %s", what, tail(p, 500), tail(text, 8000))
			}
		}
	case "below":
		if most, err := strconv.Atoi(parts[0]); err != nil || len(text) >= most {
			return fmt.Errorf("%s has %d bytes: %s", what, len(text), tail(text, 400))
		}
	case "ends":
		if !strings.HasSuffix(text, parts[0]) {
			return fmt.Errorf("%s ends with %q, want %q", what, tail(text, 400), parts[0])
		}
	default:
		return fmt.Errorf("unknown check %q", how)
	}
	return nil
}

func hasParts(what, text string, parts []string) error {
	for _, p := range parts {
		if !strings.Contains(text, p) {
			return fmt.Errorf("%s lacks %q: %s", what, tail(p, 500), tail(text, 8000))
		}
	}
	return nil
}

func tail(s string, n int) string {
	if len(s) > n {
		return "…" + s[len(s)-n:]
	}
	return s
}

// jsonText shows a value as JSON without escaped <, > and &.
func jsonText(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(b))
}
