package shell

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"clined/internal/tools"
)

// note is a file beside the log of a command in the background. It is there until
// the model was told how the command ended: whoever opens the task again tells it
// then, should this process have ended before. It is locked as long as this
// process sees to that.
type note struct {
	mu sync.Mutex
	f  *os.File // nil when there is none any more
	noted
}

// noted is what a note says.
type noted struct {
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
// log cannot be made.
func newNote(j *job, told output) *note {
	if told.log == "" {
		return nil
	}
	f, err := os.OpenFile(noteOf(told.log), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil
	}
	n := &note{f: f, noted: noted{ID: j.id, Line: j.line, Dir: j.dir, Log: filepath.Base(told.log), ExitCode: -1}}
	lockNote(f)
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
	if how(&n.noted); n.f == nil || n.noted == before {
		return
	}
	b, _ := json.Marshal(n.noted) // of strings and numbers
	if n.f.Truncate(0) == nil {
		n.f.WriteAt(b, 0) // one that is not whole tells nothing
	}
}

// drop removes the note: all was told.
func (n *note) drop() { n.close(removeNote) }

// leave lets whoever opens the task again have it.
func (n *note) leave() { n.close(func(f *os.File) { f.Close() }) }

func (n *note) close(how func(*os.File)) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.f != nil {
		how(n.f)
		n.f = nil
	}
}

// removeNote empties a note before it lets go of it: who takes it then is told
// nothing. Windows does not remove a file that is open.
func removeNote(f *os.File) {
	f.Truncate(0)
	f.Close() // which unlocks it
	os.Remove(f.Name())
}

// leftBehind is what is noted of commands whose process has ended; it is told once.
func (m *Manager) leftBehind() (list []tools.RunningCommand) {
	if m.o.LogDir == "" {
		return nil
	}
	notes, _ := filepath.Glob(filepath.Join(globbed(m.o.LogDir), "command-*.json")) // sorted, the pattern is right
	for _, name := range notes {
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if !lockNote(f) {
			f.Close()
			continue
		}
		var n noted
		if json.NewDecoder(f).Decode(&n) == nil {
			list = append(list, m.leftBy(n))
		}
		removeNote(f)
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
