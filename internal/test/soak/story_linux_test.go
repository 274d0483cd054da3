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
	return s
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

// act is the user: takes the task up, says things, until the story is over.
func (s *story) act(d *daemon) error {
	if err := d.initialize(); err != nil {
		return err
	}
	if err := s.open(d); err != nil {
		return err
	}
	for {
		idle, err := s.watch(d)
		if err != nil {
			return err
		}
		if !idle {
			if err := s.interfere(d); err != nil {
				return err
			}
			continue
		}
		if !s.play.over() {
			if _, err := s.say(d, "clined/task/prompt", nil); err != nil {
				return err
			}
			continue
		}
		// Queued behind all else, so its end is the story's.
		turn, err := s.say(d, "clined/task/prompt", nil)
		if err != nil {
			return err
		}
		return s.await(d, turn)
	}
}

// open finds the task as it was left, or begins it, and has something run.
func (s *story) open(d *daemon) error {
	if s.task == "" {
		var list protocol.TaskListResult
		if err := d.call("clined/task/list", map[string]any{}, &list); err != nil {
			return err
		}
		if len(list.Tasks) == 0 {
			mark := s.mark()
			var res protocol.TaskNewResult
			if err := d.call("clined/task/new", map[string]any{"prompt": protocol.Text("Do it, " + mark + ".")}, &res); err != nil {
				return err
			}
			s.task, s.prompts[mark] = res.TaskID, true
			s.count.acked.Add(1)
			return nil
		}
		s.task = list.Tasks[0].TaskID // begun, and the answer was lost
	}
	since := int64(0)
	if s.r.IntN(2) == 0 {
		since = s.seq
	}
	var res protocol.TaskAttachResult
	if err := d.call("clined/task/attach", map[string]any{"taskId": s.task, "sinceSeq": since}, &res); err != nil {
		return err
	}
	if res.Task.Damage != "" || res.Task.Owner != nil {
		return fmt.Errorf("the task is %s", jsonOf(res.Task))
	}
	if err := s.sameMode(d); err != nil {
		return err
	}
	waiting := res.Task.State == "interrupted"
	for _, e := range res.Events {
		m, ok := e.Event.Event.(event.Message)
		waiting = waiting || ok && m.Role == "user" && m.Status == event.Pending
	}
	n := s.r.IntN(8)
	switch {
	case !waiting:
		return nil
	case n == 0:
		_, err := s.say(d, "clined/task/prompt", nil)
		return err
	case n == 1:
		_, err := s.say(d, "clined/task/resume", nil)
		return err
	}
	s.count.resumed.Add(1)
	return d.call("clined/task/resume", map[string]any{"taskId": s.task}, nil)
}

// sameMode looks whether the task is in the mode that the user chose.
func (s *story) sameMode(d *daemon) error {
	var now protocol.ConfigResult
	if err := d.call("clined/config/get", map[string]any{"taskId": s.task}, &now); err != nil {
		return err
	}
	for _, o := range now.Options {
		if o.ID != "mode" {
			continue
		}
		if s.mode != "" && o.Value != s.mode {
			s.t.Errorf("the task is in mode %q, the user chose %q", o.Value, s.mode)
		}
		s.count.modes.Add(1)
	}
	return nil
}

// mark makes words of the user that can be found again.
func (s *story) mark() string {
	mark := fmt.Sprintf("prompt-%d-", len(s.prompts)+1)
	s.prompts[mark] = false
	return mark
}

// say says something new; it returns the turn that will carry it.
func (s *story) say(d *daemon, method string, more map[string]any) (turn string, err error) {
	mark := s.mark()
	params := map[string]any{"taskId": s.task, "prompt": protocol.Text("And now " + mark + ".")}
	for k, v := range more {
		params[k] = v
	}
	var res protocol.TaskPromptResult
	if err := d.call(method, params, &res); err != nil {
		return "", err
	}
	s.prompts[mark] = true
	s.count.acked.Add(1)
	return res.TurnID, nil
}

