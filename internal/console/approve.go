package console

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"clined/internal/protocol"
)

// maxTries is how often an input that is no terminal may say nothing of use.
const maxTries = 10

// ApprovalRequest asks on the terminal: y, n, a (always), or words, which turn
// the action down and tell the model what to do instead.
func (f *Front) ApprovalRequest(ctx context.Context, p *protocol.ApprovalRequestParams) (*protocol.ApprovalOutcome, error) {
	var out *protocol.ApprovalOutcome
	answered := f.ask(ctx, func() { f.show.approval(p) }, func(line string) bool {
		out = decide(p, line)
		if out == nil {
			f.show.note(unclear(p))
		}
		return out != nil
	})
	switch answered {
	case taken:
		out.SubjectHash = p.SubjectHash
		return out, nil
	case silence:
		f.nobody(ctx, p.TaskID, p.Title, allowBeforehand(&p.Subject))
	}
	return nil, nil // no decision
}

// ApprovalResolved needs no showing: who answered knows, and an approval that
// was withdrawn ends its own line.
func (f *Front) ApprovalResolved(context.Context, *protocol.ApprovalResolvedParams) error { return nil }

// Ask puts a question; a number picks an option.
func (f *Front) Ask(ctx context.Context, p *protocol.AskParams) (*protocol.AskResult, error) {
	var res *protocol.AskResult
	answered := f.ask(ctx, func() { f.show.ask(p) }, func(line string) bool {
		text := strings.TrimSpace(line)
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(p.Options) {
			res = &protocol.AskResult{Action: "accept", Option: p.Options[n-1]}
		} else if text != "" {
			res = &protocol.AskResult{Action: "accept", Text: text}
		}
		return res != nil
	})
	switch answered {
	case taken:
		return res, nil
	case silence:
		f.nobody(ctx, p.TaskID, p.Text, "run it in a terminal, or say it in the task itself")
	}
	return nil, nil // no answer
}

// reaction is what became of a question.
type reaction int

const (
	// taken: an answer was accepted.
	taken reaction = iota
	// takenBack: somebody else answered, or the turn is over.
	takenBack
	// silence: In has ended, or says nothing of use.
	silence
)

// ask shows something and reads lines until take accepts one.
func (f *Front) ask(ctx context.Context, present func(), take func(line string) bool) reaction {
	select { // one question at a time
	case <-f.asking:
	case <-ctx.Done():
		return takenBack
	}
	defer func() { f.asking <- struct{}{} }()
	defer f.floor.question()()
	here, cancel := context.WithCancel(ctx)
	defer cancel()
	f.setWithdraw(cancel)
	defer f.setWithdraw(nil)

	present()
	defer f.show.asked()
	for tries := 0; f.o.InTTY || tries < maxTries; tries++ {
		mark := f.input.mark()
		f.show.questionMark()
		line, ok := f.input.answer(here, mark)
		switch {
		case here.Err() != nil:
			return takenBack
		case !ok:
			f.show.unread()
			return silence
		}
		f.show.read(line.text, false)
		if take(line.text) {
			return taken
		}
	}
	return silence
}

func (f *Front) setWithdraw(cancel context.CancelFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.withdraw = cancel
}

// decide reads an answer; nil when it is none. A yes or no may have words for
// the model behind it; other words are a no.
func decide(p *protocol.ApprovalRequestParams, answer string) *protocol.ApprovalOutcome {
	answer = strings.TrimSpace(answer)
	kind := shortAnswers[strings.ToLower(strings.TrimRight(answer, ".!。！"))]
	words := ""
	if kind == "" {
		kind, words = wordsBehind(answer)
	}
	advice := utf8.RuneCountInString(answer) > 1 && strings.IndexFunc(answer, unicode.IsLetter) >= 0
	if kind == "" && advice { // a slip of the finger is none
		kind, words = "reject_once", answer
	}
	id := option(p, kind)
	if id == "" || words != "" && !p.AllowFeedback {
		return nil
	}
	out := &protocol.ApprovalOutcome{OptionID: id}
	if words != "" {
		out.Feedback = &protocol.Feedback{Text: words}
	}
	return out
}

// shortAnswers are whole answers. None but the keys may mean always.
var shortAnswers = map[string]string{
	"y": "allow_once", "yes": "allow_once", "ok": "allow_once", "okay": "allow_once", "是": "allow_once", "好": "allow_once", "好的": "allow_once",
	"n": "reject_once", "no": "reject_once", "不": "reject_once", "不要": "reject_once", "否": "reject_once",
	"a": "allow_always", "always": "allow_always",
}

// wordsBehind splits "yes, but …" and "no, …".
func wordsBehind(answer string) (kind, words string) {
	end := strings.IndexFunc(answer, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		return "", ""
	}
	word, rest := strings.ToLower(answer[:end]), strings.TrimLeft(answer[end:], ",;:.! ，；：。！\t")
	if !slices.Contains([]string{"y", "yes", "n", "no"}, word) || rest == "" || !strings.ContainsRune(",;:.! ，；：。！\t", firstRune(answer[end:])) {
		return "", ""
	}
	return shortAnswers[word], rest
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// option returns the id of the first option of a kind: the narrowest, for there
// may be an "always" of several scopes. One that does not say what it would
// store is none.
func option(p *protocol.ApprovalRequestParams, kind string) string {
	if o := optionOf(p, kind); o != nil {
		return o.OptionID
	}
	return ""
}

func optionOf(p *protocol.ApprovalRequestParams, kind string) *protocol.ApprovalOption {
	i := slices.IndexFunc(p.Options, func(o protocol.ApprovalOption) bool {
		return o.Kind == kind && (kind != "allow_always" || o.Rule != nil)
	})
	if i < 0 {
		return nil
	}
	return &p.Options[i]
}

// unclear says what can be answered.
func unclear(p *protocol.ApprovalRequestParams) string {
	text := "    y is yes, n is no"
	if option(p, "allow_always") != "" {
		text += ", a is always"
	}
	if p.AllowFeedback {
		text += "; words after y or n go to the model, other words mean no"
	}
	return text
}

// allowBeforehand is a hint for runs that nobody watches. What is outside of the
// workspace, or protected, no --auto allows.
func allowBeforehand(s *protocol.Subject) string {
	kind := map[string]string{"fileRead": "read", "fileEdit": "edit", "command": "command", "mcp": "mcp"}[s.Type]
	special := slices.ContainsFunc(s.Paths, func(p protocol.SubjectPath) bool {
		return p.Outside || p.Protected != "" && s.Type == "fileEdit"
	})
	if kind == "" || special {
		return "run it in a terminal, or allow everything beforehand with --yes"
	}
	return "run it in a terminal, or allow it beforehand with --auto " + kind + ", or everything with --yes"
}

// nobody ends the turn because a decision is needed and no one is there.
func (f *Front) nobody(ctx context.Context, taskID, what, hint string) {
	f.mu.Lock()
	f.unanswered = true
	server := f.server
	f.mu.Unlock()
	f.show.explain("a decision is needed and nobody is there to make it: "+oneLine(what), hint)
	if server == nil { // a single tool, without a task
		return
	}
	// The cancel takes this very request back.
	detached := context.WithoutCancel(ctx)
	if _, err := server.TaskCancel(detached, &protocol.TaskCancelParams{TaskID: taskID}); err != nil && !f.leaves() {
		f.fail(err)
	}
}
