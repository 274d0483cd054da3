package builtin

import (
	"context"
	"fmt"
	"strings"

	"clined/internal/diffedit"
	"clined/internal/tools"
)

// proposal is what a call wants to do: one change for each of its files.
type proposal struct {
	callID  string
	changes []*change
}

// change is a new text for a file, a new place for it, or its end.
type change struct {
	path tools.Path
	// base is what the change starts from.
	base *tools.File
	// text is what the file shall hold, "" when it is to go.
	text string
	gone bool
	// to is the file's new place, nil where it stays.
	to *tools.Path
	// notes tell the model what was adjusted, a sentence each.
	notes []string
	// again makes the text anew on another one, for edits that may still fit a
	// file that changed meanwhile; nil for whole texts.
	again func(text string) (string, []string, error)
	// shown: the editor's diff view has it. editorOnly: the editor alone knows
	// the text of base.
	shown, editorOnly bool
	// late is what was saved when the user went on changing it meanwhile, nil if
	// they did not.
	late *tools.Shown
}

// The operations, as subjects name them.
const (
	opCreate = "create"
	opModify = "modify"
	opDelete = "delete"
	opRename = "rename"
)

func (c *change) op() string {
	switch {
	case c.gone:
		return opDelete
	case c.to != nil:
		return opRename
	case !c.base.Exists:
		return opCreate
	}
	return opModify
}

// idle reports whether the file is already as the change wants it.
func (c *change) idle() bool { return c.op() == opModify && c.text == c.base.Text }

// diff is the change for people. A text that is only to be looked at has any
// line ends.
func (c *change) diff(text string) string {
	if c.base.Opaque != nil {
		return c.base.Opaque.String() + "\n"
	}
	diff := diffedit.Unified(patchName(c.path), c.base.Text, text, 0)
	if c.to != nil {
		return "rename from " + c.path.Display + "\nrename to " + c.to.Display + "\n" + diff
	}
	return diff
}

// patchName is a path as the head of a patch has it behind "a/" and "b/": as in
// git's, the first slash is not said again.
func patchName(p tools.Path) string { return strings.TrimPrefix(p.Display, "/") }

// action turns a proposal into what is judged, shown and done.
func (k *kit) action(ctx context.Context, p proposal) *tools.Action {
	var paths []tools.Path
	for _, c := range p.changes {
		paths = append(paths, c.path)
		if c.to != nil {
			paths = append(paths, *c.to)
		}
	}
	views := 0
	for _, c := range p.changes {
		if c.idle() || c.base.Opaque != nil || views == maxViews {
			continue
		}
		views++
		if err := k.show(ctx, p.callID, c); err != nil {
			k.closeViews(p.callID, false)
			return refusal(fmt.Errorf("%s: %w", c.path.Display, err), nil, paths...)
		}
	}
	subject := tools.Subject{Kind: tools.Edit, Paths: paths}
	for _, c := range p.changes {
		if c.idle() {
			continue
		}
		subject.Edits = append(subject.Edits, tools.FileEdit{
			Path: c.path, Op: c.op(), To: c.to, Base: c.base.Text, Proposed: c.text, Diff: c.diff(c.text),
		})
	}
	if len(subject.Edits) == 0 {
		return k.nothingToDo(p, paths)
	}
	return &tools.Action{
		Title:   title(subject.Edits),
		Subject: subject,
		Run:     func(ctx context.Context, d tools.Decision) tools.Result { return k.apply(ctx, p, d) },
	}
}

// namedFiles is how many files a title names.
const namedFiles = 3

// title says what is to be done, on a line.
func title(edits []tools.FileEdit) string {
	var parts []string
	for _, e := range edits[:min(len(edits), namedFiles)] {
		verb, to := "edit ", ""
		switch e.Op {
		case opCreate:
			verb = "create "
		case opDelete:
			verb = "delete "
		case opRename:
			verb, to = "move ", " to "+e.To.Display
		}
		parts = append(parts, verb+e.Path.Display+to)
	}
	text := strings.Join(parts, ", ")
	if more := len(edits) - namedFiles; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// nothingToDo answers a proposal that is what the files already hold: nothing
// is written, so it is judged as reading.
func (k *kit) nothingToDo(p proposal, paths []tools.Path) *tools.Action {
	return reading("No change to "+names(paths), func(context.Context) tools.Result {
		var texts []string
		for _, c := range p.changes {
			k.seen.saw(c.path.Abs, shownText(c.base))
			texts = append(texts, unchangedText(c))
		}
		return tools.Result{Text: strings.Join(texts, "\n")}
	}, paths...)
}

func unchangedText(c *change) string {
	return sentences(c.path.Display+" already holds exactly this text; nothing was written.", c.notes)
}

// names lists paths on a line, not all of them when they are many.
func names(paths []tools.Path) string {
	var list []string
	for _, p := range paths[:min(len(paths), namedFiles)] {
		list = append(list, p.Display)
	}
	text := strings.Join(list, ", ")
	if more := len(paths) - namedFiles; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// closeViews takes the views of a call away, or those of the given files.
func (k *kit) closeViews(callID string, accepted bool, files ...string) {
	if k.Diffs != nil {
		k.Diffs.Close(callID, accepted, files...)
	}
}
