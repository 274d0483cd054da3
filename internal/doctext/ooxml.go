package doctext

import (
	"archive/zip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// pack is an Office Open XML document: XML parts in a ZIP archive (ECMA-376).
type pack struct {
	ctx   context.Context
	files map[string]*zip.File
	// left is how many bytes may still be unpacked in all.
	left int
}

const (
	// maxUnpacked bounds what all parts of a document, or all streams of a PDF,
	// unpack to.
	maxUnpacked = 256 << 20
	// bombSize and bombRatio tell parts that were made to unpack to much. Even
	// sheets of a million zeros are packed to no less than a hundredth.
	bombSize  = 16 << 20
	bombRatio = 200
)

func openPack(ctx context.Context, r io.ReaderAt, size int64) (*pack, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, err
	}
	p := &pack{ctx: ctx, files: map[string]*zip.File{}, left: maxUnpacked}
	for _, f := range z.File {
		p.files[strings.ToLower(f.Name)] = f
	}
	return p, nil
}

// errTooBig stops reading a part that unpacks to more than is read.
var errTooBig = damaged("a part of it unpacks to more than is read")

// bounded reads at most left bytes, then fails: archive/zip believes what an
// archive says of sizes.
type bounded struct {
	p    *pack
	r    io.Reader
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if err := b.p.ctx.Err(); err != nil {
		return 0, err
	}
	if b.left <= 0 || b.p.left <= 0 {
		return 0, errTooBig
	}
	n, err := b.r.Read(p[:min(len(p), b.left, b.p.left)])
	b.left -= n
	b.p.left -= n
	return n, err
}

// part is an open XML part, read token by token.
type part struct {
	*xml.Decoder
	file io.Closer
}

// open opens a part; nil when there is none of that name.
func (p *pack) open(name string) (*part, error) {
	f := p.files[strings.ToLower(strings.TrimPrefix(name, "/"))]
	if f == nil {
		return nil, nil
	}
	if f.UncompressedSize64 > bombSize && f.UncompressedSize64/bombRatio > f.CompressedSize64 {
		return nil, refusal(fmt.Sprintf("holds %q, which unpacks from %d to %d bytes, as only a file made to do harm does; it was not read", f.Name, f.CompressedSize64, f.UncompressedSize64))
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	d := xml.NewDecoder(&bounded{p, r, maxPart})
	d.Strict = false
	d.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, damaged("a part is not in UTF-8") }
	return &part{d, r}, nil
}

// each calls visit with each start and end element and each text; an error of
// it ends the reading, errStop without a fault.
func (p *part) each(visit func(t xml.Token) error) error {
	defer p.file.Close()
	for {
		t, err := p.RawToken()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := visit(t); err != nil {
			if errors.Is(err, errStop) {
				return nil
			}
			return err
		}
	}
}

// errStop ends the reading of a part early.
var errStop = errors.New("enough")

// walk opens a part and visits it; a part that is not there has nothing.
func (p *pack) walk(name string, visit func(t xml.Token) error) error {
	part, err := p.open(name)
	if err != nil || part == nil {
		return err
	}
	return part.each(visit)
}

// relation is a link from one part to another.
type relation struct{ kind, target string }

// relations returns those of a part by their id. Targets are part names.
func (p *pack) relations(of string) (map[string]relation, error) {
	rels := map[string]relation{}
	dir, name := path.Split(of)
	err := p.walk(dir+"_rels/"+name+".rels", func(t xml.Token) error {
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "Relationship" {
			target := attr(e, "Target")
			if attr(e, "TargetMode") != "External" && !strings.HasPrefix(target, "/") {
				target = path.Join(dir, target)
			}
			rels[attr(e, "Id")] = relation{path.Base(attr(e, "Type")), strings.TrimPrefix(target, "/")}
		}
		return nil
	})
	return rels, err
}

// main is the part that the document begins with.
func (p *pack) main(usual string) (string, error) {
	rels, err := p.relations("")
	for _, r := range rels {
		if r.kind == "officeDocument" && p.files[strings.ToLower(r.target)] != nil {
			return r.target, nil
		}
	}
	return usual, err
}

// attr is an attribute by its local name, "" when it is not there. Of several
// the one without a prefix counts.
func attr(e xml.StartElement, name string) string {
	value := ""
	for _, a := range e.Attr {
		if a.Name.Local == name {
			if a.Name.Space == "" {
				return a.Value
			}
			value = a.Value
		}
	}
	return value
}
