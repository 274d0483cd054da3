package shell

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf16"
)

// utf16le is s as programs of Windows write it.
func utf16le(s string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

func utf16be(s string) string {
	b := []byte(utf16le(s))
	for i := 0; i+1 < len(b); i += 2 {
		b[i], b[i+1] = b[i+1], b[i]
	}
	return string(b)
}

func decoded(pieces ...[]byte) string {
	var d decoder
	var out []byte
	for _, p := range pieces {
		out = append(out, d.Write(p)...)
	}
	return string(append(out, d.Flush()...))
}

func TestDecode(t *testing.T) {
	for in, want := range map[string]string{
		"plain é\n": "plain é\n",
		"\xff\xfe" + utf16le("é 日本 🙂\r\n"):                                        "é 日本 🙂\r\n",
		"\xfe\xff" + utf16be("é 日本 🙂\n"):                                          "é 日本 🙂\n",
		"\xff\xfe" + utf16le("中文"):                                                "中文", // bytes that are ASCII text
		utf16le("Windows-Subsystem für Linux\r\n* Ubuntu läuft\r\n"):              "Windows-Subsystem für Linux\r\n* Ubuntu läuft\r\n",
		"before\n" + utf16le("größe\r\n") + "after é\n" + utf16le("wieder é\r\n"): "before\ngröße\r\nafter é\nwieder é\r\n",
		"a\x00b\x00cd\x00":                "abcd\x00", // find -print0
		"name\x00value\x00":               "name\x00value\x00",
		"\xff\xfd\xff":                    "\xff\xfd\xff",
		"\xff":                            "\xff",
		"\xff\xfe" + "\x3d\xd8" + "a\x00": "\ufffda", // half a pair
		"\xff\xfe" + "\x42\xde":           "\ufffd",
		"\xff\xfe" + "\x3d\xd8":           "\ufffd",
		"x\x00\xe9":                       "x\xe9",
		"":                                "",
	} {
		if got := decoded([]byte(in)); got != want {
			t.Errorf("%q:\n got %q\nwant %q", in, got, want)
		}
		if got := decoded(bytes.SplitAfter([]byte(in), nil)...); got != want {
			t.Errorf("%q byte by byte:\n got %q\nwant %q", in, got, want)
		}
	}
}

func FuzzDecodeSplit(f *testing.F) {
	f.Add([]byte("a\n"+utf16le("é\r\n")+"xy"), 3)
	f.Add([]byte("\xff\xfe"+utf16le("中🙂")), 1)
	f.Add([]byte("\xfe\xff\xd8"), 1)
	f.Fuzz(func(t *testing.T, b []byte, at int) {
		want := decoded(b)
		if got := decoded(bytes.SplitAfter(b, nil)...); got != want {
			t.Fatalf("byte by byte: %q, at once %q", got, want)
		}
		at = max(0, min(at, len(b)))
		if got := decoded(b[:at], b[at:]); got != want {
			t.Fatalf("split at %d: %q, at once %q", at, got, want)
		}
		if !bytes.ContainsAny(b, "\x00") && !strings.HasPrefix(string(b), "\xff\xfe") && !strings.HasPrefix(string(b), "\xfe\xff") && want != string(b) {
			t.Fatalf("changed: %q, %q", b, want)
		}
	})
}
