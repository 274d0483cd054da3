package agent

import (
	"bytes"
	"encoding/json"

	"clined/internal/transcript"
)

// How often the same thing may happen before somebody is told.
const (
	sameFailures  = 3 // the same failing call, or pair of calls: ask the user
	sameNotice    = 3 // the same successful call: tell the model
	sameSuccesses = 5 // and again: ask the user
)

// loopWatch looks for calls that repeat themselves within a turn.
type loopWatch struct {
	history []watched
}

type watched struct {
	call   string // name and arguments in canonical form
	failed bool
}

// watchVerdict is what loopWatch thinks of the newest call.
type watchVerdict int

const (
	fine watchVerdict = iota
	repeatsItself
	stuck
)

// add records a finished call and judges it.
func (w *loopWatch) add(c *transcript.Call, failed bool) watchVerdict {
	w.history = append(w.history, watched{call: canonical(c), failed: failed})
	if failed {
		if w.tail(1) >= sameFailures || w.tail(2) >= sameFailures {
			return stuck
		}
		return fine
	}
	switch n := w.tail(1); {
	case n >= sameSuccesses:
		return stuck
	case n >= sameNotice:
		return repeatsItself
	}
	return fine
}

// tail counts how often the last `period` calls stand at the end of the
// history, one after the other. Periods of failures count failures only.
func (w *loopWatch) tail(period int) int {
	n := len(w.history)
	if n < period {
		return 0
	}
	last := w.history[n-period:]
	for _, c := range last {
		if c.failed != last[0].failed {
			return 0
		}
	}
	count := 0
	for start := n - period; start >= 0; start -= period {
		for i, c := range last {
			if w.history[start+i] != c {
				return count
			}
		}
		count++
	}
	return count
}

// forget starts anew, after the user said what to do.
func (w *loopWatch) forget() { w.history = nil }

// canonical makes equal calls equal texts: key order, blanks and the checklist
// do not matter.
func canonical(c *transcript.Call) string {
	var args map[string]json.RawMessage
	if json.Unmarshal([]byte(c.Arguments), &args) != nil {
		return c.Name + " " + c.Arguments
	}
	delete(args, "task_progress")
	for k, v := range args {
		var b bytes.Buffer
		if json.Compact(&b, v) == nil {
			args[k] = b.Bytes()
		}
	}
	text, err := json.Marshal(args) // sorts the keys
	if err != nil {
		return c.Name + " " + c.Arguments
	}
	return c.Name + " " + string(text)
}
