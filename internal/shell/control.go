package shell

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"clined/internal/tools"
)

// Errors of those who watch a command.
var (
	// ErrNoCommand is told for an id of no command that runs.
	ErrNoCommand = errors.New("there is no such command, or it has ended")
	// ErrNoTerminal is told for input to a command without a terminal.
	ErrNoTerminal = errors.New("the command takes no input: it was started without a terminal")
)

// List tells of all commands that run, oldest first.
func (m *Manager) List() []Status {
	var list []Status
	for _, j := range m.sorted() {
		list = append(list, j.state())
	}
	return list
}

// Running implements tools.Running.
func (m *Manager) Running() []tools.RunningCommand {
	m.telling.Lock() // a piece of output goes to one caller, in order
	defer m.telling.Unlock()
	m.mu.Lock()
	ended := m.ended
	m.ended = nil
	m.mu.Unlock()
	jobs := slices.Clone(ended)
	for _, j := range m.sorted() {
		if j.state().State == Background {
			jobs = append(jobs, j)
		}
	}
	slices.SortFunc(jobs, byAge)
	var list []tools.RunningCommand
	if !m.looked {
		m.looked = true
		list = m.leftBehind()
	}
	for _, j := range jobs {
		list = append(list, j.running(slices.Contains(ended, j)))
	}
	return list
}

// Input types data into a command's terminal; Enter is "\r", the end of input
// "\x04", an interrupt "\x03". It fails with ErrNoCommand and ErrNoTerminal,
// and when the command has not read what it was given before.
func (m *Manager) Input(id string, data []byte) error {
	j := m.find(id)
	if j == nil {
		return ErrNoCommand
	}
	return j.stream.write(data)
}

// Resize tells a command's terminal its size in characters. It fails as Input.
func (m *Manager) Resize(id string, cols, rows int) error {
	j := m.find(id)
	if j == nil {
		return ErrNoCommand
	}
	if cols < 1 || rows < 1 || cols > maxSide || rows > maxSide {
		return errors.New("a terminal has between 1 and 10000 columns and rows")
	}
	return j.stream.resize(cols, rows)
}

// Detach makes the call of Run that waits for the command return at once; the
// command goes on in the background, without a time limit. One that is there
// already stays. It fails with ErrNoCommand.
func (m *Manager) Detach(id string) error {
	j := m.find(id)
	if j == nil {
		return ErrNoCommand
	}
	j.detachOnce.Do(func() { close(j.detach) })
	return nil
}

// Kill ends a command's process tree, whether it is waited for or in the
// background, and waits for that. It fails with ErrNoCommand.
func (m *Manager) Kill(ctx context.Context, id string) error {
	j := m.find(id)
	if j == nil {
		return ErrNoCommand
	}
	j.stopOnce.Do(func() { close(j.stop) })
	select {
	case <-j.gone:
		if j.survived {
			return errors.New("processes of the command could not be ended")
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (m *Manager) find(id string) *job {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.jobs[id]
}

func (m *Manager) sorted() []*job {
	m.mu.Lock()
	defer m.mu.Unlock()
	jobs := make([]*job, 0, len(m.jobs))
	for _, j := range m.jobs {
		jobs = append(jobs, j)
	}
	slices.SortFunc(jobs, byAge)
	return jobs
}

func byAge(a, b *job) int { return cmp.Compare(a.n, b.n) }

// forget unlists a job that has ended. What it printed in the background is kept
// until it was told.
func (m *Manager) forget(j *job) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.jobs, j.id)
	if j.kept {
		m.ended = append(m.ended, j)
		if over := len(m.ended) - maxEnded; over > 0 {
			for _, old := range m.ended[:over] {
				old.note.drop()
			}
			m.ended = slices.Delete(m.ended, 0, over)
		}
	}
}
