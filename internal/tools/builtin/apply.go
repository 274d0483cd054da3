package builtin

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"clined/internal/tools"
)

// step is an allowed change as it is carried out.
type step struct {
	// change, perhaps made anew on the text the file has by now.
	change
	// own is the whole text to write: what the user made of the proposal, or its
	// own. given says that it is not what the diff view was last told.
	own   string
	given bool
	// taken tells which of the proposal's hunks the user took, where they chose.
	taken *tools.HunkChoice
	// skip: the user took nothing of it.
	skip bool
	// written is set once it is done, if there is a file then.
	written *tools.Written
	done    bool
}

// apply carries out what was allowed: all of it or nothing.
func (k *kit) apply(ctx context.Context, p proposal, d tools.Decision) tools.Result {
	defer k.closeViews(p.callID, false) // those of what was not done
	steps, err := k.plan(ctx, p, d)
	if err != nil {
		return tools.Fail(err.Error())
	}
	for _, s := range inOrder(steps) {
		if err := k.carryOut(ctx, p.callID, s); err != nil {
			res := k.failed(ctx, s, err)
			res.Text += k.undo(ctx, p.callID, steps)
			return res
		}
	}
	res := tools.Result{Text: report(ctx, steps)}
	if !slices.ContainsFunc(steps, func(s *step) bool { return !s.skip }) {
		res.Outcome = tools.Denied
	}
	for _, s := range steps {
		k.noteSeen(s)
		if s.done {
			res.Diff += s.diff(s.final())
		}
	}
	return res
}

// plan works out what each change comes to now, and writes nothing.
func (k *kit) plan(ctx context.Context, p proposal, d tools.Decision) ([]*step, error) {
	var steps []*step
	for _, c := range p.changes {
		s := &step{change: *c}
		steps = append(steps, s)
		if c.idle() {
			continue
		}
		if err := k.decided(ctx, s, d); err != nil {
			return nil, err
		}
	}
	if len(steps) > 1 { // of a single file its own write finds out
		for _, s := range steps {
			if err := k.stillSo(ctx, s); err != nil {
				return nil, err
			}
		}
	}
	return steps, nil
}

// decided takes over what the user made of a change, or makes it anew where the
// file is another by now.
func (k *kit) decided(ctx context.Context, s *step, d tools.Decision) error {
	if taken, ok := d.Hunks[s.path.Abs]; ok && taken.Taken < taken.Of {
		s.taken = &taken
		s.skip = taken.Taken == 0
	}
	asked := s.change
	own, edited := d.Edited[s.path.Abs]
	if edited {
		own = usersVersion(s.base.Text, s.text, own)
		edited = own != s.text
	}
	if s.again != nil && !edited && !s.editorOnly && !s.skip {
		if err := k.renew(ctx, &s.change); err != nil {
			return err
		}
	}
	s.own = s.text
	if edited {
		s.own, s.gone = own, false
		s.skip = s.skip || s.op() == opModify && own == s.base.Text
	}
	s.given = s.own != asked.text || s.base.Text != asked.base.Text
	return nil
}

// inOrder returns the steps that do something. Removals come last: of all that
// may have to be put back they are what cannot be put back whole.
func inOrder(steps []*step) []*step {
	var first, last []*step
	for _, s := range steps {
		switch {
		case s.skip || s.idle():
		case s.gone:
			last = append(last, s)
		default:
			first = append(first, s)
		}
	}
	return append(first, last...)
}

// carryOut does one step.
func (k *kit) carryOut(ctx context.Context, callID string, s *step) (err error) {
	switch s.op() {
	case opDelete:
		err = k.Files.Remove(ctx, s.base)
	case opRename:
		s.written, err = k.Files.Move(ctx, s.base, *s.to, s.own)
	default:
		s.written, s.own, err = k.put(ctx, callID, &s.change, s.own, s.given)
	}
	if err != nil {
		return err
	}
	s.done = true
	if s.shown {
		k.closeViews(callID, true, s.path.Abs)
	}
	return nil
}

// final is what the file holds once the step is done.
func (s *step) final() string {
	if s.written == nil {
		return ""
	}
	return s.written.Text
}

// noteSeen notes what the model knows of a file after a step.
func (k *kit) noteSeen(s *step) {
	switch {
	case !s.done:
		k.seen.sawFile(s.path.Abs, s.base)
	case s.written == nil:
		k.seen.forget(s.path.Abs)
	case s.to != nil:
		k.seen.forget(s.path.Abs)
		k.seen.saw(s.to.Abs, s.written.Text)
	default:
		k.seen.saw(s.path.Abs, s.written.Text)
	}
}

// renew bases a change on the text the file has now.
func (k *kit) renew(ctx context.Context, c *change) error {
	now, err := k.open(ctx, c.path)
	if err != nil {
		return fmt.Errorf("%s was not changed: %w", c.path.Display, err)
	}
	if made(c.base, now) {
		return nil
	}
	if now.Exists != c.base.Exists || now.Text != c.base.Text {
		text, notes, err := c.again(now.Text)
		if err != nil {
			k.seen.sawFile(c.path.Abs, now)
			return fmt.Errorf("%s changed while the edit waited for approval, and the edit does not fit its present text: %w", c.path.Display, err)
		}
		c.text = text
		c.notes = append(notes, "The file had changed meanwhile; the edit was made on its present text.")
	}
	c.base = now
	return nil
}

// stillSo fails when a file is no longer what its change is based on.
func (k *kit) stillSo(ctx context.Context, s *step) error {
	if s.editorOnly || s.skip {
		return nil
	}
	now, err := k.open(ctx, s.path)
	switch {
	case err != nil:
		return fmt.Errorf("nothing was changed: %w", err)
	case !made(s.base, now) && (now.Exists != s.base.Exists || now.Text != s.base.Text):
		return fmt.Errorf("nothing was changed: %s", k.changedMeanwhile(ctx, &s.change))
	}
	return nil
}

// failed words why a step could not be done.
func (k *kit) failed(ctx context.Context, s *step, err error) tools.Result {
	switch {
	case errors.Is(err, tools.ErrChanged) && s.to != nil:
		return tools.Fail(fmt.Sprintf("%s was not moved to %s: one of them changed meanwhile. Look at what is there.", s.path.Display, s.to.Display))
	case errors.Is(err, tools.ErrChanged):
		return tools.Fail(k.changedMeanwhile(ctx, &s.change))
	case ctx.Err() != nil && s.shown:
		return tools.Result{Text: "Interrupted while the editor saved " + s.path.Display + ": read it before you go on.", Outcome: tools.Cancelled}
	case ctx.Err() != nil:
		return tools.Result{Text: s.path.Display + " was not changed: interrupted.", Outcome: tools.Cancelled}
	}
	return tools.Fail(fmt.Sprintf("nothing was written: %v", err))
}

// changedMeanwhile words a write that came too late.
func (k *kit) changedMeanwhile(ctx context.Context, c *change) string {
	now, err := k.open(ctx, c.path)
	if err != nil || !now.Exists {
		k.seen.forget(c.path.Abs)
		return c.path.Display + " was not written: it was removed or replaced meanwhile. Look at what is there before you write it."
	}
	k.seen.saw(c.path.Abs, now.Text)
	return c.path.Display + " was not written: it changed since you read it. " + difference(c.base.Text, now.Text)
}
