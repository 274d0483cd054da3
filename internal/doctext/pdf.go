package doctext

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"clined/internal/tools"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

const (
	// pageDepth bounds the tree of pages.
	pageDepth = 64
	// maxObjects bounds the objects of a file; the largest books have some
	// hundred thousand.
	maxObjects = 2_000_000
)

// extractPDF writes the pages of a PDF, each under a mark. pdfcpu reads the
// objects; what they paint as text is worked out here (ISO 32000-1, 9).
func extractPDF(ctx context.Context, r io.ReaderAt, size int64, b *builder) (*tools.Document, error) {
	objects, err := pdfcpu.ReadWithContext(ctx, io.NewSectionReader(r, 0, size), pdfSettings())
	switch {
	case errors.Is(err, pdfcpu.ErrWrongPassword):
		return nil, refusal("is a PDF that is protected by a password; ask the user for it, and remove it with a command such as `qpdf --decrypt --password=… FILE OUT`")
	case errors.Is(err, pdfcpu.ErrUnsupportedEncryptionFeature):
		return nil, refusal("is a PDF that is encrypted in a way that is not known here; try a command such as `pdftotext -layout FILE -`")
	case err != nil:
		return nil, err
	}
	d := &pdfDoc{ctx: ctx, x: objects.XRefTable, fonts: map[int]*pdfFont{}}
	root, err := d.x.Pages()
	if err != nil || root == nil {
		return nil, damaged("it has no pages")
	}
	if err := d.collect(*root, nil, 0, map[int]bool{}); err != nil {
		return nil, err
	}
	if len(d.pages) == 0 {
		return nil, damaged("it has no pages")
	}
	return d.write(b)
}

// pdfSettings are pdfcpu's defaults, made here so that it looks for no
// settings of its own in the user's home.
func pdfSettings() *model.Configuration {
	limits := model.DefaultResourceLimits()
	limits.MaxStreamBytes, limits.MaxDecodeBytes = maxPart, maxPart
	limits.MaxObjectCount, limits.MaxXRefEntries = maxObjects, maxObjects
	return &model.Configuration{
		Reader15: true, ValidationMode: model.ValidationRelaxed, Offline: true,
		UnsupportedResourcePolicy: model.UnsupportedResourceSkip, Cmd: model.LISTINFO, Limits: limits,
	}
}

// pdfDoc is a document whose objects are read.
type pdfDoc struct {
	ctx   context.Context
	x     *model.XRefTable
	pages []pdfPage
	fonts map[int]*pdfFont // by object number
	// glyphs is the meaning of glyph names, nil until one is met.
	glyphs map[string]string
	// unknown counts the characters that no font tells the meaning of.
	chars, unknown int
}

type pdfPage struct{ dict, resources types.Dict }

// collect gathers the pages below a node, with the resources they inherit.
func (d *pdfDoc) collect(node types.Object, inherited types.Dict, depth int, seen map[int]bool) error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	if ref, ok := node.(types.IndirectRef); ok {
		n := ref.ObjectNumber.Value()
		if seen[n] {
			return nil
		}
		seen[n] = true
	}
	dict := d.dict(node)
	if dict == nil || depth > pageDepth {
		return nil
	}
	if own := d.dict(dict["Resources"]); own != nil {
		inherited = own
	}
	kids := d.array(dict["Kids"])
	if kids == nil {
		d.pages = append(d.pages, pdfPage{dict, inherited})
		return nil
	}
	for _, kid := range kids {
		if err := d.collect(kid, inherited, depth+1, seen); err != nil {
			return err
		}
	}
	return nil
}

