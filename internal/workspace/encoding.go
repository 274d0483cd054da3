package workspace

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// charset says how bytes and text correspond.
type charset int

const (
	utf8Text charset = iota
	utf16LE
	utf16BE
	// utf8Broken is UTF-8 with some invalid bytes. Each of those is a
	// character from escapeBase on.
	utf8Broken
	// bytewise is any other text that extends ASCII: each byte is the
	// character of the same number (Latin-1). What the characters really are
	// is not known, but what is not edited stays as it was.
	bytewise
	// legacy is a text in a table.
	legacy
	// iso2022 is a text of ASCII bytes some of which are other characters, as escape
	// sequences say (ISO-2022-JP and its like). They are left as they are.
	iso2022
)

// encoding is how a file's text is kept on disk.
type encoding struct {
	charset charset
	// bom is how many byte order marks the file starts with: more than one is what
	// programs leave behind that add theirs on each save.
	bom int
	// table is that of a legacy text.
	table *table
}

// escapeBase, a private-use character, stands for the invalid byte 0x80, the
// next ones for the bytes up to 0xFF.
const escapeBase = 0xEF80

var (
	errBinary = errors.New("binary")
	bomUTF8   = []byte("\xEF\xBB\xBF")
)

// decode returns the text of a file's bytes, without a byte order mark. What is
// UTF-8, as ASCII is, is never taken for anything else; only then an editor, the
// text's own word and its letters are asked, in this order. The error is errBinary.
func decode(raw []byte, know knowledge) (string, encoding, error) {
	for _, e := range []encoding{{charset: utf16LE, bom: 1}, {charset: utf16BE, bom: 1}} {
		if text, ok := decodeUTF16(raw, e); ok {
			return text, e, nil
		}
	}
	if isBinary(raw) {
		return "", encoding{}, errBinary
	}
	body := bytes.TrimLeft(raw, mark)
	bom := (len(raw) - len(body)) / len(bomUTF8)
	if utf8.Valid(body) {
		enc := encoding{bom: bom}
		if len(body) == len(raw) && hasDesignation(raw) {
			enc.charset = iso2022
		}
		return string(body), enc, nil
	}
	damaged := damagedUTF8(body)
	if bom == 0 {
		if text, t := decodeLegacy(raw, know, !damaged); t != nil {
			return text, encoding{charset: legacy, table: t}, nil
		}
	}
	if damaged {
		return escapeInvalid(body), encoding{charset: utf8Broken, bom: bom}, nil
	}
	return asLatin1(body), encoding{charset: bytewise, bom: bom}, nil
}

// hasDesignation reports whether ASCII bytes hold an escape sequence that makes what
// follows characters of several bytes (ECMA-35, 14.3): "ESC $", which no terminal
// knows, and the set's name.
func hasDesignation(raw []byte) bool {
	found := false
	for rest := raw; ; {
		i := bytes.Index(rest, []byte("\x1b$"))
		if i < 0 {
			break
		}
		rest = rest[i+2:]
		name := bytes.TrimLeft(rest[:min(len(rest), 2)], "()*+-./")
		found = found || len(name) > 0 && name[0] >= '@' && name[0] <= '~'
	}
	return found && !bytes.ContainsFunc(raw, func(r rune) bool { return r >= utf8.RuneSelf })
}

