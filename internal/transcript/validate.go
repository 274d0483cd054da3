package transcript

import (
	"errors"
	"fmt"
)

// Validate reports the first breach of the rules that every provider shares:
//
//   - the first message is the user's, no message is empty, roles are known;
//   - each part's kind is allowed for its role and its field is set;
//   - call ids are non-empty and unique;
//   - an assistant message with calls is followed at once by a tool message
//     that has exactly one result per call, in the same order;
//   - a tool message stands nowhere else.
//
// A transcript that still waits for its results is not valid: it may be kept
// but not sent.
func Validate(messages []Message) error {
	n, err := Sound(messages)
	if err != nil {
		return err
	}
	if n > 0 && len(messages[n-1].Calls()) > 0 {
		return fmt.Errorf("message %d: %d calls without results", n-1, len(messages[n-1].Calls()))
	}
	return nil
}

// Sound returns how many of the messages, from the first one on, keep the rules
// of Validate, but that the last of them may wait for its results. The error
// tells of the message behind them, nil when there is none.
func Sound(messages []Message) (n int, err error) {
	seen := map[string]bool{}
	var open []*Call
	for i := range messages {
		m := &messages[i]
		if err := validateNext(m, i == 0, open, seen); err != nil {
			return i, fmt.Errorf("message %d (%s): %w", i, m.Role, err)
		}
		open = m.Calls()
	}
	return len(messages), nil
}

// validateNext judges a message behind one whose calls are open.
func validateNext(m *Message, first bool, open []*Call, seen map[string]bool) error {
	if err := validateParts(m, seen); err != nil {
		return err
	}
	switch {
	case first && m.Role != User:
		return fmt.Errorf("the first message is not of role %q", User)
	case m.Role == Tool && len(open) == 0:
		return errors.New("results without calls before them")
	case m.Role == Tool:
		return validatePairs(open, m.Parts)
	case len(open) > 0:
		return fmt.Errorf("%d calls before it are without results", len(open))
	}
	return nil
}

func validatePairs(calls []*Call, results []Part) error {
	if len(results) != len(calls) {
		return fmt.Errorf("%d results for %d calls", len(results), len(calls))
	}
	for k, c := range calls {
		if results[k].Result == nil || results[k].Result.CallID != c.ID {
			return fmt.Errorf("result %d does not answer call %q", k, c.ID)
		}
	}
	return nil
}

func validateParts(m *Message, seen map[string]bool) error {
	if len(m.Parts) == 0 {
		return fmt.Errorf("no parts")
	}
	for k, p := range m.Parts {
		if err := validatePart(m.Role, p, seen); err != nil {
			return fmt.Errorf("part %d: %w", k, err)
		}
	}
	return nil
}

func validatePart(role Role, p Part, seen map[string]bool) error {
	allowed, set := false, false
	switch p.Kind {
	case Text:
		allowed, set = role == User || role == Assistant, true
	case Thinking:
		allowed, set = role == Assistant, true
	case CallPart:
		allowed, set = role == Assistant, p.Call != nil
	case ResultPart:
		allowed, set = role == Tool, p.Result != nil
	case ImagePart:
		allowed, set = role == User, p.Image != nil
	}
	if !allowed {
		return fmt.Errorf("kind %q is not allowed in a message of role %q", p.Kind, role)
	}
	if !set {
		return fmt.Errorf("kind %q without its field", p.Kind)
	}
	if p.Kind == CallPart {
		if p.Call.ID == "" || seen[p.Call.ID] {
			return fmt.Errorf("call id %q is empty or used twice", p.Call.ID)
		}
		seen[p.Call.ID] = true
	}
	return nil
}
