package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/server"
	"clined/internal/store"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// journal is a stored task as the agent writes it and the server numbers its
// events. It implements agent.Journal and server.Record.
type journal struct {
	*store.Task
	s *store.Store
	// sweep removes what a process left unfinished that was killed.
	sweep func()
	// loaded is called once the store was read.
	loaded func()
	// mode tells which mode is on now.
	mode func() tools.Mode
	// models hold the user's choice of a model for this task.
	models *models
	// switches are what they approved for it as a whole; nil for none ever.
	switches *switches
	// plan is the number of the checklist that this process knows.
	plan atomic.Int64
	// rewound is the message whose rewind is on record and was not told yet.
	rewound atomic.Pointer[string]
	now     func() time.Time
	// unended is true while the end of a turn could not be recorded, which the user was told.
	unended atomic.Bool

	mu sync.Mutex // guards the rest
	// known is true once the agent knows the task as it is at version.
	known   bool
	version int64
	// system, title and wrote, the mode, are what was written last.
	system, title string
	wrote         tools.Mode
}

// standing is agent.Standing as it is stored, beside the system text.
type standing struct {
	Title          string           `json:"title,omitempty"`
	Model          string           `json:"model,omitempty"`
	ToldMode       tools.Mode       `json:"toldMode,omitempty"`
	Last           transcript.Usage `json:"last"`
	Total          transcript.Usage `json:"total"`
	Cost           float64          `json:"cost,omitempty"`
	Checklist      string           `json:"checklist,omitempty"`
	SinceChecklist int              `json:"sinceChecklist,omitempty"`
	// Chosen is the model that the user picked for this task.
	Chosen string `json:"chosen,omitempty"`
	// Approve are the switches that the user set for this task.
	Approve map[string]bool `json:"approve,omitempty"`
}

// totals are what lists show of a task's use.
type totals struct {
	TokensIn  int     `json:"tokensIn"`
	TokensOut int     `json:"tokensOut"`
	Cost      float64 `json:"cost,omitempty"`
}

// The keys of items.
func planKey() string             { return event.Key(event.Plan{}, "", 0) }
func messageKey(id string) string { return event.Key(event.Message{MessageID: id}, "", 0) }
func callKey(id string) string    { return event.Key(event.ToolCall{ToolCallID: id}, "", 0) }
func endKey(turnID string) string { return event.Key(event.State{State: event.Idle}, turnID, 0) }

// Begin implements agent.Journal. The task is known as long as nobody else added a
// message or changed the checklist.
func (j *journal) Begin(ctx context.Context, turnID string, known bool) (*agent.History, error) {
	before, unknown := j.s.Info(ctx, j.ID())
	version, err := j.Task.Begin(ctx, turnID)
	if err != nil {
		return nil, journalError(err)
	}
	h, err := j.news(ctx, before, known && j.knows(version))
	if unknown != nil && !errors.Is(unknown, store.ErrNotFound) {
		err = unknown
	}
	if err != nil {
		_ = j.Task.Abandon(ctx) // made up for, should it fail
		return nil, err
	}
	return h, nil
}

// knows tells whether the agent knows the messages of that version.
func (j *journal) knows(version int64) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.known && version == j.version
}

// news is what the agent does not know, nil for nothing.
func (j *journal) news(ctx context.Context, before store.Info, known bool) (*agent.History, error) {
	if !known {
		return j.load(ctx, before)
	}
	items, err := j.Named(ctx, planKey())
	if err != nil || len(items) == 0 || items[0].Seq == j.plan.Load() {
		return nil, err
	}
	return j.load(ctx, before)
}

// Record implements server.Record.
func (j *journal) Record(i event.Item) {
	switch e := i.Event.(type) {
	case event.Plan:
		j.plan.Store(i.Seq)
	case event.Rewind:
		if id := j.rewound.Swap(nil); id != nil && *id == e.MessageID {
			return
		}
	}
	j.Task.Record(i)
}

