package fakeeditor

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"clined/internal/rpc"
)

// Windows are the windows of LSP that an editor announced.
type Windows struct{ Messages, Documents, Progress bool }

// windows are those of an editor, and what was shown in them.
type windows struct {
	Windows
	// plain: nothing of clined's own may come.
	plain bool
	// refuses: window/showMessageRequest is no method after all.
	refuses bool
	// stops: no progress is made; stopped counts those that were to be.
	stops     bool
	stopped   int
	messages  []*Message
	documents []string
	progress  map[string][]Progress
}

// Message is a window/showMessageRequest that the editor holds open.
type Message struct {
	Text      string
	Actions   []string
	answer    chan json.RawMessage
	answered  bool
	withdrawn bool
}

// Progress is one value of $/progress.
type Progress struct {
	Kind, Title, Message string
}

// HaveWindows makes the editor one that announced these; a plain one takes
// nothing of clined's own.
func (e *Editor) HaveWindows(w Windows, plain bool) {
	e.update(func() { e.windows = windows{Windows: w, plain: plain, progress: map[string][]Progress{}} })
}

// RefuseMessages makes window/showMessageRequest an unknown method.
func (e *Editor) RefuseMessages() { e.update(func() { e.windows.refuses = true }) }

// RefuseProgress makes window/workDoneProgress/create fail, as for an editor that
// shows none just now. A progress that was not made must not be told of.
func (e *Editor) RefuseProgress() { e.update(func() { e.windows.stops = true }) }

// ProgressRefusedLocked is how many were refused, for Until.
func (e *Editor) ProgressRefusedLocked() int { return e.windows.stopped }

// foreign reports whether the daemon must not send a method to this editor.
func (e *Editor) foreign(method string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.windows.plain && strings.HasPrefix(method, "clined/")
}

// onWindow takes what is for LSP's windows; known is false for anything else,
// and for what was not announced.
func (e *Editor) onWindow(ctx context.Context, r *rpc.Request) (result any, known bool, err error) {
	e.mu.Lock()
	w := e.windows
	e.mu.Unlock()
	switch {
	case r.Method == "window/showMessageRequest" && (w.Messages || w.plain):
		if w.refuses {
			return nil, true, rpc.ErrMethodNotFound
		}
		result, err = e.onMessageRequest(ctx, r.Params)
	case r.Method == "window/showDocument" && w.Documents:
		result, err = e.onShowDocument(r.Params)
	case r.Method == "window/workDoneProgress/create" && w.Progress:
		if w.stops {
			e.update(func() { e.windows.stopped++ })
			return nil, true, rpc.Errorf(rpc.CodeInternalError, "there is no place to show it")
		}
		e.onProgressCreate(r.Params)
	case r.Method == "$/progress" && w.Progress:
		e.onProgress(r.Params)
	default:
		return nil, false, nil
	}
	return result, true, err
}

func (e *Editor) onMessageRequest(ctx context.Context, raw json.RawMessage) (any, error) {
	var p struct {
		Message string
		Actions []struct{ Title string }
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		e.t.Errorf("a message that cannot be read: %v: %s", err, raw)
	}
	m := &Message{Text: p.Message, answer: make(chan json.RawMessage, 1)}
	for _, a := range p.Actions {
		if a.Title == "" || strings.Contains(a.Title, "\n") || slices.Contains(m.Actions, a.Title) {
			e.t.Errorf("the title %q cannot be told from others: %s", a.Title, raw)
		}
		m.Actions = append(m.Actions, a.Title)
	}
	e.update(func() {
		if i := slices.IndexFunc(e.windows.messages, (*Message).open); i >= 0 {
			e.t.Errorf("the message %q came while %q was shown", m.Text, e.windows.messages[i].Text)
		}
		e.windows.messages = append(e.windows.messages, m)
	})
	select {
	case out := <-m.answer:
		return out, nil
	case <-ctx.Done():
		e.update(func() { m.withdrawn = true })
		return nil, ctx.Err()
	}
}

