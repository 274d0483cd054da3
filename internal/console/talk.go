package console

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"clined/internal/protocol"
)

// prompt is something the user says in a conversation.
type prompt struct{ mode, text string }

const conversationHelp = `/plan, /act  change the mode; words after it are sent along
/exit        ends the conversation, as the end of input does
\            at the end of a line: the prompt goes on in the next line
` + checklistHelp + `
` + jobsHelp + `
while the agent works
words        wait until it is done, and are the next prompt then
! words      are heard at its next step, behind the calls that it makes now
/drop        takes back what waits`

// conversation asks for the next thing to do. A change of the mode alone is
// done on the way: in fresh, when no task was started yet. ok is false at the
// end of the conversation.
func (f *Front) conversation(ctx context.Context, fresh *protocol.TaskNewParams) (said prompt, ok bool) {
	here, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(f.gone, cancel)()
	for {
		text, ok := f.nextPrompt(here)
		switch {
		case !ok, text == "/exit", text == "/quit":
			return prompt{}, false
		case f.command(ctx, text, fresh):
		case mistyped(text):
			f.show.failure(fmt.Sprintf("there is no %s", text), "/help tells what there is; in a longer sentence it goes to the agent")
		default:
			return splitMode(text), true
		}
	}
}

// mistyped takes one word like a command alone for none that is meant for the
// agent.
func mistyped(text string) bool {
	word, ok := strings.CutPrefix(text, "/")
	return ok && word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == ""
}

// command does what is no prompt: it is told here, or changes something.
func (f *Front) command(ctx context.Context, text string, fresh *protocol.TaskNewParams) bool {
	word, rest := firstWord(text)
	switch {
	case text == "/help":
		f.show.note(conversationHelp)
	case word == "/checklist":
		f.editChecklist(ctx, rest)
	case (word == "/plan" || word == "/act") && rest == "":
		f.setMode(ctx, word[1:], fresh)
	default:
		return f.jobCommand(ctx, word, rest)
	}
	return true
}

func (f *Front) setMode(ctx context.Context, mode string, fresh *protocol.TaskNewParams) {
	if fresh != nil {
		fresh.Mode = mode
	} else if _, err := f.daemon().ConfigSet(context.WithoutCancel(ctx), &protocol.ConfigSetParams{TaskID: f.task(), ID: "mode", Value: mode}); err != nil {
		f.fail(err)
		return
	}
	f.show.note("the mode is now " + mode)
}

// nextPrompt reads a prompt, which may have begun while the agent worked.
func (f *Front) nextPrompt(ctx context.Context) (string, bool) {
	for {
		mark := f.input.mark()
		f.show.promptMark(f.draft.begun())
		line, ok := f.input.next(ctx)
		if !ok {
			f.show.unread()
			return "", false
		}
		f.show.read(line.text, line.n <= mark)
		if text, whole := f.draft.add(line.text); whole {
			return text, true
		}
	}
}

// splitMode takes "/plan" or "/act" off the front of a prompt.
func splitMode(text string) prompt {
	switch word, rest := firstWord(text); word {
	case "/plan", "/act":
		return prompt{mode: word[1:], text: rest}
	}
	return prompt{text: text}
}

func firstWord(text string) (word, rest string) {
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		return text[:i], strings.TrimSpace(text[i:])
	}
	return text, ""
}
