package console

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"clined/internal/event"
	"clined/internal/protocol"
)

const jobsHelp = `/jobs        lists the commands that run; /type 1 words types into one
/bg          the command that the agent waits for goes on in the background
/kill        ends it; /kill 1 ends the one of that number`

// jobCommand does what is about commands that run; words that only begin like it
// are a prompt.
func (f *Front) jobCommand(ctx context.Context, word, rest string) bool {
	n, err := strconv.Atoi(rest)
	counted := rest == "" || err == nil
	switch {
	case word == "/jobs" && rest == "":
		f.jobs(ctx)
	case word == "/bg" && counted:
		f.withJob(ctx, n, foreground, f.detach)
	case word == "/kill" && counted:
		f.withJob(ctx, n, foreground, f.kill)
	case word == "/type":
		number, words := firstWord(rest)
		if n, err = strconv.Atoi(number); err != nil {
			n, words = 0, rest
		}
		f.withJob(ctx, n, func(e event.Terminal) bool { return e.TTY }, func(ctx context.Context, p protocol.TerminalParams) error {
			_, err := f.daemon().TerminalInput(ctx, &protocol.TerminalInputParams{TerminalParams: p, Text: words + "\r"})
			if err == nil {
				f.show.note(fmt.Sprintf("  typed into [%d]", f.numbers.of(p.TerminalID)))
			}
			return err
		})
	default:
		return false
	}
	return true
}

func foreground(e event.Terminal) bool { return e.State == runningState }

func (f *Front) detach(ctx context.Context, p protocol.TerminalParams) error {
	_, err := f.daemon().TerminalDetach(ctx, &p)
	return err
}

func (f *Front) kill(ctx context.Context, p protocol.TerminalParams) error {
	_, err := f.daemon().TerminalKill(ctx, &p)
	return err
}

// running are the commands of the task that run now, each with its number; false
// when that was not to be found out, and was told.
func (f *Front) running(ctx context.Context) ([]event.Terminal, bool) {
	id := f.task()
	if id == "" {
		return nil, true
	}
	res, err := f.daemon().TerminalList(context.WithoutCancel(ctx), &protocol.TerminalListParams{TaskID: id})
	if err != nil {
		f.fail(err)
		return nil, false
	}
	for _, e := range res.Terminals {
		f.numbers.of(e.TerminalID) // the oldest first
	}
	return res.Terminals, true
}

func (f *Front) jobs(ctx context.Context) {
	list, ok := f.running(ctx)
	switch {
	case !ok:
	case len(list) == 0:
		f.show.note("no command runs")
	default:
		f.show.jobs(list)
	}
}

// withJob does something to the command of a number, or for 0 to the one that is
// likely meant: the only one that fits, else the only one there is.
func (f *Front) withJob(ctx context.Context, n int, fits func(event.Terminal) bool, do func(context.Context, protocol.TerminalParams) error) {
	list, ok := f.running(ctx)
	if !ok {
		return
	}
	meant := slices.DeleteFunc(slices.Clone(list), func(e event.Terminal) bool { return n != f.numbers.of(e.TerminalID) })
	if n == 0 {
		meant = slices.DeleteFunc(slices.Clone(list), func(e event.Terminal) bool { return !fits(e) })
		if len(meant) == 0 && len(list) == 1 {
			meant = list
		}
	}
	switch {
	case len(list) == 0:
		f.show.note("no command runs")
	case len(meant) == 1:
		// It is waited for whatever becomes of the turn.
		err := do(context.WithoutCancel(ctx), protocol.TerminalParams{TaskID: f.task(), TerminalID: meant[0].TerminalID})
		if err != nil {
			f.fail(err)
		}
	default:
		text := "it is not clear which command is meant; say its number:"
		if n != 0 {
			text = fmt.Sprintf("no command %d runs; these do:", n)
		}
		f.show.note(text)
		f.show.jobs(list)
	}
}

// jobs lists commands that run.
func (r *renderer) jobs(list []event.Terminal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range list {
		how := ""
		if e.State == backgroundState {
			how = " in the background"
		}
		r.line("  " + r.commandName(r.numbers.of(e.TerminalID), e, len(how)) + r.p.faint(how))
		if e.Asks != "" {
			r.line("    " + r.p.warn(r.layOut("waits at: "+oneLine(clean(e.Asks)), "    ")))
		}
		if e.LogFile != "" { // not broken, so that it can be copied
			r.line("    " + r.p.faint("output: "+r.o.tilde(e.LogFile)))
		}
	}
}
