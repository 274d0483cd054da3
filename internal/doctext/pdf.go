package doctext

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"clined/internal/tools"
)

// pageDepth bounds the tree of pages.
const pageDepth = 64

// extractPDF writes the pages of a PDF, each under a mark (ISO 32000-1).
func extractPDF(ctx context.Context, r io.ReaderAt, size int64, b *builder) (*tools.Document, error) {
	data := make([]byte, size)
	if n, err := r.ReadAt(data, 0); err != nil && err != io.EOF || int64(n) < size {
		return nil, fmt.Errorf("reading: %w", err)
	}
	f, err := openPDF(ctx, data)
	if err != nil {
		return nil, err
	}
	d := &pdfDoc{pdfFile: f, fonts: map[pdfRef]*pdfFont{}}
	if err := d.findPages(); err != nil {
		return nil, err
	}
	if len(d.pages) == 0 {
		return nil, damaged("it has no pages")
	}
	return d.write(b)
}

// pdfDoc is a document whose objects are read.
type pdfDoc struct {
	*pdfFile
	pages []pdfPage
	fonts map[pdfRef]*pdfFont
	// glyphs is the meaning of glyph names, nil until one is met.
	glyphs map[string]string
	// unknown counts the characters that no font tells the meaning of.
	chars, unknown int
	// work counts what was done, see maxWork.
	work int
}

// maxWork bounds what is done for a file in which little says much: about the
// operators that run, the bytes they stand in and the elements of lists. The
// largest books need some ten million.
const maxWork = 200_000_000

// does counts work, and ends it when there was too much or the context ended.
func (d *pdfDoc) does(work int) error {
	before := d.work
	if d.work += work; d.work > maxWork {
		return refusal("is a PDF that takes too much work to be read; read it with a command such as `pdftotext -layout FILE -`")
	}
	if before>>16 != d.work>>16 {
		return d.ctx.Err()
	}
	return nil
}

type pdfPage struct{ dict, resources pdfDict }

// findPages goes through the tree of pages. In a file that lost its root any
// catalog will do, and else each page counts, in the order of their numbers.
func (d *pdfDoc) findPages() error {
	numbers := slices.Sorted(maps.Keys(d.objects))
	roots := []any{d.trailer["Root"]}
	for _, n := range numbers {
		if d.name(d.dict(n)["Type"]) == "Catalog" {
			roots = append(roots, n)
		}
	}
	for _, root := range roots {
		if err := d.collect(d.dict(root)["Pages"], nil, 0, map[pdfRef]bool{}); err != nil || len(d.pages) > 0 {
			return err
		}
	}
	for _, n := range numbers {
		if page := d.dict(n); d.name(page["Type"]) == "Page" {
			d.pages = append(d.pages, pdfPage{page, d.dict(page["Resources"])})
		}
	}
	return nil
}

// collect gathers the pages below a node, with the resources they inherit.
func (d *pdfDoc) collect(node any, inherited pdfDict, depth int, seen map[pdfRef]bool) error {
	if err := d.does(100); err != nil {
		return err
	}
	if ref, ok := node.(pdfRef); ok {
		if seen[ref] {
			return nil
		}
		seen[ref] = true
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
		if err := d.does(0); err != nil {
			return nil, err
		}
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
		return nil, refusal("is a PDF without text: its " + pageWord(len(bare)) + " scanned or drawn; recognize the text with a command such as `ocrmypdf FILE OUT`, or look at a page with `pdftoppm -r 100 -png FILE page` and read_file")
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

// pageText is the text of a page. With an error it is what could be read.
func (d *pdfDoc) pageText(p pdfPage) (string, error) {
	in := &interpreter{doc: d, out: &layout{}, state: newState()}
	// The streams of a page are one: a token never spans two, operators may.
	var all []byte
	var fault error
	streams := d.list(p.dict, "Contents", "")
	for _, s := range streams {
		data, err := d.stream(s)
		if len(all)+len(data) > maxPart {
			err, data = errTooBig, nil
		}
		if err != nil {
			fault = err
		}
		all = append(append(all, data...), '\n')
	}
	if err := d.does(100 + len(streams)); err != nil {
		return "", err
	}
	if err := in.run(all, p.resources, 0); err != nil {
		fault = err
	}
	if err := in.annotations(p); err != nil {
		fault = err
	}
	return in.out.text(), fault
}
