package tools_test

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"clined/internal/tools"
)

type spill struct {
	kept map[string]string
	err  error
}

func (s *spill) Keep(callID, text string) (string, error) {
	if s.err != nil {
		return "", s.err
	}
	if s.kept == nil {
		s.kept = map[string]string{}
	}
	s.kept[callID] = text
	return "/out/" + callID + ".txt", nil
}

func checkLimits(t *testing.T, text string) {
	t.Helper()
	lines := strings.Split(text, "\n")
	if n := utf8.RuneCountInString(text); n > tools.MaxChars || len(lines) > tools.MaxLines {
		t.Errorf("%d characters in %d lines", n, len(lines))
	}
	for i, l := range lines {
		if n := utf8.RuneCountInString(l); n > tools.MaxLineChars {
			t.Errorf("line %d has %d characters", i+1, n)
		}
	}
}

// The cut is marked with its exact count and the way to the rest.
func TestLimitMarksWhatIsMissing(t *testing.T) {
	var lines []string
	for i := range 20_000 {
		lines = append(lines, fmt.Sprint("line ", i+1))
	}
	text := strings.Join(lines, "\n")
	var s spill
	got := tools.Limit("c1", text, &s)
	checkLimits(t, got)
	if !strings.HasPrefix(got, "line 1\nline 2\n") || !strings.HasSuffix(got, "line 19999\nline 20000") {
		t.Errorf("head or tail is missing: %.40q … %q", got, got[len(got)-40:])
	}
	m := regexp.MustCompile(`\n\[… (\d+) lines omitted; the whole text is in /out/c1.txt, `).FindStringSubmatch(got)
	if m == nil {
		t.Fatalf("no mark in %.200q", got)
	}
	if omitted, _ := strconv.Atoi(m[1]); omitted+strings.Count(got, "line ") != 20_000 {
		t.Errorf("says %d omitted and shows %d of 20000", omitted, strings.Count(got, "line "))
	}
	if s.kept["c1"] != text {
		t.Error("the whole text was not kept")
	}
	if got := tools.Limit("c1", text, &spill{err: errors.New("full")}); !strings.Contains(got, "was not kept") || strings.Contains(got, "/out/") {
		t.Error("a text that could not be kept is promised")
	}
}

// One line of 5 MB is cut as well.
func TestLimitGiantLine(t *testing.T) {
	got := tools.Limit("c", strings.Repeat("é", 5<<20), nil)
	checkLimits(t, got)
	if !strings.Contains(got, " [… 5240980 characters omitted …] ") || !utf8.ValidString(got) {
		t.Errorf("got %.80q … %q", got, got[len(got)-120:])
	}
}

func TestLimitLeavesSmallTextsAlone(t *testing.T) {
	for _, text := range []string{
		"", "\n", strings.Repeat("x", tools.MaxLineChars), strings.Repeat("é", tools.MaxLineChars),
		strings.Repeat("x\n", tools.MaxLines-1), strings.Repeat(strings.Repeat("é", 999)+"\n", 48),
	} {
		s := &spill{}
		if got := tools.Limit("c", text, s); got != text || s.kept != nil {
			t.Errorf("a text of %d characters was changed", utf8.RuneCountInString(text))
		}
	}
}

func FuzzLimit(f *testing.F) {
	f.Add("x\n", 3000)
	f.Add("é", 60_000)
	f.Add("ab\r\n\n", 2000)
	f.Add(strings.Repeat("y", 1999)+"\n", 30)
	f.Fuzz(func(t *testing.T, piece string, n int) {
		if n < 0 || len(piece) == 0 || len(piece) > 4000 || n > 400_000/len(piece) || !utf8.ValidString(piece) {
			return
		}
		text := strings.Repeat(piece, n)
		got := tools.Limit("c", text, &spill{})
		checkLimits(t, got)
		if !utf8.ValidString(got) {
			t.Error("cut inside a character")
		}
		if got != text && !strings.Contains(got, "/out/c.txt") {
			t.Error("a cut without the way to the rest")
		}
		if again := tools.Limit("c", got, nil); again != got {
			t.Error("a cut text is cut again")
		}
	})
}
