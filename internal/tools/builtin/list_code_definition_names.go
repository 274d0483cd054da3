package builtin

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"clined/internal/tools"
)

const (
	// outlineFiles is how many files of a directory are outlined, outlineLook
	// how many are looked at to find them.
	outlineFiles, outlineLook = 50, 500
	// outlineLines bounds the answer, so that its end is our own note.
	outlineLines = tools.MaxLines - 100
)

func (k *kit) listCodeDefinitionNames() tools.Tool {
	s := spec("list_code_definition_names", tools.Read, required("path", "string", absolutePath))
	s.ReadOnly = true
	return &simple{s, k.prepareOutline}
}

func (k *kit) prepareOutline(_ context.Context, call tools.Call) (*tools.Action, error) {
	p, err := k.target(call.Args)
	if err != nil {
		return nil, err
	}
	return reading("Outline "+p.Display, func(ctx context.Context) tools.Result {
		info, err := k.there(ctx, p)
		switch {
		case err != nil:
			return tools.Fail(err.Error())
		case info.Dir:
			return k.outlineDir(ctx, p)
		}
		return k.outlineFile(ctx, p)
	}, p), nil
}

func (k *kit) outlineFile(ctx context.Context, p tools.Path) tools.Result {
	f, err := k.Files.Read(ctx, p)
	if err != nil {
		return tools.Fail(err.Error())
	}
	defs, ok, err := k.Definitions.Definitions(ctx, p.Abs, []byte(f.Text))
	switch {
	case err != nil:
		return tools.Fail(fmt.Sprintf("%s cannot be outlined: %v; search it with search_files", p.Display, err))
	case !ok:
		return tools.Fail(fmt.Sprintf("%s: definitions are not known for this kind of file; read it with read_file or search it with search_files", p.Display))
	case len(defs) == 0:
		return tools.Result{Text: "No definitions were found in " + p.Display + "."}
	}
	return tools.Result{Text: fmt.Sprintf("%s in %s\n%s", plural(len(defs), "definition"), p.Display, strings.Join(outline(defs), "\n"))}
}

func (k *kit) outlineDir(ctx context.Context, dir tools.Path) tools.Result {
	entries, more, err := k.Lister.List(ctx, dir, false, outlineLook)
	if err != nil {
		return tools.Fail(err.Error())
	}
	var lines, notes []string
	files, total := 0, 0
	for i, name := range entries {
		if strings.HasSuffix(name, "/") {
			continue
		}
		if files == outlineFiles || len(lines) > outlineLines {
			notes = append(notes, fmt.Sprintf("%s not looked at; outline single files to see them", plural(len(entries)-i, "further entry")))
			break
		}
		defs, err := k.definitionsIn(ctx, dir, name)
		if ctx.Err() != nil {
			return tools.Result{Text: "Interrupted.", Outcome: tools.Cancelled}
		}
		if err != nil {
			notes = append(notes, fmt.Sprintf("%s was left out: %v", name, err))
		}
		if len(defs) > 0 {
			files, total = files+1, total+len(defs)
			lines = append(append(lines, "", name), outline(defs)...)
		}
	}
	if more {
		notes = append(notes, fmt.Sprintf("only the first %d entries of the directory were looked at", outlineLook))
	}
	text := fmt.Sprintf("%s in %s of %s", plural(total, "definition"), plural(files, "file"), dir.Display)
	if total == 0 {
		text = "No definitions in the files right in " + dir.Display + "; for those further down name a directory below it."
	}
	for _, n := range notes {
		lines = append(lines, "["+n+"]")
	}
	return tools.Result{Text: strings.Join(append([]string{text}, lines...), "\n")}
}

// definitionsIn returns none for files of no known language, for those that the
// model may not see, and for links that lead out of what was allowed.
func (k *kit) definitionsIn(ctx context.Context, dir tools.Path, name string) ([]tools.Definition, error) {
	abs := filepath.Join(dir.Abs, name)
	p, err := k.Files.Resolve(abs)
	if err != nil || p.Outside && !dir.Outside {
		return nil, nil
	}
	// The language is told by the name; a look without text spares reading
	// what is none.
	if _, ok, _ := k.Definitions.Definitions(ctx, abs, nil); !ok {
		return nil, nil
	}
	f, err := k.Files.Read(ctx, p)
	if err != nil {
		return nil, err
	}
	defs, _, err := k.Definitions.Definitions(ctx, abs, []byte(f.Text))
	return defs, err
}

// outline writes a line per definition, indented by nesting.
func outline(defs []tools.Definition) []string {
	lines := make([]string, len(defs))
	for i, d := range defs {
		text := d.Signature
		if text == "" {
			text = d.Kind + " " + d.Name
		}
		lines[i] = fmt.Sprintf("%d | %s%s", d.Line, strings.Repeat("  ", d.Depth), text)
	}
	return lines
}
