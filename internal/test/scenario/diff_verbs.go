package scenario

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"clined/internal/test/fakeeditor"
)

// diffVerbs are what the user does and sees in the editor's diff view.
var diffVerbs = map[string]verb{
	"diffs":       {"[CAP…]: the editor has a diff view, with these abilities (before the handshake)", 0, (*Stage).haveDiffs},
	"view-does":   {"HABIT=VALUE…: how it behaves, see fakeeditor.DiffHabits; format=quotes, read=TEXT it knows of the disk", 1, (*Stage).viewDoes},
	"hidden":      {"FILE TEXT: the editor has unsaved text that it tells nobody of", 2, (*Stage).hide},
	"view":        {"FILE has|lacks|is|ends TEXT…: the proposed side comes to be so", 3, (*Stage).view},
	"view-base":   {"FILE TEXT: the newest view of the file is one on that text", 2, (*Stage).viewBase},
	"view-final":  {"FILE: the proposal is whole", 1, (*Stage).viewFinal},
	"view-closed": {"FILE accepted|reverted: the daemon closed the view", 2, (*Stage).viewClosed},
	"view-cost":   {"FILE UPDATES BYTES: it took at most so many", 3, (*Stage).viewCost},
	"views":       {"N: so many views were opened, or tried to be", 1, (*Stage).viewCount},
	"revealed":    {"FILE: the view was brought to the front", 1, (*Stage).revealed},
	"change-view": {"FILE TEXT: the user makes that of the proposed side", 2, (*Stage).changeView},
	"leave-view":  {"FILE: the user closes the view", 1, (*Stage).leaveView},
	"saving":      {": the editor holds a save, or takes its time", 0, (*Stage).saving},
	"go-on":       {": the save goes on that took its time", 0, (*Stage).goOn},
	"save":        {"FILE: the user saves the buffer", 1, (*Stage).save},
	"undo":        {"FILE: one step back in the buffer", 1, (*Stage).undo},
	"undos":       {"FILE N: so many steps there are", 2, (*Stage).undos},
}

func (s *Stage) haveDiffs(args []string) error {
	if s.initialized {
		return errors.New("the handshake was before")
	}
	s.diffCaps = append([]string{}, args...)
	return nil
}

// diffCapability is the capability as the handshake tells it, nil for none.
func (s *Stage) diffCapability() map[string]any {
	if s.diffCaps == nil {
		return nil
	}
	caps := map[string]any{}
	for _, c := range s.diffCaps {
		caps[c] = map[string]any{}
	}
	s.Editor.HaveDiffs(s.diffCaps...)
	return caps
}

func (s *Stage) viewDoes(args []string) error {
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		var err error
		s.Editor.Behave(func(h *fakeeditor.DiffHabits) { err = habit(h, name, value) })
		if err != nil {
			return err
		}
	}
	return nil
}

func habit(h *fakeeditor.DiffHabits, name, value string) (err error) {
	switch name {
	case "open":
		h.Open = value
	case "save":
		h.Save = value
	case "dirty":
		h.Dirty = value
	case "read":
		sum := sha256.Sum256([]byte(value))
		h.DiskHash = hex.EncodeToString(sum[:])
	case "touch":
		h.Touch = value == "yes"
	case "opens":
		h.Opens = value == "yes"
	case "lose":
		h.Lose, err = strconv.Atoi(value)
	case "format":
		h.Format = quotes
	default:
		return fmt.Errorf("unknown habit %q", name)
	}
	return err
}

// quotes is a formatter: ' becomes ", and a line end ends the text.
func quotes(text string) string {
	return strings.TrimRight(strings.ReplaceAll(text, "'", `"`), "\n") + "\n"
}

func (s *Stage) hide(args []string) error {
	s.Editor.Hide(s.uri(args[0]), s.expand(args[1]))
	return nil
}

// untilView waits until the newest view of a file is right.
func (s *Stage) untilView(file, what string, right func(v *fakeeditor.DiffView) error) error {
	uri := s.uri(file)
	last := errors.New("there is none")
	err := s.Editor.Until(s.ctx, what+" in the view of "+file, func() bool {
		if v := s.Editor.ViewLocked(uri); v != nil {
			last = right(v)
		}
		return last == nil
	})
	if err != nil {
		return fmt.Errorf("%w: %w", err, last)
	}
	return nil
}

