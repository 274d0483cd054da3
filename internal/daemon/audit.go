package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"clined/internal/approval"
)

const (
	decisionsName = "decisions.jsonl"
	// maxDecisions is the size of the file of decisions in bytes at which the
	// next one begins.
	maxDecisions = 16 << 20
)

// audit is the file of decisions, a JSON line each, that all daemons of a user
// append to. It implements approval.Audit. A line is handed to the system before
// the call acts: a killed daemon loses none.
type audit struct{ file *rotated }

var _ approval.Audit = audit{}

// Record implements approval.Audit.
func (a audit) Record(_ context.Context, e approval.Entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = a.file.Write(append(line, '\n'))
	return err
}

// EachDecision calls f with what was decided, the oldest first, until f says
// stop. What cannot be read of the file, such as the half line of a full disk, is
// left out and counted.
func EachDecision(stateDir string, f func(approval.Entry) (more bool)) (unread int, err error) {
	path := filepath.Join(stateDir, "log", decisionsName)
	for n := keptLogs; n >= 0; n-- {
		name := path
		if n > 0 {
			name = fmt.Sprintf("%s.%d", path, n)
		}
		more, broken, err := eachDecision(name, f)
		unread += broken
		if err != nil || !more {
			return unread, err
		}
	}
	return unread, nil
}

func eachDecision(path string, f func(approval.Entry) bool) (more bool, broken int, err error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, 0, nil
	}
	if err != nil {
		return false, 0, err
	}
	defer file.Close()
	in := bufio.NewReader(file)
	for {
		line, err := in.ReadBytes('\n')
		var e approval.Entry
		switch {
		case len(line) == 0:
		case json.Unmarshal(line, &e) != nil:
			broken++
		case !f(e):
			return false, broken, nil
		}
		if err == io.EOF {
			return true, broken, nil
		}
		if err != nil {
			return false, broken, err
		}
	}
}
