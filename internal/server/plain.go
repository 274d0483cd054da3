package server

import (
	"context"
	"sync"

	"clined/internal/event"
	"clined/internal/fileuri"
	"clined/internal/protocol"
)

// plainView shows a task to the user of a plain LSP client, which has no view
// of its own: a Markdown file, a progress, and messages for what must be seen.
type plainView struct {
	s      *server
	taskID string
	ctx    context.Context // of the view's requests
	cancel context.CancelFunc
	wg     sync.WaitGroup // requests to show the file
	book   *notebook
	// progress is nil for a client that shows none.
	progress *progress

	mu       sync.Mutex // guards the rest
	narrator *narrator
	closed   bool
	// answer is the headline of the turn's last word.
	answer string
}

// newPlainView makes the view of a task; title is "" for a new one. note is
// Task.Note; it is not called before something is told.
func newPlainView(s *server, taskID, title string, note func(string) (string, error)) *plainView {
	v := &plainView{s: s, taskID: taskID, narrator: newNarrator(title == "")}
	v.ctx, v.cancel = context.WithCancel(s.ctx)
	v.book = &notebook{note: note, opened: v.opened, failed: v.unwritten}
	if s.window.WorkDoneProgress {
		v.progress = &progress{client: s.client, ctx: v.ctx, title: title}
	}
	return v
}

// tell takes the task's events in their order. It never waits.
func (v *plainView) tell(turnID string, e event.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		return
	}
	v.book.add(v.narrator.tell(e))
	if v.progress != nil {
		v.progress.tell(v.taskID, turnID, e)
	}
	switch e := e.(type) {
	case event.Message:
		if e.Role == "assistant" && e.Status == event.Done {
			v.answer = headline(said(e), 200)
		}
	case event.Notice:
		if e.Severity != "info" {
			v.s.say(severities[e.Severity], sentence(e.Text, e.Hint))
		}
	case event.State:
		if e.State == event.Idle {
			v.end(e)
		}
	}
}

var severities = map[string]protocol.MessageType{"error": protocol.MessageError, "warning": protocol.MessageWarning}

// end shows how a turn ended; who stopped it need not be told.
func (v *plainView) end(e event.State) {
	answer := v.answer
	v.answer = ""
	switch {
	case e.StopReason == event.Completed && answer != "":
		v.s.say(protocol.MessageInfo, answer)
	case e.StopReason == event.Failed, e.StopReason == event.NeedsUser:
		v.s.say(protocol.MessageError, ending(e))
	case e.StopReason == event.Completed, e.StopReason == event.PlanPresented:
		v.s.say(protocol.MessageInfo, ending(e))
	}
}

// expect keeps the note of a decision until the event that tells of it.
func (v *plainView) expect(id, note string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.narrator.notes[id] = note
}

// decided notes what the user answered.
func (v *plainView) decided(answer any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if note := answerNote(answer); note != "" && !v.closed {
		v.book.add(v.narrator.paragraph(note))
	}
}

// opened shows the file, or says where it is.
func (v *plainView) opened(path string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.closed {
		v.wg.Go(func() { v.show(path) })
	}
}

func (v *plainView) show(path string) {
	if can := v.s.window.ShowDocument; can != nil && can.Support {
		ctx, cancel := context.WithTimeout(v.ctx, windowLimit)
		defer cancel()
		res, err := v.s.client.ShowDocument(ctx, &protocol.ShowDocumentParams{URI: fileuri.FromPath(path)})
		if v.ctx.Err() != nil || err == nil && res != nil && res.Success {
			return
		}
	}
	v.s.say(protocol.MessageInfo, "what happens is written down in "+path)
}

func (v *plainView) unwritten(err error) {
	v.s.showUser("what happens cannot be written down: " + err.Error())
}

// close ends the view; nothing is shown after it.
func (v *plainView) close() {
	v.mu.Lock()
	v.closed = true
	v.mu.Unlock()
	v.book.close()
	v.cancel()
	v.wg.Wait()
	if v.progress != nil {
		v.progress.close()
	}
}
