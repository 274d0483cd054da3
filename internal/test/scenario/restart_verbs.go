package scenario

import (
	"encoding/json"
	"strconv"

	"clined/internal/protocol"
)

// killable is a daemon that can be ended without a chance to say anything.
type killable interface{ Kill() error }

// kill ends the daemon with SIGKILL; one that runs in this process loses its
// editor instead.
func (s *Stage) kill([]string) error {
	if k, ok := s.daemon.(killable); ok {
		if err := k.Kill(); err != nil {
			return err
		}
	}
	s.Editor.Close()
	s.daemon.Wait()
	s.gone = true
	return nil
}

// restart starts another daemon on the same state, with an editor of its own;
// words of JSON replace members of its handshake.
func (s *Stage) restart(args []string) error {
	if !s.gone {
		s.Editor.Close()
		s.daemon.Wait()
	}
	s.daemon, s.Editor, s.gone, s.seen = s.start(s.t, s.setup), nil, false, 0
	if s.plainArgs != nil {
		return s.bePlain(s.plainArgs)
	}
	return s.initialize(args)
}

// attach follows the story's task; what it showed so far is the result.
func (s *Stage) attach(args []string) error {
	params := map[string]any{"taskId": s.TaskID}
	if err := s.addJSON(params, args); err != nil {
		return err
	}
	s.lastResult, s.lastError = s.Editor.Call(s.ctx, protocol.MethodTaskAttach, params)
	return s.lastError
}

// resume goes on with the story's task, with words if given.
func (s *Stage) resume(args []string) error {
	params := map[string]any{"taskId": s.TaskID}
	if len(args) > 0 {
		params["prompt"] = protocol.Text(s.expand(args[0]))
	}
	_, err := s.Editor.Call(s.ctx, protocol.MethodTaskResume, params)
	return err
}

// steer says something to the running turn.
func (s *Stage) steer(args []string) error {
	_, err := s.Editor.Call(s.ctx, protocol.MethodTaskSteer, map[string]any{
		"taskId": s.TaskID, "prompt": protocol.Text(s.expand(args[0])),
	})
	return err
}

// instead says something in place of the user's n-th message (from 1), as the
// task's past tells them.
func (s *Stage) instead(args []string) error {
	raw, err := s.Editor.Call(s.ctx, protocol.MethodTaskRead, map[string]any{"taskId": s.TaskID})
	if err != nil {
		return err
	}
	var past struct {
		Events []struct {
			Event struct{ Type, Role, MessageID string }
		}
	}
	if err := json.Unmarshal(raw, &past); err != nil {
		return err
	}
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	id := "there is none"
	for _, e := range past.Events {
		if e.Event.Type == "message" && e.Event.Role == "user" {
			if n--; n == 0 {
				id = e.Event.MessageID
			}
		}
	}
	_, err = s.Editor.Call(s.ctx, protocol.MethodTaskEditMessage, map[string]any{
		"taskId": s.TaskID, "messageId": id, "prompt": protocol.Text(s.expand(args[1])),
	})
	return err
}
