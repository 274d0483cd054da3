package shell

import (
	"fmt"
	"os/exec"
	"sync"
	"time"

	"clined/internal/tools"
)

// job is one command from its start until no process of it is left. While its
// shell runs, the call of Run owns it; then, or when it was detached, follow.
type job struct {
	n         int
	id        string // set when listed
	kept      bool   // guarded by Manager.mu: it went into the background
	timeout   time.Duration
	line, dir string
	started   time.Time
	tree      tree
	cmd       *exec.Cmd
	confined  *Confinement // nil without one
	out       *sink
	stream    *stream
	note      *note // set when it goes into the background; nil is one that says nothing
	exited    chan struct{}
	read      chan bool // one value per reader: whether it met the end of the stream

	detach, stop         chan struct{}
	detachOnce, stopOnce sync.Once
	gone                 chan struct{} // closed when nothing of it is left
	survived             bool          // written before gone is closed

	mu     sync.Mutex
	status Status
	known  bool // the first status was told
}

func (j *job) state() Status {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.status
}

// alter changes the status and returns it as it is now, and whether anybody is to
// be told. Only the owner of the job calls it.
func (j *job) alter(how func(*Status)) (now Status, tell bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	before, first := j.status, !j.known
	how(&j.status)
	j.known = true
	return j.status, first || j.status != before
}

// change alters the status and tells of it when it is another now. Only the
// owner of the job calls it, so changes are told in order.
func (m *Manager) change(j *job, how func(*Status)) { m.tell(j.alter(how)) }

func (m *Manager) tell(now Status, changed bool) {
	if changed && m.o.Changed != nil {
		m.o.Changed(now)
	}
}

// askedOf looks whether the command seems to wait for input.
func (m *Manager) askedOf(j *job) {
	line, since := j.out.still()
	asks, stopped := "", ""
	if time.Since(since) >= j.stillFor() {
		asks, stopped = j.asks(line), j.stoppedPart()
	}
	if now := j.state(); asks != now.Asks || stopped != now.Stopped {
		m.change(j, func(s *Status) { s.Asks, s.Stopped = asks, stopped })
	}
}

// stoppedPart is Status.Stopped of a command that stands still.
func (j *job) stoppedPart() string {
	name, pid := j.tree.stopped(time.Now().Add(-lookAge))
	if pid == 0 {
		return ""
	}
	return fmt.Sprintf("%s, process %d", name, pid)
}

func (j *job) stillFor() time.Duration {
	if j.stream.input() {
		return stillTTY
	}
	return stillPipe
}

// asks is the prompt that a command which stands still waits at, "" for none.
func (j *job) asks(line string) string {
	if looksLikePrompt(line) {
		return clip(line)
	}
	if j.stream.input() && readsTerminal(j.tree) {
		if line = clip(line); line != "" {
			return line
		}
		return "(it reads from its terminal)"
	}
	if name := j.readsOutput(); name != "" {
		return "(" + name + " waits for keys, and has no terminal)"
	}
	return ""
}

// readsOutput names a process of a command without a terminal that waits for what
// nobody can type, "" for none.
func (j *job) readsOutput() string {
	if j.stream.input() {
		return ""
	}
	output, err := j.stream.f.Stat()
	if err != nil {
		return ""
	}
	return readsOutput(j.tree, output, time.Now().Add(-lookAge))
}

// follow owns a job in the background: it reads on, notices the end, and ends
// the tree when told to. reading tells that a reader is at work.
func (m *Manager) follow(j *job, reading bool) {
	tick := time.NewTicker(watch)
	defer tick.Stop()
	exited := j.exited
	for {
		select {
		case <-j.read:
			reading = false
		case <-exited:
			exited = nil
			m.change(j, func(s *Status) {
				if !s.Cancelled && !s.TimedOut {
					s.ExitCode, s.Signal = exitOf(j.cmd.ProcessState)
				}
				s.Asks, s.Stopped = "", ""
			})
		case <-tick.C:
			j.out.settle()
			if exited != nil {
				m.askedOf(j)
			}
		case <-j.stop:
			m.stopped(j, reading)
			return
		case <-m.closing:
			m.stopped(j, reading)
			return
		}
		if exited == nil && !reading && !j.tree.alive(time.Now().Add(-watch)) {
			m.release(j, func(*Status) {})
			return
		}
	}
}

// stopped ends what is left of a background job. The exit code of a shell that
// ended before stays as it is.
func (m *Manager) stopped(j *job, reading bool) {
	before := false
	select {
	case <-j.exited:
		before = true
	default:
	}
	j.survived = !j.tree.end(grace)
	signal := ""
	select {
	case <-j.exited:
		_, signal = exitOf(j.cmd.ProcessState)
	case <-time.After(killWait):
		j.survived = true
	}
	if reading {
		// A process that left the tree unseen may hold the stream for ever.
		j.settle()
	}
	m.release(j, func(s *Status) {
		s.Cancelled = true
		if !before {
			s.Signal = signal
		}
	})
}

// release lets go of a job of which nothing is left to wait for.
func (m *Manager) release(j *job, alter func(*Status)) {
	j.stream.close()
	j.tree.close()
	j.out.close()
	if m.o.Reaper != nil {
		m.o.Reaper.Remove(j.tree.leader)
	}
	if j.confined != nil && j.confined.Done != nil {
		j.confined.Done()
	}
	now, changed := j.alter(func(s *Status) {
		s.State, s.Asks, s.Stopped = Exited, "", ""
		alter(s)
	})
	j.note.ended(now, now.Cancelled && m.isClosing())
	m.forget(j) // who is told finds it ended everywhere
	m.tell(now, changed)
	close(j.gone)
}

// running is what the model is told of a job in the background.
func (j *job) running(ended bool) tools.RunningCommand {
	s := j.state()
	piece := j.out.fresh()
	if ended {
		j.note.drop()
	} else {
		j.note.told(piece)
	}
	return tools.RunningCommand{
		ID: s.ID, Line: j.line, Dir: j.dir, Fresh: piece.text, Omitted: piece.omitted, LogFile: piece.log,
		Ended: ended, ExitCode: s.ExitCode, Signal: s.Signal,
	}
}
