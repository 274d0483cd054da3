package shell

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"clined/internal/tools"
)

func resolve(pieces ...[]byte) string {
	t := newPlain()
	var out []byte
	for _, p := range pieces {
		final, _ := t.Write(p)
		out = append(out, final...)
	}
	final, _ := t.Flush()
	return string(append(out, final...))
}

// what a terminal shows at the end.
func TestPlain(t *testing.T) {
	var progress strings.Builder
	for i := 1; i <= 100; i++ {
		fmt.Fprintf(&progress, "\r%d%%", i)
	}
	long := strings.Repeat("é", 3*maxCells) + "end"
	for in, want := range map[string]string{
		progress.String() + "\n": "100%\n",
		"\x1b[31mred\x1b[0m\n\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\n\rHello\x1b[K\n": "red\nlink\nHello\n",
		"a\r\nb\r\n":                      "a\nb\n",
		"downloading\rdone\x1b[K":         "done",
		"downloading\r\x1b[2Kdone":        "done",
		"abc\b\bX":                        "aXc",
		"a\tb":                            "a\tb",
		"\x1b]0;title\x07text":            "text",
		"\x1b]0;tîtle ✓\x1b\\text":        "text",
		"\x1b]0;never closed\nnext":       "\nnext",
		"\x1bPq#0payload\x1b\\x":          "x",
		"\x1b(B\x1b[?25lx\x1b[?25h":       "x",
		"\x1b[38;5;12;48:2::1:2:3mx":      "x",
		"ab\x1b[10GX":                     "ab       X",
		"ab\x1b[2CX\x1b[5DY":              "Yb  X",
		"abcdef\x1b[4D\x1b[2P":            "abef",
		"abcdef\x1b[4D\x1b[2X":            "ab  ef",
		"abc\x1b[99999999999999999999CX":  "abc" + strings.Repeat(" ", maxCells-4) + "X",
		"bell\a nul\x00 del\x7f.":         "bell nul del.",
		"\xff\xfe|\xc3|\xe2\x82|\xf0\x9f": "��|�|�|�",
		"\x9bred":                         "�red",
		"x\u0085y\u2028z":                 "xyz",
		"日本\r語":                           "語本",
		"\x1b[日x":                         "日x",
		long + "\n":                       long + "\n",
		"":                                "",
		"1\n2\n3\n\x1b[2Ab\x1b[2Bend\n":   "1\nb\n3\n end\n",
		"1\n2\n3\n\x1b[3A\x1b[2KA\n\x1b[2KB\n\x1b[2KC\nok":             "A\nB\nC\nok",
		"1\r\n2\r\n\x1b[1A\x1b[2K\x1b[1A\x1b[2K\x1b[Gdone\n":           "done\n",
		"1\n2\n\x1b[2K\x1b[1A\x1b[2K\x1b[1A\x1b[2K\x1b[G✔ all\nnext\n": "✔ all\nnext\n",
		"a\x1b[99Ab\n":             "ab\n",
		"a\n\x1b[99Ab\nc":          "b\nc",
		"one\ntwo\n\x1b[F!\x1b[E?": "one\n!wo\n?",
		"one\ntwo\x1bM!":           "one!\ntwo",
		"a\nbc\n\x1b[2A\x1b[Jx\ny": "x\ny",
		long + "\n\x1b[Ax":         long + "\nx",
		"日本\n\x1b[A語\n":            "語本\n",
		"old\n\x1b[2J\x1b[Hnew\n":  "old\nnew\n",
		// Downloads in parallel, as container and package tools show them.
		"a: 1%\nb: 1%\n\x1b[2A\ra: 50%\x1b[K\x1b[2B\r\x1b[1A\rb: 70%\x1b[K\x1b[1B\r\x1b[2A\ra: done\x1b[K\x1b[2B\r\x1b[1A\rb: done\x1b[K\x1b[1B\rfinished\n": "a: done\nb: done\nfinished\n",
		"\x1b[1G[..] 1\x1b[0K\x1b[1G[##] 2\x1b[0K\x1b[1G\x1b[0Kadded 3 packages\n":                                                                           "added 3 packages\n",
		"   Compiling a\n    Building [=>  ] 1/2\r\x1b[K   Compiling b\n    Building [==>] 2/2\r\x1b[K    Finished\n":                                        "   Compiling a\n   Compiling b\n    Finished\n",
	} {
		if got := resolve([]byte(in)); got != want {
			t.Errorf("%.60q:\n got %.80q\nwant %.80q", in, got, want)
		}
	}
}

