package agent

import (
	"context"
	"runtime/debug"
	"strings"
	"sync"

	"clined/internal/llm"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// previewPause is how long, in milliseconds, a preview rests after each state
// it showed: no more than thirty a second.
const previewPause = 33

// previews are the calls of a turn that are shown while the model writes them.
// A slow editor is never waited for while the model speaks: each call has a
// goroutine that shows the newest state and leaves out what came before it.
type previews struct {
	c    *Config
	ctx  context.Context // of the turn
	mu   sync.Mutex      // guards calls
	open map[string]*preview
}

// preview is one such call.
type preview struct {
	show func(ctx context.Context, args string)
	// ctx ends when the call counts for nothing, writing when it is written.
	ctx, writing context.Context
	stop, whole  context.CancelFunc
	grew         chan struct{} // capacity 1
	done         chan struct{}

	mu   sync.Mutex // guards args
	args strings.Builder
}

func newPreviews(ctx context.Context, c *Config) *previews {
	return &previews{c: c, ctx: ctx, open: map[string]*preview{}}
}

// add follows the stream: call is the one that ev belongs to.
func (ps *previews) add(ev llm.Event, call *transcript.Call, mode tools.Mode) {
	switch {
	case ps.c.Previewer == nil:
	case ev.Kind == llm.CallStart && mode != tools.Plan:
		ps.begin(call)
	case ev.Kind == llm.CallDelta:
		if p := ps.get(call.ID); p != nil {
			p.grow(ev.Text)
		}
	}
}

func (ps *previews) begin(call *transcript.Call) {
	show := ps.c.Previewer.Begin(call.ID, call.Name)
	if show == nil {
		return
	}
	p := &preview{show: show, grew: make(chan struct{}, 1), done: make(chan struct{})}
	p.ctx, p.stop = context.WithCancel(ps.ctx)
	p.writing, p.whole = context.WithCancel(p.ctx)
	ps.mu.Lock()
	ps.open[call.ID] = p
	ps.mu.Unlock()
	go ps.run(p)
}

func (ps *previews) get(callID string) *preview {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	return ps.open[callID]
}

// settle waits until nothing is shown of a call any more: whoever runs it shows
// the whole.
func (ps *previews) settle(callID string) {
	if p := ps.get(callID); p != nil {
		p.whole()
		<-p.done
	}
}

// over tells that a call came to its end, or will never run.
func (ps *previews) over(callID string) {
	if ps.c.Previewer == nil {
		return
	}
	ps.mu.Lock()
	p := ps.open[callID]
	delete(ps.open, callID)
	ps.mu.Unlock()
	if p != nil {
		p.stop()
		<-p.done
	}
	ps.c.Previewer.Over(callID)
}

// end is the turn's.
func (ps *previews) end() {
	ps.mu.Lock()
	var ids []string
	for id := range ps.open {
		ids = append(ids, id)
	}
	ps.mu.Unlock()
	for _, id := range ids {
		ps.over(id)
	}
}

func (p *preview) grow(text string) {
	p.mu.Lock()
	p.args.WriteString(text)
	p.mu.Unlock()
	select {
	case p.grew <- struct{}{}:
	default:
	}
}

// run shows p. A bug there is no reason to end a turn.
func (ps *previews) run(p *preview) {
	defer close(p.done)
	defer func() {
		if r := recover(); r != nil {
			ps.c.Log.Error("preview panicked", "panic", r, "stack", string(debug.Stack()))
		}
	}()
	for {
		select {
		case <-p.grew:
		case <-p.writing.Done():
			return
		}
		p.mu.Lock()
		args := p.args.String()
		p.mu.Unlock()
		p.show(p.ctx, args)
		if ps.c.Clock.Sleep(p.writing, previewPause) != nil {
			return
		}
	}
}
