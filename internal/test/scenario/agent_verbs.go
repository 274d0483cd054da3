package scenario

import (
	"encoding/json"
	"fmt"
	"strings"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/test/fakeeditor"
)

func (s *Stage) newTask(args []string) error {
	params := map[string]any{"prompt": protocol.Text(s.expand(args[0]))}
	if err := s.addJSON(params, args[1:]); err != nil {
		return err
	}
	raw, err := s.Editor.Call(s.ctx, "clined/task/new", params)
	if err != nil {
		return err
	}
	var res protocol.TaskNewResult
	if err := json.Unmarshal(raw, &res); err != nil {
		return err
	}
	s.TaskID = res.TaskID
	return nil
}

func (s *Stage) prompt(args []string) error {
	params := map[string]any{"taskId": s.TaskID, "prompt": protocol.Text(s.expand(args[0]))}
	if err := s.addJSON(params, args[1:]); err != nil {
		return err
	}
	_, err := s.Editor.Call(s.ctx, "clined/task/prompt", params)
	return err
}

func (s *Stage) addJSON(params map[string]any, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return json.Unmarshal([]byte(s.expand(args[0])), &params)
}

func (s *Stage) setMode(args []string) error { return s.setOption([]string{"mode", args[0]}) }

func (s *Stage) setOption(args []string) error {
	_, err := s.Editor.Call(s.ctx, "clined/config/set", map[string]any{"taskId": s.TaskID, "id": args[0], "value": args[1]})
	return err
}

func (s *Stage) cancel(args []string) error {
	params := map[string]any{"taskId": s.TaskID}
	if err := s.addJSON(params, args); err != nil {
		return err
	}
	_, err := s.Editor.Call(s.ctx, "clined/task/cancel", params)
	return err
}

func (s *Stage) approve(args []string) error { return s.decide(args, "allow_once", "") }
func (s *Stage) always(args []string) error  { return s.decide(args, "allow_always", "") }
func (s *Stage) reject(args []string) error {
	return s.decide(args[:1], "reject_once", strings.Join(args[1:], " "))
}

func (s *Stage) decide(args []string, kind, feedback string) error {
	a, err := s.nextApproval(args)
	if err != nil {
		return err
	}
	id, err := optionID(a, kind)
	if err != nil {
		return err
	}
	out := &protocol.ApprovalOutcome{OptionID: id, SubjectHash: a.SubjectHash}
	if feedback != "" {
		out.Feedback = &protocol.Feedback{Text: feedback}
	}
	s.Editor.Decide(a, out)
	return nil
}

func optionID(a *fakeeditor.Approval, kind string) (string, error) {
	for _, o := range a.Options {
		if o.Kind == kind {
			return o.OptionID, nil
		}
	}
	return "", fmt.Errorf("the approval %q has no option %s: %s", a.Title, kind, jsonText(a.Options))
}

func (s *Stage) nextApproval(args []string) (*fakeeditor.Approval, error) {
	a, err := s.Editor.NextApproval(s.ctx)
	if err != nil {
		return nil, err
	}
	if len(args) > 0 && !strings.Contains(a.Title, s.expand(args[0])) {
		return nil, fmt.Errorf("the approval is %q, want %q in it", a.Title, args[0])
	}
	s.lastApproval = a
	return a, nil
}

func (s *Stage) outcome(args []string) error {
	a, err := s.nextApproval(args)
	if err != nil {
		return err
	}
	var out *protocol.ApprovalOutcome
	if err := json.Unmarshal([]byte(s.expand(args[1])), &out); err != nil {
		return err
	}
	s.Editor.Decide(a, out)
	return nil
}

func (s *Stage) approval(args []string) error {
	a, err := s.Editor.NextApproval(s.ctx)
	if err != nil {
		return err
	}
	s.lastApproval = a
	return hasParts("the approval", jsonText(a.ApprovalRequestParams), s.expandAll(args))
}

func (s *Stage) leaveOpen([]string) error {
	s.Editor.Forget(s.lastApproval)
	return nil
}

func (s *Stage) respond(args []string) error {
	id, err := optionID(s.lastApproval, args[0])
	if err != nil {
		id = args[0] // an option that does not exist, on purpose
	}
	s.lastResult, s.lastError = s.Editor.Call(s.ctx, "clined/approval/respond", map[string]any{
		"approvalId": s.lastApproval.ApprovalID, "outcome": map[string]any{"optionId": id},
	})
	return nil
}

func (s *Stage) withdrawn([]string) error { return s.Editor.Withdrawn(s.ctx, s.lastApproval) }

func (s *Stage) asked(args []string) error {
	a, err := s.Editor.NextAsk(s.ctx)
	if err != nil {
		return err
	}
	return hasParts("the question", jsonText(a.AskParams), args)
}

func (s *Stage) answer(args []string) error {
	return s.reply(&protocol.AskResult{Action: "accept", Text: args[0]})
}

func (s *Stage) choose(args []string) error {
	return s.reply(&protocol.AskResult{Action: "accept", Option: args[0]})
}

func (s *Stage) decline([]string) error { return s.reply(&protocol.AskResult{Action: "decline"}) }

func (s *Stage) reply(out *protocol.AskResult) error {
	a, err := s.Editor.NextAsk(s.ctx)
	if err != nil {
		return err
	}
	s.Editor.Answer(a, out)
	return nil
}

func (s *Stage) idle(args []string) error {
	err := s.Editor.Until(s.ctx, "the end of the turn", func() bool {
		for _, p := range s.Editor.EventsLocked()[s.seen:] {
			s.seen++
			if st, ok := p.Event.Event.(event.State); ok && st.State == event.Idle {
				s.lastEnd = st
				return true
			}
		}
		return false
	})
	if err != nil {
		return err
	}
	if string(s.lastEnd.StopReason) != args[0] {
		return fmt.Errorf("the turn ended with %s", jsonText(s.lastEnd))
	}
	return nil
}

func (s *Stage) ended(args []string) error { return hasParts("the end", jsonText(s.lastEnd), args) }

func (s *Stage) wait(args []string) error {
	parts := s.expandAll(args[1:])
	return s.Editor.Until(s.ctx, "an event "+strings.Join(args, " "), func() bool {
		return s.happened(args[0], parts)
	})
}

func (s *Stage) never(args []string) error {
	var err error
	if e := s.Editor.Until(s.ctx, "", func() bool {
		if s.happened(args[0], s.expandAll(args[1:])) {
			err = fmt.Errorf("there was an event %s", strings.Join(args, " "))
		}
		return true
	}); e != nil {
		return e
	}
	return err
}

// happened looks for an event; it is called under the editor's lock.
func (s *Stage) happened(typ string, parts []string) bool {
	for _, p := range s.Editor.EventsLocked() {
		if p.Event.Event.Type() == typ && hasParts("", jsonText(p.Event), parts) == nil {
			return true
		}
	}
	return false
}
