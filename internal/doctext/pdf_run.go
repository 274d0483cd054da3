package doctext

import "math"

const (
	// formDepth bounds forms within forms.
	formDepth = 12
	// maxOperands is more than any operator takes.
	maxOperands = 64
	// maxPageText bounds the text of one page, in bytes.
	maxPageText = maxText
)

// matrix is an affine map, as in a PDF: [a b c d e f].
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// mul returns the map that does m first, then n.
func (m matrix) mul(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

func (m matrix) moved(x, y float64) matrix { return matrix{1, 0, 0, 1, x, y}.mul(m) }

// state is the part of the graphics state that places text (ISO 32000-1, 9.3).
type state struct {
	ctm                  matrix
	font                 *pdfFont
	size                 float64
	chars, words         float64 // spacing
	scale, leading, rise float64
}

func newState() state { return state{ctm: identity, scale: 1} }

// interpreter runs content streams and tells the layout what they write.
type interpreter struct {
	doc    *pdfDoc
	out    *layout
	state  state
	saved  []state
	tm, lm matrix // text matrix and text line matrix
	// fonts are those of the resources that are in use, as far as they were named.
	fonts map[pdfName]*pdfFont
}

// run runs a content stream. Damage within it is passed over.
func (in *interpreter) run(data []byte, resources pdfDict, depth int) error {
	l := &lexer{b: data}
	var args []token
	base := len(in.saved)
	in.fonts = map[pdfName]*pdfFont{}
	if err := in.doc.does(len(data) / 8); err != nil {
		return err
	}
	for {
		t := l.next()
		if t.kind == endToken {
			break
		}
		if t.kind != wordToken {
			if len(args) < maxOperands {
				args = append(args, t)
			}
			continue
		}
		if err := in.doc.does(1 + len(args)); err != nil {
			return err
		}
		switch t.text {
		case "ID":
			l.skipImage()
		case "Do":
			if len(args) > 0 {
				object := in.doc.dict(resources["XObject"])[pdfName(args[len(args)-1].text)]
				if err := in.form(object, resources, depth); err != nil {
					return err
				}
			}
		default:
			in.do(t.text, args, resources)
		}
		if in.out.size > maxPageText {
			return nil
		}
		args = args[:0]
	}
	if len(in.saved) > base {
		in.saved = in.saved[:base]
	}
	return nil
}

// annotations runs what is painted over a page: the fields of a form as they
// are filled in, notes, stamps (12.5.5).
func (in *interpreter) annotations(p pdfPage) error {
	d := in.doc
	list := d.array(p.dict["Annots"])
	if err := d.does(len(list)); err != nil {
		return err
	}
	for _, o := range list {
		annot := d.dict(o)
		look := d.dict(annot["AP"])["N"]
		if states := d.dict(look); d.name(states["Subtype"]) != "Form" { // one look for each state, such as on and off
			look = states[pdfName(d.name(annot["AS"]))]
		}
		rect := d.array(annot["Rect"])
		flags, _ := d.number(annot["F"])
		const hidden = 2
		if look == nil || len(rect) != 4 || int(flags)&hidden != 0 {
			continue
		}
		in.state, in.saved = newState(), nil
		in.state.ctm[4], _ = d.number(rect[0])
		in.state.ctm[5], _ = d.number(rect[1])
		if err := in.form(look, nil, 0); err != nil {
			return err
		}
	}
	return nil
}

// form runs a form that is painted as one object.
func (in *interpreter) form(object any, resources pdfDict, depth int) error {
	d := in.doc
	dict := d.dict(object)
	if d.name(dict["Subtype"]) != "Form" || depth >= formDepth {
		return nil
	}
	data, err := d.stream(object)
	if err != nil {
		return nil // like a page that lost a picture
	}
	inner := d.dict(dict["Resources"])
	if inner == nil {
		inner = resources
	}
	before, tm, lm, fonts := in.state, in.tm, in.lm, in.fonts
	if m, ok := d.matrix(dict["Matrix"]); ok {
		in.state.ctm = m.mul(in.state.ctm)
	}
	err = in.run(data, inner, depth+1)
	in.state, in.tm, in.lm, in.fonts = before, tm, lm, fonts
	return err
}

// font is a font of the resources by its name there.
func (in *interpreter) font(name pdfName, resources pdfDict) *pdfFont {
	if in.fonts[name] == nil {
		in.fonts[name] = in.doc.font(in.doc.dict(resources["Font"])[name])
	}
	return in.fonts[name]
}

func (d *pdfDoc) matrix(o any) (m matrix, ok bool) {
	a := d.array(o)
	if len(a) != len(m) {
		return m, false
	}
	for i := range a {
		m[i], _ = d.number(a[i])
	}
	return m, true
}

// arg is the i-th operand as a number, 0 when it is none.
func arg(args []token, i int) float64 {
	if i < 0 || i >= len(args) || math.IsNaN(args[i].num) || math.Abs(args[i].num) > 1e9 {
		return 0
	}
	return args[i].num
}

// six are the last operands as a matrix.
func six(args []token) matrix {
	var m matrix
	for i := range m {
		m[i] = arg(args, len(args)-6+i)
	}
	return m
}

// do runs an operator.
func (in *interpreter) do(op string, args []token, resources pdfDict) {
	s := &in.state
	switch op {
	case "q":
		if len(in.saved) < 1000 {
			in.saved = append(in.saved, *s)
		}
	case "Q":
		if n := len(in.saved); n > 0 {
			*s, in.saved = in.saved[n-1], in.saved[:n-1]
		}
	case "cm":
		if len(args) >= 6 {
			s.ctm = six(args).mul(s.ctm)
		}
	case "BT":
		in.tm, in.lm = identity, identity
	case "Tf":
		if len(args) == 2 {
			s.font, s.size = in.font(pdfName(args[0].text), resources), arg(args, 1)
		}
	case "gs":
		if len(args) == 1 {
			in.graphics(in.doc.dict(in.doc.dict(resources["ExtGState"])[pdfName(args[0].text)]))
		}
	case "Tc":
		s.chars = arg(args, 0)
	case "Tw":
		s.words = arg(args, 0)
	case "Tz":
		s.scale = arg(args, 0) / 100
	case "TL":
		s.leading = arg(args, 0)
	case "Ts":
		s.rise = arg(args, 0)
	case "Tm":
		if len(args) >= 6 {
			in.tm = six(args)
			in.lm = in.tm
		}
	case "Td":
		in.newLine(arg(args, 0), arg(args, 1))
	case "TD":
		s.leading = -arg(args, 1)
		in.newLine(arg(args, 0), arg(args, 1))
	case "T*":
		in.newLine(0, -s.leading)
	case "\"":
		s.words, s.chars = arg(args, 0), arg(args, 1)
		in.newLine(0, -s.leading)
		in.show(args)
	case "'":
		in.newLine(0, -s.leading)
		in.show(args)
	case "Tj", "TJ":
		in.show(args)
	}
}

// graphics takes the font of a graphics state, which may hold one.
func (in *interpreter) graphics(d pdfDict) {
	if f := in.doc.array(d["Font"]); len(f) == 2 {
		in.state.font = in.doc.font(f[0])
		in.state.size, _ = in.doc.number(f[1])
	}
}

func (in *interpreter) newLine(x, y float64) {
	in.lm = in.lm.moved(x, y)
	in.tm = in.lm
}

// show writes the last operand: a string, or strings with moves between them.
func (in *interpreter) show(args []token) {
	if len(args) == 0 {
		return
	}
	s := &in.state
	last := args[len(args)-1]
	parts := []token{last}
	if last.kind == arrayToken {
		parts = last.list
	}
	for _, p := range parts {
		switch p.kind {
		case numberToken:
			in.tm = in.tm.moved(-arg([]token{p}, 0)/1000*s.size*s.scale, 0)
		case stringToken:
			in.write(p.text)
		}
	}
}

// write writes the characters of a string and moves on by their widths.
func (in *interpreter) write(codes string) {
	s := &in.state
	if s.font == nil {
		s.font = &pdfFont{}
	}
	in.doc.work += len(codes)
	for len(codes) > 0 && in.out.size <= maxPageText {
		g := s.font.next(codes)
		codes = codes[g.bytes:]
		in.doc.chars++
		if g.text == unknownText {
			in.doc.unknown++
		}
		advance := g.width*s.size + s.chars
		if g.blank {
			advance += s.words
		}
		m := matrix{s.size * s.scale, 0, 0, s.size, 0, s.rise}.mul(in.tm).mul(s.ctm)
		in.out.glyph(g.text, m, g.width, s.font.fixed)
		in.tm = in.tm.moved(advance*s.scale, 0)
	}
}
