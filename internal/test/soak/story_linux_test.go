package soak

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/test/fakellm"
	"clined/internal/test/fakemcp"
)

// story is one task from its first prompt to the end, through several lives of
// the daemon.
type story struct {
	t     *testing.T
	p     *place
	seed  uint64
	r     *rand.Rand // of the user; other goroutines have their own
	model *fakellm.Server
	play  *playwright
	// log is appended to by commands, served by the MCP server.
	log, served string
	count       *counts

	task string
	// prompts are what the user said, by mark; true was acknowledged, and not
	// taken back since.
	prompts map[string]bool
	// mode and list, the checklist's mark, are what was acknowledged last; "" is
	// not known.
	mode, list string
	// trace is what the user did, for a story that fails.
	trace []string
	// seq is the highest event number seen in any life.
	seq int64
}

// begin lays a story out.
func begin(t *testing.T, seed uint64, count *counts) *story {
	t.Helper()
	s := &story{t: t, p: newPlace(t), seed: seed, r: rand.New(rand.NewPCG(seed, 1<<40)), count: count, prompts: map[string]bool{}}
	s.log, s.served = filepath.Join(s.p.dir, "commands.log"), filepath.Join(s.p.dir, "served.log")
	s.play = &playwright{s: s, steps: 4 + s.r.IntN(8), sameIDs: s.r.IntN(2) == 0, served: map[int]int{}, deeds: map[string]*deed{}}
	s.model = fakellm.Start(t, "")
	s.model.Decide(s.play.reply)
	auto := map[string]any{"command": true, "mcp": true, "edit": true}
	for name := range auto {
		if s.r.IntN(4) == 0 {
			delete(auto, name)
		}
	}
	s.p.settings(map[string]any{"model": "fake-model", "baseUrl": s.model.URL(), "autoApprove": auto})
	if s.r.IntN(3) > 0 {
		entry := fakemcp.Script{Journal: s.served, Tools: []fakemcp.Tool{{Name: "echo", Description: "Echo."}}}.Entry(nil)
		s.p.write(filepath.Join(s.p.home, "mcp.json"), string(fakemcp.Settings(map[string]any{"fake": entry})))
	}
	s.p.write(filepath.Join(s.p.ws, "a.txt"), "alpha\n")
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the user: %s", strings.Join(s.trace, "; "))
		}
	})
	return s
}

// did notes what the user did.
func (s *story) did(format string, args ...any) {
	s.trace = append(s.trace, fmt.Sprintf("%s after event %d", fmt.Sprintf(format, args...), s.seq))
}

// moment is when a daemon is killed: so long after so many events, or after the
// first call of a kind acts.
type moment struct {
	events int
	acts   string
	delay  time.Duration
	// how it ends: by SIGKILL, or, as the editor may have it, by another signal
	// or the end of its input.
	how ending
}

type ending int

const (
	kill ending = iota
	term
	hangUp
)

// aMoment chooses: early, in the middle, in a burst, or while something is done.
func aMoment(r *rand.Rand) moment {
	m := moment{events: r.IntN(80), how: []ending{kill, kill, kill, kill, kill, kill, kill, kill, term, hangUp}[r.IntN(10)]}
	switch r.IntN(6) {
	case 0:
		m.events = 0
		m.delay = time.Duration(r.IntN(250_000)) * time.Microsecond
	case 1:
		m.events = r.IntN(12)
		m.delay = time.Duration(r.IntN(5_000)) * time.Microsecond
	case 2:
		m.delay = time.Duration(r.IntN(150_000)) * time.Microsecond
	case 3:
		m.acts = "edit"
		m.delay = time.Duration(r.IntN(12_000)) * time.Microsecond
	case 4:
		m.acts = []string{"command", "mcp"}[r.IntN(2)]
		m.delay = time.Duration(r.IntN(40_000)) * time.Microsecond
	}
	return m
}

// came tells whether the moment is there.
func (m moment) came(events []protocol.TaskEventParams) bool {
	if m.acts == "" {
		return len(events) >= m.events
	}
	return slices.ContainsFunc(events, func(p protocol.TaskEventParams) bool {
		c, ok := p.Event.Event.(event.ToolCall)
		return ok && c.Kind == m.acts && c.Status == event.InProgress
	})
}

// live is one life of the daemon, which ends with the story or by a kill.
func (s *story) live(at *moment) (over bool, err error) {
	d := s.p.start()
	s.did("start")
	if at != nil {
		go killAt(d, *at)
	}
	seed := s.r.Uint64()
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		s.answer(d, rand.New(rand.NewPCG(seed, 0)))
	}()
	err = s.act(d)
	if err == nil {
		err = d.quit()
		over = err == nil
	}
	if err != nil && at != nil && gone(d) {
		err = nil
	}
	d.kill()
	<-answered
	s.numbers(d)
	return over, err
}

// gone tells whether the daemon has ended, or is about to.
func gone(d *daemon) bool {
	select {
	case <-d.editor.Done():
		return true
	case <-time.After(5 * time.Second):
		return false
	}
}

func killAt(d *daemon, m moment) {
	err := d.editor.Until(d.p.ctx, "the moment", func() bool { return m.came(d.editor.EventsLocked()) })
	if err != nil {
		return
	}
	select {
	case <-time.After(m.delay):
		switch m.how {
		case kill:
			_ = d.cmd.Process.Kill()
		case term:
			_ = d.cmd.Process.Signal(syscall.SIGTERM)
		case hangUp:
			_ = d.in.Close()
		}
	case <-d.editor.Done():
	}
}

// numbers holds the events of a life against those of all lives before.
func (s *story) numbers(d *daemon) {
	last := s.seq
	for _, p := range d.editor.Events() {
		if p.TaskID != s.task && s.task != "" {
			s.t.Errorf("an event of another task: %s", jsonOf(p))
		}
		if p.Seq <= last {
			s.t.Errorf("event %d came after %d of an earlier life", p.Seq, last)
		}
		s.seq = max(s.seq, p.Seq)
		s.count.events.Add(1)
	}
}

// newest is the newest request, nil before the first.
func (s *story) newest() *fakellm.Request {
	all := s.model.Requests()
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

// readServed returns what the MCP server was asked to echo.
func (s *story) readServed() map[string]int {
	found := map[string]int{}
	for _, raw := range fakemcp.ReadJournal(s.served).Params("tools/call") {
		var p struct{ Arguments struct{ Text string } }
		if err := json.Unmarshal(raw, &p); err != nil {
			s.t.Error(err)
		}
		found[p.Arguments.Text]++
	}
	return found
}

// readLog returns which commands began and ended, how often.
func (s *story) readLog() (began, ended map[string]int) {
	began, ended = map[string]int{}, map[string]int{}
	raw, err := os.ReadFile(s.log)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		s.t.Error(err)
	}
	for line := range linesOf(string(raw)) {
		var id, what string
		if _, err := fmt.Sscan(line, &id, &what); err != nil {
			s.t.Errorf("the log of commands has %q", line)
		}
		switch what {
		case "begin":
			began[id]++
		case "end":
			ended[id]++
		}
	}
	return began, ended
}
