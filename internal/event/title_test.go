package event_test

import (
	"strings"
	"testing"

	"clined/internal/event"
)

func TestCleanTitle(t *testing.T) {
	for in, want := range map[string]string{
		"":                               "",
		" \t\n":                          "",
		"Add a  test":                    "Add a test",
		"a\x00b\n\x1b[31mX\u202ey\u2066": "ab [31mXy",
		"one\r\ntwo\u2028three":          "one two three",
		"Zwölf 日本 👩\u200d💻":              "Zwölf 日本 👩\u200d💻",
		"bad \xff byte\u0085next":        "bad \uFFFD byte next",
	} {
		if got := event.CleanTitle(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestPromptTitle(t *testing.T) {
	for in, want := range map[string]string{
		"":                                      "",
		" \n\t":                                 "",
		"\n  Fix it. \nAnd more.":               "Fix it.",
		"Explain this:\n\n```go\nfunc f()\n```": "Explain this",
		"Fix these problems in `a.go`:\n\n- line 1":      "Fix these problems in a.go",
		"Fix this problem in `a.go:3`: x is `nil` (vet)": "Fix this problem in a.go:3: x is nil (vet)",
		"## Plan\nmore":       "Plan",
		"> - [ ] **Do** it":   "Do it",
		"1. First\n2. Second": "First",
		"Read [the docs](https://x.y/z), then ![a](b.png) go": "Read the docs, then a go",
		"```\npanic: x\n```\nWhat is this?":                   "panic: x",
		"---\nname: x":                                        "name: x",
		":":                                                   ":",
		"```":                                                 "```",
		"rename __init__.py":                                  "rename __init__.py",
		"what is 2 ** 3 ** 2?":                                "what is 2 ** 3 ** 2?",
		"#12 fails":                                           "#12 fails",
		"a[i](x) is wrong":                                    "a[i](x) is wrong",
		"解释一下：":                                               "解释一下",
		"🙂":                                                   "🙂",
		"``a `b` c``":                                         "a b c",
		strings.Repeat("ä", 81):                               strings.Repeat("ä", 79) + "…",
	} {
		if got := event.PromptTitle(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}
