// Package shell owns the processes of commands: it starts a command line in
// the user's shell, with a terminal of its own or without any input, resolves its
// output to text within bounds, sees when it waits for an answer, tells how it
// ended, and ends whole process trees. What was let go on in the background, or
// outlives its shell, stays listed here until it ends, is stopped, or the Manager
// is closed; should the daemon be killed, the reaper ends it. The environment that
// commands start from is the login shell's.
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
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"strings"
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
	// while something else holds the stream.
	settle = 60 * time.Millisecond
	// patience is how many times that is waited while no process of the command
	// lives.
	patience = 6
	// grace is what a tree gets between TERM and KILL.
	grace = 400 * time.Millisecond
	// killWait bounds the wait for a killed tree: only processes stuck in the
	// kernel outlast it.
	killWait = 3 * time.Second
	// watch is how often a command is looked at.
	watch = 250 * time.Millisecond
	// lookAge is how old the look at the processes may be that tells whether one is
	// stopped or waits in vain: a look costs, and a command may be silent for long.
	lookAge = 2 * time.Second
	// stillTTY and stillPipe are how long a command must stand still at what
	// looks like a prompt: a command that has no input seldom waits for any.
	stillTTY, stillPipe = 400 * time.Millisecond, time.Second
	// inputWait bounds the wait for a command that does not read its input.
	inputWait = 2 * time.Second
	// maxSide bounds the columns and rows of a terminal.
	maxSide = 10_000
	// maxEnded is how many commands that ended in the background are kept until
	// they were told of.
	maxEnded = 100
)

// Errors of Manager. All are sentences for the model.
var (
	ErrClosed      = errors.New("commands cannot be run any more: clined is shutting down")
	ErrUnsupported = errors.New("commands cannot be run on this operating system")
)

// Options of a Manager; zero fields mean defaults.
type Options struct {
	// Settings, if set, are asked for at each command.
	Settings func() Settings
	// Lines and Bytes bound the output given back, head and tail together.
	Lines, Bytes int
	// LogDir gets a file per command whose output was cut or that went on in the
	// background; "" keeps none. Its logs are never deleted here. A Manager with the
	// LogDir of one that has ended, or was killed, tells what that one did not.
	LogDir string
	// LogBytes bounds each log file.
	LogBytes int64
	// Environ is the environment commands start from; nil means the daemon's
	// own. It may wait, as for a login shell's PATH.
	Environ func(ctx context.Context) []string
	// Confine, if set, is called with each command before it is started, and may
	// change it. An error, a sentence for the model, refuses the command.
	Confine func(cmd *exec.Cmd, c tools.CommandLine) (*Confinement, error)
	// Changed, if set, is told of every change of a command: in order, and from
	// the goroutine that owns the command, so it should not take long, and must
	// not call Kill or Close.
	Changed func(Status)
	// Output, if set, is told what a command prints once it is in the background,
	// as Run tells it before: at most 20 times a second, in bounded pieces.
	Output func(id, text string)
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

// Confinement is what a sandbox did to a command.
type Confinement struct {
	// Words say what the command may do, for CommandResult.Confined; Demanded that
	// there is no running it without.
	Words    string
	Demanded bool
	// Refused, if set, tells of a command that ended by itself why the sandbox
	// probably was what made it fail, "" when that is not likely.
	Refused func(exit int, output string) string
	// Done, if set, is called once when no process of the command is left, or
	// when it could not be started.
	Done func()
}

// Manager runs commands. Its methods may be called from any goroutine.
type Manager struct {
	o       Options
	token   string
	closing chan struct{}
	active  sync.WaitGroup // calls of Run
	procs   processes

	mu     sync.Mutex
	closed bool
	seq    int
	jobs   map[string]*job // that run, by id
	ended  []*job          // in the background, and not told of since

	telling sync.Mutex // held by the caller of Running; guards looked
	looked  bool       // for what was left behind
}

var (
	_ tools.Commands = (*Manager)(nil)
	_ tools.Running  = (*Manager)(nil)
)

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

	var errs []error
	for _, j := range m.sorted() {
		<-j.gone
		if j.survived {
			errs = append(errs, errors.New("processes of a command could not be ended: "+strconv.Quote(j.line)))
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, j := range m.ended {
		j.note.leave()
	}
	return errors.Join(errs...)
}

func (m *Manager) isClosing() bool {
	select {
	case <-m.closing:
		return true
	default:
		return false
	}
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

// enlist gives a started job its id and lists it. An id that another one still
// has is made different.
func (m *Manager) enlist(j *job, c tools.CommandLine) {
	m.mu.Lock()
	j.id = c.ID
	if j.id == "" || m.jobs[j.id] != nil {
		j.id = strings.TrimPrefix(fmt.Sprintf("%s-%d", c.ID, j.n), "-")
	}
	m.jobs[j.id] = j
	m.mu.Unlock()
	m.change(j, func(s *Status) {
		*s = Status{ID: j.id, Line: j.line, Dir: j.dir, State: Active, TTY: j.stream.input(), Started: j.started, ExitCode: -1}
	})
}

func newToken() string {
	var b [6]byte
	rand.Read(b[:]) // never fails (crypto/rand)
	return hex.EncodeToString(b[:])
}
