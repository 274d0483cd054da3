package console

import (
	"sync"

	"clined/internal/event"
	"clined/internal/protocol"
)

// course knows what was said from here and what became of it: several prompts
// may wait behind the turn that runs, and the daemon begins them by itself.
type course struct {
	mu sync.Mutex // guards the rest
	// said is not over yet, the oldest first.
	said []protocol.TaskPromptResult
	// messages of the user as they were told last, by id.
	messages map[string]heard
	ended    map[string]bool
	// last is the end of the turn that ended last.
	last event.State
	// changed is closed at the next change.
	changed chan struct{}
}

// heard is what is known of a message: the turn that carries it, how it stands.
type heard struct {
	turn   string
	status event.Status
}

func newCourse() *course {
	return &course{messages: map[string]heard{}, ended: map[string]bool{}, changed: make(chan struct{})}
}

// note takes an event into account.
func (c *course) note(turn string, e event.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e := e.(type) {
	case event.Message:
		if e.Role != "user" {
			return
		}
		c.messages[e.MessageID] = heard{turn, e.Status}
	case event.State:
		if e.State != event.Idle {
			return
		}
		c.ended[turn], c.last = true, e
	default:
		return
	}
	close(c.changed)
	c.changed = make(chan struct{})
}

// begun tells that something was said, and accepted.
func (c *course) begun(r protocol.TaskPromptResult) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.said = append(c.said, r)
}

// over reports whether all that was said has come to its end, and how the last
// turn ended; else changed is closed when it is worth to look again.
func (c *course) over() (last event.State, over bool, changed <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.said) > 0 && c.doneLocked(c.said[0]) {
		c.said = c.said[1:]
	}
	return c.last, len(c.said) == 0, c.changed
}

// doneLocked goes by the message where it was told of: one that came too late to
// steer a turn begins another one.
func (c *course) doneLocked(s protocol.TaskPromptResult) bool {
	m, known := c.messages[s.MessageID]
	switch {
	case !known:
		return c.ended[s.TurnID]
	case m.status == event.Discarded:
		return true
	}
	return m.status != event.Pending && c.ended[m.turn]
}

// waiting are the turns of prompts that have not begun.
func (c *course) waiting() (turns []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.said {
		if m := c.messages[s.MessageID]; m.status == event.Pending {
			turns = append(turns, m.turn)
		}
	}
	return turns
}
