package console

import (
	"context"
	"errors"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
)

// Run starts a task, shows it to its end, and returns the exit code. With
// Interactive it goes on with what In says until In ends or "/exit". An end of
// ctx cancels the turn.
func (f *Front) Run(ctx context.Context, p protocol.TaskNewParams) int {
	defer f.show.end()
	if len(p.Prompt) == 0 { // only in a conversation
		said, ok := f.conversation(ctx, &p)
		if !ok {
			return f.leave(ctx, ExitDone)
		}
		p.Prompt = protocol.Text(said.text)
		if said.mode != "" {
			p.Mode = said.mode
		}
	}
	// A cancel meanwhile is for the turn: the daemon may have begun it.
	res, err := f.daemon().TaskNew(context.WithoutCancel(ctx), &p)
	if err != nil {
		f.show.failure("the task could not be started: "+sentence(err), "")
		return f.leave(ctx, ExitFailed)
	}
	f.mu.Lock()
	f.taskID = res.TaskID
	f.mu.Unlock()
	code := f.wait(ctx)
	for f.o.Interactive && ctx.Err() == nil && f.gone.Err() == nil {
		said, ok := f.conversation(ctx, nil)
		if !ok {
			return f.leave(ctx, code)
		}
		if err := f.say(ctx, said); err != nil {
			f.show.failure(sentence(err), "")
			continue
		}
		code = f.wait(ctx)
	}
	return code
}

// leave returns the exit code at the end of a conversation.
func (f *Front) leave(ctx context.Context, code int) int {
	switch {
	case f.gone.Err() != nil:
		return ExitFailed
	case ctx.Err() != nil:
		return ExitCancelled
	}
	return code
}

func (f *Front) say(ctx context.Context, s prompt) error {
	_, err := f.daemon().TaskPrompt(context.WithoutCancel(ctx), &protocol.TaskPromptParams{
		TaskID: f.task(), Prompt: protocol.Text(s.text), Mode: s.mode,
	})
	return err
}

// wait shows the turn until it ends, cancels it when ctx ends, and returns the
// exit code that fits.
func (f *Front) wait(ctx context.Context) int {
	select {
	case st := <-f.ended:
		return f.code(st)
	case <-f.gone.Done():
		return f.lastWord(ExitFailed)
	case <-ctx.Done():
	}
	f.show.note("stopping…")
	detached := context.WithoutCancel(ctx)
	if _, err := f.daemon().TaskCancel(detached, &protocol.TaskCancelParams{TaskID: f.task()}); err != nil {
		return ExitCancelled
	}
	select {
	case <-f.ended:
	case <-f.gone.Done():
	}
	return ExitCancelled
}

// lastWord prefers the end of the turn to the end of the connection, when both
// are known.
func (f *Front) lastWord(code int) int {
	select {
	case st := <-f.ended:
		return f.code(st)
	default:
		return code
	}
}

func (f *Front) code(st event.State) int {
	f.mu.Lock()
	unanswered := f.unanswered
	f.unanswered = false
	f.mu.Unlock()
	switch {
	case unanswered, st.StopReason == event.NeedsUser:
		return ExitNeedsUser
	case st.StopReason == event.Cancelled:
		return ExitCancelled
	case st.StopReason == event.Failed:
		return ExitFailed
	}
	return ExitDone
}

// sentence is what the daemon answered, without the code that programs go by.
func sentence(err error) string {
	var e *rpc.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}
