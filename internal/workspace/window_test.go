package workspace

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"clined/internal/tools"
)

func TestWindow(t *testing.T) {
	for _, tc := range []struct {
		text        string
		from        tools.Place
		lines, most int
		want        tools.Window
	}{
		{"a\nb\nc\n", tools.Place{}, 10, 100, tools.Window{Text: "a\nb\nc\n", Lines: 3}},
		{"a\nb\nc", tools.Place{Line: 2}, 1, 100, tools.Window{Text: "b\n", Next: tools.Place{Line: 3}}},
		{"a\nb\nc", tools.Place{Line: 3}, 1, 100, tools.Window{Text: "c", Lines: 3}},
		{"a\nb\nc", tools.Place{Line: 4}, 1, 100, tools.Window{Lines: 3}},
		{"a\nb\nc\n", tools.Place{Line: 9}, 1, 100, tools.Window{Lines: 3}},
		{"", tools.Place{Line: 1}, 1, 100, tools.Window{}},
		{"a\r\nb\r\n", tools.Place{Line: 1}, 1, 100, tools.Window{Text: "a\r\n", Next: tools.Place{Line: 2}}},
		// Bytes end a window before a line that does not fit.
		{"aaaa\nbbbb\ncccc\n", tools.Place{Line: 1}, 9, 12, tools.Window{Text: "aaaa\nbbbb\n", Next: tools.Place{Line: 3}}},
		{"aaaa\nbbbb\ncccc\n", tools.Place{Line: 1}, 9, 10, tools.Window{Text: "aaaa\nbbbb\n", Next: tools.Place{Line: 3}}},
		// Within a long line, by characters.
		{"日本語日本語\nb\n", tools.Place{Line: 1}, 9, 10, tools.Window{Text: "日本語", Next: tools.Place{Line: 1, Char: 3}}},
		{"日本語日本語\nb\n", tools.Place{Line: 1, Char: 3}, 9, 10, tools.Window{Text: "日本語\n", Next: tools.Place{Line: 2}}},
		{"日本語日本語\nb\n", tools.Place{Line: 1, Char: 6}, 9, 2, tools.Window{Text: "\nb\n", Lines: 2}},
		{"ab\ncd\n", tools.Place{Line: 1, Char: 5}, 9, 100, tools.Window{Text: "\ncd\n", Lines: 2}},
		{"ab", tools.Place{Line: 1, Char: 5}, 9, 100, tools.Window{Lines: 1}},
		{"😀😀", tools.Place{Line: 1}, 1, 1, tools.Window{Text: "😀", Next: tools.Place{Line: 1, Char: 1}}},
		{"a\xFF\xFFb\n", tools.Place{Line: 1, Char: 2}, 1, 9, tools.Window{Text: "\xFFb\n", Lines: 1}},
	} {
		got, err := window(t.Context(), iotest.OneByteReader(strings.NewReader(tc.text)), tc.from, tc.lines, tc.most)
		if err != nil || *got != tc.want {
			t.Errorf("%q from %v, %d lines, %d bytes: %+v, %v\nwant %+v", tc.text, tc.from, tc.lines, tc.most, *got, err, tc.want)
		}
	}
}

