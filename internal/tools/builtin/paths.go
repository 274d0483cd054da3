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

// editTarget resolves the call's path and reads what is there.
func (k *kit) editTarget(ctx context.Context, args tools.Args) (tools.Path, *tools.File, error) {
	p, err := k.target(args)
	if err != nil {
		return p, nil, fmt.Errorf("%w; nothing was changed", err)
	}
	base, err := k.open(ctx, p)
	if err != nil {
		return p, nil, fmt.Errorf("%w; nothing was changed", err)
	}
	return p, base, nil
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
