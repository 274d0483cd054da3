package soak

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/test/fakeeditor"
)

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
	s.did("resume")
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
	err = d.call(method, params, &res)
	s.did("%s %s as %s: %v", method, mark, res.MessageID, err)
	if err != nil {
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
	s.did("cancel")
	return d.call("clined/task/cancel", map[string]any{"taskId": s.task}, nil)
}

// await waits for the end of a turn.
func (s *story) await(d *daemon, turn string) error {
	reason := event.StopReason("")
	err := d.editor.Until(d.p.ctx, "the end of turn "+turn, func() bool {
		for _, p := range d.editor.EventsLocked() {
			if st, ok := p.Event.Event.(event.State); ok && st.State == event.Idle && p.TurnID == turn {
				reason = st.StopReason
				return true
			}
		}
		return false
	})
	if err == nil && reason == event.Interrupted { // the daemon is told to end
		err = fmt.Errorf("turn %s was interrupted", turn)
	}
	return err
}

// answer decides what the daemon asks, after a while. What is asked may be taken
// back meanwhile, by a cancel, and something else be asked: so it looks anew.
func (s *story) answer(d *daemon, r *rand.Rand) {
	for {
		var approvals []*fakeeditor.Approval
		var asks []*fakeeditor.Ask
		look := func() bool {
			approvals, asks = d.editor.WaitingLocked()
			return len(approvals)+len(asks) > 0
		}
		if d.editor.Until(d.p.ctx, "a question", look) != nil {
			return
		}
		select {
		case <-time.After(time.Duration(r.IntN(60)) * time.Millisecond):
		case <-d.editor.Done():
			return
		}
		if d.editor.Until(d.p.ctx, "", func() bool { look(); return true }) != nil {
			return
		}
		switch {
		case len(approvals) > 0:
			out := &protocol.ApprovalOutcome{OptionID: "allow_once"}
			if r.IntN(6) == 0 {
				out = &protocol.ApprovalOutcome{OptionID: "reject_once", Feedback: &protocol.Feedback{Text: "Not this one."}}
			}
			s.count.approvals.Add(1)
			d.editor.Decide(approvals[0], out)
		case len(asks) > 0:
			s.count.asks.Add(1)
			out := &protocol.AskResult{Action: "accept", Text: "this"}
			if len(asks[0].Options) > 0 {
				out = &protocol.AskResult{Action: "accept", Option: asks[0].Options[0]}
			}
			d.editor.Answer(asks[0], out)
		}
	}
}