func (m *Message) open() bool { return !m.answered && !m.withdrawn }

// NextMessage waits for a message that is open.
func (e *Editor) NextMessage(ctx context.Context) (*Message, error) {
	var found *Message
	err := e.Until(ctx, "a message", func() bool {
		i := slices.IndexFunc(e.windows.messages, (*Message).open)
		if i >= 0 {
			found = e.windows.messages[i]
		}
		return i >= 0
	})
	return found, err
}

// Reply answers a message with any JSON.
func (e *Editor) Reply(m *Message, raw string) {
	e.update(func() { m.answered = true })
	m.answer <- json.RawMessage(raw)
}

// LeaveMessage lets a message stay open and no longer counts it as due: what
// is asked next may come beside it.
func (e *Editor) LeaveMessage(m *Message) { e.update(func() { m.answered = true }) }

// Act answers a message by the action with that part in its title.
func (e *Editor) Act(m *Message, part string) error {
	for _, title := range m.Actions {
		if strings.Contains(title, part) {
			raw, err := json.Marshal(map[string]string{"title": title})
			if err == nil {
				e.Reply(m, string(raw))
			}
			return err
		}
	}
	return fmt.Errorf("%q is none of %q", part, m.Actions)
}

// MessageWithdrawn waits until the daemon called the message back.
func (e *Editor) MessageWithdrawn(ctx context.Context, m *Message) error {
	return e.Until(ctx, "the withdrawal of a message", func() bool { return m.withdrawn })
}

func (e *Editor) onShowDocument(raw json.RawMessage) (any, error) {
	var p struct{ URI string }
	err := json.Unmarshal(raw, &p)
	e.update(func() { e.windows.documents = append(e.windows.documents, p.URI) })
	return map[string]bool{"success": true}, err
}

// DocumentsLocked are the URIs of window/showDocument, for Until.
func (e *Editor) DocumentsLocked() []string { return e.windows.documents }

// tokenOf reads a progress token, which may also be a number.
func tokenOf(raw json.RawMessage) (token string, value json.RawMessage) {
	var p struct {
		Token json.RawMessage
		Value json.RawMessage
	}
	_ = json.Unmarshal(raw, &p) // a broken one has no token, which shows
	return string(p.Token), p.Value
}

func (e *Editor) onProgressCreate(raw json.RawMessage) {
	token, _ := tokenOf(raw)
	e.update(func() {
		if _, ok := e.windows.progress[token]; ok || token == "" {
			e.t.Errorf("the progress token %s was made twice, or is none", token)
		}
		e.windows.progress[token] = []Progress{}
	})
}

// onProgress holds the daemon to LSP: create, begin, reports, one end.
func (e *Editor) onProgress(raw json.RawMessage) {
	token, value := tokenOf(raw)
	var v Progress
	if err := json.Unmarshal(value, &v); err != nil {
		e.t.Errorf("a progress that cannot be read: %v: %s", err, raw)
	}
	e.update(func() {
		past, made := e.windows.progress[token]
		begun := len(past) > 0
		ended := begun && past[len(past)-1].Kind == "end"
		if !made || ended || begun == (v.Kind == "begin") || v.Kind == "begin" && v.Title == "" {
			e.t.Errorf("%s does not fit behind %v", raw, past)
		}
		e.windows.progress[token] = append(past, v)
	})
}

// ProgressLocked are all values so far, in no order of their tokens, for Until.
func (e *Editor) ProgressLocked() []Progress {
	var all []Progress
	for _, values := range e.windows.progress {
		all = append(all, values...)
	}
	return all
}

// ProgressTokensLocked are the tokens of what goes on, for Until.
func (e *Editor) ProgressTokensLocked() []string {
	var open []string
	for token, values := range e.windows.progress {
		if n := len(values); n > 0 && values[n-1].Kind != "end" {
			open = append(open, strings.Trim(token, `"`))
		}
	}
	return open
}
