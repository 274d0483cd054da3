package server

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"clined/internal/protocol"
)

// trustText is how many bytes of what a workspace wants are shown: nobody should
// say yes to more than they could read.
const trustText = 1500

// Untrusted is a workspace whose settings would allow more than the user's own.
type Untrusted struct {
	// Root is its real path, File its settings file.
	Root, File string
	// Hash stands for what it wants; trust is given to that.
	Hash string
	// Wants are the settings, a line for people each.
	Wants []string
}

// trust asks the user about workspaces, one after the other and about each state
// of one only once.
type trust struct {
	s *server

	mu     sync.Mutex // guards the rest
	known  map[[2]string]bool
	queue  []Untrusted
	ready  bool // the handshake is over
	busy   bool
	closed bool
	asking sync.WaitGroup
}

// add is told of a workspace; it does not wait for the user.
func (t *trust) add(u Untrusted) {
	t.mu.Lock()
	defer t.mu.Unlock()
	state := [2]string{u.Root, u.Hash}
	if t.known[state] {
		return
	}
	if t.known == nil {
		t.known = map[[2]string]bool{}
	}
	t.known[state] = true
	t.queue = append(t.queue, u)
	t.start()
}

// begin lets questions be asked.
func (t *trust) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ready = true
	t.start()
}

// start asks what waits; t.mu is held.
func (t *trust) start() {
	if !t.ready || t.busy || t.closed || len(t.queue) == 0 {
		return
	}
	t.busy = true
	t.asking.Go(func() {
		for {
			t.mu.Lock()
			if len(t.queue) == 0 || t.closed {
				t.busy = false
				t.mu.Unlock()
				return
			}
			u := t.queue[0]
			t.queue = t.queue[1:]
			t.mu.Unlock()
			t.ask(t.s.ctx, u)
		}
	})
}

// close waits for the question that is open; the session's context has ended.
func (t *trust) close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.asking.Wait()
}

// ask asks about one workspace. Whatever is not a clear yes leaves it untrusted;
// the tasks tell of that, and of the command line's way to decide.
func (t *trust) ask(ctx context.Context, u Untrusted) {
	s := t.s
	wants := strings.Join(u.Wants, "\n")
	if s.native && s.window.ShowMessage == nil || len(wants) > trustText {
		return
	}
	chosen, err := s.choose(ctx, fmt.Sprintf(
		"clined: the settings of this workspace allow more than yours, and that does not hold until you trust them.\n%s\nin %s", wants, u.File),
		[]string{"Trust these settings", "Not now"})
	switch {
	case err != nil:
		s.log.Info("the user was not asked for trust", "workspace", u.Root, "err", err)
		return
	case chosen != 0:
		return
	}
	if err := s.session.Trust(ctx, u.Root, u.Hash); err != nil {
		s.showUser("the trust was not kept: " + err.Error())
		return
	}
	s.say(protocol.MessageInfo, "the settings of this workspace hold from now on; take that back with: clined trust --remove")
}
