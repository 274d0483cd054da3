package console

import (
	"context"
	"strings"
	"unicode"

	"clined/internal/protocol"
)

// prompt is something the user says in a conversation.
type prompt struct{ mode, text string }

const conversationHelp = `/plan, /act  change the mode; words after it are sent along
/exit        ends the conversation, as the end of input does
\            at the end of a line: the prompt goes on in the next line`

// conversation asks for the next thing to do. A change of the mode alone is
// done on the way: in fresh, when no task was started yet. ok is false at the
// end of the conversation.
func (f *Front) conversation(ctx context.Context, fresh *protocol.TaskNewParams) (said prompt, ok bool) {
	here, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(f.gone, cancel)()
	for {
		text, ok := f.nextPrompt(here)
		if !ok {
			return prompt{}, false
		}
		switch text {
		case "/exit", "/quit":
			return prompt{}, false
		case "/help":
			f.show.note(conversationHelp)
			continue
		}
		said := splitMode(text)
		if said.text != "" {
			return said, true
		}
		f.setMode(ctx, said.mode, fresh)
	}
}

func (f *Front) setMode(ctx context.Context, mode string, fresh *protocol.TaskNewParams) {
	if fresh != nil {
		fresh.Mode = mode
	} else if _, err := f.daemon().ConfigSet(ctx, &protocol.ConfigSetParams{TaskID: f.task(), ID: "mode", Value: mode}); err != nil {
		f.show.failure(sentence(err), "")
		return
	}
	f.show.note("the mode is now " + mode)
}

// nextPrompt reads a prompt. A line that ends in a backslash goes on in the
// next one.
func (f *Front) nextPrompt(ctx context.Context) (string, bool) {
	var all []string
	for {
		mark := f.input.mark()
		f.show.promptMark(len(all) > 0)
		line, ok := f.input.next(ctx)
		if !ok {
			f.show.unread()
			return "", false
		}
		f.show.read(line.text, line.n <= mark)
		if more, cont := strings.CutSuffix(line.text, `\`); cont {
			all = append(all, more)
			continue
		}
		if text := strings.TrimSpace(strings.Join(append(all, line.text), "\n")); text != "" {
			return text, true
		}
		all = nil
	}
}

// splitMode takes "/plan" or "/act" off the front of a prompt.
func splitMode(text string) prompt {
	word, rest := text, ""
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		word, rest = text[:i], strings.TrimSpace(text[i:])
	}
	switch word {
	case "/plan", "/act":
		return prompt{mode: word[1:], text: rest}
	}
	return prompt{text: text}
}
