package daemon

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"clined/internal/approval"
	"clined/internal/tools"
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
type audit struct {
	file *rotated
	// half is set while the file ends within a line of ours, as a full disk
	// leaves it.
	half *atomic.Bool
	// keys are the secrets that are written as stars.
	keys func() []string
}

var _ approval.Audit = audit{}

func newAudit(stateDir string) audit {
	file := newRotated(filepath.Join(stateDir, "log"), decisionsName, maxDecisions)
	return audit{file, new(atomic.Bool), func() []string { return nil }}
}

// Record implements approval.Audit.
func (a audit) Record(_ context.Context, e approval.Entry) error {
	keys := a.keys()
	for _, text := range []*string{&e.Tool, &e.Title, &e.Command, &e.Rule, &e.Reason, &e.Feedback} {
		*text = recorded(*text, keys)
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	if a.half.Swap(false) {
		line = append([]byte{'\n'}, line...)
	}
	n, err := a.file.Write(line)
	if err != nil && n > 0 {
		a.half.Store(true)
	}
	return err
}

const (
	// maxDecided is how much of each text of a decision is kept, in bytes.
	maxDecided = 4 << 10
	// shortestKey keeps words that stand in for a key ("none") in texts.
	shortestKey = 6
)

// recorded is a text without keys, and not too long.
func recorded(text string, keys []string) string {
	for _, key := range keys {
		if len(key) >= shortestKey {
			text = strings.ReplaceAll(text, key, "***")
		}
	}
	if len(text) <= maxDecided {
		return text
	}
	return strings.ToValidUTF8(text[:maxDecided], "") + fmt.Sprintf("… (%d bytes)", len(text))
}

// keys are the secrets of a session as its settings are now.
func (s *session) keys() (keys []string) {
	now := s.current()
	for _, name := range now.SecretEnv() {
		keys = append(keys, s.d.getenv(name))
	}
	for _, mode := range []tools.Mode{tools.Act, tools.Plan} {
		if e, err := now.Endpoint(string(mode), s.d.lookup(context.Background())); err == nil {
			keys = append(keys, e.APIKey.Reveal())
		}
	}
	// The longest first, so that none is left half.
	slices.SortFunc(keys, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return keys
}

// audit is where the decisions of a session are kept.
func (s *session) audit() audit {
	a := s.d.audit
	a.keys = s.keys
	return a
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
		case len(bytes.TrimSpace(line)) == 0:
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
