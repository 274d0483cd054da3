package scenario

import (
	"encoding/json"
	"fmt"
	"strings"
)

// compare checks a text by a word: has, lacks, is, ends.
func compare(what, text, how string, parts []string) error {
	switch how {
	case "is":
		if text != parts[0] {
			return fmt.Errorf("%s is %q, want %q", what, text, parts[0])
		}
	case "has":
		return hasParts(what, text, parts)
	case "lacks":
		for _, p := range parts {
			if strings.Contains(text, p) {
				return fmt.Errorf("%s has %q in it: %s", what, p, text)
			}
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
			return fmt.Errorf("%s lacks %q: %s", what, p, text)
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
