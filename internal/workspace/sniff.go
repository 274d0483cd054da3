package workspace

import (
	"bytes"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// sniff tells the encoding of a text by its start.
func sniff(head []byte) (encoding, error) {
	switch {
	case bytes.HasPrefix(head, []byte("\xFF\xFE")) && !bytes.HasPrefix(head, []byte("\xFF\xFE\x00\x00")):
		return encoding{charset: utf16LE, bom: 1}, nil
	case bytes.HasPrefix(head, []byte("\xFE\xFF")):
		return encoding{charset: utf16BE, bom: 1}, nil
	}
	if end := bytes.LastIndexByte(head, '\n'); end >= 0 {
		head = head[:end]
	} else {
		head = wholeRunes(head)
	}
	_, enc, err := decode(head, knowledge{})
	return enc, err
}

// decoder turns the bytes of a file into UTF-8 as far as they can be, nil when
// they are that.
func (e encoding) decoder() transform.Transformer {
	switch e.charset {
	case utf16LE:
		return unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder()
	case utf16BE:
		return unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM).NewDecoder()
	case bytewise:
		return charmap.ISO8859_1.NewDecoder()
	case legacy:
		return e.table.enc.NewDecoder()
	}
	return nil
}
