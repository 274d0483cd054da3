package scenario

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"clined/internal/protocol"
	"clined/internal/test/fakeeditor"
)

// editVerbs are about what becomes of files and buffers by an edit.
var editVerbs = map[string]verb{
	"take":      {"TITLE-PART FILE:N,N……: yes to those hunks (from 1) of the next approval", 2, (*Stage).take},
	"hunks":     {"FILE N: the open approval has so many hunks of the file", 2, (*Stage).hunks},
	"checks":    {"[versions] [stale] [pull]: the editor checks its buffers, see fakeeditor.Checks (before the handshake)", 0, (*Stage).haveChecks},
	"resources": {"KIND… [refuse|lie]: the editor renames or deletes files itself, see fakeeditor.Resources (before the handshake)", 1, (*Stage).haveResources},
	"opened":    {"FILE yes|no: whether the editor has a buffer of it", 2, (*Stage).opened},
	"keep":      {"FILE: remember what and how it is", 1, (*Stage).keep},
	"untouched": {"FILE: it is what was remembered: bytes, mode, time of change, and the same file", 1, (*Stage).untouched},
	"chmod":     {"FILE MODE: in octal", 2, (*Stage).chmod},
	"cursor":    {"FILE L:C: the user puts the cursor there", 2, (*Stage).cursor},
	"cursor-at": {"FILE TEXT: the text in front of the cursor ends so", 2, (*Stage).cursorAt},
	"applied":   {"N EDITS: so many workspace/applyEdit were done, with so many edits of text in all", 2, (*Stage).applied},
}

func (s *Stage) take(args []string) error {
	a, err := s.nextApproval(args)
	if err != nil {
		return err
	}
	var ids []string
	for _, arg := range args[1:] {
		file, numbers, _ := strings.Cut(arg, ":")
		i := slices.IndexFunc(a.Subject.Files, func(f protocol.SubjectEdit) bool { return f.URI == s.uri(file) })
		if i < 0 {
			return fmt.Errorf("the approval is not about %s", file)
		}
		for number := range strings.SplitSeq(numbers, ",") {
			n, err := strconv.Atoi(number)
			if hunks := a.Subject.Files[i].Hunks; err != nil || n < 1 || n > len(hunks) {
				return fmt.Errorf("there is no hunk %s among %v", number, hunks)
			}
			ids = append(ids, a.Subject.Files[i].Hunks[n-1].ID)
		}
	}
	s.Editor.Decide(a, &protocol.ApprovalOutcome{OptionID: "allow_once", SubjectHash: a.SubjectHash, Hunks: ids})
	return nil
}

func (s *Stage) hunks(args []string) error {
	a, err := s.Editor.NextApproval(s.ctx)
	if err != nil {
		return err
	}
	s.lastApproval = a
	for _, f := range a.Subject.Files {
		if f.URI == s.uri(args[0]) {
			if strconv.Itoa(len(f.Hunks)) != args[1] {
				return fmt.Errorf("there are %v", f.Hunks)
			}
			return nil
		}
	}
	return fmt.Errorf("the approval is not about %s", args[0])
}

func (s *Stage) haveChecks(args []string) error {
	if s.initialized {
		return errors.New("the handshake was before")
	}
	s.checks = fakeeditor.Checks{
		On: true, Versions: slices.Contains(args, "versions"), Stale: slices.Contains(args, "stale"), Pull: slices.Contains(args, "pull"),
	}
	return nil
}

func (s *Stage) haveResources(args []string) error {
	if s.initialized {
		return errors.New("the handshake was before")
	}
	for _, arg := range args {
		if arg == "refuse" || arg == "lie" {
			s.resources.Habit = arg
			continue
		}
		s.resources.Kinds = append(s.resources.Kinds, arg)
	}
	return nil
}

func (s *Stage) opened(args []string) error {
	return s.Editor.Until(s.ctx, "opened "+strings.Join(args, " "), func() bool {
		_, open := s.Editor.TextsLocked()[s.uri(args[0])]
		return open == (args[1] == "yes")
	})
}

// kept is a file as it was.
type kept struct {
	text string
	info fs.FileInfo
}

// longAgo is the time of change of a file that is kept, which no later one can equal.
var longAgo = time.Date(2001, 2, 3, 4, 5, 6, 789, time.UTC)

func (s *Stage) keep(args []string) error {
	path := s.path(args[0])
	if err := os.Chtimes(path, longAgo, longAgo); err != nil {
		return err
	}
	k, err := look(path)
	if s.kept == nil {
		s.kept = map[string]kept{}
	}
	s.kept[path] = k
	return err
}

func look(path string) (kept, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return kept{}, err
	}
	info, err := os.Stat(path)
	return kept{string(text), info}, err
}

func (s *Stage) untouched(args []string) error {
	path := s.path(args[0])
	was, ok := s.kept[path]
	if !ok {
		return errors.New("it was not remembered")
	}
	is, err := look(path)
	switch {
	case err != nil:
		return err
	case is.text != was.text:
		return fmt.Errorf("it holds %q", is.text)
	case is.info.Mode() != was.info.Mode():
		return fmt.Errorf("its mode is %v, it was %v", is.info.Mode(), was.info.Mode())
	case !is.info.ModTime().Equal(was.info.ModTime()):
		return fmt.Errorf("it was changed at %v", is.info.ModTime())
	case !os.SameFile(is.info, was.info):
		return errors.New("it is another file")
	}
	return nil
}

func (s *Stage) chmod(args []string) error {
	mode, err := strconv.ParseUint(args[1], 8, 32)
	if err != nil {
		return err
	}
	return os.Chmod(s.path(args[0]), fs.FileMode(mode))
}

func (s *Stage) cursor(args []string) error {
	var p protocol.Position
	if _, err := fmt.Sscanf(args[1], "%d:%d", &p.Line, &p.Character); err != nil {
		return fmt.Errorf("position %q: %w", args[1], err)
	}
	s.Editor.PutCursor(s.uri(args[0]), p)
	return nil
}

func (s *Stage) cursorAt(args []string) error {
	text, uri := "", s.uri(args[0])
	err := s.Editor.Until(s.ctx, "", func() bool { text = s.Editor.CursorLocked(uri); return true })
	if err == nil && !strings.HasSuffix(text, s.expand(args[1])) {
		return fmt.Errorf("it stands behind %q", text)
	}
	return err
}

func (s *Stage) applied(args []string) error {
	var applied, edits int
	err := s.Editor.Until(s.ctx, "", func() bool {
		for _, p := range s.Editor.AppliedLocked() {
			applied++
			for _, d := range p.Edit.DocumentChanges {
				edits += len(d.Edits)
			}
		}
		return true
	})
	if got := fmt.Sprint(applied, " ", edits); err == nil && got != args[0]+" "+args[1] {
		return fmt.Errorf("there were %s", got)
	}
	return err
}
