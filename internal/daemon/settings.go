package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"time"

	"clined/internal/config"
	"clined/internal/event"
	"clined/internal/server"
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

// loaded is what the settings were made of, to see when they must be made anew.
type loaded struct {
	editor json.RawMessage
	files  []fileMark
	// trust holds what was asked of the store, and its answers.
	trust []trusted
	// asked is when the store was last asked.
	asked time.Time
}

// trusted is an answer of the store: whether a workspace is trusted with what a
// hash stands for.
type trusted struct {
	root, hash string
	yes        bool
}

// trustPause is how old an answer about trust may be.
const trustPause = time.Second

// Configure implements server.Session.
func (s *session) Configure(settings json.RawMessage) error {
	before := modelsOf(s.current())
	problems := s.configure(settings, s.marks())
	if modelsOf(s.current()) != before {
		s.tellOptions()
	}
	var errs []error
	for i := range problems {
		errs = append(errs, &problems[i])
	}
	return errors.Join(errs...)
}

func (s *session) sources(editor json.RawMessage, trust func(root, hash string) bool) config.Sources {
	return config.Sources{
		Roots: s.spec.Roots, Trusted: trust, Editor: editor, Flags: s.d.o.Flags, Environ: s.d.o.Environ,
	}
}

func (s *session) marks() []fileMark {
	var marks []fileMark
	for _, path := range s.sources(nil, nil).Files(s.d.o.Dirs) {
		marks = append(marks, markOf(path))
	}
	return marks
}

// configure makes the settings anew. The marks were taken before, so that a
// change in between is seen next time.
func (s *session) configure(editor json.RawMessage, marks []fileMark) []config.Problem {
	from := loaded{editor: editor, files: marks, asked: s.d.o.Now()}
	settings, problems := config.Load(s.d.o.Dirs, s.sources(editor, func(root, hash string) bool {
		yes := s.d.trusts(root, hash)
		from.trust = append(from.trust, trusted{root, hash, yes})
		return yes
	}))
	s.d.logging.apply(settings)
	s.tellUntrusted(settings)
	s.mu.Lock()
	before := s.settings
	s.settings, s.problems, s.from = settings, problems, from
	over := s.otherModelsLocked(before)
	s.mu.Unlock()
	if over {
		s.demoEnded()
	}
	return problems
}

// tellUntrusted has the user asked about workspaces of which something is held
// back. Trust covers all that such a file would loosen, so all is shown.
func (s *session) tellUntrusted(settings *config.Settings) {
	if s.spec.Untrusted == nil {
		return
	}
	for _, w := range settings.Untrusted() {
		w, _ = config.ReadWorkspace(w.Root)
		u := server.Untrusted{Root: w.Root, File: config.Printable(w.File), Hash: w.Hash}
		for _, l := range w.Loosens {
			u.Wants = append(u.Wants, l.String())
		}
		if u.Hash != "" {
			s.spec.Untrusted(u)
		}
	}
}

// Trust implements server.Session.
func (s *session) Trust(ctx context.Context, root, hash string) error {
	if err := s.d.store.Trust(ctx, root, hash); err != nil {
		return err
	}
	s.mu.Lock()
	editor := s.from.editor
	s.mu.Unlock()
	s.configure(editor, s.marks())
	return nil
}

// trusts asks the store whether the user trusts a workspace. What cannot be
// asked is not trusted.
func (d *Daemon) trusts(root, hash string) bool {
	known, ok, err := d.store.Trusted(context.Background(), root)
	if err != nil {
		d.log.Warn("trust cannot be looked up", "workspace", root, "err", err)
	}
	return err == nil && ok && known == hash
}

// current returns the settings that hold now: those of configured, with the demo's model
// while it answers.
func (s *session) current() *config.Settings {
	settings := s.configured()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.playing {
		return settings
	}
	return withDemo(settings, s.demo.BaseURL)
}

// configured returns the user's settings: files are read again when they were saved,
// trust that was given or taken counts, and the tasks are told what is wrong.
func (s *session) configured() *config.Settings {
	marks := s.marks()
	s.mu.Lock()
	settings, known, from := s.settings, s.problems, s.from
	s.mu.Unlock()
	if slices.Equal(marks, from.files) && !s.trustChanged(from) {
		return settings
	}
	fresh := slices.DeleteFunc(slices.Clone(s.configure(from.editor, marks)), func(p config.Problem) bool { return slices.Contains(known, p) })
	for _, p := range config.HintsOnce(fresh) {
		s.tell(aboutProblem(p))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.settings
}

// trustChanged asks the store again, now and then, about what settings depend on.
func (s *session) trustChanged(from loaded) bool {
	now := s.d.o.Now()
	if len(from.trust) == 0 || now.Sub(from.asked) < trustPause {
		return false
	}
	s.mu.Lock()
	s.from.asked = now
	s.mu.Unlock()
	return slices.ContainsFunc(from.trust, func(t trusted) bool { return s.d.trusts(t.root, t.hash) != t.yes })
}

func aboutProblem(p config.Problem) event.Notice {
	return event.Notice{Severity: "warning", Text: p.Error(), Hint: p.Hint}
}
