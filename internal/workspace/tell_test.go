package workspace

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"clined/internal/tools"
)

// Of short texts many are left in doubt, but none is taken for what it is not, and
// what is added to one changes no other byte.
func TestTellOfShortTexts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	part := func(text string) string {
		words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
		word := []rune(words[rnd.IntN(len(words))])
		n := min(len(word), 1+rnd.IntN(6))
		i := rnd.IntN(len(word) - n + 1)
		return string(word[i : i+n])
	}
	right := map[string]int{}
	for n := range 4000 {
		tc := legacyTexts[n%len(legacyTexts)]
		text, edit := "// "+part(tc.text)+"\nx=1\n", part(tc.text)
		raw := inTable(t, tc.table, text)
		_, enc, err := decode(raw, knowledge{})
		if err != nil {
			t.Fatal(err)
		}
		if enc.charset != bytewise {
			continue
		}
		r := told(raw, edit, false)
		if r == nil {
			continue
		}
		want := string(raw) + string(inTable(t, tc.table, edit))
		if got, err := r.table.encode(r.text + r.plain(edit)); err != nil || string(got) != want || r.text != text {
			t.Errorf("%q in %s, %q added, is taken for %s: %q, %v", text, tc.table, edit, r.table.name, got, err)
		}
		right[tc.table]++
	}
	for _, name := range []string{"GBK", "GB18030", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR", "windows-1251", "KOI8-R"} {
		if right[name] < 10 {
			t.Errorf("%s was hardly ever told: %v", name, right)
		}
	}
}

// Words of Western Europe are not taken for others because of what is added.
func TestTellNothingOfWesternWords(t *testing.T) {
	latin1 := strings.Fields("Ärger Übung für Größe naïve été ça señor año coração Ångström smørrebrød città 20°C m³ ½ «bon» ÄÖÜ äöü é São £5 ©2020 mañana¿ Straße [café]")
	windows := strings.Fields("it’s “Hello” don’t 5€ a–b …")
	for i, word := range slices.Concat(latin1, windows) {
		table := "ISO-8859-1"
		if i >= len(latin1) {
			table = "windows-1252"
		}
		raw := inTable(t, table, word+"\nx=1\n")
		for _, edit := range strings.Fields("日本 世界 你好世界 テスト 안녕 мир żółw κόσμε 設定 的 ğış ř สวัสดี שלום مرحبا naïve plain") {
			if r := told(raw, edit, false); r != nil {
				t.Errorf("%q, %q added, is taken for %s: %q", word, edit, r.table.name, r.text)
			}
		}
	}
}

// A text of one script is not taken for one of another because of what is added.
func TestTellNothingOfOtherScripts(t *testing.T) {
	for _, tc := range legacyTexts {
		for word := range strings.FieldsFuncSeq(tc.text, func(r rune) bool { return !unicode.IsLetter(r) || !beyondASCII(r) }) {
			raw := inTable(t, tc.table, "// "+word+"\nx=1\n")
			if _, enc, _ := decode(raw, knowledge{}); enc.charset != bytewise {
				continue
			}
			for _, edit := range strings.Fields("安装世界 テスト 안녕 помощь κόσμε สวัสดี שלום") {
				if r := told(raw, edit, false); r != nil && r.text != "// "+word+"\nx=1\n" {
					t.Errorf("%q in %s, %q added, is taken for %s: %q", word, tc.table, edit, r.table.name, r.text)
				}
			}
		}
	}
}

