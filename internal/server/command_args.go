package server

import (
	"bytes"
	"encoding/json"
	"strings"

	"clined/internal/protocol"
)

// commandArgs are the arguments of a command, in whatever shape an editor lets
// its user type them: a text, an object, or lists of these.
type commandArgs struct {
	// words are texts in their order; numbers and truth values are texts too.
	words []string

	Text       string `json:"text"`
	TaskID     string `json:"taskId"`
	ApprovalID string `json:"approvalId"`
	AskID      string `json:"askId"`
	// Option is the id of an approval's option, or one of a question's.
	Option string `json:"option"`
	Mode   string `json:"mode"`
	Cwd    string `json:"cwd"`
	// URI is a document that the user is at.
	URI string `json:"uri"`
}

// readCommandArgs takes what it understands; of equal members the last counts.
func readCommandArgs(raw json.RawMessage) (*commandArgs, error) {
	a := &commandArgs{}
	return a, a.add(bytes.TrimSpace(raw))
}

func (a *commandArgs) add(raw json.RawMessage) error {
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return nil
	case raw[0] == '[':
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			return protocol.InvalidParams("arguments", "cannot be read: %v", err)
		}
		for _, item := range list {
			if err := a.add(item); err != nil {
				return err
			}
		}
		return nil
	case raw[0] == '{':
		if err := json.Unmarshal(raw, a); err != nil {
			return protocol.InvalidParams("arguments", "cannot be read: %v", err)
		}
		return nil
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	if text = strings.TrimSpace(text); text != "" {
		a.words = append(a.words, text)
	}
	return nil
}

// take returns the member if it is set, else the first of the words.
func (a *commandArgs) take(member string) string {
	if member != "" || len(a.words) == 0 {
		return member
	}
	first := a.words[0]
	a.words = a.words[1:]
	return first
}

// text is what the user says: the member, else all words that are left.
func (a *commandArgs) text() string {
	if text := strings.TrimSpace(a.Text); text != "" {
		return text
	}
	return strings.Join(a.words, " ")
}
