package doctext

import (
	"slices"
	"sort"
	"unicode/utf16"
)

// cmap maps the codes of a font to text, and tells how long each code is
// (ISO 32000-1, 9.10.3, and Adobe's technical note 5411).
type cmap struct {
	// lengths holds, for a first byte, the bytes of a code; 0 where none is said.
	lengths [256]byte
	chars   map[uint32]string
	ranges  []cmapRange // by lo, once read
}

// cmapRange maps lo to to, lo+1 to the next character, and so on.
type cmapRange struct {
	lo, hi uint32
	to     string
}

// maxMapped bounds the entries of one map.
const maxMapped = 200_000

// readCMap reads a map. It takes what it finds.
func readCMap(data []byte) *cmap {
	m := &cmap{chars: map[uint32]string{}}
	l := &lexer{b: data}
	var args []token
	for {
		t := l.next()
		switch {
		case t.kind == endToken:
			sort.SliceStable(m.ranges, func(i, j int) bool { return m.ranges[i].lo < m.ranges[j].lo })
			return m
		case t.kind != wordToken:
			if len(args) < maxMapped {
				args = append(args, t)
			}
			continue
		case t.text == "endcodespacerange":
			m.space(args)
		case t.text == "endbfchar":
			for c := range slices.Chunk(args, 2) {
				if len(c) == 2 && len(m.chars) < maxMapped {
					m.chars[code(c[0].text)] = m.target(c[1])
				}
			}
		case t.text == "endbfrange":
			for c := range slices.Chunk(args, 3) {
				if len(c) == 3 {
					m.addRange(code(c[0].text), code(c[1].text), c[2])
				}
			}
		}
		args = args[:0]
	}
}

// space notes how long the codes of a range are.
func (m *cmap) space(args []token) {
	for c := range slices.Chunk(args, 2) {
		if len(c) < 2 || c[0].text == "" || len(c[0].text) != len(c[1].text) || len(c[0].text) > 4 {
			continue
		}
		for first := int(c[0].text[0]); first <= int(c[1].text[0]); first++ {
			m.lengths[first] = byte(len(c[0].text))
		}
	}
}

func (m *cmap) addRange(lo, hi uint32, to token) {
	if to.kind == arrayToken {
		for i, e := range to.list {
			if len(m.chars) < maxMapped && uint32(i) <= hi-lo {
				m.chars[lo+uint32(i)] = m.target(e)
			}
		}
		return
	}
	if hi >= lo && len(m.ranges) < maxMapped {
		m.ranges = append(m.ranges, cmapRange{lo, hi, m.target(to)})
	}
}

// target is what a code is mapped to: text in UTF-16, or the name of a glyph.
func (m *cmap) target(t token) string {
	if t.kind == nameToken {
		return t.text
	}
	return fromUTF16(t.text)
}

// lookup returns the text of a code.
func (m *cmap) lookup(c uint32) (string, bool) {
	if text, ok := m.chars[c]; ok {
		return text, true
	}
	i := sort.Search(len(m.ranges), func(i int) bool { return m.ranges[i].lo > c }) - 1
	if i < 0 || c > m.ranges[i].hi || m.ranges[i].to == "" {
		return "", false
	}
	r := m.ranges[i]
	text := []rune(r.to)
	text[len(text)-1] += rune(c - r.lo)
	return string(text), true
}

// code reads a code of up to four bytes.
func code(s string) uint32 {
	var n uint32
	for _, b := range []byte(s[:min(len(s), 4)]) {
		n = n<<8 | uint32(b)
	}
	return n
}

// fromUTF16 decodes big-endian UTF-16. A single byte is taken for itself, as
// some programs write it.
func fromUTF16(s string) string {
	if len(s) == 1 {
		return string(rune(s[0]))
	}
	units := make([]uint16, len(s)/2)
	for i := range units {
		units[i] = uint16(s[2*i])<<8 | uint16(s[2*i+1])
	}
	return string(utf16.Decode(units))
}
