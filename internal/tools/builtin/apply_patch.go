package builtin

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"clined/internal/diffedit/v4a"
	"clined/internal/tools"
)

func (k *kit) applyPatch() *simple {
	s := spec("apply_patch", tools.Edit, required("input", "string", "patch"))
	return &simple{s, k.preparePatch}
}

func (k *kit) preparePatch(ctx context.Context, call tools.Call) (*tools.Action, error) {
	input := call.Args.String("input")
	if !call.Args.Has("input") {
		input = call.Args.String("patch")
	}
	files, notes, err := readPatch(input, call.Origin)
	if err != nil {
		return nil, err
	}
	var paths []tools.Path
	for i := range files {
		if err := k.resolvePatched(&files[i], &paths); err != nil {
			return nil, fmt.Errorf("%w; nothing was changed", err)
		}
	}
	if err := k.namedTwice(ctx, files); err != nil {
		return refusal(fmt.Errorf("%w; nothing was changed", err), nil, paths...), nil
	}
	p := proposal{callID: call.ID}
	var problems []string
	var told []*tools.File // of which a problem tells all there is to know
	for i := range files {
		c, err := k.patched(ctx, call.ID, &files[i])
		if err == nil && c.gone && c.base.Opaque == nil {
			if err = k.stale(c.path, c.base); err != nil {
				told = append(told, c.base)
			}
		}
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		p.changes = append(p.changes, c)
	}
	if len(problems) > 0 {
		return refusal(patchProblems(problems), func() {
			for _, f := range told {
				k.seen.sawFile(f.Path.Abs, f)
			}
		}, paths...), nil
	}
	p.changes[0].notes = append(notes, p.changes[0].notes...)
	return k.action(ctx, p), nil
}

// patchedFile is a file of a patch: as written, and without its entities when
// it may be that these are not meant.
type patchedFile struct {
	v4a.File
	plain *v4a.File
	path  tools.Path
	to    *tools.Path
}

// readPatch reads a patch.
func readPatch(input string, origin tools.Origin) (files []patchedFile, notes []string, err error) {
	patch, err := v4a.Parse(input)
	var plain *v4a.Patch
	if unescaped, ok := unescape(input); ok && origin == tools.XML {
		plain, _ = v4a.Parse(unescaped)
	}
	if err != nil {
		return nil, nil, err
	}
	for i, f := range patch.Files {
		one := patchedFile{File: f}
		if plain != nil && len(plain.Files) == len(patch.Files) && plain.Files[i].Path == f.Path {
			one.plain = &plain.Files[i]
		}
		files = append(files, one)
	}
	return files, patch.Notes, nil
}

// resolvePatched finds the paths of a file, and adds them to those of the patch,
// of which none may lead to the same place as another.
func (k *kit) resolvePatched(f *patchedFile, paths *[]tools.Path) (err error) {
	add := func(name string) (p tools.Path, err error) {
		if p, err = k.fileAt(name); err != nil {
			return p, err
		}
		for _, other := range *paths {
			if other.Real == p.Real {
				return p, fmt.Errorf("%s and %s are the same file, and the patch must name it once", other.Display, p.Display)
			}
		}
		*paths = append(*paths, p)
		return p, nil
	}
	if f.path, err = add(f.Path); err != nil || f.MoveTo == "" {
		return err
	}
	if same, err := k.fileAt(f.MoveTo); err == nil && same.Abs == f.path.Abs {
		return nil
	}
	to, err := add(f.MoveTo)
	f.to = &to
	return err
}

// namedTwice fails when files of a patch are names of one file: a change under one
// of them is a change under the other. That they all go is fine.
func (k *kit) namedTwice(ctx context.Context, files []patchedFile) error {
	first := map[string]*patchedFile{}
	for i := range files {
		f := &files[i]
		info, err := k.Files.Stat(ctx, f.path)
		if err != nil || info.ID == "" {
			continue // reading it tells
		}
		switch other := first[info.ID]; {
		case other == nil:
			first[info.ID] = f
		case other.Op != v4a.Delete || f.Op != v4a.Delete:
			return fmt.Errorf("%s and %s are two names of one file (hard links), and what is changed under one changes under the other: name it once", other.path.Display, f.path.Display)
		}
	}
	return nil
}

