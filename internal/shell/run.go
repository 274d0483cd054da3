package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"clined/internal/tools"
)

// ending is why the wait for a shell is over.
type ending int

const (
	byItself ending = iota
	cancelled
	timedOut
	detached
)

// Run implements tools.Commands. An error means that nothing was started; it
// is a sentence for the model.
func (m *Manager) Run(ctx context.Context, c tools.CommandLine, output func(text string)) (*tools.CommandResult, error) {
	if !supported {
		return nil, ErrUnsupported
	}
	if strings.TrimSpace(c.Line) == "" {
		return nil, errors.New("the command is empty")
	}
	if strings.ContainsRune(c.Line, 0) {
		return nil, errors.New("the command contains a NUL character")
	}
	n, err := m.enter()
	if err != nil {
		return nil, err
	}
	defer m.active.Done()
	env := m.o.Environ(ctx)
	if ctx.Err() != nil {
		return &tools.CommandResult{ExitCode: -1, Cancelled: true}, nil
	}
	j, err := m.start(n, env, c, output)
	if err != nil {
		return nil, err
	}
	return m.attend(ctx, j), nil
}

// attend waits for the shell's end, or brings it about, and tells how it went.
func (m *Manager) attend(ctx context.Context, j *job) *tools.CommandResult {
	how := m.await(ctx, j)
	before := j.state()
	if how == detached {
		res := m.background(j, func(s *Status) { s.Detached = true })
		res.Detached, res.Asks = true, before.Asks
		go m.follow(j, true)
		return res
	}
	end := m.shellEnd(j, how)
	reading, alive := m.leftOver(j)
	if reading || alive {
		res := m.background(j, end)
		go m.follow(j, reading)
		return res
	}
	output := j.out.finish()
	m.release(j, func(s *Status) {
		end(s)
		s.LogFile = output.log
	})
	res := result(j, output)
	switch {
	case how != byItself:
		res.Asks, res.Stopped = before.Asks, before.Stopped
		return res
	case res.ExitCode != 0 && !j.stream.input():
		res.Asks = wantedTerminal(res.Output)
	}
	if j.confined != nil && j.confined.Refused != nil {
		res.Refused = j.confined.Refused(res.ExitCode, res.Output)
	}
	return res
}

// await waits until the shell has ended or has not to be waited for any more.
func (m *Manager) await(ctx context.Context, j *job) (how ending) {
	limit := time.NewTimer(j.timeout)
	defer limit.Stop()
	tick := time.NewTicker(watch)
	defer tick.Stop()
	for how = byItself; how == byItself; {
		select {
		case <-j.exited:
			return byItself
		case <-ctx.Done():
			how = cancelled
		case <-j.stop:
			how = cancelled
		case <-m.closing:
			how = cancelled
		case <-limit.C:
			how = timedOut
		case <-j.detach:
			how = detached
		case <-tick.C:
			m.askedOf(j)
		}
	}
	select {
	case <-j.exited: // at the same moment: it needed nobody
		return byItself
	default:
		return how
	}
}

// leftOver collects what the shell printed, and tells what is left once it has
// ended: somebody who holds the stream, which is read on then, and living
// processes. When nothing lives that could hold it, it is another command that is
// just being started, or a process that nothing tells to be ours; the first lets go
// of it soon.
func (m *Manager) leftOver(j *job) (reading, alive bool) {
	for i := 0; ; i++ {
		reading, alive = !j.settle(), j.tree.alive(time.Now())
		if reading {
			j.readOn()
		}
		if !reading || alive || i == patience {
			return reading, alive
		}
	}
}

// shellEnd ends what did not end by itself, and returns what that means for the
// status.
func (m *Manager) shellEnd(j *job, how ending) func(*Status) {
	if how != byItself {
		if j.survived = !j.tree.end(grace); j.survived {
			m.o.Log.Warn("processes of a command outlived KILL", "command", j.line)
		}
	}
	exit, signal := -1, ""
	select {
	case <-j.exited:
		if exit, signal = exitOf(j.cmd.ProcessState); how != byItself {
			exit = -1
		}
	case <-time.After(killWait):
		// Stuck in the kernel: said to be running still, and waited for in Close.
	}
	return func(s *Status) {
		s.ExitCode, s.Signal = exit, signal
		s.Cancelled, s.TimedOut = how == cancelled, how == timedOut
	}
}

