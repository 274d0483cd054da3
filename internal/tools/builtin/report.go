package builtin

import (
	"context"
	"fmt"
	"strings"
	"time"

	"clined/internal/diffedit"
)

const (
	// editDiffLines is how many lines of diff the model is shown after an edit,
	// manyDiffLines after one of several files together.
	editDiffLines = 80
	manyDiffLines = 200
	// patchLines is how many lines of the user's or the formatter's own changes.
	patchLines = 200
)

// report tells the model what was done: what is new for it, not what it wrote
// itself.
func report(ctx context.Context, steps []*step) string {
	var b strings.Builder
	limit := editDiffLines
	if len(steps) > 1 {
		fmt.Fprintf(&b, "%s\n", total(steps))
		limit = manyDiffLines
	}
	for i, s := range steps {
		share := min(editDiffLines, max(0, limit)/(len(steps)-i))
		text := s.report(share)
		limit -= strings.Count(text, "\n")
		b.WriteString(text + "\n")
	}
	b.WriteString(problems(ctx, steps))
	return strings.TrimRight(b.String(), "\n")
}

// total is the first line on several files.
func total(steps []*step) string {
	files, added, removed := 0, 0, 0
	for _, s := range steps {
		if s.done {
			plus, minus := countChanges(s.base.Text, s.final())
			files, added, removed = files+1, added+plus, removed+minus
		}
	}
	return fmt.Sprintf("Changed %s: %d added, %d removed.", plural(files, "file"), added, removed)
}

// patch is what somebody else made of a text of the file.
func (s *step) patch(before, after string) string {
	return diffedit.Unified(patchName(s.path), lf(before), lf(after), patchLines)
}

// report tells of one step, with at most that many lines of diff.
func (s *step) report(diffLines int) string {
	switch {
	case s.skip:
		return fmt.Sprintf("%s was not changed: the user took none of your changes.", s.path.Display)
	case s.idle():
		return unchangedText(&s.change)
	}
	final := s.final()
	var b strings.Builder
	b.WriteString(sentences(s.headline(), s.notes))
	if s.written == nil {
		return b.String()
	}
	if !s.written.Saved {
		b.WriteString("\nThe change is in the editor and not saved yet: commands still see the old file until the user saves it.")
	}
	if s.base.Exists && diffLines > 0 {
		b.WriteString("\n" + diffedit.Numbered(lf(s.base.Text), lf(final), diffLines))
	}
	if lf(s.own) != lf(s.text) || s.taken != nil {
		b.WriteString("\n" + s.ofTheUser() + "\n")
		b.WriteString(s.patch(s.text, s.own))
	}
	if s.late != nil {
		b.WriteString("\nThe user went on changing it while it was being saved, and this is not in the file; make these changes too:\n")
		b.WriteString(s.patch(s.late.User, *s.late.Late))
	}
	if patch := s.patch(s.own, final); patch != "" {
		b.WriteString("\nThe editor formatted the file when it was saved; work from this text. Its changes:\n" + patch)
	}
	return strings.TrimRight(b.String(), "\n")
}

// headline is the first sentence on a step.
func (s *step) headline() string {
	final := s.final()
	added, removed := countChanges(s.base.Text, final)
	switch s.op() {
	case opCreate:
		return fmt.Sprintf("Created %s (%s).", s.path.Display, plural(len(splitLines(final)), "line"))
	case opDelete:
		size := plural(len(splitLines(s.base.Text)), "line")
		if s.base.Opaque != nil {
			size = s.base.Opaque.String()
		}
		return fmt.Sprintf("Deleted %s (%s).", s.path.Display, size)
	case opRename:
		if added+removed == 0 {
			return fmt.Sprintf("Moved %s to %s.", s.path.Display, s.to.Display)
		}
		return fmt.Sprintf("Moved %s to %s: %d added, %d removed.", s.path.Display, s.to.Display, added, removed)
	}
	return fmt.Sprintf("Edited %s: %d added, %d removed.", s.path.Display, added, removed)
}

// ofTheUser leads to the patch from the proposal to the user's version.
func (s *step) ofTheUser() string {
	if s.taken == nil {
		return "The user changed your proposal before it was saved; keep their version. Their changes:"
	}
	return fmt.Sprintf("The user took %d of %s; keep their version. How it differs from your proposal:",
		s.taken.Taken, plural(s.taken.Of, "change"))
}

// checkTime is how long to wait for what the editor finds in all files together.
const checkTime = 2 * time.Second

// problems tells what the editor found after the edits. The file that was changed
// last is waited for first: with its news those of the others come.
func problems(ctx context.Context, steps []*step) string {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	var fresh, gone string
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		if s.written == nil || s.written.Check == nil {
			continue
		}
		name := ""
		if len(steps) > 1 {
			name = s.path.Display + ":\n"
			if s.to != nil {
				name = s.to.Display + ":\n"
			}
		}
		found := s.written.Check(ctx)
		if found.New != "" {
			fresh = name + found.New + "\n" + fresh
		}
		if found.Gone != "" {
			gone = name + found.Gone + "\n" + gone
		}
	}
	if fresh != "" {
		fresh = "New problems in the editor after this edit:\n" + fresh
	}
	if gone != "" {
		gone = "Problems that are gone with it:\n" + gone
	}
	return fresh + gone
}

// difference tells the model what happened to a file it knows as before.
func difference(before, now string) string {
	diff := diffedit.Numbered(lf(before), lf(now), patchLines)
	if diff == "" {
		return "Its text is as before, so the edit can be sent again."
	}
	return "What changed:\n" + diff + "Take these changes over and send the edit again."
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