// Whatever bytes are taken for, they stay.
func TestTellKeepsBytes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	taken := 0
	for n := range 3000 {
		raw := []byte("x ")
		for range 1 + rnd.IntN(6) {
			if raw = append(raw, byte(0x80+rnd.IntN(0x80))); rnd.IntN(3) == 0 {
				raw = append(raw, byte(0x20+rnd.IntN(0x5F)))
			}
		}
		tc := legacyTexts[n%len(legacyTexts)]
		r := told(raw, tc.text[:strings.IndexByte(tc.text, '\n')], false)
		if r == nil {
			continue
		}
		taken++
		if back, err := r.table.encode(r.text + "y"); err != nil || string(back) != string(raw)+"y" {
			t.Fatalf("%q in %s came back as %q, %v", raw, r.table.name, back, err)
		}
	}
	if taken == 0 {
		t.Error("nothing was taken for anything")
	}
}

// What an edit told holds once it is written; until then the file is read as before.
func TestTellHoldsOnceWritten(t *testing.T) {
	dir := realTemp(t)
	w := New(Options{Roots: []string{dir}})
	const raw = "// \xC4\xE3\xBA\xC3\nint a=1;\n"
	put(t, dir, "f", raw)
	f := read(t, w, "f")
	if now, _ := f.Tell("int b;"); now != nil {
		t.Errorf("ASCII tells %s", now.Encoding)
	}
	now, copied := f.Tell("// ÄãºÃ\n// 世界")
	if now == nil || now.Encoding != "GBK" || copied("// ÄãºÃ") != "// 你好" {
		t.Fatalf("%+v", now)
	}
	if again := read(t, w, "f"); again.Text != f.Text || again.Tell == nil {
		t.Errorf("it is read as %q without a write", again.Text)
	}
	if _, err := w.Write(t.Context(), now, now.Text+"// 世界\n"); err != nil || onDisk(t, dir, "f") != raw+"// \xCA\xC0\xBD\xE7\n" {
		t.Errorf("%q, %v", onDisk(t, dir, "f"), err)
	}
	if again := read(t, w, "f"); again.Text != now.Text+"// 世界\n" || again.Tell != nil {
		t.Errorf("%+v", again)
	}
	// Others changed it since it was told of.
	put(t, dir, "f", raw+"\xE9\n")
	if _, err := w.Write(t.Context(), now, now.Text+"x"); !errors.Is(err, tools.ErrChanged) {
		t.Error(err)
	}
	// A move is a write, too.
	put(t, dir, "g", raw)
	now, _ = read(t, w, "g").Tell("// 世界")
	if _, err := w.Move(t.Context(), now, resolve(t, w, "h"), now.Text+"// 世界\n"); err != nil || onDisk(t, dir, "h") != raw+"// \xCA\xC0\xBD\xE7\n" {
		t.Errorf("%v", err)
	}
}

// A single letter in both is no evidence by itself: two bytes of Western Europe are a
// letter in some table.
func TestTellNothingOfOneLetter(t *testing.T) {
	tried := 0
	for _, word := range []string{"f\xFCr", "\xE9t", "na\xEFve", "\xC4rger", "se\xF1or", "\xE9\\"} {
		for _, tab := range []string{"GBK", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR"} {
			for _, raw := range []string{word + "\nx=1\n", word + " \xC3\xA9\xC3\xA8\n"} {
				text, ok := findTable(tab).decode([]byte(raw))
				letters := strings.FieldsFunc(text, func(r rune) bool { return !beyondLatin1(r) })
				if !ok || len(letters) == 0 || len([]rune(letters[0])) != 1 {
					continue
				}
				for _, damaged := range []bool{false, true} {
					tried++
					if r := told([]byte(raw), letters[0]+"\n世界", damaged); r != nil {
						t.Errorf("%q is taken for %s by one letter: %q", raw, r.table.name, r.text)
					}
				}
			}
		}
	}
	if tried < 10 {
		t.Errorf("only %d were tried", tried)
	}
	// One that the file clearly looks like is.
	for _, damaged := range []bool{false, true} {
		if r := told([]byte("# \x95\x5C\nx\n"), "# 表\n日本", damaged); r == nil || r.table.name != "Shift_JIS" {
			t.Errorf("a clear one is not told: %+v", r)
		}
	}
}
