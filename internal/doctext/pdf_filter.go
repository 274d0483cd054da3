package doctext

import (
	"bytes"
	"compress/flate"
	"encoding/ascii85"
	"io"
)

// errFilter says that a stream is compressed in a way that only pictures are.
var errFilter = damaged("a stream is compressed in an unknown way")

// decode returns what is in a stream (ISO 32000-1, 7.4). With an error it is
// what could be read before.
func (f *pdfFile) decode(s *pdfStream) ([]byte, error) {
	data := s.raw
	filters, params := f.list(s.dict, "Filter", "F"), f.list(s.dict, "DecodeParms", "DP")
	if f.crypt != nil {
		data = f.crypt.stream(f, s, filters)
	}
	for i, o := range filters[:min(len(filters), 8)] {
		var p pdfDict
		if i < len(params) {
			p = f.dict(params[i])
		}
		limit := min(maxPart, f.left)
		out, err := f.filter(f.name(o), data, p, limit)
		if f.left -= len(out); len(out) >= limit {
			return nil, errTooBig
		}
		if err != nil {
			return out, err
		}
		data = out
	}
	return data, nil
}

// list is the value of a key that may be an array, or stand alone.
func (f *pdfFile) list(d pdfDict, key, short pdfName) pdfArray {
	o := f.resolve(d[key])
	if o == nil {
		o = f.resolve(d[short])
	}
	switch o := o.(type) {
	case nil:
		return nil
	case pdfArray:
		return o
	default:
		return pdfArray{o}
	}
}

// filter undoes one compression; the result has at most limit bytes.
func (f *pdfFile) filter(name string, data []byte, p pdfDict, limit int) ([]byte, error) {
	switch name {
	case "FlateDecode", "Fl":
		// The checksum at the end is not looked at: what is there is there.
		if len(data) < 2 {
			return nil, io.ErrUnexpectedEOF
		}
		out, err := readSome(flate.NewReader(bytes.NewReader(data[2:])), limit)
		return f.unpredict(out, p), err
	case "LZWDecode", "LZW":
		early, ok := f.number(p["EarlyChange"])
		return f.unpredict(lzwDecode(data, limit, !ok || early != 0), p), nil
	case "ASCII85Decode", "A85":
		data, _, _ = bytes.Cut(data, []byte("~"))
		return readSome(ascii85.NewDecoder(bytes.NewReader(bytes.TrimPrefix(bytes.TrimSpace(data), []byte("<~")))), limit)
	case "ASCIIHexDecode", "AHx":
		l := &lexer{b: data}
		return []byte(l.hex()), nil
	case "RunLengthDecode", "RL":
		return runLength(data, limit), nil
	case "Crypt":
		return data, nil
	}
	return nil, errFilter
}

// readSome reads to the end, to limit, or to where data is damaged: only when
// nothing could be read that is an error.
func readSome(r io.Reader, limit int) ([]byte, error) {
	out, err := io.ReadAll(io.LimitReader(r, int64(limit)))
	if len(out) > 0 {
		return out, nil
	}
	return nil, err
}

func runLength(data []byte, limit int) (out []byte) {
	for i := 0; i < len(data) && len(out) < limit; {
		n := int(data[i])
		i++
		switch {
		case n == 128:
			return out
		case n < 128:
			end := min(i+n+1, len(data))
			out = append(out, data[i:end]...)
			i = end
		case i < len(data):
			out = append(out, bytes.Repeat(data[i:i+1], 257-n)...)
			i++
		}
	}
	return out
}

// lzwDecode undoes LZW as TIFF has it: codes of 9 to 12 bits, the highest bit first.
// With early a code grows one entry sooner.
func lzwDecode(data []byte, limit int, early bool) (out []byte) {
	const clearCode, endCode = 256, 257
	type entry struct{ start, n int } // in out
	var table [4096]entry
	next, width := 258, 9
	late := 1
	if early {
		late = 0
	}
	var bits, have uint
	last := entry{}
	for _, b := range data {
		bits, have = bits<<8|uint(b), have+8
		if int(have) < width {
			continue
		}
		have -= uint(width)
		c := int(bits >> have & (1<<width - 1))
		if c == endCode || len(out) >= limit {
			return out
		}
		if c == clearCode {
			next, width, last = 258, 9, entry{}
			continue
		}
		start := len(out)
		switch {
		case c < 256:
			out = append(out, byte(c))
		case c < next:
			e := table[c]
			out = append(out, out[e.start:e.start+e.n]...)
		case last.n > 0:
			out = append(append(out, out[last.start:last.start+last.n]...), out[last.start])
		default:
			return out
		}
		if last.n > 0 && next < len(table) {
			table[next] = entry{last.start, last.n + 1} // its last byte is the first one written now
			next++
		}
		last = entry{start, len(out) - start}
		for width < 12 && next+1-late >= 1<<width {
			width++
		}
	}
	return out
}

// unpredict undoes what makes rows of like bytes compress better (7.4.4.4).
func (f *pdfFile) unpredict(data []byte, p pdfDict) []byte {
	predictor, _ := f.number(p["Predictor"])
	if predictor < 2 {
		return data
	}
	get := func(key pdfName, usual int) int {
		if n, ok := f.number(p[key]); ok && n >= 1 && n < 1<<20 {
			return int(n)
		}
		return usual
	}
	pixel := (get("Colors", 1)*get("BitsPerComponent", 8) + 7) / 8
	row := (get("Colors", 1)*get("BitsPerComponent", 8)*get("Columns", 1) + 7) / 8
	if row <= 0 || row > len(data)+1 || pixel > row {
		return data
	}
	if predictor == 2 {
		for start := 0; start+row <= len(data); start += row {
			for i := start + pixel; i < start+row; i++ {
				data[i] += data[i-pixel]
			}
		}
		return data
	}
	out := make([]byte, 0, len(data))
	before := make([]byte, row)
	for len(data) > 1 {
		line := data[1:min(row+1, len(data))]
		unfilter(data[0], line, before, pixel)
		out = append(out, line...)
		copy(before, line)
		data = data[1+len(line):]
	}
	return out
}

// unfilter undoes a filter of PNG (RFC 2083, 6) on a row.
func unfilter(kind byte, line, above []byte, pixel int) {
	for i := range line {
		var left, corner byte
		if i >= pixel {
			left, corner = line[i-pixel], above[i-pixel]
		}
		switch kind {
		case 1:
			line[i] += left
		case 2:
			line[i] += above[i]
		case 3:
			line[i] += byte((int(left) + int(above[i])) / 2)
		case 4:
			line[i] += paeth(int(left), int(above[i]), int(corner))
		}
	}
}

func paeth(left, above, corner int) byte {
	distance := func(n int) int { return max(n, -n) }
	p := left + above - corner
	switch a, b, c := distance(p-left), distance(p-above), distance(p-corner); {
	case a <= b && a <= c:
		return byte(left)
	case b <= c:
		return byte(above)
	}
	return byte(corner)
}
