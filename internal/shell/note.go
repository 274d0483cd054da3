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
// then, should its owner have ended before.
type note struct {
	mu   sync.Mutex
	path string // "" once it is not kept up any more
	noted
}

// noted is what a note says.
type noted struct {
	// Owner is the process that sees to the note, which started at Born; 0 for none.
	Owner         int
	Born          uint64
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

// newNote makes the note of a job of which told is what was told; nil when it has
// no log.
func newNote(j *job, told output) *note {
	if told.log == "" {
		return nil
	}
	start, _ := born(os.Getpid())
	n := &note{path: noteOf(told.log), noted: noted{
		Owner: os.Getpid(), Born: start, ID: j.id, Line: j.line, Dir: j.dir, Log: filepath.Base(told.log), ExitCode: -1,
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
	if path := n.end(); path != "" {
		_ = os.Remove(path)
	}
}

// leave lets whoever opens the task again have the note.
func (n *note) leave() {
	n.change(func(s *noted) { s.Owner, s.Born = 0, 0 })
	n.end()
}

func (n *note) end() (path string) {
	if n == nil {
		return ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	path, n.path = n.path, ""
	return path
}

// owned tells whether a process sees to the note.
func (n *noted) owned() bool {
	if n.Owner == 0 {
		return false
	}
	start, ok := born(n.Owner)
	return ok && start == n.Born
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
		whole := json.Unmarshal(b, &n) == nil
		if err != nil || whole && n.owned() {
			continue
		}
		// One that is not whole tells nothing; of several who look, one has it.
		if os.Rename(name, name+".told") != nil || os.Remove(name+".told") != nil {
			continue
		}
		if whole {
			list = append(list, m.leftBy(n))
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