// watch waits for an event more; idle tells that nothing runs any more.
func (s *story) watch(d *daemon) (idle bool, err error) {
	seen := -1
	err = d.editor.Until(d.p.ctx, "something to happen", func() bool {
		events := d.editor.EventsLocked()
		if seen < 0 {
			seen = len(events)
		}
		idle = false
		for _, p := range events {
			switch e := p.Event.Event.(type) {
			case event.State:
				idle = e.State == event.Idle
			}
		}
		if len(events) == 0 { // nothing was left to go on with
			idle = seen == 0 && s.seq > 0
		}
		return idle || len(events) > seen
	})
	return idle, err
}

// interfere does something while a turn runs, or nothing.
func (s *story) interfere(d *daemon) error {
	var err error
	switch s.r.IntN(120) {
	case 0, 1:
		_, err = s.say(d, "clined/task/prompt", nil)
	case 2, 3, 4, 5:
		_, err = s.say(d, "clined/task/steer", nil)
	case 6:
		value := []string{"plan", "act", "act"}[s.r.IntN(3)]
		s.mode = ""
		if err = d.call("clined/config/set", map[string]any{"taskId": s.task, "id": "mode", "value": value}, nil); err == nil {
			s.mode = value
		}
	case 7:
		list := fmt.Sprintf("list-%d-", s.r.Uint32())
		s.list = ""
		err = d.call("clined/task/setChecklist", map[string]any{"taskId": s.task, "markdown": "- [ ] one of " + list + "\n- [x] two"}, nil)
		if err == nil {
			s.list = list
		}
	case 8:
		err = s.cancel(d)
	}
	return err
}

// cancel stops the turn, which takes back what waits.
func (s *story) cancel(d *daemon) error {
	told := ""
	if req := s.newest(); req != nil {
		told = req.View()
	}
	for mark := range s.prompts {
		if !strings.Contains(told, mark) {
			s.prompts[mark] = false
		}
	}
	s.play.freshIDs()
	s.count.cancels.Add(1)
	return d.call("clined/task/cancel", map[string]any{"taskId": s.task}, nil)
}

// await waits for the end of a turn.
func (s *story) await(d *daemon, turn string) error {
	return d.editor.Until(d.p.ctx, "the end of turn "+turn, func() bool {
		for _, p := range d.editor.EventsLocked() {
			if st, ok := p.Event.Event.(event.State); ok && st.State == event.Idle && p.TurnID == turn {
				return true
			}
		}
		return false
	})
}

// answer decides what the daemon asks, after a while.
func (s *story) answer(d *daemon, r *rand.Rand) {
	for {
		approval, question := false, false
		err := d.editor.Until(d.p.ctx, "a question", func() bool {
			approval, question = d.editor.OpenLocked()
			return approval || question
		})
		if err != nil {
			return
		}
		select {
		case <-time.After(time.Duration(r.IntN(60)) * time.Millisecond):
		case <-d.editor.Done():
			return
		}
		if approval {
			a, err := d.editor.NextApproval(d.p.ctx)
			if err != nil {
				return
			}
			out := &protocol.ApprovalOutcome{OptionID: "allow_once"}
			if r.IntN(6) == 0 {
				out = &protocol.ApprovalOutcome{OptionID: "reject_once", Feedback: &protocol.Feedback{Text: "Not this one."}}
			}
			s.count.approvals.Add(1)
			d.editor.Decide(a, out)
			continue
		}
		a, err := d.editor.NextAsk(d.p.ctx)
		if err != nil {
			return
		}
		s.count.asks.Add(1)
		out := &protocol.AskResult{Action: "accept", Text: "this"}
		if len(a.Options) > 0 {
			out = &protocol.AskResult{Action: "accept", Option: a.Options[0]}
		}
		d.editor.Answer(a, out)
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
