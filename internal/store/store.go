// Package store owns what a task leaves on disk: the journal of its transcript
// and the outputs that were too long for the model.
//
// Layout: <state>/tasks/<taskId>/transcript.jsonl holds a transcript.Message
// per line, outputs/<callId>.txt the texts. Folders are 0700, files 0600. The
// journal only grows; a line is complete or it is no message. Nothing is opened
// before it is used.
//
// It judges and changes nothing of what it keeps and knows no agent. daemon and
// tests import it; Task is an agent.Journal and a tools.Spill.
package store

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"clined/internal/transcript"
)

// ErrDamaged says that a journal has an unreadable line before its end.
var ErrDamaged = errors.New("the journal is damaged")

// Task is the folder of one task. Its methods may be called from any goroutine.
type Task struct {
	dir string

	mu sync.Mutex
	// journal is nil until the first Append; size is where its next line starts.
	journal *os.File
	size    int64
	closed  bool
}

// Open returns the task's folder below the state directory. It touches nothing
// on disk.
func Open(stateDir, taskID string) (*Task, error) {
	if taskID == "" || fileName(taskID) != taskID {
		return nil, fmt.Errorf("%q is no task id", taskID)
	}
	return &Task{dir: filepath.Join(stateDir, "tasks", taskID)}, nil
}

// Dir is the task's folder, which may not exist yet.
func (t *Task) Dir() string { return t.dir }

// Append adds a message to the journal. It is on disk when Append returns. After
// an error the journal holds what it held before.
func (t *Task) Append(ctx context.Context, m transcript.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.openLocked(); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	_, err := t.journal.WriteAt(line.Bytes(), t.size)
	if err == nil {
		err = t.journal.Sync()
	}
	if err != nil {
		return fmt.Errorf("journal: %w", errors.Join(err, t.journal.Truncate(t.size)))
	}
	t.size += int64(line.Len())
	return nil
}

// openLocked opens the journal behind its last complete line: what follows is
// the beginning of a message whose Append never returned.
func (t *Task) openLocked() error {
	if t.closed {
		return fs.ErrClosed
	}
	if t.journal != nil {
		return nil
	}
	if err := os.MkdirAll(t.dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(t.journalPath(), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	size, err := lastLineEnd(f)
	if err == nil {
		err = errors.Join(f.Truncate(size), syncDir(t.dir), syncDir(filepath.Dir(t.dir)))
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	t.journal, t.size = f, size
	return nil
}

func (t *Task) journalPath() string { return filepath.Join(t.dir, "transcript.jsonl") }

// lastLineEnd returns the offset behind the last line feed, 0 if there is none.
func lastLineEnd(f *os.File) (int64, error) {
	end, err := f.Seek(0, io.SeekEnd)
	buf := make([]byte, 64<<10)
	for err == nil && end > 0 {
		n := min(end, int64(len(buf)))
		if _, err = f.ReadAt(buf[:n], end-n); err != nil {
			break
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return end - n + int64(i) + 1, nil
		}
		end -= n
	}
	return 0, err
}

// syncDir makes new names in dir last.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Messages reads the journal; none exists before the first Append. A torn last
// line is left out. At any other unreadable line it stops: the messages before
// it come with an error that is ErrDamaged and names the line.
func (t *Task) Messages() ([]transcript.Message, error) {
	f, err := os.Open(t.journalPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var messages []transcript.Message
	r := bufio.NewReader(f)
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			return messages, nil
		}
		if err != nil {
			return messages, err
		}
		var m transcript.Message
		if json.Unmarshal(line, &m) != nil {
			return messages, fmt.Errorf("%w: %s, line %d", ErrDamaged, t.journalPath(), len(messages)+1)
		}
		messages = append(messages, m)
	}
}

// Close closes the journal; later Appends fail.
func (t *Task) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	if t.journal == nil {
		return nil
	}
	err := t.journal.Close()
	t.journal = nil
	return err
}
