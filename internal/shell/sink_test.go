package shell

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// What is told at whatever moments is all that was printed, once; and so is what
// is shown live.
func TestToldOnceAtAnyMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for seed := range uint64(300) {
			rng := rand.New(rand.NewPCG(seed, 1))
			var shown, later, printed, told strings.Builder
			s := newSink(Options{Lines: 1 << 20, Bytes: 1 << 26}, func(text string) { shown.WriteString(text) })
			handed := false
			for range 1 + rng.IntN(60) {
				switch rng.IntN(8) {
				case 0:
					if !handed {
						handed = true
						told.WriteString(s.handOver(func(text string) { later.WriteString(text) }).text)
					} else {
						told.WriteString(s.fresh().text)
					}
				case 1:
					time.Sleep(time.Duration(rng.IntN(1500)) * time.Millisecond)
					s.settle()
				default:
					piece := strings.Repeat([]string{"a", "é", "\n", "word ", "line\n", "日本\r\n", "\x1b[31m", "x\x1b[0m", strings.Repeat("w", 3000)}[rng.IntN(9)], 1+rng.IntN(3))
					printed.WriteString(piece)
					fmt.Fprint(s, piece)
				}
			}
			if !handed {
				told.WriteString(s.finish().text)
			}
			s.close()
			if handed {
				told.WriteString(s.fresh().text)
			}
			want := strings.NewReplacer("\r", "", "\x1b[31m", "", "\x1b[0m", "").Replace(printed.String())
			got := told.String()
			if strings.Contains(got, "more bytes in this line") { // long lines are cut in a result, so only the live text has them
				got = want
			}
			if got != want {
				t.Fatalf("seed %d: told\n%q, printed\n%q", seed, got, want)
			}
			if live := shown.String() + later.String(); live != want && !strings.Contains(live, "not shown") {
				t.Fatalf("seed %d: shown\n%q, printed\n%q", seed, live, want)
			}
		}
	})
}

// A progress display shows live as it begins and as it ends; its result is its end.
func TestProgressLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var live strings.Builder
		s := newSink(Options{Lines: 100, Bytes: 10_000}, func(text string) { live.WriteString(text) })
		fmt.Fprint(s, "pulling\na: 0%\nsame\nb: 0%\n")
		for i := range 100 {
			fmt.Fprintf(s, "\x1b[3A\x1b[2Ka: %d%%\n\x1b[2Ksame\n\x1b[2Kb: %d%%\n", i, i)
			time.Sleep(time.Millisecond)
		}
		fmt.Fprint(s, "\x1b[3A\x1b[2Ka: done\n\n\x1b[2Kb: done\nall\n")
		if got := s.finish().text; got != "pulling\na: done\nsame\nb: done\nall\n" {
			t.Errorf("%q", got)
		}
		if got := live.String(); got != "pulling\na: 0%\nsame\nb: 0%\na: done\nb: done\nall\n" {
			t.Errorf("%q", got)
		}
		s.close()
	})
}

// The log of a command in the background is no more than a moment behind.
func TestLogInTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSink(Options{Lines: 100, Bytes: 10_000, LogDir: t.TempDir(), LogBytes: 1 << 20}, nil)
		s.handOver(nil)
		fmt.Fprint(s, "listening\n")
		s.settle()
		time.Sleep(settled)
		s.settle()
		if s.file.n != int64(len("listening\n")) {
			t.Errorf("%d bytes are in the log", s.file.n)
		}
		s.close()
	})
}

// One that goes on printing does not keep its lines from the log; a progress
// display does, for it is not over.
func TestLogOfWhatGoesOn(t *testing.T) {
	for _, c := range []struct {
		name, each, want string
		behind           int
	}{
		{"a server", "request\n", "\n" + strings.Repeat("request\n", 600), 31 * len("request\n")},
		{"a display", "\x1b[A\x1b[2Krequest\n", "request\n", 1 << 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSink(Options{Lines: 100, Bytes: 10_000, LogDir: t.TempDir(), LogBytes: 1 << 20}, nil)
				s.handOver(nil)
				fmt.Fprint(s, "\n")
				sent := 0
				for range 600 {
					fmt.Fprint(s, c.each)
					sent += len(c.each)
					time.Sleep(100 * time.Millisecond)
					s.settle()
					if behind := sent - int(s.file.n); behind > c.behind {
						t.Fatalf("%d of %d bytes are not in the log", behind, sent)
					}
				}
				s.close()
				b, _ := os.ReadFile(s.file.f.Name())
				if string(b) != c.want {
					t.Errorf("%.100q (%d bytes) in the log, want %.100q", b, len(b), c.want)
				}
			})
		})
	}
}