// background tells what a job printed so far, and lets it go on without the
// caller of Run.
func (m *Manager) background(j *job, how func(*Status)) *tools.CommandResult {
	var live func(string)
	if m.o.Output != nil {
		live = func(text string) { m.o.Output(j.id, text) }
	}
	m.mu.Lock()
	j.kept = true
	m.mu.Unlock()
	output := j.out.handOver(live)
	j.note = newNote(j, output)
	m.change(j, func(s *Status) {
		how(s)
		s.State, s.LogFile = Background, output.log
	})
	res := result(j, output)
	res.Background = true
	return res
}

// result is how a command went as its status and its output tell.
func result(j *job, out output) *tools.CommandResult {
	s := j.state()
	res := &tools.CommandResult{
		Output: out.text, Omitted: out.omitted, LogFile: out.log, Duration: time.Since(j.started),
		ExitCode: s.ExitCode, Signal: s.Signal, Cancelled: s.Cancelled, TimedOut: s.TimedOut,
	}
	if j.confined != nil {
		res.Confined, res.Demanded = j.confined.Words, j.confined.Demanded
	}
	return res
}

// start starts the shell and the reading of its output.
func (m *Manager) start(n int, env []string, c tools.CommandLine, output func(string)) (*job, error) {
	mark := fmt.Sprintf("%s.%d.", m.token, n)
	settings := m.o.Settings()
	path, err := chooseShell(settings.Shell, env)
	if err != nil {
		return nil, err
	}
	if err := checkDir(c.Dir); err != nil {
		return nil, err
	}
	cmd := exec.Command(path)
	cmd.Dir, cmd.Env = c.Dir, childEnv(env, settings.Scrub, c, mark)
	newSession(cmd)
	setLine(cmd, path, c.Line)
	stream, err := openStream(cmd, c.TTY)
	if err != nil {
		return nil, fmt.Errorf("the command could not be started: %w", err)
	}
	var confined *Confinement
	if m.o.Confine != nil {
		if confined, err = m.o.Confine(cmd, c); err != nil {
			stream.abandon()
			return nil, err
		}
	}
	if m.o.Reaper != nil {
		m.o.Reaper.ready()
	}
	started := time.Now()
	if err := stream.start(cmd, mark); err != nil {
		if confined != nil && confined.Done != nil {
			confined.Done()
		}
		return nil, startError(err, cmd, c)
	}
	j := &job{
		n: n, line: c.Line, dir: c.Dir, timeout: limitOf(c, settings), started: started,
		tree: newTree(cmd.Process, mark, &m.procs), cmd: cmd, confined: confined, out: newSink(m.o, output), stream: stream,
		exited: make(chan struct{}), read: make(chan bool, 1),
		detach: make(chan struct{}), stop: make(chan struct{}), gone: make(chan struct{}),
	}
	if m.o.Reaper != nil {
		m.o.Reaper.Add(cmd.Process.Pid)
	}
	go func() {
		cmd.Wait() // the state tells
		close(j.exited)
	}()
	go j.readAll()
	m.enlist(j, c)
	return j, nil
}

func limitOf(c tools.CommandLine, s Settings) time.Duration {
	switch {
	case c.Timeout > 0:
		return c.Timeout
	case s.Timeout > 0:
		return s.Timeout
	}
	return DefaultTimeout
}

func checkDir(dir string) error {
	if dir == "" {
		return nil
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("the working directory %q does not exist", dir)
	case err != nil:
		return fmt.Errorf("the working directory %q cannot be used: %w", dir, errors.Unwrap(err))
	case !info.IsDir():
		return fmt.Errorf("the working directory %q is not a directory", dir)
	}
	return nil
}
