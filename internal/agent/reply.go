package agent

import (
	"context"
	"fmt"
	"strings"

	"clined/internal/event"
	"clined/internal/llm"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// reply is a complete answer of the model.
type reply struct {
	message transcript.Message
	stop    llm.StopReason
	model   llm.Model
}

// request sends the outbox with everything before it, and returns the recorded
// answer. It tries again after failures that may pass.
func (tn *turn) request(ctx context.Context) (*reply, error) {
	c := &tn.t.c
	mode := tn.t.options.Mode()
	client, model, err := c.Models.Select(mode)
	if err != nil {
		return nil, err
	}
	if tn.conv.System == "" {
		if tn.conv.System, err = c.Prompt.System(ctx); err != nil {
			return nil, err
		}
	}
	// The details first: a server that joins in between has its tools offered
	// before the model hears of it, never the other way round.
	byUser := tn.addEnvironment(ctx, mode, model)
	defs := tn.offer(c.Tools.Defs(ctx), model)
	if err := tn.flush(); err != nil {
		if list := tn.conv.Checklist; byUser && !tn.t.options.hasChecklist() {
			tn.t.options.checklistIs(&list)
		}
		return nil, err
	}
	if byUser && !tn.t.options.hasChecklist() { // it is told, from here on
		tn.emit(event.Plan{Entries: parseChecklist(tn.conv.Checklist)})
	}
	tn.conv.ToldMode = mode
	tn.noteModel(model)
	tn.requests++
	tn.conv.SinceChecklist++
	req := llm.Request{Model: model, System: tn.conv.System, Messages: tn.conv.messages, Tools: defs}
	r, usage, err := tn.streamWithRetries(ctx, client, req)
	if err != nil {
		return nil, err
	}
	tn.count(req, r, usage)
	if err := tn.record(r.message); err != nil {
		return nil, err
	}
	return r, nil
}

// maxLeftOut is how many tools that are left out are named: it may be hundreds.
const maxLeftOut = 10

// offer leaves out what the model is not to be told of: tools for a text-only
// model, and those beyond what its provider takes, which the user is told of.
func (tn *turn) offer(defs []llm.ToolDef, m llm.Model) []llm.ToolDef {
	if m.Family == llm.TextOnly {
		return nil
	}
	if m.MaxTools == 0 || len(defs) <= m.MaxTools {
		tn.conv.leftOut = ""
		return defs
	}
	var names []string
	for _, d := range defs[m.MaxTools:] {
		names = append(names, d.Name)
	}
	if all := strings.Join(names, ", "); all != tn.conv.leftOut {
		tn.conv.leftOut = all
		left := all
		if more := len(names) - maxLeftOut; more > 0 {
			left = fmt.Sprintf("%s and %d more", strings.Join(names[:maxLeftOut], ", "), more)
		}
		tn.emit(event.Notice{Severity: "warning",
			Text: fmt.Sprintf("there are %d tools, the model takes %d; left out: %s", len(defs), m.MaxTools, left),
			Hint: "disable MCP servers that this task does not need"})
	}
	return defs[:m.MaxTools]
}

// addEnvironment puts environment_details at the end of the newest message:
// into the last result when that is where the conversation stands.
// It reports whether they tell of a checklist that the user wrote.
func (tn *turn) addEnvironment(ctx context.Context, mode tools.Mode, model llm.Model) (byUser bool) {
	list, byUser := tn.t.options.takeChecklist()
	if byUser {
		tn.conv.Checklist, tn.conv.SinceChecklist = list, 0
	}
	details := tn.t.c.Prompt.Environment(ctx, Environment{
		First:          tn.conv.ToldMode == "",
		Mode:           mode,
		Used:           tn.conv.Last.Total(),
		Window:         model.ContextWindow,
		Checklist:      tn.conv.Checklist,
		SinceChecklist: tn.conv.SinceChecklist, ChecklistByUser: byUser,
		ModeChanged: tn.conv.ToldMode != "" && tn.conv.ToldMode != mode,
	})
	if details == "" || len(tn.outbox) == 0 {
		return byUser
	}
	m := &tn.outbox[len(tn.outbox)-1]
	if m.Role == transcript.Tool {
		last := m.Parts[len(m.Parts)-1].Result
		last.Text += "\n\n" + details
		return byUser
	}
	m.Parts = append(m.Parts, transcript.TextPart(details))
	return byUser
}

// flush records the outbox.
func (tn *turn) flush() error {
	for len(tn.outbox) > 0 {
		if len(tn.outbox) == 1 { // on record as said together with what says them
			tn.noteWords(event.Done)
		}
		if err := tn.record(tn.outbox[0]); err != nil {
			return err
		}
		tn.outbox = tn.outbox[1:]
	}
	tn.words = nil
	return nil
}

// noteModel tells of a change of model: from here on the provider's cache
// starts anew, and the user should know who answers.
func (tn *turn) noteModel(m llm.Model) {
	if tn.conv.Model != "" && tn.conv.Model != m.ID {
		tn.t.c.Log.Info("prefix break allowed", "cause", "model changed", "from", tn.conv.Model, "to", m.ID)
		tn.emit(event.Notice{Severity: "info", Text: fmt.Sprintf("the model is now %q", m.ID)})
		tn.conv.warnedCut = false
	}
	tn.conv.Model = m.ID
}

// count keeps the books of tokens and shows them.
func (tn *turn) count(req llm.Request, r *reply, u transcript.Usage) {
	estimate := llm.EstimateUsage(req, r.message)
	if u.Total() == 0 {
		u = estimate
	} else {
		tn.warnOfCut(u, estimate, req.Model)
	}
	tn.conv.Last = u
	tn.conv.Total = tn.conv.Total.Add(u)
	tn.conv.Cost += req.Model.Prices.Cost(u)
	total := tn.conv.Total
	tn.emit(event.Usage{
		Used: u.Total(), Size: req.Model.ContextWindow,
		TokensIn: total.Input, TokensOut: total.Output,
		CacheRead: total.CacheRead, CacheWrite: total.CacheWrite, Estimated: total.Estimated,
		Cost: tn.conv.Cost,
	})
}

// longPrompt is the estimate, in tokens, above which a server is suspected of
// reading less than it was sent: the smallest context that servers load.
const longPrompt = 4000

// warnOfCut tells the user, once for a model, of a server that counts so few
// tokens that it must have left out a part of the prompt, as local servers do
// without a word. The estimate is rough, hence the wide margin.
func (tn *turn) warnOfCut(u, estimate transcript.Usage, m llm.Model) {
	read := u.Input + u.CacheRead + u.CacheWrite
	if tn.conv.warnedCut || estimate.Input < longPrompt || read*5 > estimate.Input*2 {
		return
	}
	tn.conv.warnedCut = true
	tn.emit(event.Notice{Severity: "warning",
		Text: fmt.Sprintf("the server of %q read about %d tokens of a prompt of about %d: it seems to leave out the rest", m.ID, read, estimate.Input),
		Hint: `load the model with a larger context there, such as num_ctx of Ollama, and set "contextWindow" to it`})
}

// stream reads one answer to its end and shows it as it comes. On an error the
// partial answer is returned beside it, for the books of a cancelled turn.
func (tn *turn) stream(ctx context.Context, client Model, req llm.Request, attempt int) (*reply, transcript.Usage, error) {
	p := newPartial(tn, req.Model)
	silence := tn.watch(attempt)
	defer silence.end()
	for ev, err := range client.Stream(ctx, req) {
		if err != nil {
			return p.reply(), p.fold.Usage, err
		}
		silence.heard(ev)
		p.add(ev)
	}
	if p.fold.Reason == "" {
		return p.reply(), p.fold.Usage, &llm.Error{Class: llm.Network, Message: "the model's answer broke off"}
	}
	if len(p.fold.Parts()) == 0 && p.fold.Reason == llm.Filtered {
		return p.reply(), p.fold.Usage, filtered()
	}
	if len(p.fold.Parts()) == 0 {
		return p.reply(), p.fold.Usage, &llm.Error{Class: llm.Network, Message: "the model sent an empty answer"}
	}
	p.show(event.Done)
	return p.reply(), p.fold.Usage, nil
}
