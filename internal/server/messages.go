package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"clined/internal/approval"
	"clined/internal/protocol"
	"clined/internal/rpc"
)

// How many characters of a text a message and its actions show, and how many parts
// of a command line.
const (
	messageParts = 6
	messageText  = 600
	messageDiff  = 2000
	messageTitle = 160
)

// approvalByMessage lets d be decided without clined/approval/request: by
// window/showMessageRequest, or by a command of which the user is reminded.
func (t *task) approvalByMessage(d *decision, p *protocol.ApprovalRequestParams) {
	if !t.plainFallback(d) {
		return
	}
	titles, options := approvalActions(p)
	d.present = func(ctx context.Context) (any, error) {
		i, err := t.s.choose(ctx, t.approvalText(ctx, p), titles)
		if i < 0 {
			return nil, err
		}
		return &protocol.ApprovalOutcome{OptionID: options[i], SubjectHash: p.SubjectHash}, nil
	}
	if t.stream.plain != nil {
		d.note = approvalNote(p)
		d.reminder = fmt.Sprintf("%q waits for you: run clined.approve or clined.reject, if need be with its id %s", oneLine(p.Title), p.ApprovalID)
	}
}

// questionByMessage is approvalByMessage for questions. One without options
// cannot be answered by a message.
func (t *task) questionByMessage(d *decision, p *protocol.AskParams) {
	if !t.plainFallback(d) {
		return
	}
	titles := unique(p.Options)
	d.present = func(ctx context.Context) (any, error) {
		text := "clined asks: " + cut(strings.TrimSpace(p.Text), messageText)
		i, err := -1, error(nil)
		if len(titles) > 0 {
			i, err = t.s.choose(ctx, text, titles)
		}
		if i < 0 {
			return nil, err
		}
		return &protocol.AskResult{Action: "accept", Option: p.Options[i]}, nil
	}
	if t.stream.plain != nil {
		d.note = questionNote(p)
		d.reminder = fmt.Sprintf("%s (answer by clined.answer)", cut(oneLine(p.Text), messageText))
	}
}

// plainFallback reports whether the editor can be asked by LSP's messages.
// Every LSP client should know them; a native one says so.
func (t *task) plainFallback(d *decision) bool {
	d.byMessage = !t.s.native || t.s.window.ShowMessage != nil
	return d.byMessage
}

// choose shows a message with actions and returns the one that the user chose,
// -1 for none. Answers are told by their titles, which are unlike each other.
func (s *server) choose(ctx context.Context, text string, titles []string) (int, error) {
	if s.messageless.Load() {
		return -1, nil
	}
	p := &protocol.ShowMessageRequestParams{Type: int(protocol.MessageInfo), Message: text}
	for _, title := range titles {
		p.Actions = append(p.Actions, protocol.MessageAction{Title: title})
	}
	chosen, err := s.client.ShowMessageRequest(ctx, p)
	var answered *rpc.Error
	switch {
	case errors.As(err, &answered) && answered.Code == rpc.CodeMethodNotFound:
		s.messageless.Store(true)
		return -1, nil
	case err != nil || chosen == nil:
		return -1, err
	}
	i := slices.Index(titles, chosen.Title)
	if i < 0 {
		return -1, fmt.Errorf("%q is none of the actions", chosen.Title)
	}
	return i, nil
}

// approvalActions are the titles of a message's actions and the options they
// stand for. A rule that does not fit in a title is not offered: nobody should
// say "always" to half of it.
func approvalActions(p *protocol.ApprovalRequestParams) (titles, options []string) {
	for _, o := range p.Options {
		title := "Approve"
		switch {
		case o.Kind == rejectOnce:
			title = "Reject"
		case o.Rule != nil:
			title = fmt.Sprintf("Approve always: %s", strings.TrimPrefix(o.Name, "Always allow "))
		}
		if title = oneLine(title); cut(title, messageTitle) == title {
			titles, options = append(titles, title), append(options, o.OptionID)
		}
	}
	return unique(titles), options
}

// unique makes texts titles of actions: of one line, short, and no two alike.
func unique(texts []string) []string {
	titles := make([]string, 0, len(texts))
	for i, text := range texts {
		title := cut(oneLine(text), messageTitle)
		for title == "" || slices.Contains(titles, title) {
			title = strings.TrimSpace(fmt.Sprintf("%s (%d)", title, i+1))
		}
		titles = append(titles, title)
	}
	return titles
}

// opposed are the parts of a command line that are not allowed, each with why; of
// a command that is one part the description tells it.
func opposed(parts []protocol.SubjectPart) (list []string) {
	for _, p := range parts {
		if len(parts) > 1 && p.Verdict != string(approval.Allow) {
			list = append(list, p.Verdict+": "+oneLine(p.Command)+" ("+strings.TrimSuffix(p.Reason, ".")+")")
		}
	}
	return list
}

// approvalText says what would happen and where. What is long is cut where all
// of it can be read in a file, else it is there whole, but for diffs.
func (t *task) approvalText(ctx context.Context, p *protocol.ApprovalRequestParams) string {
	file := ""
	if t.stream.plain != nil {
		file = t.stream.plain.book.file(ctx)
	}
	lines, whole := []string{"clined: " + oneLine(p.Title)}, true
	add := func(text string) {
		shown := text
		if file != "" {
			shown = cut(text, messageText)
		}
		whole = whole && shown == text
		lines = append(lines, shown)
	}
	if p.Description != "" {
		lines = append(lines, p.Description)
	}
	s := p.Subject
	for _, f := range s.Files {
		add(f.Op + " " + where(f.SubjectPath))
		if whole = false; file == "" {
			lines = append(lines, cut(strings.TrimSpace(f.Diff), messageDiff))
		}
	}
	if len(s.Files) == 0 {
		for _, path := range s.Paths {
			add(where(path))
		}
	}
	if s.Command != "" {
		if !strings.Contains(p.Title, s.Command) {
			add(s.Command)
		}
		lines = append(lines, "in "+s.Cwd)
		parts := opposed(s.Parts)
		for _, part := range parts[:min(len(parts), messageParts)] {
			add(part)
		}
		if more := len(parts) - messageParts; more > 0 {
			lines = append(lines, fmt.Sprintf("and %d more", more))
			whole = false
		}
	}
	if s.Tool != "" {
		add(s.Tool + " of " + s.Server + ": " + string(s.Args))
	}
	if !whole && file != "" {
		lines = append(lines, "all of it: "+file)
	}
	return strings.Join(lines, "\n")
}