func (s *Stage) view(args []string) error {
	return s.untilView(args[0], strings.Join(args[1:], " "), func(v *fakeeditor.DiffView) error {
		return compare("the proposal", v.Proposed, args[1], s.expandAll(args[2:]))
	})
}

func (s *Stage) viewBase(args []string) error {
	return s.untilView(args[0], "the base "+args[1], func(v *fakeeditor.DiffView) error {
		return compare("the base", v.Base, "is", s.expandAll(args[1:2]))
	})
}

var errNotYet = errors.New("not yet")

func (s *Stage) viewFinal(args []string) error {
	return s.untilView(args[0], "the end", func(v *fakeeditor.DiffView) error {
		if !v.Final {
			return errNotYet
		}
		return nil
	})
}

// viewClosed looks at the view that was decided last, once, and else at the newest
// of the file: the model may have begun its next edit meanwhile.
func (s *Stage) viewClosed(args []string) error {
	uri, decided := s.uri(args[0]), ""
	if s.lastApproval != nil {
		for _, f := range s.lastApproval.Subject.Files {
			if f.URI == uri && f.DiffID != s.lastClosed {
				decided = f.DiffID
			}
		}
	}
	last := errors.New("there is none")
	err := s.Editor.Until(s.ctx, "the close of the view of "+args[0], func() bool {
		v := s.Editor.ViewLocked(uri)
		for _, other := range s.Editor.ViewsLocked() {
			if decided != "" && other.DiffID == decided {
				v = other
			}
		}
		if v == nil {
			return false
		}
		last = fmt.Errorf("closed: %v, reverted: %v", v.Closed, v.Reverted)
		if v.Closed && v.Reverted == (args[1] == "reverted") {
			s.lastClosed = v.DiffID
			return true
		}
		return false
	})
	if err != nil {
		return fmt.Errorf("%w: %w", err, last)
	}
	return nil
}

func (s *Stage) viewCost(args []string) error {
	updates, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	bytes, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	return s.untilView(args[0], "the cost", func(v *fakeeditor.DiffView) error {
		if v.Updates > updates || v.Sent > bytes {
			return fmt.Errorf("%d updates with %d bytes", v.Updates, v.Sent)
		}
		return nil
	})
}

func (s *Stage) viewCount(args []string) error {
	n := 0
	err := s.Editor.Until(s.ctx, "", func() bool { n = len(s.Editor.ViewsLocked()); return true })
	if err == nil && strconv.Itoa(n) != args[0] {
		return fmt.Errorf("there were %d", n)
	}
	return err
}

func (s *Stage) revealed(args []string) error {
	return s.untilView(args[0], "the front", func(v *fakeeditor.DiffView) error {
		if v.Revealed == 0 {
			return errNotYet
		}
		return nil
	})
}

func (s *Stage) changeView(args []string) error {
	return s.taken(s.Editor.ChangeView(s.uri(args[0]), s.expand(args[1])))
}

func (s *Stage) leaveView(args []string) error {
	return s.taken(s.Editor.LeaveView(s.uri(args[0])))
}

func (s *Stage) saving([]string) error {
	return s.Editor.Until(s.ctx, "a save", s.Editor.HoldingLocked)
}

func (s *Stage) goOn([]string) error {
	s.Editor.GoOn()
	return nil
}

func (s *Stage) save(args []string) error { return s.taken(s.Editor.Save(s.uri(args[0]))) }

func (s *Stage) undo(args []string) error { return s.taken(s.Editor.Undo(s.uri(args[0]))) }

func (s *Stage) undos(args []string) error {
	n, uri := 0, s.uri(args[0])
	err := s.Editor.Until(s.ctx, "", func() bool { n = s.Editor.UndosLocked(uri); return true })
	if err == nil && strconv.Itoa(n) != args[1] {
		return fmt.Errorf("there are %d", n)
	}
	return err
}