// However the bytes are split, the text is the same.
func FuzzPlainSplit(f *testing.F) {
	for _, s := range []string{
		"\r1%\r2%\n", "\x1b[31mred\x1b[0m\n\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\n\rHello\x1b[K\n",
		"é\xff日\xe2\x82\n", "\x1b]0;✓\nx", "\x1bP\x1b\\a\bb", strings.Repeat("x", maxCells+3) + "\ry\n", "\x1b\x1b[K\x9c",
		"a\nb\n\x1b[2Ax\n\n\n\x1b[9A\x1b[Jy", strings.Repeat("x\n", 300) + "\x1b[250Ay\nz", strings.Repeat(strings.Repeat("x", 999)+"\n", 80) + "\x1b[99Ay\x1b[1A\x1b[1A!",
		strings.Repeat("é", maxCells-1) + "\n\x1b[A\bxyz\x1b[Aq", strings.Repeat("w", 70_000) + "\nv\n\x1b[2Ax", "one\n\x1b[M\x1bM\x1bE",
	} {
		f.Add([]byte(s), uint64(1))
	}
	f.Fuzz(func(t *testing.T, b []byte, seed uint64) {
		want := resolve(b)
		if !utf8.ValidString(want) || strings.ContainsAny(want, "\x1b\r\b\x00") {
			t.Fatalf("not plain: %q", want)
		}
		if got := resolve(bytes.SplitAfter(b, nil)...); got != want {
			t.Fatalf("byte by byte: %q, at once %q", got, want)
		}
		rng := rand.New(rand.NewPCG(seed, 0))
		var pieces [][]byte
		for rest := b; len(rest) > 0; {
			n := 1 + rng.IntN(len(rest))
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		if got := resolve(pieces...); got != want {
			t.Fatalf("split: %q, at once %q", got, want)
		}
	})
}

// what is left out is counted and marked, and head and tail are whole.
func TestCollector(t *testing.T) {
	lines := func(from, to int) string {
		var b strings.Builder
		for i := from; i <= to; i++ {
			fmt.Fprintln(&b, i)
		}
		return b.String()
	}
	x := strings.Repeat("x", 100_000)
	for _, c := range []struct {
		name, in, want string
		omitted        int
	}{
		{"short", "a\nb", "a\nb", 0},
		{"just fits", lines(1, 500), lines(1, 500), 0},
		{"one more", lines(1, 501), lines(1, 250) + "[… 1 lines omitted, FULL …]\n" + lines(252, 501), 1},
		{"many", lines(1, 20000), lines(1, 250) + "[… 19500 lines omitted, FULL …]\n" + lines(19751, 20000), 19500},
		{"giant line", x + "\nend", x[:maxLine] + " [… 98100 more bytes in this line …]\nend\n[… long lines are cut, FULL …]\n", 0},
		{"giant unended", x, x[:maxLine] + " [… 98100 more bytes in this line …]\n[… long lines are cut, FULL …]\n", 0},
		{"never inside a character", strings.Repeat("日", 1000), strings.Repeat("日", 633) + " [… 1101 more bytes in this line …]\n[… long lines are cut, FULL …]\n", 0},
	} {
		for _, step := range []int{1, 7, len(c.in)} {
			k := collector{maxLines: 250, maxBytes: 20_000}
			for rest := []rune(c.in); len(rest) > 0; rest = rest[min(step, len(rest)):] {
				k.add([]byte(string(rest[:min(step, len(rest))])))
			}
			full := ""
			if k.lossy() {
				full = ", FULL"
			}
			if got := k.text("", full); got != c.want || k.omitted != c.omitted {
				t.Errorf("%s by %d: omitted %d\n got %.300q\nwant %.300q", c.name, step, k.omitted, got, c.want)
			}
		}
	}
	giant := collector{maxLines: 250, maxBytes: 20_000}
	giant.add([]byte(strings.Repeat("z", 1<<20)))
	if got := tools.Limit("c", giant.text("", ""), nil); got != giant.text("", "") {
		t.Error("the limits of results cut a line that was cut already")
	}
	k := collector{maxLines: 250, maxBytes: 20_000}
	k.add([]byte(strings.Repeat(strings.Repeat("y", 999)+"\n", 1000)))
	if got := len(k.text("", "")); got > 40_100 || got < 38_000 {
		t.Errorf("%d bytes", got)
	}
}

// at most 20 updates a second, each bounded, and nothing after the end.
func TestLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var updates []string
		var times []time.Time
		l := &live{emit: func(s string) { updates, times = append(updates, s), append(times, time.Now()) }}
		chunk := []byte(strings.Repeat("é\n", 20_000))
		for range 1000 { // two seconds of flood
			l.add(chunk, "")
			time.Sleep(2 * time.Millisecond)
		}
		synctest.Wait()
		if len(updates) < 35 || len(updates) > 41 {
			t.Errorf("%d updates in 2 s", len(updates))
		}
		for i, u := range updates {
			if len(u) > liveBytes+100 || !utf8.ValidString(u) {
				t.Fatalf("update of %d bytes", len(u))
			}
			if i > 0 && times[i].Sub(times[i-1]) < liveEvery {
				t.Fatalf("%v between updates", times[i].Sub(times[i-1]))
			}
		}
		if !strings.HasPrefix(updates[len(updates)-1], "[… ") {
			t.Errorf("no mark: %.40q", updates[len(updates)-1])
		}
		l.redirect(nil)
		n := len(updates)
		l.add([]byte("late\n"), "")
		time.Sleep(time.Second)
		if len(updates) != n {
			t.Error("an update after the end")
		}
	})
}

func TestLiveShowsUnendedLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all strings.Builder
		l := &live{emit: func(s string) { all.WriteString(s) }}
		step := func(text, line, want string) {
			t.Helper()
			l.add([]byte(text), line)
			time.Sleep(liveEvery)
			synctest.Wait()
			if all.String() != want {
				t.Errorf("%q, want %q", all.String(), want)
			}
		}
		step("", "Continue? ", "Continue? ")
		step("", "Continue? [y/N]", "Continue? [y/N]")
		step("Continue? [y/N] no\n", "1%", "Continue? [y/N] no\n1%")
		step("", "2%", "Continue? [y/N] no\n1%")
		step("100%\n", "", "Continue? [y/N] no\n1%\n100%\n")
		l.redirect(nil)
	})
}
