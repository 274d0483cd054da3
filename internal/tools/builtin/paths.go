package builtin

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"clined/internal/tools"
)

// absolutePath is what some models call path; it is understood, not advertised.
const absolutePath = "absolutePath"

// target resolves the call's path, which may come under both names if they
// mean the same.
func (k *kit) target(args tools.Args) (tools.Path, error) { return k.named(args, k.Files.Resolve) }

func (k *kit) named(args tools.Args, resolve func(string) (tools.Path, error)) (tools.Path, error) {
	given, other := args.String("path"), args.String(absolutePath)
	if given == "" {
		given, other = other, ""
	}
	p, err := resolve(given)
	if err != nil || other == "" {
		return p, err
	}
	q, err := resolve(other)
	if err == nil && q.Abs != p.Abs {
		err = fmt.Errorf("path and absolutePath name different files (%s and %s): send one of them", p.Display, q.Display)
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

// The longest name and path that common systems take, in bytes: NAME_MAX and
// PATH_MAX of Linux.
const maxName, maxPath = 255, 4095

// fileAt resolves a path that is to name a file.
func (k *kit) fileAt(name string) (tools.Path, error) {
	trimmed := strings.TrimSpace(name)
	switch longest := longestName(trimmed); {
	case len(trimmed) > 1 && strings.HasSuffix(trimmed, "/"):
		return tools.Path{}, fmt.Errorf("%q ends in a slash, so it names a directory and not a file", name)
	case longest > maxName:
		return tools.Path{}, fmt.Errorf("the path holds a name of %d bytes, and a name has at most %d", longest, maxName)
	case len(trimmed) > maxPath:
		return tools.Path{}, fmt.Errorf("the path has %d bytes, and a path has at most %d", len(trimmed), maxPath)
	}
	return k.Files.Resolve(name)
}

func longestName(name string) int {
	longest := 0
	for part := range strings.SplitSeq(name, "/") {
		longest = max(longest, len(part))
	}
	return longest
}

// editTarget resolves the call's path and reads what is there. When that
// cannot be edited, refused says so.
func (k *kit) editTarget(ctx context.Context, call tools.Call) (p tools.Path, base *tools.File, refused *tools.Action, err error) {
	if p, err = k.named(call.Args, k.fileAt); err != nil {
		return p, nil, nil, fmt.Errorf("%w; nothing was changed", err)
	}
	if base, err = k.openToEdit(ctx, call.ID, p); err != nil {
		return p, nil, refusal(fmt.Errorf("%w; nothing was changed", err), nil, p), nil
	}
	return p, base, nil, nil
}

// openToEdit reads what is at p. A file that an editor made only to show what
// the call proposes does not count as being there.
func (k *kit) openToEdit(ctx context.Context, callID string, p tools.Path) (*tools.File, error) {
	base, err := k.open(ctx, p)
	if err != nil {
		return nil, err
	}
	if before := k.drafts.base(callID, p.Abs); before != nil && made(before, base) {
		return before, nil
	}
	if !base.Exists {
		return base, k.canHold(ctx, path.Dir(p.Abs))
	}
	return base, nil
}

// canHold fails when something that is no folder stands where the folder dir
// would have to be.
func (k *kit) canHold(ctx context.Context, dir string) error {
	for ; ; dir = path.Dir(dir) {
		p, err := k.Files.Resolve(dir)
		if err != nil {
			return err
		}
		info, err := k.Files.Stat(ctx, p)
		switch {
		case err != nil:
			return err
		case info.Exists && !info.Dir:
			return fmt.Errorf("%s is a file, so nothing can be in it", p.Display)
		case info.Exists || dir == path.Dir(dir):
			return nil
		}
	}
}

// made reports whether a file that was not there is there now, empty, as some
// editors make it to show what will be in it.
func made(before, now *tools.File) bool { return !before.Exists && now.Exists && now.Text == "" }

// refusal tells the model why a call cannot be done. Such a text shows what is
// at the paths, so it is judged as reading that: a call that fails must not be a
// way around the question. seen, if given, notes what the model knows then.
func refusal(why error, seen func(), paths ...tools.Path) *tools.Action {
	return reading("Read "+names(paths), func(context.Context) tools.Result {
		if seen != nil {
			seen()
		}
		return tools.Fail(why.Error())
	}, paths...)
}

// reading is an action that only reads what is at the paths.
func reading(title string, run func(ctx context.Context) tools.Result, paths ...tools.Path) *tools.Action {
	return &tools.Action{
		Title:   title,
		Subject: tools.Subject{Kind: tools.Read, ReadOnly: true, Paths: paths},
		Run:     func(ctx context.Context, _ tools.Decision) tools.Result { return run(ctx) },
	}
}

// there tells what is at p; nothing is an error for the model.
func (k *kit) there(ctx context.Context, p tools.Path) (tools.FileInfo, error) {
	info, err := k.Files.Stat(ctx, p)
	if err == nil && !info.Exists {
		err = k.notThere(ctx, p)
	}
	return info, err
}

// notThere says that nothing is at p and, in the workspace, which name beside
// it may be meant.
func (k *kit) notThere(ctx context.Context, p tools.Path) error {
	text := p.Display + " does not exist"
	dir, err := k.Files.Resolve(path.Dir(p.Abs))
	if err != nil || p.Outside || dir.Outside {
		return errors.New(text)
	}
	if info, err := k.Files.Stat(ctx, dir); err != nil || !info.Dir {
		return fmt.Errorf("%s, and neither does its directory: look with list_files", text)
	}
	const look = 2000
	entries, _, _ := k.Lister.List(ctx, dir, false, look)
	if name := nearestName(path.Base(p.Abs), entries); name != "" {
		return fmt.Errorf("%s; %s does, in the same directory", text, name)
	}
	return errors.New(text)
}

// nearestName returns the name that is like the wanted one but for its case or a
// slip or two.
func nearestName(wanted string, names []string) string {
	best, least := "", min(3, 1+len(wanted)/3)
	for _, n := range names {
		if n == wanted { // a link to nothing
			continue
		}
		d := tools.Distance(strings.ToLower(wanted), strings.ToLower(strings.TrimSuffix(n, "/")))
		if d < least {
			best, least = n, d
		}
	}
	return best
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
