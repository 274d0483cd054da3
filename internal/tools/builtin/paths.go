package builtin

import (
	"context"
	"fmt"
	"strings"

	"clined/internal/tools"
)

// absolutePath is what some models call path; it is understood, not advertised.
const absolutePath = "absolutePath"

// target resolves the call's path, which may come under both names if they
// mean the same.
func (k *kit) target(args tools.Args) (tools.Path, error) {
	path, other := args.String("path"), args.String(absolutePath)
	if path == "" {
		path, other = other, ""
	}
	p, err := k.Files.Resolve(path)
	if err != nil || other == "" {
		return p, err
	}
	q, err := k.Files.Resolve(other)
	if err == nil && q.Abs != p.Abs {
		err = fmt.Errorf("path and absolutePath name different files (%s and %s); nothing was done: send one of them", p.Display, q.Display)
	}
	return p, err
}

// open reads what is at p, which need not exist; a directory is refused.
func (k *kit) open(ctx context.Context, p tools.Path) (*tools.File, error) {
	info, err := k.Files.Stat(ctx, p)
	switch {
	case err != nil:
		return nil, err
	case info.Dir:
		return nil, fmt.Errorf("%s is a directory, not a file", p.Display)
	case !info.Exists:
		return &tools.File{Path: p}, nil
	}
	return k.Files.Read(ctx, p)
}

// editTarget resolves the call's path and reads what is there. When that
// cannot be edited, refused says so.
func (k *kit) editTarget(ctx context.Context, args tools.Args) (p tools.Path, base *tools.File, refused *tools.Action, err error) {
	if p, err = k.target(args); err != nil {
		return p, nil, nil, fmt.Errorf("%w; nothing was changed", err)
	}
	if base, err = k.open(ctx, p); err != nil {
		return p, nil, refusal(p, fmt.Errorf("%w; nothing was changed", err), nil), nil
	}
	return p, base, nil, nil
}

// refusal tells the model why a call cannot be done. Such a text shows what is
// at p, so it is judged as reading that: a call that fails must not be a way
// around the question. seen, if given, notes what the model knows then.
func refusal(p tools.Path, why error, seen func()) *tools.Action {
	return reading("Read "+p.Display, p, func(context.Context) tools.Result {
		if seen != nil {
			seen()
		}
		return tools.Fail(why.Error())
	})
}

// reading is an action that only reads what is at p.
func reading(title string, p tools.Path, run func(ctx context.Context) tools.Result) *tools.Action {
	return &tools.Action{
		Title:   title,
		Subject: tools.Subject{Kind: tools.Read, ReadOnly: true, Paths: []tools.Path{p}},
		Run:     func(ctx context.Context, _ tools.Decision) tools.Result { return run(ctx) },
	}
}

// plural writes a count with its noun: "1 line", "2 matches".
func plural(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "y"):
		noun = strings.TrimSuffix(noun, "y") + "ies"
	case strings.HasSuffix(noun, "ch"):
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// splitLines cuts a text into lines without their ends; a final line end opens
// no further line, and an empty text has no lines.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}
