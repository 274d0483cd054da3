package builtin

import (
	"context"
	"fmt"
	"strings"

	"clined/internal/tools"
)

// listLimit is how many entries one listing shows.
const listLimit = 200

func (k *kit) listFiles() tools.Tool {
	s := spec("list_files", tools.Read, required("path", "string", absolutePath), optional("recursive", "boolean"))
	s.ReadOnly = true
	return &simple{s, k.prepareList}
}

func (k *kit) prepareList(ctx context.Context, call tools.Call) (*tools.Action, error) {
	p, err := k.target(call.Args)
	if err != nil {
		return nil, err
	}
	info, err := k.Files.Stat(ctx, p)
	switch {
	case err != nil:
		return nil, err
	case !info.Exists:
		return nil, fmt.Errorf("%s does not exist", p.Display)
	case !info.Dir:
		return nil, fmt.Errorf("%s is a file: read it with read_file", p.Display)
	}
	recursive := call.Args.Bool("recursive")
	return &tools.Action{
		Title:   "List " + p.Display,
		Subject: tools.Subject{Kind: tools.Read, ReadOnly: true, Paths: []tools.Path{p}},
		Run: func(ctx context.Context, _ tools.Decision) tools.Result {
			entries, more, err := k.Lister.List(ctx, p, recursive, listLimit)
			switch {
			case err != nil && len(entries) == 0:
				return tools.Fail(err.Error())
			case len(entries) == 0:
				return tools.Result{Text: p.Display + " is empty."}
			}
			head := fmt.Sprintf("%s (%s)", p.Display, plural(len(entries), "entry"))
			if more {
				head = fmt.Sprintf("%s (the first %d entries; list a directory below it to see more)", p.Display, len(entries))
			}
			text := head + "\n" + strings.Join(entries, "\n")
			if err != nil {
				text += fmt.Sprintf("\n[not complete: %v]", err)
			}
			return tools.Result{Text: text}
		},
	}, nil
}
