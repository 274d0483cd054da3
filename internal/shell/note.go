package shell

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"clined/internal/tools"
)

// note is a file beside the log of a command in the background. It is there until
// the model was told how the command ended: whoever opens the task again tells it
// then, should its owner have ended before.
type note struct {
	mu   sync.Mutex
	path string // "" once it is not kept up any more
	noted
}

// noted is what a note says.
type noted struct {
	// Owner names the lock of the Manager that sees to the note: see owner.
	Owner         string
	ID, Line, Dir string
	// Log is the file's name; Told of its bytes were told, and Part of the line
	// behind them.
	Log  string
	Told int64
	Part string
	// Ended, ExitCode, Signal and WithDaemon are as in tools.RunningCommand.
	Ended, WithDaemon bool
	ExitCode          int
	Signal            string
}

// newNote makes the note of a job of which told is what was told; nil when its
// log, or the owner's lock, cannot be made.
func (m *Manager) newNote(j *job, told output) *note {
	if told.log == "" {
		return nil
	}
	owner, err := m.owner.take(m.o.LogDir)
	if err != nil {
		return nil
	}
	n := &note{path: noteOf(told.log), noted: noted{
		Owner: owner, ID: j.id, Line: j.line, Dir: j.dir, Log: filepath.Base(told.log), ExitCode: -1,
	}}
	n.told(told)
	return n
}

func noteOf(log string) string { return strings.TrimSuffix(log, ".log") + ".json" }

// told notes what the model was told up to.
func (n *note) told(o output) { n.change(func(s *noted) { s.Told, s.Part = o.told, o.part }) }

// ended notes how it ended.
func (n *note) ended(s Status, withDaemon bool) {
	n.change(func(to *noted) {
		to.Ended, to.ExitCode, to.Signal, to.WithDaemon = true, s.ExitCode, s.Signal, withDaemon
	})
}

func (n *note) change(how func(*noted)) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	before := n.noted
	if how(&n.noted); n.path == "" || n.noted == before {
		return
	}
	b, _ := json.Marshal(n.noted)      // of strings and numbers
	_ = os.WriteFile(n.path, b, 0o600) // one that is not whole tells nothing
}

// drop removes the note: all was told.
func (n *note) drop() {
	if path := n.leave(); path != "" {
		_ = os.Remove(path)
	}
}

// leave lets whoever opens the task again have the note, which is at path.
func (n *note) leave() (path string) {
	if n == nil {
		return ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	path, n.path = n.path, ""
	return path
}

// owner is a lock on a file of the log folder. It is held as long as a Manager
// sees to its notes, and free once that or its process is gone.
type owner struct {
	mu sync.Mutex
	f  *os.File
}

// take makes and locks the file, once, and returns its name.
func (o *owner) take(dir string) (name string, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.f == nil {
		f, err := os.OpenFile(filepath.Join(dir, "owner-"+newToken()+".lock"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return "", err
		}
		lockNote(f)
		o.f = f
	}
	return filepath.Base(o.f.Name()), nil
}

// free lets go of the lock. Where notes are left behind, whoever tells them
// removes the file.
func (o *owner) free(left bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.f == nil {
		return
	}
	name := o.f.Name()
	_ = o.f.Close()
	o.f = nil
	if !left {
		_ = os.Remove(name)
	}
}

// gone tells whether nobody holds the lock of that name.
func gone(dir, name string) bool {
	f, err := os.OpenFile(filepath.Join(dir, filepath.Base(name)), os.O_RDWR, 0)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	return lockNote(f)
}

// leftBehind is what is noted of commands whose process has ended; it is told once.
func (m *Manager) leftBehind() (list []tools.RunningCommand) {
	if m.o.LogDir == "" {
		return nil
	}
	notes, _ := filepath.Glob(filepath.Join(globbed(m.o.LogDir), "command-*.json")) // sorted, the pattern is right
	for _, name := range notes {
		b, err := os.ReadFile(name)
		var n noted
		if err != nil || json.Unmarshal(b, &n) == nil && !gone(m.o.LogDir, n.Owner) {
			continue
		}
		// One that is not whole tells nothing; of several who look, one has it.
		if os.Rename(name, name+".told") != nil || os.Remove(name+".told") != nil {
			continue
		}
		if n.Owner != "" {
			list = append(list, m.leftBy(n))
			_ = os.Remove(filepath.Join(m.o.LogDir, filepath.Base(n.Owner)))
		}
	}
	return list
}

// globbed quotes a directory for filepath.Glob.
func globbed(dir string) string {
	if filepath.Separator == '\\' {
		return dir // there is no quoting
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// leftBy is what is to be told of one.
func (m *Manager) leftBy(n noted) tools.RunningCommand {
	c := tools.RunningCommand{
		ID: n.ID, Line: n.Line, Dir: n.Dir, Ended: true, ExitCode: n.ExitCode, Signal: n.Signal,
		WithDaemon: n.WithDaemon || !n.Ended,
	}
	f, err := os.Open(filepath.Join(m.o.LogDir, filepath.Base(n.Log)))
	if err != nil {
		return c
	}
	defer f.Close()
	c.LogFile = f.Name()
	keep := collectorOf(m.o)
	buf := make([]byte, 64<<10)
	log := io.NewSectionReader(f, n.Told, m.o.LogBytes+1<<10)
	for {
		got, err := io.ReadFull(log, buf)
		text, anew := after(buf[:got], &n.Part)
		if anew {
			keep.add(newline)
		}
		keep.add(text)
		if err != nil {
			break
		}
	}
	c.Omitted = keep.omitted
	c.Fresh = strings.ToValidUTF8(keep.text("", ""), "")
	return c
}
