package workspace

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// legacyTexts are texts as they stand in programs and notes.
var legacyTexts = []struct{ table, text string }{
	{"GBK", "// 读取配置文件，返回默认参数\nint load(void); // 如果没有这个文件就创建一个新的\n"},
	{"GBK", "# 用户可以在这里设置服务器的地址和端口，修改以后要重新开始\nport = 80\n"},
	{"GB18030", "// 读取配置文件，返回默认参数 㐂㐄\n// 如果没有这个文件就创建一个新的\n"},
	{"Big5", "// 讀取設定檔案，如果沒有就建立一個新的\nint load(void); // 使用者可以在這裡改變預設的參數\n"},
	{"Shift_JIS", "// 設定ファイルを読み込む。なければ新しく作成する。\nint load(void); // 表示する文字列を返す\n"},
	{"EUC-JP", "# このファイルには、利用者の一覧が入っています。\nname = 1 # 名前を変更するときはここを書き換える\n"},
	{"EUC-KR", "// 설정 파일을 읽어서 기본값을 반환한다\nint load(void); // 파일이 없으면 새로 만든다\n"},
	{"windows-1251", "# Этот файл читается при запуске программы.\n# Если его нет, то создаётся новый с настройками по умолчанию.\nx = 1\n"},
	{"KOI8-R", "# Этот файл читается при запуске программы.\n# Если его нет, то создаётся новый с настройками по умолчанию.\nx = 1\n"},
	{"ISO-8859-5", "# Этот файл читается при запуске программы.\n# Если его нет, то создается новый с настройками по умолчанию.\n"},
	{"IBM866", "rem Этот файл читается при запуске программы.\nrem Если его нет, то создается новый с настройками по умолчанию.\n"},
	{"ISO-8859-7", "# Αυτό το αρχείο διαβάζεται στην αρχή του προγράμματος.\n# Αν δεν υπάρχει, δημιουργείται ένα νέο με τις αρχικές τιμές. Άλλα όχι.\n"},
	{"windows-1253", "# Αυτό το αρχείο διαβάζεται στην αρχή του προγράμματος.\n# Αν δεν υπάρχει, δημιουργείται ένα νέο με τις αρχικές τιμές. Άλλα όχι “έτσι”.\n"},
	{"ISO-8859-8", "# הקובץ הזה נקרא בתחילת התוכנית\n# אם הוא לא קיים נוצר קובץ חדש עם ערכי ברירת המחדל\n"},
	{"windows-1256", "# يقرأ هذا الملف عند بدء البرنامج\n# إذا لم يكن موجودا يتم إنشاء ملف جديد بالقيم الافتراضية\n"},
	{"windows-874", "# อ่านไฟล์นี้เมื่อเริ่มต้นโปรแกรม\n# ถ้าไม่มีไฟล์ จะสร้างใหม่ด้วยค่าเริ่มต้น\n"},
	{"ISO-8859-2", "# Plik jest czytany przy uruchomieniu. Jeśli go nie ma, zostanie utworzony nowy z wartościami domyślnymi, które można zmienić później żądaniem użytkownika.\n"},
	{"windows-1250", "# Plik jest czytany przy uruchomieniu. Jeśli go nie ma, zostanie utworzony nowy z wartościami domyślnymi, które można zmienić później żądaniem użytkownika.\n"},
	{"windows-1250", "# Soubor se čte při spuštění. Pokud neexistuje, bude vytvořen nový s výchozími hodnotami, které lze později změnit příkazem žádosti uživatele.\n"},
	{"ISO-8859-2", "# A fájl induláskor kerül beolvasásra. Ha nem létezik, új jön létre az alapértékekkel, melyek később bővíthetők, és működő jelzőt kap.\n"},
	{"ISO-8859-9", "# Bu dosya program başlarken okunur. Eğer yoksa, varsayılan değerlerle yeni bir dosya oluşturulur; kullanıcı bunları sonra değiştirebilir.\n"},
	{"windows-1252", "It’s the user’s file – don’t “fix” it… or 5 € are due.\n"},
	{"windows-1252", "L’éditeur n’a pas trouvé le fichier « été » — c’est dommage, où est-il…\n"},
}

