package builtin

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"clined/internal/diffedit"
	"clined/internal/tools"
)

const (
	// editDiffLines is how many lines of diff the model is shown after an edit.
	editDiffLines = 80
	// patchLines is how many lines of the user's or the formatter's own changes.
	patchLines = 200
)

// proposal is a new text for one file.
type proposal struct {
	callID string
	path   tools.Path
	// base is what the proposal starts from.
	base *tools.File
	text string
	// notes tell the model what was adjusted, a sentence each.
	notes []string
	// again makes the proposal anew on another text, for edits that may still
	// fit a file that changed meanwhile; nil for whole texts.
	again func(text string) (string, []string, error)
	// shown: the editor's diff view has it. editorOnly: the editor alone knows
	// the text of base.
	shown, editorOnly bool
}

// action turns a proposal into what is judged, shown and done.
func (k *kit) action(ctx context.Context, p proposal) *tools.Action {
	if p.base.Exists && p.text == p.base.Text {
		return k.nothingToDo(p)
	}
	p, err := k.show(ctx, p)
	switch {
	case err != nil:
		return refusal(p.path, fmt.Errorf("%s: %w", p.path.Display, err), nil)
	case p.base.Exists && p.text == p.base.Text:
		return k.nothingToDo(p)
	}
	op, verb := "modify", "Edit "
	if !p.base.Exists {
		op, verb = "create", "Create "
	}
	return &tools.Action{
		Title: verb + p.path.Display,
		Subject: tools.Subject{Kind: tools.Edit, Paths: []tools.Path{p.path}, Edits: []tools.FileEdit{{
			Path: p.path, Op: op, Base: p.base.Text, Proposed: p.text,
			Diff: diffedit.Unified(p.path.Display, p.base.Text, p.text, 0),
		}}},
		Run: func(ctx context.Context, d tools.Decision) tools.Result { return k.apply(ctx, p, d) },
	}
}

// nothingToDo answers a proposal that is what the file already holds: nothing
// is written, so it is judged as reading.
func (k *kit) nothingToDo(p proposal) *tools.Action {
	return reading("No change to "+p.path.Display, p.path, func(context.Context) tools.Result {
		k.seen.saw(p.path.Abs, p.base.Text)
		return tools.Result{Text: sentences(p.path.Display+" already holds exactly this text; nothing was written.", p.notes)}
	})
}

// apply writes a proposal that was allowed, or the user's own version of it.
func (k *kit) apply(ctx context.Context, p proposal, d tools.Decision) tools.Result {
	own, edited := d.Edited[p.path.Abs]
	if edited {
		own = withLineEnds(p.text, own)
		edited = own != p.text
	}
	asked := p
	if p.again != nil && !edited && !p.editorOnly {
		var err error
		if p, err = k.renew(ctx, p); err != nil {
			return tools.Fail(err.Error())
		}
	}
	text := p.text
	if edited {
		text = own
	}
	written, text, err := k.put(ctx, p, text, text != asked.text || p.base.Text != asked.base.Text)
	switch {
	case errors.Is(err, tools.ErrChanged):
		return tools.Fail(k.changedMeanwhile(ctx, p))
	case ctx.Err() != nil && err != nil && p.shown:
		return tools.Result{Text: "Interrupted while the editor saved " + p.path.Display + ": read it before you go on.", Outcome: tools.Cancelled}
	case ctx.Err() != nil && err != nil:
		return tools.Result{Text: p.path.Display + " was not changed: interrupted.", Outcome: tools.Cancelled}
	case err != nil:
		return tools.Fail(fmt.Sprintf("nothing was written: %v", err))
	}
	k.seen.saw(p.path.Abs, written.Text)
	return tools.Result{
		Text: report(p, text, written, lf(text) != lf(p.text)),
		Diff: diffedit.Unified(p.path.Display, p.base.Text, written.Text, 0),
	}
}

// renew bases a proposal on the text the file has now.
func (k *kit) renew(ctx context.Context, p proposal) (proposal, error) {
	now, err := k.open(ctx, p.path)
	if err != nil {
		return p, fmt.Errorf("%s was not changed: %w", p.path.Display, err)
	}
	if made(p.base, now) {
		return p, nil
	}
	if now.Exists != p.base.Exists || now.Text != p.base.Text {
		text, notes, err := p.again(now.Text)
		if err != nil {
			k.seen.saw(p.path.Abs, now.Text)
			return p, fmt.Errorf("%s changed while the edit waited for approval, and the edit does not fit its present text: %w", p.path.Display, err)
		}
		p.text = text
		p.notes = append(notes, "The file had changed meanwhile; the edit was made on its present text.")
	}
	p.base = now
	return p, nil
}

// changedMeanwhile words a write that came too late.
func (k *kit) changedMeanwhile(ctx context.Context, p proposal) string {
	now, err := k.open(ctx, p.path)
	if err != nil || !now.Exists {
		k.seen.forget(p.path.Abs)
		return p.path.Display + " was not written: it was removed or replaced meanwhile. Look at what is there before you write it."
	}
	k.seen.saw(p.path.Abs, now.Text)
	return p.path.Display + " was not written: it changed since you read it. " + difference(p.base.Text, now.Text)
}

// difference tells the model what happened to a file it knows as before.
func difference(before, now string) string {
	diff := diffedit.Numbered(lf(before), lf(now), patchLines)
	if diff == "" {
		return "Its text is as before, so the edit can be sent again."
	}
	return "What changed:\n" + diff + "Take these changes over and send the edit again."
}

// report tells the model what a write did: what is new for it, not what it
// wrote itself. text is what was asked to be written.
func report(p proposal, text string, w *tools.Written, edited bool) string {
	name, final := p.path.Display, w.Text
	first := fmt.Sprintf("Created %s (%s).", name, plural(len(splitLines(final)), "line"))
	if p.base.Exists {
		added, removed := countChanges(p.base.Text, final)
		first = fmt.Sprintf("Edited %s: %d added, %d removed.", name, added, removed)
	}
	var b strings.Builder
	b.WriteString(sentences(first, p.notes))
	if !w.Saved {
		b.WriteString("\nThe change is in the editor and not saved yet: commands still see the old file until the user saves it.")
	}
	if p.base.Exists {
		b.WriteString("\n" + diffedit.Numbered(lf(p.base.Text), lf(final), editDiffLines))
	}
	if edited {
		b.WriteString("\nThe user changed your proposal before it was saved; keep their version. Their changes:\n")
		b.WriteString(diffedit.Unified(name, lf(p.text), lf(text), patchLines))
	}
	if patch := diffedit.Unified(name, lf(text), lf(final), patchLines); patch != "" {
		b.WriteString("\nThe editor formatted the file when it was saved; work from this text. Its changes:\n" + patch)
	}
	if w.Problems != "" {
		b.WriteString("\nNew problems in the editor after this edit:\n" + w.Problems)
	}
	return strings.TrimRight(b.String(), "\n")
}

// sentences joins a first line and notes, which may lack their final stop.
func sentences(first string, notes []string) string {
	for _, n := range notes {
		if n = strings.TrimSpace(n); n == "" {
			continue
		}
		if !strings.HasSuffix(n, ".") {
			n += "."
		}
		first += " " + strings.ToUpper(n[:1]) + n[1:]
	}
	return first
}

// countChanges counts the lines of a diff.
func countChanges(before, after string) (added, removed int) {
	diff := diffedit.Unified("", lf(before), lf(after), 0)
	body := false
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "@@"):
			body = true
		case body && line[0] == '+':
			added++
		case body && line[0] == '-':
			removed++
		}
	}
	return added, removed
}
