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
// the action down and tell the model what to do instead. Where there is more than
// one "always", a shows them and a number picks one.
func (f *Front) ApprovalRequest(ctx context.Context, p *protocol.ApprovalRequestParams) (*protocol.ApprovalOutcome, error) {
	var out *protocol.ApprovalOutcome
	var rule *protocol.Rule
	list, picking := always(p), false
	answered := f.ask(ctx, func() { f.show.approval(p) }, func(line string) bool {
		if f.aside(ctx, line) {
			return false
		}
		var picked *protocol.ApprovalOption
		wants, number := wantsAlways(line)
		switch {
		case len(list) == 1 && wants && number == "":
			picked = &list[0]
		case wants:
			picked = chosen(list, number)
		case picking:
			picked = chosen(list, line)
		}
		if picked != nil {
			out, rule = &protocol.ApprovalOutcome{OptionID: picked.OptionID}, picked.Rule
			return true
		}
		if wants && len(list) > 1 {
			picking = true
			f.show.choices(list)
			return false
		}
		if out = decide(p, line); out != nil {
			return true
		}
		if wants && len(list) == 0 {
			f.show.note("    there is no always for this: it is asked each time")
		}
		f.show.note(unclear(p, picking))
		return false
	})
	switch answered {
	case taken:
		if rule != nil {
			f.allowed(p.ToolCallID, rule)
		}
		out.SubjectHash = p.SubjectHash
		return out, nil
	case silence:
		f.nobody(ctx, p.TaskID, p.Title, allowBeforehand(p))
	}
	return nil, nil // no decision
}

// wantsAlways reads "a", "always" and, for who knows the list, "a 2".
func wantsAlways(line string) (wants bool, number string) {
	line = strings.ToLower(strings.TrimRight(strings.TrimSpace(line), ".!。！"))
	if rest, ok := strings.CutPrefix(line, "always"); ok {
		line = "a" + rest
	}
	rest, ok := strings.CutPrefix(line, "a")
	rest = strings.TrimSpace(rest)
	return ok && strings.Trim(rest, "0123456789") == "", rest
}

// ApprovalResolved needs no showing: who answered knows, and an approval that
// was withdrawn ends its own line.
func (f *Front) ApprovalResolved(context.Context, *protocol.ApprovalResolvedParams) error { return nil }

// Ask puts a question; a number picks an option.
func (f *Front) Ask(ctx context.Context, p *protocol.AskParams) (*protocol.AskResult, error) {
	var res *protocol.AskResult
	answered := f.ask(ctx, func() { f.show.ask(p) }, func(line string) bool {
		if f.aside(ctx, line) {
			return false
		}
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
	if ctx.Err() != nil { // withdrawn while it waited
		return takenBack
	}

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

// shortAnswers are whole answers.
var shortAnswers = map[string]string{
	"y": "allow_once", "yes": "allow_once", "ok": "allow_once", "okay": "allow_once", "是": "allow_once", "好": "allow_once", "好的": "allow_once",
	"n": "reject_once", "no": "reject_once", "不": "reject_once", "不要": "reject_once", "否": "reject_once",
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

// option returns the id of the first option of a kind.
func option(p *protocol.ApprovalRequestParams, kind string) string {
	i := slices.IndexFunc(p.Options, func(o protocol.ApprovalOption) bool { return o.Kind == kind })
	if i < 0 {
		return ""
	}
	return p.Options[i].OptionID
}

// unclear says what can be answered.
func unclear(p *protocol.ApprovalRequestParams, picking bool) string {
	text := "    y is yes, n is no"
	switch {
	case picking:
		text = "    a number is one of the above, y is yes this time, n is no"
	case len(always(p)) > 0:
		text += ", a is always"
	}
	if p.AllowFeedback {
		text += "; words after y or n go to the model, other words mean no"
	}
	return text
}

// allowBeforehand is a hint for runs that nobody watches.
func allowBeforehand(p *protocol.ApprovalRequestParams) string {
	kind := map[string]string{"fileRead": "read", "fileEdit": "edit", "command": "command", "mcp": "mcp"}[p.Subject.Type]
	if kind == "" || p.AsksAnyway {
		return "run it in a terminal, or allow everything beforehand with --yes"
	}
	return "run it in a terminal, or allow it beforehand with --auto " + kind + ", or everything with --yes"
}

// nobody ends the turn because a decision is needed and no one is there. A task
// that can be gone on with is left interrupted: it asks again then.
func (f *Front) nobody(ctx context.Context, taskID, what, hint string) {
	f.mu.Lock()
	f.unanswered = true
	server := f.server
	f.mu.Unlock()
	f.show.explain("a decision is needed and nobody is there to make it: "+oneLine(what), hint)
	if server == nil { // a single tool, without a task
		return
	}
	if f.o.Resumable && !f.o.Interactive {
		f.desert()
		return
	}
	// The cancel takes this very request back.
	detached := context.WithoutCancel(ctx)
	if _, err := server.TaskCancel(detached, &protocol.TaskCancelParams{TaskID: taskID}); err != nil && !f.leaves() {
		f.fail(err)
	}
}