// load reads the task; before is how it stood before this turn began.
func (j *journal) load(ctx context.Context, before store.Info) (*agent.History, error) {
	j.sweep()
	stored, err := j.Load(ctx)
	j.loaded()
	if err != nil {
		return nil, err
	}
	h := &agent.History{Messages: stored.Messages, Damage: stored.Damage}
	if before.State == store.Interrupted {
		h.Interrupted = before.TurnID
	}
	st, damage := readStanding(stored.Standing, before)
	if damage != "" {
		h.Damage = strings.TrimPrefix(h.Damage+"; "+damage, "; ")
	}
	if st.Chosen != "" && j.models.Chosen() == "" {
		j.models.Choose(st.Chosen)
	}
	j.switches.restore(st.Approve)
	h.Standing = agent.Standing{
		Title: st.Title, System: stored.System, Model: st.Model, ToldMode: st.ToldMode, Last: st.Last, Total: st.Total,
		Cost: st.Cost, Checklist: st.Checklist, SinceChecklist: st.SinceChecklist,
	}
	items, err := j.unsettled(ctx, h.Messages)
	if err != nil {
		return nil, err
	}
	if plan := seen(h, items); plan != 0 {
		j.plan.Store(plan)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.known, j.version, j.system, j.title = true, stored.Version, stored.System, st.Title
	return h, nil
}

// readStanding reads what is stored. What cannot be read is damage, and no
// reason to keep the messages from the user: what lists show stands in for it.
func readStanding(raw json.RawMessage, before store.Info) (st standing, damage string) {
	if len(raw) == 0 {
		return standing{}, ""
	}
	if json.Unmarshal(raw, &st) == nil {
		return st, ""
	}
	var used totals
	if json.Unmarshal(before.Totals, &used) != nil {
		used = totals{}
	}
	return standing{
		Title: before.Title, Model: before.Model, Cost: used.Cost,
		Total: transcript.Usage{Input: used.TokensIn, Output: used.TokensOut},
	}, "what was noted beside the messages, such as the checklist, cannot be read"
}

// unsettled returns what fronts saw and the messages do not tell, whatever its age:
// calls without a result, messages that are not among them, the checklist, and the
// ends of the turns of these.
func (j *journal) unsettled(ctx context.Context, messages []transcript.Message) ([]store.Item, error) {
	told := map[string]bool{}
	for _, m := range messages {
		told[messageKey(m.ID)] = true
		for _, id := range m.Also {
			told[messageKey(id)] = true
		}
	}
	wanted := []string{planKey()}
	if n := len(messages); n > 0 {
		for _, c := range messages[n-1].Calls() {
			wanted = append(wanted, callKey(c.ID))
		}
	}
	keys, err := j.Keys(ctx)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		if strings.HasPrefix(key, messageKey("")) && !told[key] {
			wanted = append(wanted, key)
		}
	}
	items, err := j.Named(ctx, wanted...)
	if err != nil {
		return nil, err
	}
	var ends []string
	for _, it := range items {
		if m, ok := it.Event.(event.Message); ok && m.Role == "user" {
			ends = append(ends, endKey(it.TurnID))
		}
	}
	over, err := j.Named(ctx, ends...)
	return append(items, over...), err
}

// seen adds what only fronts saw: how calls without a result stood, prompts that
// no model was told, and the user's checklist. It returns the number of the
// checklist, 0 for none.
func seen(h *agent.History, items []store.Item) (plan int64) {
	over := map[string]bool{} // turns that came to an end
	for _, it := range items {
		if e, ok := it.Event.(event.State); ok && e.State == event.Idle {
			over[it.TurnID] = e.StopReason != event.Interrupted
		}
	}
	h.Calls = map[string]event.ToolCall{}
	for _, it := range items {
		switch e := it.Event.(type) {
		case event.ToolCall:
			h.Calls[e.ToolCallID] = e
		case event.Plan:
			plan = it.Seq
			if e.ByUser {
				list := checklistText(e.Entries)
				h.UserChecklist = &list
			}
		case event.Message:
			waits := e.Status == event.Pending || e.Status == event.Done && !over[it.TurnID]
			if e.Role == "user" && waits && !told(h.Messages, e.MessageID) {
				h.Unsent = append(h.Unsent, e)
			}
		}
	}
	return plan
}

