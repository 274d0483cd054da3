package shell

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// decoder turns UTF-16, which programs of Windows write also under WSL and in
// files with a byte order mark, into UTF-8; everything else passes unchanged.
// The result does not depend on how the bytes are split.
//
// Little-endian UTF-16 without a mark is known by a NUL after the first
// character of a line, and is taken to end where two bytes are ASCII text.
type decoder struct {
	begun  bool
	wide   bool // in UTF-16
	marked bool // there was a byte order mark: it is UTF-16 to the end
	big    bool // big-endian
	half   []byte
	high   rune // a surrogate that waits for its other half, 0 for none
	at     int  // bytes of the line so far, NUL not counted; no more than 2
	first  byte // of them
	out    []byte
}

// Write takes bytes and returns what they mean; it is valid until the next call.
func (d *decoder) Write(b []byte) []byte {
	if d.plainly(b) {
		return b
	}
	d.out = d.out[:0]
	for i := 0; i < len(b); i++ {
		d.take(b[i])
	}
	return d.out
}

// plainly notes what b ends with and returns true if it has nothing to decode.
func (d *decoder) plainly(b []byte) bool {
	if len(b) == 0 || d.wide || len(d.half) > 0 || bytes.IndexByte(b, 0) >= 0 || !d.begun && (b[0] == 0xff || b[0] == 0xfe) {
		return false
	}
	d.begun = true
	line := b[bytes.LastIndexByte(b, '\n')+1:]
	if len(line) < len(b) {
		d.at = 0
	}
	if d.at == 0 && len(line) > 0 {
		d.first = line[0]
	}
	d.at = min(d.at+len(line), 2)
	return true
}

func (d *decoder) take(c byte) {
	switch {
	case d.wide || len(d.half) > 0:
		if d.half = append(d.half, c); len(d.half) == 2 {
			lo, hi := d.half[0], d.half[1]
			d.half = d.half[:0]
			d.pair(lo, hi)
		}
	case !d.begun && (c == 0xff || c == 0xfe):
		d.half = append(d.half, c)
	default:
		d.single(c)
	}
	d.begun = true
}

// single takes a byte outside of UTF-16.
func (d *decoder) single(c byte) {
	switch {
	case c == 0 && d.at == 1 && isText(d.first):
		d.wide, d.at = true, 0
	case c == 0:
	case c == '\n':
		d.at = 0
	default:
		if d.at == 0 {
			d.first = c
		}
		d.at = min(d.at+1, 2)
	}
	if !d.wide {
		d.out = append(d.out, c)
	}
}

func (d *decoder) pair(a, b byte) {
	switch {
	case !d.wide && a == 0xff && b == 0xfe, !d.wide && a == 0xfe && b == 0xff:
		d.wide, d.marked, d.big = true, true, a == 0xfe
	case !d.wide: // not a mark
		d.single(a)
		d.single(b)
	case !d.marked && isText(a) && isText(b):
		d.endPair()
		d.wide = false
		d.single(a)
		d.single(b)
	case d.big:
		d.unit(rune(a)<<8 | rune(b))
	default:
		d.unit(rune(b)<<8 | rune(a))
	}
}

func (d *decoder) unit(u rune) {
	if r := utf16.DecodeRune(d.high, u); d.high != 0 && r != utf8.RuneError {
		d.high = 0
		d.out = utf8.AppendRune(d.out, r)
		return
	}
	d.endPair()
	switch {
	case utf16.IsSurrogate(u):
		if d.high = u; u >= 0xdc00 { // a low one, without its high one
			d.endPair()
		}
	case u != 0xfeff:
		d.out = utf8.AppendRune(d.out, u)
	}
}

// endPair gives up on a surrogate.
func (d *decoder) endPair() {
	if d.high != 0 {
		d.high = 0
		d.out = utf8.AppendRune(d.out, utf8.RuneError)
	}
}

// Flush returns what a half character at the end means.
func (d *decoder) Flush() []byte {
	d.out = d.out[:0]
	d.endPair()
	d.out = append(d.out, d.half...)
	d.half = d.half[:0]
	return d.out
}

func isText(c byte) bool {
	return c >= ' ' && c < 0x7f || c == '\n' || c == '\r' || c == '\t' || c == 0x1b
}