// patched works out what becomes of one file.
func (k *kit) patched(ctx context.Context, callID string, f *patchedFile) (*change, error) {
	base, err := k.openToEdit(ctx, callID, f.path)
	if f.Op == v4a.Delete && (errors.Is(err, tools.ErrBinary) || errors.Is(err, tools.ErrTooLarge)) {
		base, err = k.Files.Look(ctx, f.path)
	}
	if err != nil {
		return nil, fmt.Errorf("%w; nothing was changed", err)
	}
	base, copied := told(base, textOf(&f.File))
	eachText(&f.File, copied)
	if f.plain != nil {
		eachText(f.plain, copied)
	}
	c := &change{path: f.path, base: base, to: f.to}
	switch {
	case f.Op == v4a.Update && !base.Exists:
		return nil, fmt.Errorf("%w. Nothing was changed; `*** Add File: %s` creates it", k.notThere(ctx, f.path), f.Path)
	case f.Op == v4a.Delete && !base.Exists:
		return nil, fmt.Errorf("%w; nothing was changed", k.notThere(ctx, f.path))
	}
	if (f.Op == v4a.Delete || c.to != nil) && base.Dirty {
		return nil, fmt.Errorf("%s: %w", f.path.Display, errUnsaved)
	}
	if c.to != nil {
		if err := k.freePlace(ctx, *c.to); err != nil {
			return nil, fmt.Errorf("%s cannot be moved: %w; nothing was changed", f.path.Display, err)
		}
	}
	switch f.Op {
	case v4a.Add:
		return c, f.add(c)
	case v4a.Delete:
		c.gone = true
		return c, nil
	}
	c.again = f.update
	if c.text, c.notes, err = f.update(base.Text); err != nil {
		return nil, fmt.Errorf("%s: %w", f.path.Display, err)
	}
	return c, nil
}

// freePlace fails when a file cannot get that path.
func (k *kit) freePlace(ctx context.Context, p tools.Path) error {
	switch info, err := k.Files.Stat(ctx, p); {
	case err != nil:
		return err
	case info.Exists:
		return fmt.Errorf("%s exists already", p.Display)
	}
	return k.canHold(ctx, path.Dir(p.Abs))
}

// add takes the text of a file that is to be made.
func (f *patchedFile) add(c *change) error {
	if c.base.Text != "" {
		return fmt.Errorf("%s exists already; nothing was changed: change it with `*** Update File: %s`", f.path.Display, f.Path)
	}
	c.text = f.Content
	if f.plain != nil {
		if text, ok := escapedWhole(f.path.Abs, f.Content); ok {
			c.text, c.notes = text, []string{entitiesNote}
		}
	}
	return nil
}

// update makes the new text of a file.
func (f *patchedFile) update(text string) (string, []string, error) {
	res, err := f.Apply(text)
	var notes []string
	if err != nil && f.plain != nil && !isMarkup(f.path.Abs) {
		if plain, perr := f.plain.Apply(text); perr == nil {
			res, err, notes = plain, nil, []string{entitiesNote}
		}
	}
	if err != nil {
		return "", nil, err
	}
	if why := lazyParts(f.path.Abs, text, "chunk", res); why != nil {
		return "", nil, why
	}
	return res.Text, append(notes, res.Notes...), nil
}

// shownProblems is how many files of a patch that do not fit are told of in full.
const shownProblems = 3

// patchProblems joins what is wrong with the files of a patch.
func patchProblems(problems []string) error {
	text := strings.Join(problems[:min(len(problems), shownProblems)], "\n")
	if more := len(problems) - shownProblems; more > 0 {
		text += fmt.Sprintf("\n%s more cannot be changed.", plural(more, "file"))
	}
	return errors.New(text)
}
