package workspace

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"clined/internal/diffedit"
)

func TestDecode(t *testing.T) {
	for _, tc := range []struct {
		name, raw, text string
		charset         charset
		bom             int
	}{
		{"ASCII", "a\nb\r\n", "a\nb\r\n", utf8Text, 0},
		{"empty", "", "", utf8Text, 0},
		{"UTF-8", "ü日😀\n", "ü日😀\n", utf8Text, 0},
		{"UTF-8 with BOM", "\xEF\xBB\xBFlet n = 7\n", "let n = 7\n", utf8Text, 1},
		{"two BOMs", "\xEF\xBB\xBF\xEF\xBB\xBFa\n", "a\n", utf8Text, 2},
		{"two BOMs and a bad byte", "\xEF\xBB\xBF\xEF\xBB\xBF日本 \xFF\n", "日本 \uEFFF\n", utf8Broken, 2},
		{"no HZ", "~{<:Ky~}\n", "~{<:Ky~}\n", utf8Text, 0},
		{"three bytes", "a~{", "a~{", utf8Text, 0},
		{"no UTF-7", "+AGE-", "+AGE-", utf8Text, 0},
		{"ISO-2022-JP", "a\x1b$B!!\x1b(B\nk\n", "a\x1b$B!!\x1b(B\nk\n", iso2022, 0},
		{"ISO-2022-KR", "\x1b$)C\na word \x0e!!!!!!\x0f and so on\n", "\x1b$)C\na word \x0e!!!!!!\x0f and so on\n", iso2022, 0},
		{"another line drawing set", "\x1b(0lqk\x1b(B $B", "\x1b(0lqk\x1b(B $B", utf8Text, 0},
		{"an escape before a dollar", "\x1b$ \x1b$", "\x1b$ \x1b$", utf8Text, 0},
		{"UTF-8 about ISO-2022", "日\x1b$B!!\x1b(B\n", "日\x1b$B!!\x1b(B\n", utf8Text, 0},
		{"terminal colours", "\x1b[31mred\x1b[0m\n", "\x1b[31mred\x1b[0m\n", utf8Text, 0},
		{"UTF-16 little endian", "\xFF\xFEa\x00\x3D\xD8\x00\xDE\n\x00", "a😀\n", utf16LE, 1},
		{"UTF-16 big endian", "\xFE\xFF\x00a\x65\xE5\x00\n", "a日\n", utf16BE, 1},
		{"Windows-1252", "name=caf\xE9\n", "name=café\n", bytewise, 0},
		{"BOM and bytes of another encoding", "\xEF\xBB\xBFa\n\xA7~\xFB=\xE9\n", "a\n§~û=é\n", bytewise, 1},
		{"GBK", "// \xC4\xE3\xBA\xC3\n", "// ÄãºÃ\n", bytewise, 0},
		{"Shift JIS", "\x95\x5C\n", "\u0095\\\n", bytewise, 0},
		{"UTF-8 with a bad byte", "日本 \xFF\n", "日本 \uEFFF\n", utf8Broken, 0},
		{"bad bytes and escape characters", "日本\uEF81 \xFF\n", "", bytewise, 0},
	} {
		text, enc, err := decode([]byte(tc.raw), knowledge{})
		if err != nil || (text != tc.text && tc.text != "") || enc.charset != tc.charset || enc.bom != tc.bom {
			t.Errorf("%s: %q %+v %v", tc.name, text, enc, err)
		}
		if back, err := enc.encode(text); err != nil || string(back) != tc.raw {
			t.Errorf("%s: back %q, %v", tc.name, back, err)
		}
	}
	for name, raw := range map[string]string{
		"NUL": "a\x00b", "PDF": "%PDF-1.7\n", "ELF": "\x7fELF\x02\x01\x01\x00", "control characters": strings.Repeat("\x01a\x02", 30),
		"UTF-32": "\xFF\xFE\x00\x00a\x00\x00\x00", "odd UTF-16": "\xFF\xFEa\x00b", "half a pair": "\xFF\xFE\x3D\xD8a\x00", "UTF-16 with NUL": "\xFF\xFEa\x00\x00\x00",
	} {
		if text, _, err := decode([]byte(raw), knowledge{}); err != errBinary {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

func TestEncode(t *testing.T) {
	for marks, want := range []string{"", "", "UTF-8 with several byte order marks"} { // an editor keeps one
		if e := (encoding{bom: marks}); e.String() != want || e.exact() != (want == "") {
			t.Errorf("%d marks: %q, exact %v", marks, e, e.exact())
		}
	}
	if _, err := (encoding{charset: bytewise}).encode("日本"); err == nil || !strings.Contains(err.Error(), "日") {
		t.Errorf("a character that does not fit: %v", err)
	}
	if _, err := (encoding{charset: iso2022}).encode("a\x1b$B!!\x1b(B\n日\n"); err == nil || !strings.Contains(err.Error(), "'日' cannot be written to it; use ASCII") {
		t.Errorf("UTF-8 in the middle of escape sequences: %v", err)
	}
	if got, err := (encoding{bom: 1}).encode("\ufeffx"); err != nil || string(got) != "\xEF\xBB\xBFx" {
		t.Errorf("doubled mark: %q, %v", got, err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"a\n", "\xEF\xBB\xBFa", "\xFF\xFEa\x00", "\xFE\xFF\x00a", "caf\xE9", "日本\xFF", "\xEF\xBB\xBF\xE9", "\x1b$B!!\x1b(B\n", "\xEF\xBB\xBF\xEF\xBB\xBFa"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		text, enc, err := decode(raw, knowledge{})
		if err != nil {
			return
		}
		if !utf8.ValidString(text) {
			t.Fatalf("%q gives invalid text %q", raw, text)
		}
		if back, err := enc.encode(text); err != nil || !bytes.Equal(back, raw) {
			t.Fatalf("%q → %q → %q, %v", raw, text, back, err)
		}
	})
}

// An ASCII edit changes no other byte, whatever stands around it.
func FuzzEdit(f *testing.F) {
	for _, s := range []string{
		"caf\xE9", "日本\xFF", "\x95\x5C", "\xE9\xA3\x82", "\x81\x30\x81\x30", "\x1b$B\x46\x7C\x1b(B", "\xEF\xBB\xBFa\xE9", "~{<:Ky~}\xC4",
		"# coding: shift_jis\n\x83\x5C\x83\x5C", "# coding: gb18030\n\x82\x31\x8A\x30", "<?xml version='1.0' encoding='big5'?>\xA5\x5C", "# coding: euc-jp\n\x8F\xB0\xA1\x8E\xB1",
	} {
		f.Add([]byte(s), []byte(s))
	}
	for _, tc := range legacyTexts {
		raw := inTable(f, tc.table, tc.text)
		f.Add(raw, raw[:7])
	}
	f.Fuzz(func(t *testing.T, head, tail []byte) {
		join := func(middle string) []byte { return bytes.Join([][]byte{head, tail}, []byte(middle)) }
		text, enc, err := decode(join("\nprice=1\n"), knowledge{})
		if err != nil || strings.Count(text, "\nprice=1\n") != 1 {
			return // binary, UTF-16, or another such place
		}
		const middle = "\nprice=20 \\~{}\r\nnew\n"
		got, err := enc.encode(strings.Replace(text, "\nprice=1\n", middle, 1))
		if err != nil || !bytes.Equal(got, join(middle)) {
			t.Fatalf("%v: got %q, %v\nwant %q", enc, got, err, join(middle))
		}
	})
}

// An ASCII edit of a file of random bytes changes no other byte.
func TestEditsKeepOtherBytes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	tried := 0
	for range 2000 {
		var head, tail []byte
		for range rnd.IntN(60) {
			head = append(head, byte(0x20+rnd.IntN(0xE0)))
			tail = append(tail, byte(0x20+rnd.IntN(0xE0)))
		}
		if rnd.IntN(4) == 0 {
			head = append([]byte("\xEF\xBB\xBF"), head...)
		}
		raw := string(head) + "\r\nprice=1\n" + string(tail)
		text, enc, err := decode([]byte(raw), knowledge{})
		if err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		res, err := diffedit.Replace(text, "------- SEARCH\nprice=1\n=======\nprice=2\nnew=3\n+++++++ REPLACE\n")
		if err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		got, err := enc.encode(res.Text)
		if want := strings.Replace(raw, "price=1\n", "price=2\nnew=3\n", 1); err != nil || string(got) != want {
			t.Fatalf("got %q, %v\nwant %q", got, err, want)
		}
		tried++
	}
	if tried < 2000 {
		t.Errorf("only %d files tried", tried)
	}
}
