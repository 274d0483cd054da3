package builtin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"clined/internal/diffedit"
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
	// aside is what was deleted, until all of the call is done.
	aside tools.Aside
}

// apply carries out what was allowed: all of it or nothing.
func (k *kit) apply(ctx context.Context, p proposal, d tools.Decision) tools.Result {
	defer k.closeViews(p.callID, false) // those of what was not done
	steps, misfit, err := k.plan(ctx, p, d)
	if err != nil {
		return tools.Fail(err.Error() + k.othersOfTheUser(p.callID, steps, misfit))
	}
	for _, s := range inOrder(steps) {
		if err := k.carryOut(ctx, p.callID, s); err != nil {
			res := k.failed(ctx, s, err)
			res.Text += k.undo(ctx, p.callID, steps) + k.othersOfTheUser(p.callID, steps, s)
			return res
		}
	}
	dropAside(steps)
	k.noteOpen(ctx, steps)
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

// plan works out what each change comes to now, and writes nothing. An error is
// of the first step that does not fit.
func (k *kit) plan(ctx context.Context, p proposal, d tools.Decision) (steps []*step, misfit *step, err error) {
	for _, c := range p.changes {
		s := &step{change: *c, own: c.text}
		steps = append(steps, s)
		if c.idle() {
			continue
		}
		if why := k.decided(ctx, s, d); why != nil && err == nil {
			misfit, err = s, why
		}
	}
	if err != nil {
		return steps, misfit, err
	}
	if len(steps) > 1 { // of a single file its own write finds out
		for _, s := range steps {
			if err := k.stillSo(ctx, s); err != nil {
				return steps, s, err
			}
		}
	}
	return steps, nil, nil
}

// decided takes over what the user made of a change, or makes it anew where the
// file is another by now.
func (k *kit) decided(ctx context.Context, s *step, d tools.Decision) error {
	if taken, ok := d.Hunks[s.path.Abs]; ok && taken.Taken < taken.Of {
		s.taken = &taken
		s.skip = taken.Taken == 0
	}
	asked := s.change
	if own, ok := d.Edited[s.path.Abs]; ok {
		s.own = usersVersion(s.base.Text, s.text, own)
	}
	if edited := s.own != s.text; edited {
		s.gone = false
		s.skip = s.skip || s.op() == opModify && s.own == s.base.Text
	}
	if s.again != nil && !s.editorOnly && !s.skip {
		if err := k.renew(ctx, s); err != nil {
			return errors.New(s.withTheUsers(err.Error()))
		}
	}
	s.given = s.own != asked.text || s.base.Text != asked.base.Text
	return nil
}

// noteOpen notes which files are still open under a name that they do not have any
// more: not every editor follows.
func (k *kit) noteOpen(ctx context.Context, steps []*step) {
	for _, s := range steps {
		if !s.done || s.op() != opDelete && s.op() != opRename {
			continue
		}
		if now, err := k.open(ctx, s.path); err == nil && now.Open {
			s.notes = append(s.notes, fmt.Sprintf("The editor still has %s open under that name, and saving it there would bring it back: ask the user to close it", s.path.Display))
		}
	}
}

// dropAside gives up what was deleted.
func dropAside(steps []*step) {
	for _, s := range steps {
		if s.aside == nil {
			continue
		}
		if err := s.aside.Drop(); err != nil {
			s.notes = append(s.notes, fmt.Sprintf("It is still there under another name: %v", err))
		}
	}
}

// inOrder returns the steps that do something. Removals come last: they are the
// quickest to do, and to put back.
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
	if err := k.touched(callID, s); err != nil {
		return err
	}
	switch s.op() {
	case opDelete:
		s.aside, err = k.Files.SetAside(ctx, s.base)
	case opRename:
		s.written, err = k.Files.Move(ctx, s.base, *s.to, s.own)
	default:
		var own string
		if s.written, own, err = k.put(ctx, callID, &s.change, s.own, s.given); err == nil {
			s.own = own
		}
	}
	if errors.Is(err, tools.ErrTouched) {
		_ = k.touched(callID, s) // tells their version
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

// touched takes over what the user changed since they allowed the step: that is
// so until it is done. With an error what they made of it is their version still.
func (k *kit) touched(callID string, s *step) error {
	if !s.shown || k.Diffs == nil {
		return nil
	}
	now, err := k.Diffs.Touched(callID, s.base, s.own)
	if lf(now) != lf(s.own) {
		s.own = usersVersion(s.base.Text, s.text, now)
		s.gone = false
	}
	return err
}

// othersOfTheUser tells what the user had made of the files beside the one that
// failed: it is not to be done again either.
func (k *kit) othersOfTheUser(callID string, steps []*step, failed *step) string {
	text := ""
	for _, s := range steps {
		if s == failed || s.skip || s.idle() {
			continue
		}
		if !s.done {
			_ = k.touched(callID, s)
		}
		text += s.withTheUsers("")
	}
	return text
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
	case !s.done && s.base.Opaque != nil:
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

// renew bases a step on the text the file has now.
func (k *kit) renew(ctx context.Context, s *step) error {
	now, err := k.reopen(ctx, s.base)
	if err != nil {
		return fmt.Errorf("%s was not changed: %w", s.path.Display, err)
	}
	switch {
	case made(s.base, now):
		return nil
	case s.base.Exists && !now.Exists:
		return errors.New(k.changedMeanwhile(ctx, &s.change))
	}
	if now.Exists != s.base.Exists || now.Text != s.base.Text {
		text, notes, err := s.again(now.Text)
		if err != nil {
			k.seen.sawFile(s.path.Abs, now)
			return fmt.Errorf("%s changed while the edit waited for approval, and the edit does not fit its present text: %w", s.path.Display, err)
		}
		own := text
		if s.own != s.text {
			var ok bool
			if own, ok = diffedit.Merge(s.base.Text, s.own, now.Text); !ok {
				k.seen.sawFile(s.path.Abs, now)
				return fmt.Errorf("%s was not written: it changed while the edit waited for approval, where the user's version of it changes it too. %s",
					s.path.Display, difference(s.base.Text, now.Text))
			}
		}
		s.text, s.own = text, own
		s.notes = append(notes, "The file had changed meanwhile; the edit was made on its present text.")
	}
	s.base = now
	return nil
}

// stillSo fails when a file is no longer what its change is based on.
func (k *kit) stillSo(ctx context.Context, s *step) error {
	if s.editorOnly || s.skip {
		return nil
	}
	if s.base.Opaque != nil {
		return nil // what is done last finds out
	}
	now, err := k.reopen(ctx, s.base)
	switch {
	case err != nil:
		return fmt.Errorf("nothing was changed: %w", err)
	case !made(s.base, now) && (now.Exists != s.base.Exists || now.Text != s.base.Text):
		return errors.New(s.withTheUsers("nothing was changed: " + k.changedMeanwhile(ctx, &s.change)))
	}
	return nil
}

// failed words why a step could not be done.
func (k *kit) failed(ctx context.Context, s *step, err error) tools.Result {
	text := fmt.Sprintf("nothing was written: %v", err)
	switch {
	case errors.Is(err, tools.ErrHalfDone):
		text = fmt.Sprintf("this was %v, so look at what is there: %v", tools.ErrHalfDone, err)
	case errors.Is(err, tools.ErrTouched):
		text = fmt.Sprintf("%s was not written: %v, where that cannot be joined with what they had chosen.", s.path.Display, tools.ErrTouched)
	case errors.Is(err, tools.ErrChanged) && s.to != nil:
		text = fmt.Sprintf("%s was not moved to %s: one of them changed meanwhile. Look at what is there.", s.path.Display, s.to.Display)
	case errors.Is(err, tools.ErrChanged):
		text = k.changedMeanwhile(ctx, &s.change)
		if errors.Is(err, errUnclear) {
			text = "The editor did not say that it saved the edit, so look whether it did. If not, " + text
		}
	case ctx.Err() != nil && s.shown:
		return tools.Result{Text: "Interrupted while the editor saved " + s.path.Display + ": read it before you go on.", Outcome: tools.Cancelled}
	case ctx.Err() != nil:
		return tools.Result{Text: s.path.Display + " was not changed: interrupted.", Outcome: tools.Cancelled}
	}
	return tools.Fail(s.withTheUsers(text))
}

// withTheUsers adds to why a step was not done what the user had made of it:
// they are not to do it again.
func (s *step) withTheUsers(text string) string {
	if lf(s.own) == lf(s.text) {
		return text
	}
	return strings.TrimRight(text, "\n") + "\nThe user had accepted the edit with changes of their own; make these too when you send it again:\n" +
		s.patch(s.text, s.own)
}

// changedMeanwhile words a write that came too late.
func (k *kit) changedMeanwhile(ctx context.Context, c *change) string {
	now, err := k.open(ctx, c.path)
	if err != nil || !now.Exists {
		k.seen.forget(c.path.Abs)
		return c.path.Display + " was not written: it was removed or replaced meanwhile. Look at what is there before you write it."
	}
	k.seen.saw(c.path.Abs, now.Text)
	return c.path.Display + " was not written: it changed since you read it. " + difference(shownText(c.base), now.Text)
}

// idle reports whether the file already holds what the step wants.
func (s *step) idle() bool { return !s.done && s.op() == opModify && s.own == s.base.Text }
