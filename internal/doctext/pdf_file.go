package doctext

import (
	"bytes"
	"cmp"
	"context"
	"slices"
)

// pdfFile is the objects of a PDF. They are found by going through the file, as
// repair does with one that is damaged: what the file says of where they are is
// never needed, so it cannot be wrong.
type pdfFile struct {
	ctx     context.Context
	objects map[pdfRef]pdfEntry
	trailer pdfDict
	crypt   *pdfCrypt // nil when nothing is encrypted
	// left is how many bytes may still be unpacked in all.
	left int
}

// pdfEntry is an object, and where it is in the file: the last one counts.
type pdfEntry struct {
	object any
	at     int
}

func openPDF(ctx context.Context, data []byte) (*pdfFile, error) {
	f := &pdfFile{ctx: ctx, objects: map[pdfRef]pdfEntry{}, trailer: pdfDict{}, left: maxUnpacked}
	if err := f.scan(data); err != nil {
		return nil, err
	}
	if err := f.decrypt(); err != nil {
		return nil, err
	}
	return f, f.unpack()
}

// scan finds the objects and trailers that stand in the file itself.
func (f *pdfFile) scan(data []byte) error {
	l := &lexer{b: data}
	object, trailer := finder{word: "obj"}, finder{word: "trailer"}
	for {
		if err := f.ctx.Err(); err != nil {
			return err
		}
		at, t := object.next(data, l.i), trailer.next(data, l.i)
		if t < at {
			l.i = t + len(trailer.word)
			if d, ok := l.object(0).(pdfDict); ok {
				f.addTrailer(d)
			}
			continue
		}
		if at == len(data) {
			return nil
		}
		l.i = at + len(object.word)
		gen, g := numberBefore(data, blanksBefore(data, at))
		if g <= 0 || !isBlank(data[g-1]) {
			continue
		}
		num, start := numberBefore(data, blanksBefore(data, g))
		if start < 0 || num < 1 || num > maxObjects*4 {
			continue
		}
		if err := f.add(pdfRef(num), gen, l); err != nil {
			return err
		}
	}
}

// finder finds a word again and again without going over anything twice.
type finder struct {
	word string
	at   int
	any  bool
}

// next returns where the word is from i on, the end when it is not there.
func (f *finder) next(data []byte, i int) int {
	if !f.any || f.at < i {
		f.any, f.at = true, len(data)
		if n := bytes.Index(data[i:], []byte(f.word)); n >= 0 {
			f.at = i + n
		}
	}
	return f.at
}

// add reads the object that follows its head.
func (f *pdfFile) add(num pdfRef, gen int, l *lexer) error {
	at := l.i
	o := l.object(0)
	if w, ok := o.(pdfWord); ok {
		l.i -= len(w)
		return nil
	}
	if d, ok := o.(pdfDict); ok {
		if s := l.stream(d); s != nil {
			s.number, s.generation = int(num), gen
			o = s
			if d["Type"] == pdfName("XRef") {
				f.addTrailer(d)
			}
		}
	}
	if len(f.objects) >= maxObjects {
		return refusal("is a PDF of too many objects to be read; read it with a command such as `pdftotext -layout FILE -`")
	}
	f.objects[num] = pdfEntry{o, at}
	return nil
}

func (f *pdfFile) addTrailer(d pdfDict) {
	for _, key := range []pdfName{"Root", "Encrypt", "ID"} {
		if d[key] != nil {
			f.trailer[key] = d[key]
		}
	}
}

// unpack reads the objects that are in streams (ISO 32000-1, 7.5.7).
func (f *pdfFile) unpack() error {
	var packed []pdfEntry
	for _, e := range f.objects {
		if s, ok := e.object.(*pdfStream); ok && s.dict["Type"] == pdfName("ObjStm") {
			packed = append(packed, e)
		}
	}
	slices.SortFunc(packed, func(a, b pdfEntry) int { return cmp.Compare(a.at, b.at) })
	for _, e := range packed {
		if err := f.ctx.Err(); err != nil {
			return err
		}
		s := e.object.(*pdfStream)
		data, err := f.decode(s)
		if err != nil {
			continue // what is in it is missing; the rest may do
		}
		count, _ := f.number(s.dict["N"])
		first, _ := f.number(s.dict["First"])
		first = max(first, 0)
		head := &lexer{b: data}
		end := first // of the object before: they follow each other
		for range int(min(max(count, 0), maxObjects)) {
			num, ok := head.object(0).(float64)
			offset, ok2 := head.object(0).(float64)
			at := first + offset
			if !ok || !ok2 || num < 1 || num > maxObjects*4 || at < end || at >= float64(len(data)) {
				break
			}
			if old, ok := f.objects[pdfRef(num)]; ok && old.at > e.at || len(f.objects) >= maxObjects {
				continue
			}
			l := &lexer{b: data, i: int(at)}
			f.objects[pdfRef(num)] = pdfEntry{l.object(0), e.at}
			end = float64(l.i)
		}
	}
	return nil
}

// resolve follows references; nil when they lead nowhere.
func (f *pdfFile) resolve(o any) any {
	for range 8 {
		ref, ok := o.(pdfRef)
		if !ok {
			return o
		}
		o = f.objects[ref].object
	}
	return nil
}

// dict is a dictionary, also that of a stream.
func (f *pdfFile) dict(o any) pdfDict {
	switch o := f.resolve(o).(type) {
	case pdfDict:
		return o
	case *pdfStream:
		return o.dict
	}
	return nil
}

func (f *pdfFile) array(o any) pdfArray {
	a, _ := f.resolve(o).(pdfArray)
	return a
}

func (f *pdfFile) name(o any) string {
	n, _ := f.resolve(o).(pdfName)
	return string(n)
}

func (f *pdfFile) number(o any) (float64, bool) {
	n, ok := f.resolve(o).(float64)
	return n, ok
}

// stream returns the decoded bytes of a stream; nothing when it is none. With
// an error they are what could be decoded.
func (f *pdfFile) stream(o any) ([]byte, error) {
	s, ok := f.resolve(o).(*pdfStream)
	if !ok {
		return nil, nil
	}
	return f.decode(s)
}