// inTable writes a text in a table.
func inTable(t testing.TB, name, text string) []byte {
	t.Helper()
	raw, err := findTable(name).encode(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// What is written goes in in the file's own encoding, and what it does not have
// is refused.
func TestLegacyTexts(t *testing.T) {
	dir := realTemp(t)
	w := New(Options{Roots: []string{dir}})
	for _, tc := range legacyTexts {
		text := strings.Repeat(tc.text, 2)
		raw := inTable(t, tc.table, text)
		put(t, dir, "f", string(raw))
		f := read(t, w, "f")
		if f.Text != text || f.Encoding != tc.table {
			t.Errorf("%s: %q is %.60q", tc.table, f.Encoding, f.Text)
			continue
		}
		insert := strings.SplitAfter(tc.text, "\n")[0]
		if _, err := w.Write(t.Context(), f, insert+"new = 1\n"+text); err != nil {
			t.Error(err)
		}
		want := string(inTable(t, tc.table, insert)) + "new = 1\n" + string(raw)
		if got := onDisk(t, dir, "f"); got != want {
			t.Errorf("%s: got %q\nwant %q", tc.table, got, want)
		}
		f = read(t, w, "f")
		if _, err := w.Write(t.Context(), f, f.Text+"\U0001F600"); tc.table != "GB18030" && (err == nil || !strings.Contains(err.Error(), "😀")) {
			t.Errorf("%s: %v", tc.table, err)
		}
		if got := onDisk(t, dir, "f"); got != want && tc.table != "GB18030" {
			t.Errorf("%s: changed by what was refused", tc.table)
		}
	}
}

// Few letters are no evidence, nor are letters that several tables have.
func TestNoGuessWithoutEvidence(t *testing.T) {
	for name, raw := range map[string]string{
		"one Latin letter": "caf\xE9\n",
		"German":           "gr\xFC\xDFe f\xFCr die \xE4rzte in k\xF6ln, sch\xF6ne gr\xFC\xDFe aus m\xFCnchen, \xFCber alles\n",
		"Italian":          "perch\xE9 la citt\xE0 \xE8 pi\xF9 bella cos\xEC, per\xF2 non c'\xE8 pi\xF9 tempo, perch\xE9 l'unit\xE0 \xE8 gi\xE0 finita luned\xEC, s\xEC\n",
		"Spanish":          "a\xF1o ma\xF1ana ni\xF1o \xE1rbol canci\xF3n aqu\xED \xFAltimo ping\xFCino a\xF1o ma\xF1ana ni\xF1o \xE1rbol canci\xF3n aqu\xED\n",
		"GBK in short":     "// \xC4\xE3\xBA\xC3\n",
		"Shift JIS":        "\x95\x5C\n",
		"DOS umlauts":      "gr\x81n und sch\x94n, f\x81r \x84rzte \x81ber die stra\xE1e; gr\x81n und sch\x94n, f\x81r \x84rzte\n",
		"Macintosh":        "caf\x8E d\x8Ej\x88 \x8Et\x8E voil\x88 gar\x8Don caf\x8E d\x8Ej\x88 \x8Et\x8E voil\x88\n",
		"boxes":            strings.Repeat("\xC9\xCD\xCD\xCD\xCD\xBB\n\xBA    \xBA\n\xC8\xCD\xCD\xCD\xCD\xBC\n", 4),
	} {
		text, enc, err := decode([]byte(raw), knowledge{})
		if err != nil || enc.charset != bytewise {
			t.Errorf("%s: %v, %q", name, enc, text)
		}
	}
}

// Random bytes look like no language.
func TestNoGuessOfNoise(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		var raw []byte
		for range 200 {
			if raw = append(raw, byte(0x80+rnd.IntN(0x80))); rnd.IntN(8) == 0 {
				raw = append(raw, " a\n"[rnd.IntN(3)])
			}
		}
		if g := guess(raw); g != nil {
			t.Errorf("%q is taken for %s", raw, g.name)
		}
	}
}

func TestDeclared(t *testing.T) {
	for raw, want := range map[string]string{
		"<?xml version='1.0' encoding='ISO-8859-2'?>\n<a>\xB1</a>":                "ISO-8859-2",
		"<html><head><META http-equiv=x content='text/html; charset=koi8-r'>\xC1": "KOI8-R",
		"<!doctype html>\n<meta charset=\"windows-1251\">\xE0":                    "windows-1251",
		"@charset \"latin1\";\na::after { content: '\xE9' }":                      "ISO-8859-1",
		"#!/usr/bin/python\n# -*- coding: cp1252 -*-\nx = '\x80'\n":               "windows-1252",
		"/* vim: set fileencoding=euc-jp : */\n\xA4\xA2\n":                        "EUC-JP",
		"# coding: shift_jis\n\x95\x5C\n":                                         "Shift_JIS",
		// In other places it is not meant, and what cannot be is not believed.
		"a\nb\n# coding: koi8-r\n\xC1\n":                     "",
		"open(f, encoding='koi8-r')\n\xC1\n":                 "",
		"# coding: utf-8\n\xC1\n":                            "",
		"# coding: none-such\n\xC1\n":                        "",
		"# coding: gbk\nna\xEFve caf\xE9\n":                  "",
		"# coding: iso-2022-jp\n\xC1\n":                      "",
		"<?xml version='1.0' encoding='EUC-KR'?>\n\xC1 \xC1": "",
	} {
		text, enc, err := decode([]byte(raw), knowledge{})
		got := ""
		if enc.table != nil {
			got = enc.table.name
		}
		if err != nil || got != want {
			t.Errorf("%q: %v, %q", raw, enc, text)
		}
		if back, err := enc.encode(text); err != nil || string(back) != raw {
			t.Errorf("%q came back as %q, %v", raw, back, err)
		}
	}
}

func TestEveryTable(t *testing.T) {
	names := map[string]bool{}
	for _, tab := range tables() {
		for _, n := range append(strings.Fields(tab.labels), tableName(tab.name)) {
			if names[n] {
				t.Errorf("%s is the name of two", n)
			}
			names[n] = true
			if found := findTable(strings.ToUpper(n)); found == nil || found.name != tab.name {
				t.Errorf("%s: %v", n, found)
			}
		}
		for r := range rune(utf8.RuneSelf) {
			if raw, err := tab.enc.NewEncoder().String(string(r)); err != nil || raw != string(r) {
				t.Errorf("%s does not extend ASCII: %q is %q, %v", tab.name, r, raw, err)
			}
		}
	}
	for _, p := range profiles() {
		if findTable(p.table) == nil {
			t.Errorf("no table %s", p.table)
		}
	}
}

// Some tables write characters as others that look alike: such a write is none.
func TestLegacyEncodeIsExact(t *testing.T) {
	for _, tc := range []struct{ table, text, char string }{
		{"Shift_JIS", "5 ¥", "¥"}, {"EUC-JP", "a‾", "‾"}, {"ISO-8859-1", "5 €", "€"}, {"windows-1252", "日", "日"}, {"GBK", "😀", "😀"}, {"EUC-KR", "ก", "ก"},
	} {
		if got, err := findTable(tc.table).encode(tc.text); err == nil || !strings.Contains(err.Error(), tc.char) || !strings.Contains(err.Error(), tc.table) {
			t.Errorf("%s: %q is %q, %v", tc.table, tc.text, got, err)
		}
	}
}

// An editor that shows the text tells its encoding; one that shows it amiss tells
// nothing, and does not count as one with unsaved changes.
func TestEncodingShownByAnEditor(t *testing.T) {
	const raw, text = "// \xC4\xE3\xBA\xC3\nint a=1;\n", "// 你好\nint a=1;\n"
	for _, tc := range []struct{ name, shown, text, encoding string }{
		{"right", text, text, "GBK"},
		{"with other line ends", strings.ReplaceAll(text, "\n", "\r\n"), text, "GBK"},
		{"as Latin-1", "// ÄãºÃ\nint a=1;\n", "// ÄãºÃ\nint a=1;\n", encoding{charset: bytewise}.String()},
		{"with replacements", "// \ufffd\ufffd\ufffd\ufffd\nint a=1;\n", "// ÄãºÃ\nint a=1;\n", encoding{charset: bytewise}.String()},
		{"with one replacement", "// \ufffd\nint a=1;\n", "// ÄãºÃ\nint a=1;\n", encoding{charset: bytewise}.String()},
	} {
		dir := realTemp(t)
		put(t, dir, "f", raw)
		e := &fakeEditor{}
		w := New(Options{Roots: []string{dir}, Editor: e})
		e.w = w
		w.Open(filepath.Join(dir, "f"), "", 1, tc.shown)
		f := read(t, w, "f")
		if f.Text != tc.text || f.Encoding != tc.encoding || f.Dirty || !f.Open {
			t.Errorf("%s: %+v", tc.name, f)
		}
		if _, err := w.Write(t.Context(), f, strings.Replace(f.Text, "a=1", "a=2", 1)); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		if got := onDisk(t, dir, "f"); got != strings.Replace(raw, "a=1", "a=2", 1) || len(e.asks) > 0 {
			t.Errorf("%s: holds %q, the editor was asked for %q", tc.name, got, e.asks)
		}
		// Unsaved changes over lost characters must not be saved.
		if err := w.Change(filepath.Join(dir, "f"), 2, tc.shown+"typed\n"); err != nil {
			t.Fatal(err)
		}
		f = read(t, w, "f")
		_, err := w.Write(t.Context(), f, f.Text+"more\n")
		if lost := strings.Contains(tc.shown, "\ufffd"); !f.Dirty || (err != nil) != lost {
			t.Errorf("%s: typed: %+v, %v", tc.name, f, err)
		}
	}
}

// An edit that leaves hardly anything of what told the encoding does not make it
// another.
func TestEncodingStays(t *testing.T) {
	dir := realTemp(t)
	w := New(Options{Roots: []string{dir}})
	text := legacyTexts[4].text
	put(t, dir, "f", string(inTable(t, "Shift_JIS", text)))
	f := read(t, w, "f")
	if _, err := w.Write(t.Context(), f, "// 表\n"); err != nil {
		t.Fatal(err)
	}
	if f = read(t, w, "f"); f.Text != "// 表\n" || f.Encoding != "Shift_JIS" {
		t.Errorf("%+v", f)
	}
	if _, err := w.Write(t.Context(), f, "// 日本\n"); err != nil || onDisk(t, dir, "f") != "// \x93\xFA\x96\x7B\n" {
		t.Errorf("%q, %v", onDisk(t, dir, "f"), err)
	}
	put(t, dir, "f", "grün\n")
	if f = read(t, w, "f"); f.Text != "grün\n" || f.Encoding != "" {
		t.Errorf("made UTF-8: %+v", f)
	}
}

// An ASCII edit of random bytes of each table's kind changes no other byte,
// whatever they are taken for.
func TestLegacyEditsKeepOtherBytes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	taken := map[string]bool{}
	for n := range 1000 {
		tc := legacyTexts[n%len(legacyTexts)]
		head, tail := inTable(t, tc.table, strings.Repeat(tc.text, 2)), inTable(t, tc.table, tc.text)
		switch n % 3 { // as it is, with a bad byte, declared as something else
		case 1:
			head[rnd.IntN(len(head))] = byte(0x80 + rnd.IntN(0x80))
		case 2:
			head = append([]byte("# coding: "+tables()[rnd.IntN(len(tables()))].name+"\n"), head...)
		}
		raw := bytes.Join([][]byte{head, []byte("\nprice=1\n"), tail}, nil)
		text, enc, err := decode(raw, knowledge{})
		if err != nil || !utf8.ValidString(text) {
			t.Fatalf("%q: %v", raw, err)
		}
		if enc.table != nil {
			taken[enc.table.name] = true
		}
		if strings.Count(text, "\nprice=1\n") != 1 {
			t.Fatalf("%v: %q", enc, text)
		}
		got, err := enc.encode(strings.Replace(text, "\nprice=1\n", "\nprice=20\nnew\n", 1))
		if want := bytes.Join([][]byte{head, []byte("\nprice=20\nnew\n"), tail}, nil); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%v: got %q, %v\nwant %q", enc, got, err, want)
		}
	}
	if len(taken) < 15 {
		t.Errorf("only %v were met", taken)
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, tc := range []struct{ name, raw string }{
		{"UTF-8", "// 读取配置文件，返回默认参数\nint load(void);\n"},
		{"GBK", string(inTable(b, "GBK", legacyTexts[0].text))},
		{"windows-1251", string(inTable(b, "windows-1251", legacyTexts[7].text))},
		{"not known", "name=caf\xE9\nprice=1\n"},
	} {
		b.Run(tc.name, func(b *testing.B) {
			raw := []byte(strings.Repeat(tc.raw, 1+(5<<20)/len(tc.raw)))
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if _, _, err := decode(raw, knowledge{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