func asLatin1(raw []byte) string {
	var b strings.Builder
	b.Grow(len(raw) + len(raw)/4)
	for _, c := range raw {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// decodeLegacy returns the text in the first table that something tells, its
// letters too if guessed, and that gives these very bytes back; nil for none.
func decodeLegacy(raw []byte, know knowledge, guessed bool) (string, *table) {
	told := []func() *table{
		func() *table { return likeShown(raw, know.shown) },
		func() *table { return cmp.Or(know.before, declared(raw)) },
	}
	if guessed {
		told = append(told, func() *table { return guess(raw) })
	}
	for _, told := range told {
		if t := told(); t != nil {
			if text, ok := t.decode(raw); ok {
				return text, t
			}
		}
	}
	return "", nil
}

// damagedUTF8 reports whether bytes that are not UTF-8 hardly can be anything
// else: there are not more invalid bytes than characters beyond ASCII, and the
// text does not use the escape characters itself.
func damagedUTF8(body []byte) bool {
	good, bad := 0, 0
	for i := 0; i < len(body); {
		r, n := utf8.DecodeRune(body[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			bad++
		case r >= escapeBase && r < escapeBase+0x80:
			return false
		case n > 1:
			good++
		}
		i += n
	}
	return good >= bad
}

// escapeInvalid decodes UTF-8 with some invalid bytes.
func escapeInvalid(body []byte) string {
	var b strings.Builder
	b.Grow(len(body))
	for i := 0; i < len(body); {
		r, n := utf8.DecodeRune(body[i:])
		if r == utf8.RuneError && n == 1 {
			r = escapeBase + rune(body[i]-0x80)
		}
		b.WriteRune(r)
		i += n
	}
	return b.String()
}

// decodeUTF16 decodes bytes that start with the mark of e, if they are sound:
// what could not be written back as it was is no text.
func decodeUTF16(raw []byte, e encoding) (text string, ok bool) {
	mark := e.order().AppendUint16(nil, 0xFEFF)
	if !bytes.HasPrefix(raw, mark) || len(raw)%2 != 0 {
		return "", false
	}
	units := make([]uint16, 0, len(raw)/2)
	for i := len(mark); i < len(raw); i += 2 {
		units = append(units, e.order().Uint16(raw[i:]))
	}
	text = string(utf16.Decode(units))
	back, err := e.encode(text)
	return text, err == nil && bytes.Equal(back, raw) && !strings.ContainsRune(text, 0)
}

func (e encoding) order() byteOrder {
	if e.charset == utf16BE {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// encode returns the bytes for text. It fails for characters that the file's
// encoding does not have. A byte order mark at the start of text is not added to those.
func (e encoding) encode(text string) ([]byte, error) {
	if e.bom > 0 {
		text = strings.TrimLeft(text, mark)
	}
	switch e.charset {
	case legacy:
		return e.table.encode(text)
	case iso2022:
		for _, r := range text {
			if r >= utf8.RuneSelf {
				return nil, fmt.Errorf("the file is in ISO-2022, where escape sequences say what ASCII bytes mean, so %q cannot be written to it; use ASCII characters, or have a command convert the file to UTF-8 first", r)
			}
		}
		return []byte(text), nil
	case utf16LE, utf16BE:
		out := e.order().AppendUint16(nil, 0xFEFF)
		for _, u := range utf16.Encode([]rune(text)) {
			out = e.order().AppendUint16(out, u)
		}
		return out, nil
	case bytewise:
		out := bytes.Repeat(bomUTF8, e.bom)
		for _, r := range text {
			if r > 0xFF {
				return nil, fmt.Errorf("the file is not in UTF-8 and its encoding is not known, so %q cannot be written to it; use ASCII characters", r)
			}
			out = append(out, byte(r))
		}
		return out, nil
	}
	out := bytes.Repeat(bomUTF8, e.bom)
	if e.charset == utf8Text {
		return append(out, text...), nil
	}
	for _, r := range text {
		if r >= escapeBase && r < escapeBase+0x80 {
			out = append(out, byte(r-escapeBase)+0x80)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out, nil
}

// String says in words what is unlike UTF-8, for the model: what it reads, or may
// write, differs.
func (e encoding) String() string {
	switch e.charset {
	case legacy:
		return e.table.name
	case iso2022:
		return "ISO-2022: escape sequences are shown as they are, new text must be ASCII"
	case utf16LE, utf16BE:
		return "UTF-16"
	case utf8Broken:
		return "UTF-8 with some invalid bytes"
	case bytewise:
		return "encoding not known: bytes beyond ASCII are shown as Latin-1"
	}
	if e.bom > 1 {
		return "UTF-8 with several byte order marks"
	}
	return ""
}

// exact reports whether an editor that knows UTF-8 only can save such a file
// without changing bytes beyond an edit. Of several byte order marks it keeps one.
func (e encoding) exact() bool { return e.charset == utf8Text && e.bom <= 1 }

// isBinary looks at the start of a file: a NUL, many control characters, or
// the signature of a format that may have neither there.
func isBinary(raw []byte) bool {
	const sample = 8000
	if bytes.HasPrefix(raw, []byte("%PDF-")) {
		return true
	}
	head := raw[:min(len(raw), sample)]
	control := 0
	for _, c := range head {
		switch {
		case c == 0:
			return true
		case c < 0x20 && (c < '\b' || c > '\r') && c != 0x1B:
			control++
		}
	}
	return control*10 > len(head)
}
