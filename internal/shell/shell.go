// Package shell owns the processes of commands: it starts a command line in
// the user's shell, collects its output within bounds, tells how it ended, and
// ends whole process trees. Children that outlive their shell stay listed here
// until they end, are stopped, or the Manager is closed.
//
// It decides no permissions (approval does), words nothing for the model
// beyond marks in the output, and never waits for a pipe when the shell itself
// has ended. daemon makes a Manager; tools see it as tools.Commands. It imports
// tools only.
package shell

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"os"
	"sort"
	"strconv"
	"sync"
	"time"

	"clined/internal/tools"
)

// Defaults for zero Options.
const (
	DefaultTimeout  = 10 * time.Minute
	DefaultLines    = 500
	DefaultBytes    = 40_000
	DefaultLogBytes = 32 << 20
)

// Bounds of what the Manager itself takes.
const (
	// settle is how long output may still come after the shell has exited
	// while something else holds the pipe.
	settle = 100 * time.Millisecond
	// grace is what a tree gets between TERM and KILL.
	grace = 400 * time.Millisecond
	// killWait bounds the wait for a killed tree: only processes stuck in the
	// kernel outlast it.
	killWait = 3 * time.Second
	// watch is how often a background job is looked at.
	watch = 500 * time.Millisecond
)

// Errors of Manager. All are sentences for the model.
var (
	ErrClosed      = errors.New("commands cannot be run any more: clined is shutting down")
	ErrUnsupported = errors.New("commands cannot be run on this operating system yet")
)

// Options of a Manager; zero fields mean defaults.
type Options struct {
	// Settings, if set, are asked for at each command.
	Settings func() Settings
	// Lines and Bytes bound the output given back, head and tail together.
	Lines, Bytes int
	// LogDir gets a file per command whose output was cut; "" keeps none. Its
	// files are never deleted here.
	LogDir string
	// LogBytes bounds each log file.
	LogBytes int64
	// Environ is the environment commands start from; nil means the daemon's
	// own. It may wait, as for a login shell's PATH.
	Environ func(ctx context.Context) []string
	// Reaper ends what is left should the daemon be killed; nil for none.
	Reaper *Reaper
	Log    *slog.Logger
}

// Settings are what the user may change while a Manager lives; zero fields mean
// defaults.
type Settings struct {
	// Shell is a path or name. Default: $SHELL if it is a shell known to take
	// POSIX-like lines, else /bin/sh.
	Shell string
	// Timeout for commands that name none.
	Timeout time.Duration
	// Scrub names variables that no command may see: those secrets came from.
	Scrub []string
}

// Manager runs commands. Its methods may be called from any goroutine.
type Manager struct {
	o       Options
	token   string
	closing chan struct{}
	active  sync.WaitGroup // calls of Run

	mu     sync.Mutex
	closed bool
	seq    int
	jobs   map[string]*job // in the background
}

var _ tools.Commands = (*Manager)(nil)

// New returns a Manager. It starts nothing.
func New(o Options) *Manager {
	if o.Settings == nil {
		o.Settings = func() Settings { return Settings{} }
	}
	if o.Lines <= 0 {
		o.Lines = DefaultLines
	}
	if o.Bytes <= 0 {
		o.Bytes = DefaultBytes
	}
	if o.LogBytes <= 0 {
		o.LogBytes = DefaultLogBytes
	}
	if o.Environ == nil {
		o.Environ = func(context.Context) []string { return os.Environ() }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	token := newToken()
	if o.Reaper != nil {
		token = o.Reaper.token
	}
	// Several managers share a reaper's token, so each adds its own part.
	return &Manager{o: o, token: token + "." + newToken(), closing: make(chan struct{}), jobs: map[string]*job{}}
}

// Job is a command whose shell has ended while processes of it still run.
type Job struct {
	ID        string
	Line, Dir string
	Started   time.Time
	// Output so far, head and tail; LogFile has all of it, "" without a LogDir.
	Output, LogFile string
}

// Jobs lists what runs in the background, oldest first.
func (m *Manager) Jobs() []Job {
	m.mu.Lock()
	jobs := make([]*job, 0, len(m.jobs))
	for _, j := range m.jobs {
		jobs = append(jobs, j)
	}
	m.mu.Unlock()
	sort.Slice(jobs, func(a, b int) bool { return jobs[a].n < jobs[b].n })
	var list []Job
	for _, j := range jobs {
		out := j.out.result()
		list = append(list, Job{ID: j.id(), Line: j.line, Dir: j.dir, Started: j.started, Output: out.text, LogFile: out.log})
	}
	return list
}

// Stop ends a background job's process tree and waits for that. An unknown id
// is a job that has ended already.
func (m *Manager) Stop(ctx context.Context, id string) error {
	m.mu.Lock()
	j := m.jobs[id]
	m.mu.Unlock()
	if j == nil {
		return nil
	}
	j.stopOnce.Do(func() { close(j.stop) })
	select {
	case <-j.gone:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close cancels what runs, ends every background job and waits for it, some
// seconds at most. Run fails afterwards.
func (m *Manager) Close() error {
	m.mu.Lock()
	if !m.closed {
		m.closed = true
		close(m.closing)
	}
	m.mu.Unlock()
	m.active.Wait()

	m.mu.Lock()
	jobs := make([]*job, 0, len(m.jobs))
	for _, j := range m.jobs {
		jobs = append(jobs, j)
	}
	m.mu.Unlock()
	var errs []error
	for _, j := range jobs {
		<-j.gone
		if j.survived {
			errs = append(errs, errors.New("processes of a command could not be ended: "+strconv.Quote(j.line)))
		}
	}
	return errors.Join(errs...)
}

// enter counts a call of Run in, or refuses it; the number is the command's.
func (m *Manager) enter() (n int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return 0, ErrClosed
	}
	m.active.Add(1)
	m.seq++
	return m.seq, nil
}

// keep lists a job as running in the background. The call of Run it belongs to
// is still counted, so Close cannot miss it.
func (m *Manager) keep(j *job) {
	m.mu.Lock()
	m.jobs[j.id()] = j
	m.mu.Unlock()
}

func (m *Manager) forget(j *job) {
	m.mu.Lock()
	delete(m.jobs, j.id())
	m.mu.Unlock()
}

func newToken() string {
	var b [6]byte
	rand.Read(b[:]) // never fails (crypto/rand)
	return hex.EncodeToString(b[:])
}
