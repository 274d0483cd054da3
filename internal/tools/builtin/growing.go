package builtin

import (
	"context"
	"strings"

	"clined/internal/diffedit"
	"clined/internal/diffedit/v4a"
)

// source is a growing text of a call's arguments, for tools of one file.
type source interface {
	growing
	// param names the parameter.
	param() string
	// write tells the parameter as far as it is written, each time with more
	// behind it; whole when that is all of it.
	write(text string, whole bool)
}

// oneFile shows a tool that is told its file and what to do with it.
func (d *draft) oneFile(s source) func(context.Context) {
	var f *draftFile
	return func(ctx context.Context) {
		if f == nil {
			name, ok := d.path()
			if !ok {
				return
			}
			if f = d.open(ctx, name); f == nil || d.k.stale(f.base.Path, f.base) != nil && s.param() == "content" {
				d.off = true
				return
			}
			s.begin(lf(f.base.Text))
		}
		text, whole, ok := d.args.text(s.param())
		if !ok {
			return
		}
		s.write(text, whole)
		d.off = !d.propose(ctx, f, s)
	}
}

// path returns the call's path once it is whole.
func (d *draft) path() (string, bool) {
	for _, key := range []string{"path", absolutePath} {
		if name, whole, _ := d.args.text(key); whole && name != "" {
			return name, true
		}
	}
	return "", false
}

// growingText is the content of write_to_file.
type growingText struct {
	base, content string
	whole         bool
}

func (*growingText) param() string                    { return "content" }
func (g *growingText) begin(base string)              { g.base = base }
func (g *growingText) write(content string, all bool) { g.content, g.whole = content, all }

// text is the whole lines of the content, and behind them what the file has
// there still.
func (g *growingText) text() (string, bool) {
	switch {
	case strings.HasPrefix(g.content, "```"):
		return "", false // a fence may have to go
	case g.whole:
		return lf(g.content), true
	}
	lines := lf(g.content[:strings.LastIndexByte(g.content, '\n')+1])
	if lines == "" {
		return "", false
	}
	base := g.base
	for range strings.Count(lines, "\n") {
		i := strings.IndexByte(base, '\n')
		if i < 0 {
			return lines, true
		}
		base = base[i+1:]
	}
	return lines + base, true
}

// growingBlocks is the diff of replace_in_file.
type growingBlocks struct {
	base, diff string
	whole      bool
	draft      *diffedit.Draft
	read       int // how much of diff the draft was told
}

func (*growingBlocks) param() string { return "diff" }

func (g *growingBlocks) begin(base string) {
	g.base, g.draft, g.read = base, diffedit.NewDraft(base), 0
}

func (g *growingBlocks) write(diff string, whole bool) { g.diff, g.whole = diff, whole }

// text is the file with the blocks that are whole.
func (g *growingBlocks) text() (string, bool) {
	if g.whole {
		if res, err := diffedit.Replace(g.base, g.diff); err == nil {
			return res.Text, true
		}
		return "", false // the end of the call tells
	}
	g.draft.Write(g.diff[g.read:])
	g.read = len(g.diff)
	return g.draft.Text()
}

// growingFile is a file of a patch.
type growingFile struct {
	draft *v4a.Draft
	empty bool // it had no text
	file  v4a.File
}

func (g *growingFile) begin(base string) { g.draft, g.empty = v4a.NewDraft(base), base == "" }

// text is the file with the chunks that are whole, or the lines of a new one.
func (g *growingFile) text() (string, bool) {
	if g.file.Op == v4a.Add {
		return g.file.Content, g.file.Content != "" && g.empty
	}
	if len(g.file.Chunks) == 0 {
		return "", false
	}
	res, err := g.draft.Apply(&g.file)
	if err != nil {
		return "", false
	}
	return res.Text, true
}

// patch shows the files of a patch, as far as they are written.
func (d *draft) patch() func(context.Context) {
	var parser v4a.Parser
	read := 0
	shown := map[string]*patchView{}
	return func(ctx context.Context) {
		input, _, _ := d.args.text("input")
		parser.Write(input[read:])
		read = len(input)
		for _, file := range parser.Files() {
			v := shown[file.Path]
			if v == nil && len(shown) < maxViews && sizeOf(file) > 0 { // all is known but how it goes on
				v = d.viewOf(ctx, file)
				shown[file.Path] = v
			}
			if v == nil || v.f == nil || v.size == sizeOf(file) {
				continue
			}
			v.g.file, v.size = file, sizeOf(file)
			if !d.propose(ctx, v.f, &v.g) {
				v.f = nil
			}
		}
	}
}

// patchView is the view of a file of a patch; f is nil when it has none.
type patchView struct {
	f *draftFile
	g growingFile
	// size of the file when it was looked at last.
	size int
}

// sizeOf grows whenever something is added to a file of a patch.
func sizeOf(f v4a.File) int { return len(f.Content) + len(f.Chunks) }

func (d *draft) viewOf(ctx context.Context, file v4a.File) *patchView {
	v := &patchView{f: d.open(ctx, file.Path), size: -1}
	if v.f == nil {
		return v
	}
	if file.Op == v4a.Update && !v.f.base.Exists {
		v.f = nil
		return v
	}
	if file.MoveTo != "" {
		if to, err := d.k.fileAt(file.MoveTo); err == nil && !to.Outside && to.Protected == "" {
			v.f.to = &to
		}
	}
	v.g.begin(lf(v.f.base.Text))
	return v
}
