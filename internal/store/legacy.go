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

// Legacy is a task whose journal is <state>/tasks/<taskId>/transcript.jsonl, a
// transcript.Message per line. Its methods may be called from any goroutine.
type Legacy struct {
	dir string

	mu sync.Mutex
	// journal is nil until the first Append; size is where its next line starts.
	journal *os.File
	size    int64
	closed  bool
}

// OpenLegacy returns the task's folder below the state directory. It touches
// nothing on disk.
func OpenLegacy(stateDir, taskID string) (*Legacy, error) {
	if err := checkID(taskID); err != nil {
		return nil, err
	}
	return &Legacy{dir: filepath.Join(stateDir, "tasks", taskID)}, nil
}

// Dir is the task's folder, which may not exist yet.
func (t *Legacy) Dir() string { return t.dir }

// Keep stores a text that is too long for the model; see Task.Keep.
func (t *Legacy) Keep(callID, text string) (string, error) { return keep(t.dir, callID, text) }

// Append adds a message to the journal. It is on disk when Append returns. After
// an error the journal holds what it held before.
func (t *Legacy) Append(ctx context.Context, m transcript.Message) error {
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
func (t *Legacy) openLocked() error {
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

func (t *Legacy) journalPath() string { return filepath.Join(t.dir, "transcript.jsonl") }

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

// Messages reads the journal; none exists before the first Append. A torn last
// line is left out. At any other unreadable line it stops: the messages before
// it come with an error that is ErrDamaged and names the line.
func (t *Legacy) Messages() ([]transcript.Message, error) {
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
func (t *Legacy) Close() error {
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
