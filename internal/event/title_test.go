package event_test

import (
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
