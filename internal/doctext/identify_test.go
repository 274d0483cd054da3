package doctext

import (
	"encoding/binary"
	"strings"
	"testing"
)

func TestIdentify(t *testing.T) {
	for want, data := range map[string]string{
		"a PDF":                        "\xef\xbb\xbf%PDF-1.4",
		"a ZIP archive":                makeZip(t, "a", ""),
		"a Word document (.docx)":      makeZip(t, "word/document.xml", ""),
		"an Excel workbook (.xlsx)":    makeZip(t, "xl/workbook.xml", ""),
		"a gzip file":                  "\x1f\x8b\x08",
		"a tar archive":                strings.Repeat("\x00", 257) + "ustar",
		"an ELF executable or library": "\x7fELF\x02",
		"an SQLite database":           "SQLite format 3\x00",
		"a compound file of an old Microsoft program":                 compoundFile("Something"),
		"an old PowerPoint presentation (.ppt)":                       compoundFile("PowerPoint Document"),
		"a Microsoft Office document that is protected by a password": compoundFile("EncryptedPackage"),
		"": "plain text, PK and %PDF nowhere near the start\n",
	} {
		if got := identify(strings.NewReader(data), int64(len(data))); got.name != want {
			t.Errorf("%.20q is %q, want %q", data, got.name, want)
		}
	}
	for _, short := range []string{"", "P", "MZ", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "PK\x03\x04"} {
		identify(strings.NewReader(short), int64(len(short))) // does not panic
	}
}

// compoundFile is the start of one with a name in its directory.
func compoundFile(name string) string {
	b := make([]byte, 2048)
	copy(b, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	binary.LittleEndian.PutUint16(b[30:], 9)
	binary.LittleEndian.PutUint32(b[48:], 1)
	for i, c := range name {
		b[1024+2*i] = byte(c)
	}
	return string(b)
}
