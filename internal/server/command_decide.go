package server

import (
	"context"
	"slices"
	"strings"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
)

// commandApprove says yes to the approval named, or to the only one that waits.
// A word that is no id of an open one is refused: it may name one that is gone.
func (s *server) commandApprove(ctx context.Context, a *commandArgs) (any, error) {
	id, err := s.oneWaiting(kindApproval, a.take(a.ApprovalID), a.TaskID)
	if err != nil {
		return nil, err
	}
	out := protocol.ApprovalOutcome{OptionID: allowOnce}
	if a.Option != "" {
		out.OptionID = a.Option
	}
	return s.decide(ctx, id, out, a.text())
}

// commandReject says no, with words for the model.
func (s *server) commandReject(ctx context.Context, a *commandArgs) (any, error) {
	named := a.ApprovalID
	if named == "" && len(a.words) > 0 && s.isID(a.words[0]) {
		named = a.take("")
	}
	id, err := s.oneWaiting(kindApproval, named, a.TaskID)
	if err != nil {
		return nil, err
	}
	return s.decide(ctx, id, protocol.ApprovalOutcome{OptionID: rejectOnce}, a.text())
}

func (s *server) decide(ctx context.Context, id string, out protocol.ApprovalOutcome, words string) (any, error) {
	if words != "" {
		out.Feedback = &protocol.Feedback{Text: words}
	}
	return s.ApprovalRespond(ctx, &protocol.ApprovalRespondParams{ApprovalID: id, Outcome: out})
}

// commandAnswer answers the question named, or the only one that waits. Words
// that are one of its options choose it.
func (s *server) commandAnswer(ctx context.Context, a *commandArgs) (any, error) {
	named := a.AskID
	if named == "" && len(a.words) > 1 && s.isID(a.words[0]) {
		named = a.take("")
	}
	text := a.text()
	if text == "" && a.Option == "" {
		return nil, needs("clined.answer", "the answer")
	}
	id, err := s.oneWaiting(kindQuestion, named, a.TaskID)
	if err != nil {
		return nil, err
	}
	return s.AskRespond(ctx, &protocol.AskRespondParams{AskID: id, Result: protocol.AskResult{Action: "accept", Option: a.Option, Text: text}})
}

// isID tells an id, of something open or gone, from a word.
func (s *server) isID(word string) bool {
	return uuid(word) || slices.ContainsFunc(s.desk.waiting("", ""), func(p event.PendingAction) bool { return p.ID == word })
}

// uuid reports whether a word has the shape of one (RFC 9562).
func uuid(word string) bool {
	if len(word) != 36 {
		return false
	}
	for i, r := range word {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (r == '-') || !dash && !strings.ContainsRune("0123456789abcdefABCDEF", r) {
			return false
		}
	}
	return true
}

// oneWaiting returns id, else the id of the only thing of a kind that waits. Of
// several the user must name one: nobody's yes is for whatever comes first.
func (s *server) oneWaiting(kind, id, taskID string) (string, error) {
	if id != "" {
		return id, nil
	}
	list := s.desk.waiting(kind, taskID)
	switch len(list) {
	case 0:
		return "", rpc.Errorf(protocol.CodeApprovalGone, "no %s waits for you", kind)
	case 1:
		return list[0].ID, nil
	}
	text := ""
	for _, p := range list {
		text += "\n" + p.ID + "  " + headline(p.Title, 120)
	}
	return "", rpc.Errorf(rpc.CodeInvalidParams, "%d of them wait for you; name one by its id:%s", len(list), text)
}
