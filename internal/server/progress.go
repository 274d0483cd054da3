package server

import (
	"context"
	"strings"
	"sync"
	"time"

	"clined/internal/event"
	"clined/internal/protocol"
)

// reportPause is the least time between two reports of a progress.
const reportPause = 200 * time.Millisecond

// windowLimit is how long a client may take to open something that no user is
// asked about.
const windowLimit = 5 * time.Second

// progress shows the turn of a task by LSP's work done progress: one token for
// each turn, at most five reports a second.
type progress struct {
	client protocol.Client
	ctx    context.Context // of the task's view
	wg     sync.WaitGroup

	mu sync.Mutex // guards the rest
	// token is that of the turn that runs, "" for none; begun is true once the
	// client was told of its beginning.
	token string
	begun bool
	// title and doing are what is to be shown, shown what was, at sent.
	title, doing, shown string
	sent                time.Time
	timer               *time.Timer
}

// turnToken names a turn's progress.
func turnToken(taskID, turnID string) string { return "clined/" + taskID + "/" + turnID }

// tell takes the task's events in their order. It never waits.
func (p *progress) tell(taskID, turnID string, e event.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := e.(type) {
	case event.Info:
		p.title = e.Title
	case event.State:
		switch {
		case e.State == event.Idle:
			p.endLocked(ending(e))
			return
		case p.token != turnToken(taskID, turnID) && turnID != "":
			p.endLocked("")
			token := turnToken(taskID, turnID)
			p.token = token
			p.wg.Go(func() { p.create(token) })
		}
		p.doing = "thinking"
		if len(e.Pending) > 0 {
			p.doing = "waits for you: " + headline(e.Pending[0].Title, 120)
		} else if e.Waiting != nil {
			p.doing = "waits: " + headline(e.Waiting.Reason, 120)
		}
	case event.ToolCall:
		switch e.Status {
		case event.InProgress:
			p.doing = headline(titleOf(e), 120)
		case event.Done, event.Error, event.Denied:
			p.doing = "thinking"
		}
	}
	p.reportLocked()
}

// create asks for the token and begins. A client that refuses is shown nothing.
func (p *progress) create(token string) {
	ctx, cancel := context.WithTimeout(p.ctx, windowLimit)
	defer cancel()
	if _, err := p.client.WorkDoneProgressCreate(ctx, &protocol.ProgressCreateParams{Token: token}); err != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.token != token { // the turn has ended
		return
	}
	p.begun = true
	title := "clined"
	if p.title != "" {
		title = headline(p.title, 60)
	}
	p.sendLocked(protocol.ProgressValue{Kind: "begin", Title: title, Message: p.doing, Cancellable: true})
}

func (p *progress) reportLocked() {
	if !p.begun || p.doing == p.shown || p.timer != nil {
		return
	}
	if left := reportPause - time.Since(p.sent); left > 0 {
		p.timer = time.AfterFunc(left, p.tick)
		return
	}
	p.sendLocked(protocol.ProgressValue{Kind: "report", Message: p.doing})
}

// tick reports what has come up meanwhile.
func (p *progress) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer = nil
	p.reportLocked()
}

func (p *progress) endLocked(how string) {
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
	if p.begun {
		p.sendLocked(protocol.ProgressValue{Kind: "end", Message: headline(how, 120)})
	}
	p.token, p.begun = "", false
}

func (p *progress) sendLocked(v protocol.ProgressValue) {
	p.shown, p.sent = v.Message, time.Now()
	_ = p.client.Progress(p.ctx, &protocol.ProgressParams{Token: p.token, Value: v})
}

// WorkDoneProgressCancel stops the turn that a progress shows.
func (s *server) WorkDoneProgressCancel(_ context.Context, p *protocol.ProgressCancelParams) error {
	taskID, turnID, _ := strings.Cut(strings.TrimPrefix(p.Token, "clined/"), "/")
	t := s.live(taskID)
	if t == nil {
		return nil // it may have ended meanwhile
	}
	if err := t.Cancel(turnID); err != nil {
		s.log.Debug("a progress was cancelled too late", "token", p.Token, "err", err)
	}
	return nil
}

// close ends what is shown and waits for its requests, whose context has ended.
func (p *progress) close() {
	p.mu.Lock()
	p.endLocked("")
	p.mu.Unlock()
	p.wg.Wait()
}
