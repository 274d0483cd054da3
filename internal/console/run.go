package console

import (
	"context"
	"errors"

	"clined/internal/event"
	"clined/internal/protocol"
)

// Run starts a task, shows it to its end, and returns the exit code. With
// Interactive it goes on with what In says until In ends or "/exit". An end of
// ctx cancels the turn, or leaves it interrupted where the cause is ErrLeave.
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
	f.hint()
	// A cancel meanwhile is for the turn: the daemon may have begun it.
	res, err := f.daemon().TaskNew(context.WithoutCancel(ctx), &p)
	if err != nil {
		e := problem(err)
		f.show.failure("the task could not be started: "+e.Text, e.Hint)
		return f.leave(ctx, ExitFailed)
	}
	f.setTask(res.TaskID)
	f.course.begun(protocol.TaskPromptResult{TurnID: res.TurnID, MessageID: res.MessageID})
	return f.endsWith(f.converse(ctx, f.wait(ctx)))
}

// endsWith remembers the code for the last words, which follow the end of the
// session.
func (f *Front) endsWith(code int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ending = &code
	return code
}

// converse goes on with further prompts; code is that of the turn before.
func (f *Front) converse(ctx context.Context, code int) int {
	for f.o.Interactive && ctx.Err() == nil && f.gone.Err() == nil && !f.exits() {
		said, ok := f.conversation(ctx, nil)
		if !ok {
			return f.leave(ctx, code)
		}
		if err := f.say(ctx, said); err != nil {
			f.fail(err)
			continue
		}
		code = f.wait(ctx)
	}
	return code
}

func (f *Front) exits() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.exiting
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

// say hands a prompt to the task; while a turn runs it waits there.
func (f *Front) say(ctx context.Context, s prompt) error {
	f.hint()
	res, err := f.daemon().TaskPrompt(context.WithoutCancel(ctx), &protocol.TaskPromptParams{
		TaskID: f.task(), Prompt: protocol.Text(s.text), Mode: s.mode,
	})
	if err != nil {
		return err
	}
	f.course.begun(*res)
	return nil
}

// wait shows what runs and what waits until all of it has ended, and returns
// the exit code that fits. In a conversation it takes what is typed meanwhile.
func (f *Front) wait(ctx context.Context) int {
	for {
		stop := f.listen(ctx)
		last, over := f.follow(ctx)
		stop()
		if over {
			last, over, _ = f.course.over() // something may have been said at the end
		}
		switch {
		case over:
			return f.code(last)
		case f.gone.Err() != nil:
			return f.lastWord(ExitFailed)
		case f.deserted.Err() != nil:
			return ExitNeedsUser
		case ctx.Err() != nil:
			return f.stop(ctx)
		}
	}
}

// follow waits for the end of what was said, of the connection or of ctx, and no
// longer than somebody is there.
func (f *Front) follow(ctx context.Context) (last event.State, over bool) {
	for {
		last, over, changed := f.course.over()
		if over {
			return last, true
		}
		select {
		case <-changed:
		case <-f.gone.Done():
			return last, false
		case <-f.deserted.Done():
			return last, false
		case <-ctx.Done():
			return last, false
		}
	}
}

// stop cancels what runs and waits for its end, or leaves it as it is.
func (f *Front) stop(ctx context.Context) int {
	if errors.Is(context.Cause(ctx), ErrLeave) {
		return ExitCancelled
	}
	f.withdrawn()
	f.show.note("stopping…")
	detached := context.WithoutCancel(ctx)
	if _, err := f.daemon().TaskCancel(detached, &protocol.TaskCancelParams{TaskID: f.task()}); err == nil {
		f.follow(detached)
	}
	return ExitCancelled
}

// lastWord prefers the end of the turn to the end of the connection, when both
// are known.
func (f *Front) lastWord(code int) int {
	if last, over, _ := f.course.over(); over {
		return f.code(last)
	}
	return code
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
	case st.StopReason == event.Failed, st.StopReason == event.Interrupted:
		return ExitFailed
	}
	return ExitDone
}

// partingWords tell how the task can be gone on with, where it has not come to its
// end or was a conversation.
func (f *Front) partingWords() {
	f.mu.Lock()
	id, ending := f.taskID, f.ending
	f.mu.Unlock()
	if !f.o.Resumable || ending == nil {
		return
	}
	code := *ending
	last, over, _ := f.course.over()
	command := "clined run --resume " + shortID(id)
	switch {
	case code == ExitDone && f.o.Interactive:
		f.show.note("to go on with this conversation: clined run -i --resume " + shortID(id))
	case code == ExitDone && last.StopReason == event.PlanPresented:
		f.show.note("to carry it out: " + command + ` --mode act "go ahead"`)
	case code == ExitDone:
	case over:
		f.show.note("to go on with this task: " + command)
	default:
		f.show.note("the task is left interrupted; to go on with it: " + command)
	}
}
