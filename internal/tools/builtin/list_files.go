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

func (k *kit) prepareList(_ context.Context, call tools.Call) (*tools.Action, error) {
	p, err := k.target(call.Args)
	if err != nil {
		return nil, err
	}
	recursive := call.Args.Bool("recursive")
	return reading("List "+p.Display, func(ctx context.Context) tools.Result { return k.list(ctx, p, recursive) }, p), nil
}

func (k *kit) list(ctx context.Context, p tools.Path, recursive bool) tools.Result {
	info, err := k.there(ctx, p)
	switch {
	case err != nil:
		return tools.Fail(err.Error())
	case !info.Dir:
		return tools.Fail(p.Display + " is a file: read it with read_file")
	}
	entries, more, err := k.Lister.List(ctx, p, recursive, listLimit)
	switch {
	case err != nil && len(entries) == 0:
		return tools.Fail(err.Error())
	case len(entries) == 0 && more:
		return tools.Result{Text: noneShown(p, recursive)}
	case len(entries) == 0:
		return tools.Result{Text: p.Display + " is empty."}
	}
	head := fmt.Sprintf("%s (%s)", p.Display, plural(len(entries), "entry"))
	switch {
	case more && recursive:
		head = fmt.Sprintf("%s (the first %d entries; list a directory below it to see more)", p.Display, len(entries))
	case more:
		head = fmt.Sprintf("%s (the first %d entries; there are more, which a command such as ls shows)", p.Display, len(entries))
	}
	text := head + "\n" + strings.Join(entries, "\n")
	if err != nil {
		text += fmt.Sprintf("\n[not complete: %v]", err)
	}
	return tools.Result{Text: text}
}

// noneShown says of a directory that it is not empty, but that all there is is left
// out.
func noneShown(p tools.Path, recursive bool) string {
	text := "Nothing in " + p.Display + " is to be shown: what is there is hidden by .clineignore"
	if recursive {
		return text + " or ignored by git; list it without recursive to see what git ignores."
	}
	return text + ", and the user does not want it to be read or changed."
}
