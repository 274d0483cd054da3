package console

import (
	"context"
	"strings"
	"sync"

	"clined/internal/protocol"
)

const typingHint = "(what you type meanwhile waits for its turn; a line that begins with ! is heard at the next step; /help)"

// listen takes what is typed while the agent works, until stop, which waits.
// Only a person at a terminal is listened to: a pipe is read when there is need.
func (f *Front) listen(ctx context.Context) (stop func()) {
	if !f.o.Interactive || !f.o.InTTY {
		return func() {}
	}
	here, cancel := context.WithCancel(ctx)
	var listening sync.WaitGroup
	listening.Go(func() {
		for {
			l, ok := f.floor.listen(here, f.input.next)
			if !ok {
				return
			}
			f.show.typed()
			if text, whole := f.draft.add(l.text); whole {
				f.meanwhile(here, text)
			}
		}
	})
	return func() {
		cancel()
		listening.Wait()
	}
}

// hint tells once that a conversation goes on while the agent works.
func (f *Front) hint() {
	if f.o.Interactive && f.o.InTTY {
		f.hintOnce.Do(func() { f.show.note(typingHint) })
	}
}

// meanwhile does what was typed while the agent works.
func (f *Front) meanwhile(ctx context.Context, text string) {
	steering, steers := strings.CutPrefix(text, "!")
	switch {
	case steers && strings.TrimSpace(steering) != "":
		f.steer(ctx, strings.TrimSpace(steering))
	case f.aside(ctx, text):
	default:
		if err := f.say(ctx, splitMode(text)); err != nil {
			f.fail(err)
		}
	}
}

// aside does what is said to clined while a turn runs, also instead of an answer
// to a question, which stays open; false when it is none of that.
func (f *Front) aside(ctx context.Context, text string) bool {
	if !f.o.Interactive || !f.o.InTTY {
		return false
	}
	switch text = strings.TrimSpace(text); text {
	case "/exit", "/quit":
		f.mu.Lock()
		f.exiting = true
		f.mu.Unlock()
		f.show.note("the conversation ends when this is done; Ctrl-C ends it now")
	case "/drop":
		f.drop(ctx)
	default:
		return f.command(ctx, text, nil)
	}
	return true
}

// steer lets the running turn hear words at its next step; one that has just
// ended is followed by another.
func (f *Front) steer(ctx context.Context, words string) {
	res, err := f.daemon().TaskSteer(context.WithoutCancel(ctx), &protocol.TaskSteerParams{TaskID: f.task(), Prompt: protocol.Text(words)})
	if err != nil {
		f.fail(err)
		return
	}
	f.course.begun(*res)
}

// drop takes back the prompts that wait for their turn.
func (f *Front) drop(ctx context.Context) {
	turns := f.course.waiting()
	if len(turns) == 0 {
		f.show.note("nothing waits")
	}
	for _, turn := range turns {
		if _, err := f.daemon().TaskCancel(context.WithoutCancel(ctx), &protocol.TaskCancelParams{TaskID: f.task(), TurnID: turn}); err != nil {
			f.fail(err)
		}
	}
}

// draft is a prompt of several lines that is not complete yet.
type draft struct{ lines []string }

// add takes a line. A line that ends in a backslash goes on in the next one;
// whole is true when the prompt is complete and says something.
func (d *draft) add(text string) (all string, whole bool) {
	if more, goesOn := strings.CutSuffix(text, `\`); goesOn {
		d.lines = append(d.lines, more)
		return "", false
	}
	all = strings.TrimSpace(strings.Join(append(d.lines, text), "\n"))
	d.lines = nil
	return all, all != ""
}

func (d *draft) begun() bool { return len(d.lines) > 0 }