// write writes all pages, and notes what could not be read.
func (d *pdfDoc) write(b *builder) (*tools.Document, error) {
	doc := &tools.Document{Kind: fmt.Sprintf("PDF, %d pages", len(d.pages))}
	if len(d.pages) == 1 {
		doc.Kind = "PDF, 1 page"
	}
	var bare, broken []int
	for i, p := range d.pages {
		if err := d.ctx.Err(); err != nil {
			return nil, err
		}
		text, err := d.pageText(p)
		if err != nil {
			broken = append(broken, i+1)
		} else if strings.TrimSpace(text) == "" {
			bare = append(bare, i+1)
		}
		if i > 0 {
			b.line("")
		}
		b.line(fmt.Sprintf("=== page %d of %d ===", i+1, len(d.pages)))
		if !b.lines(text) {
			break
		}
	}
	switch {
	case len(bare) == len(d.pages):
		return nil, refusal(doc.Kind[:0] + "is a PDF without text: its " + pageWord(len(bare)) + " scanned or drawn; recognize the text with a command such as `ocrmypdf FILE OUT`, or look at a page with `pdftoppm -r 100 -png FILE page` and read_file")
	case len(bare) > 0:
		doc.Notes = append(doc.Notes, "no text on page "+numbers(bare)+", which may be scanned: see it with `pdftoppm -r 100 -png FILE page` and read_file")
	}
	if len(broken) > 0 {
		doc.Notes = append(doc.Notes, "damaged, shown in part or not at all: page "+numbers(broken))
	}
	if d.unknown*20 > d.chars {
		doc.Notes = append(doc.Notes, fmt.Sprintf("%d of %d characters are in fonts that do not tell what they mean (\uFFFD): see the page as a picture", d.unknown, d.chars))
	}
	return doc, nil
}

func pageWord(n int) string {
	if n == 1 {
		return "only page is"
	}
	return fmt.Sprintf("%d pages are", n)
}

// numbers writes a rising list of numbers, short: "1, 4-9".
func numbers(list []int) string {
	var parts []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		if j > i {
			parts = append(parts, fmt.Sprintf("%d-%d", list[i], list[j]))
		} else {
			parts = append(parts, fmt.Sprint(list[i]))
		}
		if i = j + 1; len(parts) == 20 && i < len(list) {
			return strings.Join(parts, ", ") + " and others"
		}
	}
	return strings.Join(parts, ", ")
}

// pageText is the text of a page; with an error it is what was read before.
func (d *pdfDoc) pageText(p pdfPage) (text string, err error) {
	var out layout
	defer func() {
		if fault := recover(); fault != nil {
			err = damaged("%v", fault)
		}
		text = out.text()
	}()
	in := &interpreter{doc: d, out: &out, state: newState()}
	contents := d.resolve(p.dict["Contents"])
	streams, ok := contents.(types.Array)
	if !ok {
		streams = types.Array{contents}
	}
	// The streams of a page are one: a token never spans two, operators may.
	var all []byte
	for _, s := range streams {
		data, serr := d.stream(s)
		if serr != nil {
			err = serr
		}
		if len(all)+len(data) > maxPart {
			return "", errTooBig
		}
		all = append(append(all, data...), '\n')
	}
	if rerr := in.run(all, p.resources, 0); rerr != nil {
		err = rerr
	}
	return "", err
}

// resolve follows references to the object meant; nil for none.
func (d *pdfDoc) resolve(o types.Object) types.Object {
	got, err := d.x.Dereference(o)
	if err != nil {
		return nil
	}
	return got
}

// dict is a dictionary, also that of a stream.
func (d *pdfDoc) dict(o types.Object) types.Dict {
	switch o := d.resolve(o).(type) {
	case types.Dict:
		return o
	case types.StreamDict:
		return o.Dict
	case *types.StreamDict:
		return o.Dict
	}
	return nil
}

func (d *pdfDoc) array(o types.Object) types.Array {
	a, _ := d.resolve(o).(types.Array)
	return a
}

func (d *pdfDoc) name(o types.Object) string {
	n, _ := d.resolve(o).(types.Name)
	return n.Value()
}

func (d *pdfDoc) number(o types.Object) (float64, bool) {
	switch n := d.resolve(o).(type) {
	case types.Integer:
		return float64(n.Value()), true
	case types.Float:
		return n.Value(), true
	}
	return 0, false
}

// stream returns the decoded bytes of a stream; nothing when it is none.
func (d *pdfDoc) stream(o types.Object) ([]byte, error) {
	s, _, err := d.x.DereferenceStreamDict(o)
	if err != nil || s == nil {
		return nil, err
	}
	if err := s.DecodeWithLimit(maxPart); err != nil {
		return nil, err
	}
	data := s.Content
	s.Content = nil // it would be kept as long as the document
	return data, nil
}
