package daemon

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"time"

	"clined/internal/config"
	"clined/internal/event"
)

// fileMark tells whether a file is another one, or changed.
type fileMark struct {
	path    string
	size    int64
	changed time.Time
}

func markOf(path string) fileMark {
	info, err := os.Stat(path)
	if err != nil {
		return fileMark{path: path}
	}
	return fileMark{path, info.Size(), info.ModTime()}
}

// Configure implements server.Session.
func (s *session) Configure(settings json.RawMessage) error {
	problems := s.configure(settings, markOf(s.d.o.Dirs.SettingsFile()))
	var errs []error
	for i := range problems {
		errs = append(errs, &problems[i])
	}
	return errors.Join(errs...)
}

// configure makes the settings anew. The mark was taken before, so that a
// change in between is seen next time.
func (s *session) configure(editor json.RawMessage, mark fileMark) []config.Problem {
	settings, problems := config.Load(s.d.o.Dirs, config.Sources{Editor: editor, Flags: s.d.o.Flags, Environ: s.d.o.Environ})
	s.d.logging.apply(settings)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settings, s.problems, s.editor, s.read = settings, problems, editor, mark
	return problems
}

// current returns the settings that hold now: the user's file is read again
// when it was saved, and the tasks are told what is wrong with it.
func (s *session) current() *config.Settings {
	mark := markOf(s.d.o.Dirs.SettingsFile())
	s.mu.Lock()
	settings, known, editor, same := s.settings, s.problems, s.editor, mark == s.read
	s.mu.Unlock()
	if same {
		return settings
	}
	for _, p := range s.configure(editor, mark) {
		if !slices.Contains(known, p) {
			s.tell(aboutProblem(p))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.settings
}

func aboutProblem(p config.Problem) event.Notice {
	return event.Notice{Severity: "warning", Text: p.Error(), Hint: p.Hint}
}