// Windows, one after the other, are the text, wherever they are cut.
func TestWindowsMakeUpTheText(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	alphabet := []string{"a", "\n", "\r\n", "é", "日", "😀", "\xFF", "\xE3\x81", "long "}
	for range 500 {
		var b strings.Builder
		for range rnd.IntN(60) {
			b.WriteString(alphabet[rnd.IntN(len(alphabet))])
		}
		text, got := b.String(), ""
		at := tools.Place{Line: 1}
		for n := 0; ; n++ {
			if n > len(text) {
				t.Fatalf("%q: no end of windows", text)
			}
			win, err := window(t.Context(), strings.NewReader(text), at, 1+rnd.IntN(3), rnd.IntN(12))
			if err != nil {
				t.Fatal(err)
			}
			// A window begins where its place in the text is.
			line := strings.SplitAfter(text, "\n")[at.Line-1]
			for range at.Char {
				_, size := utf8.DecodeRuneInString(line)
				line = line[size:]
			}
			if first := strings.SplitAfter(win.Text, "\n")[0]; !strings.HasPrefix(line, first) {
				t.Fatalf("%q at %v begins with %q", text, at, first)
			}
			got += win.Text
			if at = win.Next; at.Line == 0 {
				if lines := len(strings.Split(strings.TrimSuffix(text, "\n"), "\n")); text != "" && win.Lines != lines {
					t.Errorf("%q has %d lines, not %d", text, lines, win.Lines)
				}
				break
			}
		}
		if got != text {
			t.Fatalf("%q became %q", text, got)
		}
	}
}

// big makes a file of more than MaxFile bytes of lines.
func big(t *testing.T, path, mark string, line func(n int) string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	size, _ := f.WriteString(mark)
	for n := 1; size <= MaxFile; n++ {
		var b strings.Builder
		for range 1000 {
			b.WriteString(line(n))
			n++
		}
		n--
		m, err := f.WriteString(b.String())
		if err != nil {
			t.Fatal(err)
		}
		size += m
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestWindowOfHugeFiles(t *testing.T) {
	dir := realTemp(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	big(t, at("utf8"), "\xEF\xBB\xBF", func(n int) string { return fmt.Sprintf("zeile %d grün\n", n) })
	big(t, at("latin"), "", func(n int) string { return fmt.Sprintf("zeile %d gr\xFCn\n", n) })
	big(t, at("broken"), "", func(n int) string { return fmt.Sprintf("zeile %d grün \xFF\n", n) })
	big(t, at("utf16"), "\xFF\xFE", func(n int) string {
		raw, _ := encoding{charset: utf16LE}.encode(fmt.Sprintf("zeile %d grün\n", n))
		return string(raw[2:])
	})
	w := New(Options{Roots: []string{dir}})
	for _, name := range []string{"utf8", "utf16", "latin", "broken"} {
		p := resolve(t, w, name)
		if _, err := w.Read(t.Context(), p); !errors.Is(err, tools.ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
		for _, line := range []int{1, 2, 100_000} {
			win, err := w.Window(t.Context(), p, tools.Place{Line: line}, 2, 1000)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(win.Text, "\n")
			if !strings.HasPrefix(first, fmt.Sprintf("zeile %d gr", line)) || !utf8.ValidString(first) || win.Next.Line != line+2 || win.Size <= MaxFile || win.Lines != 0 {
				t.Errorf("%s, line %d: %+v", name, line, win)
			}
		}
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Window(done, resolve(t, w, "utf8"), tools.Place{Line: 1}, 2, 1000); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancel: %v", err)
	}
}

// An open buffer is the text, and a file that can be loaded tells all its lines.
func TestWindowOfBuffers(t *testing.T) {
	dir := realTemp(t)
	put(t, dir, "f", "1\n2\n3\n", "bin", "a\x00")
	w := New(Options{Roots: []string{dir}})
	p := resolve(t, w, "f")
	if win, err := w.Window(t.Context(), p, tools.Place{Line: 2}, 1, 99); err != nil || win.Text != "2\n" || win.Lines != 3 || win.Size != 6 || win.Open {
		t.Errorf("%+v, %v", win, err)
	}
	w.Open(filepath.Join(dir, "f"), "", 1, "1\nzwei\n3\n4")
	if win, err := w.Window(t.Context(), p, tools.Place{Line: 2}, 1, 99); err != nil || win.Text != "zwei\n" || win.Lines != 4 || !win.Dirty {
		t.Errorf("%+v, %v", win, err)
	}
	if _, err := w.Window(t.Context(), resolve(t, w, "bin"), tools.Place{}, 1, 99); err == nil || !strings.Contains(err.Error(), "binary") {
		t.Error(err)
	}
}
