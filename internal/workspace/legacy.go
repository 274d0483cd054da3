package workspace

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	xencoding "golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// table is a character set that extends ASCII and has no states: each character
// is some bytes, whatever stands beside it. So an edit changes no other bytes.
// (ISO-2022-JP and HZ have states; their bytes are all ASCII and are left as they are.)
type table struct {
	// name is IANA's, labels are others in the form of tableName.
	name, labels string
	enc          xencoding.Encoding
}

// tables lists what is known. Of those that are alike the one with fewer
// characters comes first: what it does not have cannot be written wrongly.
func tables() []table {
	return []table{
		{"ISO-8859-1", "latin1 l1", charmap.ISO8859_1},
		{"ISO-8859-15", "latin9 l9", charmap.ISO8859_15},
		{"windows-1252", "cp1252", charmap.Windows1252},
		{"ISO-8859-2", "latin2 l2", charmap.ISO8859_2},
		{"ISO-8859-3", "latin3", charmap.ISO8859_3},
		{"ISO-8859-4", "latin4", charmap.ISO8859_4},
		{"ISO-8859-5", "cyrillic", charmap.ISO8859_5},
		{"ISO-8859-6", "arabic", charmap.ISO8859_6},
		{"ISO-8859-7", "greek", charmap.ISO8859_7},
		{"ISO-8859-8", "hebrew", charmap.ISO8859_8},
		{"ISO-8859-9", "latin5", charmap.ISO8859_9},
		{"ISO-8859-10", "latin6", charmap.ISO8859_10},
		{"ISO-8859-13", "latin7", charmap.ISO8859_13},
		{"ISO-8859-14", "latin8", charmap.ISO8859_14},
		{"ISO-8859-16", "latin10", charmap.ISO8859_16},
		{"windows-1250", "cp1250", charmap.Windows1250},
		{"windows-1251", "cp1251", charmap.Windows1251},
		{"windows-1253", "cp1253", charmap.Windows1253},
		{"windows-1254", "cp1254", charmap.Windows1254},
		{"windows-1255", "cp1255", charmap.Windows1255},
		{"windows-1256", "cp1256", charmap.Windows1256},
		{"windows-1257", "cp1257", charmap.Windows1257},
		{"windows-1258", "cp1258", charmap.Windows1258},
		{"windows-874", "cp874 tis620 iso885911", charmap.Windows874},
		{"KOI8-R", "koi8", charmap.KOI8R},
		{"KOI8-U", "", charmap.KOI8U},
		{"IBM866", "cp866", charmap.CodePage866},
		{"IBM850", "cp850", charmap.CodePage850},
		{"IBM437", "cp437", charmap.CodePage437},
		{"macintosh", "macroman", charmap.Macintosh},
		{"EUC-JP", "ujis", japanese.EUCJP},
		{"Shift_JIS", "sjis cp932 windows31j ms932", japanese.ShiftJIS},
		{"EUC-KR", "cp949 uhc ksc56011987", korean.EUCKR},
		{"Big5", "big5hkscs cp950", traditionalchinese.Big5},
		{"GBK", "gb2312 euccn cp936", simplifiedchinese.GBK},
		{"GB18030", "", simplifiedchinese.GB18030},
	}
}

// tableName makes one of the many spellings of a name.
func tableName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_ ", r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// findTable returns nil for a name that is not known.
func findTable(name string) *table {
	name = tableName(name)
	for _, t := range tables() {
		if tableName(t.name) == name || strings.Contains(" "+t.labels+" ", " "+name+" ") {
			return &t
		}
	}
	return nil
}

// decode returns the text of bytes. ok is false unless they are that text in
// this table and nothing else is.
func (t *table) decode(raw []byte) (text string, ok bool) {
	out, err := t.enc.NewDecoder().Bytes(raw)
	if err != nil {
		return "", false
	}
	back, err := t.enc.NewEncoder().Bytes(out)
	return string(out), err == nil && bytes.Equal(back, raw)
}

// encode returns the bytes of a text.
func (t *table) encode(text string) ([]byte, error) {
	out, err := t.enc.NewEncoder().Bytes([]byte(text))
	if err == nil {
		// Some characters are written as others that look alike.
		if back, err := t.enc.NewDecoder().Bytes(out); err == nil && string(back) == text {
			return out, nil
		}
	}
	for _, r := range text {
		out, err := t.enc.NewEncoder().String(string(r))
		if err == nil {
			out, err = t.enc.NewDecoder().String(out)
		}
		if err != nil || out != string(r) {
			return nil, fmt.Errorf("the file is in %s, which has no %q, so that cannot be written to it; use other characters", t.name, r)
		}
	}
	return nil, fmt.Errorf("the file is in %s, and this text cannot be written in it", t.name)
}

// declared returns the table that a text names by itself: in XML's or HTML's
// ways, CSS's, or the one of Python, Emacs and Vim, in a comment of the first two
// lines.
func declared(raw []byte) *table {
	head := raw[:min(len(raw), 1024)]
	for _, form := range []string{
		`^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)`,
		`(?i)<meta\s[^>]*?charset\s*=\s*["']?([-\w]+)`,
		`^@charset "([^"]+)"`,
		`^(?:.*\n)?[ \t\f]*(?:#|//|/\*|;|%|--|<!--|").*?coding[:=][ \t]*([-\w]+)`,
	} {
		if m := regexp.MustCompile(form).FindSubmatch(head); m != nil {
			return findTable(string(m[1]))
		}
	}
	return nil
}
