package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"clined/internal/tools"
)

// job is one command from its start until no process of it is left.
type job struct {
	settings  Settings // as they were when it began
	n         int
	line, dir string
	started   time.Time
	tree      tree
	cmd       *exec.Cmd
	out       *sink
	pipe      *os.File // we read what the command writes
	exited    chan struct{}
	read      chan bool // one value per reader: whether it met the end of the pipe

	stop     chan struct{}
	stopOnce sync.Once
	gone     chan struct{}
	survived bool // written before gone is closed
}

func (j *job) id() string { return fmt.Sprintf("job-%d", j.n) }

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
	if ctx.Err() != nil {
		return &tools.CommandResult{ExitCode: -1, Cancelled: true}, nil
	}
	j, err := m.start(ctx, n, c, output)
	if err != nil {
		return nil, err
	}
	return m.attend(ctx, j, c.Timeout), nil
}

// attend waits for the shell's end, or brings it about, and tells how it went.
func (m *Manager) attend(ctx context.Context, j *job, timeout time.Duration) *tools.CommandResult {
	if timeout <= 0 {
		timeout = j.settings.Timeout
	}
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	limit := time.NewTimer(timeout)
	defer limit.Stop()
	res := &tools.CommandResult{ExitCode: -1}
	select {
	case <-j.exited:
	case <-ctx.Done():
		res.Cancelled = true
	case <-m.closing:
		res.Cancelled = true
	case <-limit.C:
		res.TimedOut = true
	}
	stopped := res.Cancelled || res.TimedOut
	if stopped {
		j.survived = !j.tree.end(grace)
		if j.survived {
			m.o.Log.Warn("processes of a command outlived KILL", "command", j.line)
		}
	}
	select {
	case <-j.exited:
		exit, signal := exitOf(j.cmd.ProcessState)
		res.Signal = signal
		if !stopped {
			res.ExitCode = exit
		}
	case <-time.After(killWait):
		// Stuck in the kernel: said to be running still, and waited for in Close.
	}
	held := !j.settle()
	res.Background = held || len(j.tree.members()) > 0
	j.out.detach(res.Background)
	out := j.out.result()
	res.Output, res.Omitted, res.LogFile = out.text, out.omitted, out.log
	res.Duration = time.Since(j.started)
	if res.Background {
		m.keep(j)
		go m.follow(j, held)
		return res
	}
	m.release(j)
	return res
}

// start starts the shell and the reading of its output.
func (m *Manager) start(ctx context.Context, n int, c tools.CommandLine, output func(string)) (*job, error) {
	env := m.o.Environ(ctx)
	mark := fmt.Sprintf("%s.%d.", m.token, n)
	settings := m.o.Settings()
	path, err := chooseShell(settings.Shell, env)
	if err != nil {
		return nil, err
	}
	if c.Dir != "" {
		if info, err := os.Stat(c.Dir); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("the working directory %q does not exist", c.Dir)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("the command could not be started: %w", err)
	}
	cmd := exec.Command(path, "-c", c.Line)
	cmd.Dir, cmd.Env = c.Dir, childEnv(env, settings.Scrub, mark)
	cmd.Stdout, cmd.Stderr = w, w
	newSession(cmd)
	err = cmd.Start()
	w.Close()
	if err != nil {
		r.Close()
		return nil, startError(err)
	}
	j := &job{
		n: n, line: c.Line, dir: c.Dir, settings: settings, started: time.Now(), tree: newTree(cmd.Process.Pid, mark), cmd: cmd, pipe: r,
		out:    newSink(m.o, output),
		exited: make(chan struct{}), read: make(chan bool, 1), stop: make(chan struct{}), gone: make(chan struct{}),
	}
	if m.o.Reaper != nil {
		m.o.Reaper.Add(cmd.Process.Pid)
	}
	go func() {
		cmd.Wait() // the state tells
		close(j.exited)
	}()
	go j.readAll()
	return j, nil
}

// readAll reads until the pipe ends or settle takes over.
func (j *job) readAll() {
	buf := make([]byte, 64<<10)
	for {
		n, err := j.pipe.Read(buf)
		j.out.Write(buf[:n])
		if err != nil {
			j.read <- !errors.Is(err, os.ErrDeadlineExceeded)
			return
		}
	}
}

// settle collects what the shell wrote before it exited and tells whether the
// pipe has ended. Whoever else holds the pipe is given a moment (a `>(tee x)`
// is about to finish), then what lies in the pipe is taken and no more.
func (j *job) settle() (ended bool) {
	moment := time.NewTimer(settle)
	defer moment.Stop()
	select {
	case ended = <-j.read:
		return ended
	case <-moment.C:
	}
	j.pipe.SetReadDeadline(time.Unix(1, 0))
	if ended = <-j.read; ended {
		return true
	}
	j.pipe.SetReadDeadline(time.Time{})
	return drain(j.pipe, j.out)
}

// follow owns a background job: it reads on, notices the end, and ends the
// tree when told to.
func (m *Manager) follow(j *job, held bool) {
	if held {
		go j.readAll()
	}
	tick := time.NewTicker(watch)
	defer tick.Stop()
	for {
		select {
		case <-j.read:
			held = false
		case <-tick.C:
		case <-j.stop:
			m.finish(j, held)
			return
		case <-m.closing:
			m.finish(j, held)
			return
		}
		if !held && len(j.tree.members()) == 0 {
			m.finish(j, false)
			return
		}
	}
}

// finish ends what is left of a background job.
func (m *Manager) finish(j *job, held bool) {
	j.survived = !j.tree.end(grace)
	if held {
		// A process that left the tree unseen may hold the pipe for ever.
		j.pipe.SetReadDeadline(time.Now().Add(settle))
		<-j.read
	}
	select {
	case <-j.exited:
	case <-time.After(killWait):
		j.survived = true
	}
	m.release(j)
	m.forget(j)
	close(j.gone)
}

func (m *Manager) release(j *job) {
	j.pipe.Close()
	j.out.close()
	if m.o.Reaper != nil {
		m.o.Reaper.Remove(j.tree.leader)
	}
}