func told(messages []transcript.Message, id string) bool {
	return slices.ContainsFunc(messages, func(m transcript.Message) bool { return m.Carries(id) })
}

// checklistText writes entries as the Markdown they are read from.
func checklistText(entries []event.PlanEntry) string {
	var b strings.Builder
	for _, e := range entries {
		mark := " "
		if e.Done {
			mark = "x"
		}
		b.WriteString("- [" + mark + "] " + e.Text + "\n")
	}
	return b.String()
}

// Append implements agent.Journal.
func (j *journal) Append(ctx context.Context, m transcript.Message, s agent.Standing) error {
	raw, err := json.Marshal(standing{
		Title: s.Title, Model: s.Model, ToldMode: s.ToldMode, Last: s.Last, Total: s.Total,
		Cost: s.Cost, Checklist: s.Checklist, SinceChecklist: s.SinceChecklist, Chosen: j.models.Chosen(),
		Approve: j.switches.all(),
	})
	if err != nil {
		return err
	}
	used, err := json.Marshal(totals{TokensIn: s.Total.Input + s.Total.CacheRead + s.Total.CacheWrite, TokensOut: s.Total.Output, Cost: s.Cost})
	if err != nil {
		return err
	}
	mode := j.mode()
	n := store.Notes{Standing: raw, Totals: used, Mode: string(mode), Model: s.Model}
	j.mu.Lock()
	defer j.mu.Unlock()
	if s.System != j.system {
		n.System = s.System
	}
	if s.Title != j.title { // the user may have given it another one since
		n.Title = s.Title
	}
	version, err := j.Task.Append(ctx, m, n)
	if err != nil {
		return journalError(err)
	}
	j.version, j.known, j.system, j.title, j.wrote = version, true, s.System, s.Title, mode
	return nil
}

// Sync implements agent.Journal. The mode is on disk with the rest: a task that
// is taken up must not act where the user had said plan.
func (j *journal) Sync(ctx context.Context) error {
	mode := j.mode()
	j.mu.Lock()
	defer j.mu.Unlock()
	if mode == j.wrote {
		return j.Task.Sync(ctx)
	}
	if err := j.Note(ctx, store.Notes{Mode: string(mode)}); err != nil {
		return journalError(err)
	}
	j.wrote = mode
	return nil
}

// Rewind implements agent.Journal. The event that tells of it is on record with it,
// and not again when it is told.
func (j *journal) Rewind(ctx context.Context, messageID, turnID string, instead event.Message) error {
	var items []event.Item
	for _, e := range []event.Event{event.Rewind{MessageID: messageID}, instead} {
		seq := j.NextSeq()
		items = append(items, event.Item{Key: event.Key(e, turnID, seq), Seq: seq, First: seq, TurnID: turnID, Time: j.now(), Event: e})
	}
	version, err := j.Task.Rewind(ctx, messageID, items...)
	if err != nil {
		return journalError(err)
	}
	j.rewound.Store(&messageID)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.version = version
	return nil
}

// Waiting implements agent.Journal.
func (j *journal) Waiting(ctx context.Context, turnID string) (list []event.Message, err error) {
	items, err := j.OfTurn(ctx, turnID)
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		if m, ok := it.Event.(event.Message); ok && m.Role == "user" && m.Status == event.Pending {
			list = append(list, m)
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	stored, err := j.Load(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(m event.Message) bool { return told(stored.Messages, m.MessageID) }), nil
}

// End implements agent.Journal.
func (j *journal) End(ctx context.Context, turnID string, reason event.StopReason) error {
	err := j.Task.End(ctx, turnID, string(reason))
	j.unended.Store(err != nil)
	return err
}

// Claim implements agent.Journal.
func (j *journal) Claim(ctx context.Context) error { return journalError(j.Task.Claim(ctx)) }

// journalError puts the store's errors into the agent's terms.
func journalError(err error) error {
	var busy *store.BusyError
	if errors.As(err, &busy) {
		return &agent.TakenError{PID: busy.Owner.PID, Since: busy.Owner.Since}
	}
	return err
}

var (
	_ agent.Journal = (*journal)(nil)
	_ server.Record = (*journal)(nil)
)
