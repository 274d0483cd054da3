package server

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/protocol"
)

// fakeRecord numbers and keeps the events of one task in memory.
type fakeRecord struct {
	mu    sync.Mutex // guards the rest
	seq   int64
	items []event.Item
	// theirs are the numbers that another process gave.
	theirs map[int64]bool
}

func (r *fakeRecord) NextSeq() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seq++
	return r.seq
}

func (r *fakeRecord) LastSeq() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seq
}

func (r *fakeRecord) Renew() {}

func (r *fakeRecord) Gave(seq int64) bool { return !r.theirs[seq] }

func (r *fakeRecord) Record(it event.Item) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.items, func(old event.Item) bool { return old.Key == it.Key })
	if it.First == 0 {
		it.First = it.Seq
		if i >= 0 {
			it.First = r.items[i].First
		}
	}
	if i >= 0 {
		r.items = slices.Delete(r.items, i, i+1)
	}
	r.items = append(r.items, it)
}

// fakeHistory holds the records of tasks that outlive their sessions.
type fakeHistory struct {
	mu      sync.Mutex // guards the rest
	records map[string]*fakeRecord
	titles  map[string]string
	owners  map[string]*protocol.TaskOwner
	err     error
	asked   []string
}

// begin makes a task of that id a new one.
func (h *fakeHistory) begin(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.records, id)
}

func (h *fakeHistory) record(id string) *fakeRecord {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.records == nil {
		h.records, h.titles = map[string]*fakeRecord{}, map[string]string{}
	}
	if h.records[id] == nil {
		h.records[id] = &fakeRecord{}
	}
	return h.records[id]
}

func (h *fakeHistory) knows(id string) (*fakeRecord, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err != nil {
		return nil, h.err
	}
	r := h.records[id]
	if r == nil {
		return nil, ErrNoTask
	}
	return r, nil
}

func (h *fakeHistory) ask(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked = append(h.asked, fmt.Sprintf(format, args...))
}

func (h *fakeHistory) List(_ context.Context, p protocol.TaskListParams) (*protocol.TaskListResult, error) {
	h.ask("list %s %d %s%v", p.Query, p.Limit, p.Cwd, p.Cwds)
	h.mu.Lock()
	defer h.mu.Unlock()
	res := &protocol.TaskListResult{}
	for id := range h.records {
		res.Tasks = append(res.Tasks, protocol.TaskInfo{TaskID: id, Title: h.titles[id], State: string(event.Running), Roots: []string{}})
	}
	return res, h.err
}

func (h *fakeHistory) Info(_ context.Context, id string) (protocol.TaskInfo, error) {
	if _, err := h.knows(id); err != nil {
		return protocol.TaskInfo{}, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	info := protocol.TaskInfo{TaskID: id, Title: h.titles[id], State: string(event.Idle), Roots: []string{}, Owner: h.owners[id]}
	if info.Owner != nil {
		info.State = string(event.Running)
	}
	return info, nil
}

func (h *fakeHistory) Items(_ context.Context, id string, since, before int64, limit, most int) ([]event.Item, int64, error) {
	r, err := h.knows(id)
	if err != nil {
		return nil, 0, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []event.Item
	for _, it := range r.items {
		if it.Seq > since && (before == 0 || it.First < before) {
			out = append(out, it)
		}
	}
	slices.SortFunc(out, func(a, b event.Item) int { return cmp.Compare(a.First, b.First) })
	var all []event.Item
	for n, size := 0, 0; n < len(out); n++ {
		it := out[len(out)-1-n]
		body, err := json.Marshal(event.Envelope{Event: it.Event})
		if err != nil {
			return nil, 0, err
		}
		if size += len(body); n == limit || n > 0 && size > most {
			return all, all[0].First, nil
		}
		all = slices.Insert(all, 0, it)
	}
	return all, 0, nil
}

func (h *fakeHistory) Rename(_ context.Context, id, title string) error {
	if _, err := h.knows(id); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.titles[id] = title
	return nil
}

func (h *fakeHistory) SetFavorite(_ context.Context, id string, on bool) error {
	h.ask("favorite %s %v", id, on)
	_, err := h.knows(id)
	return err
}

func (h *fakeHistory) Delete(_ context.Context, id string) error {
	if _, err := h.knows(id); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.records, id)
	return nil
}

func (h *fakeHistory) Export(_ context.Context, id, format string, w io.Writer) error {
	_, err := io.WriteString(w, format+" of "+id)
	return err
}

// fakeAccounts remember keys.
type fakeAccounts struct {
	mu   sync.Mutex
	keys map[protocol.Account]string
	kept map[protocol.Account]bool
}

func (a *fakeAccounts) Login(_ context.Context, acc protocol.Account, secret string, persist bool) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.keys == nil {
		a.keys, a.kept = map[protocol.Account]string{}, map[protocol.Account]bool{}
	}
	a.keys[acc], a.kept[acc] = secret, persist
	return nil
}

func (a *fakeAccounts) Logout(_ context.Context, acc protocol.Account, persist bool) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if persist || !a.kept[acc] {
		delete(a.keys, acc)
	}
	return nil
}

func (a *fakeAccounts) Status(context.Context) ([]protocol.AccountStatus, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var list []protocol.AccountStatus
	for acc := range a.keys {
		where := "memory"
		if a.kept[acc] {
			where = "keyring"
		}
		list = append(list, protocol.AccountStatus{Account: acc, Where: where})
	}
	slices.SortFunc(list, func(a, b protocol.AccountStatus) int { return strings.Compare(a.Provider, b.Provider) })
	return list, nil
}

func (t *fakeTask) Record() Record { return t.record }

func (t *fakeTask) Resume(p agent.Prompt) (agent.Accepted, error) {
	t.note("resume")
	return t.Prompt(p)
}

func (t *fakeTask) Steer(turnID string, p agent.Prompt) (agent.Accepted, error) {
	t.note("steer " + turnID)
	return t.Prompt(p)
}

func (t *fakeTask) EditMessage(messageID string, p agent.Prompt) (agent.Accepted, error) {
	t.note("edit " + messageID)
	return t.Prompt(p)
}

func (t *fakeTask) SetChecklist(markdown string) error {
	t.note("checklist " + markdown)
	return t.fail
}

func (t *fakeTask) note(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.noted = append(t.noted, what)
}

// fakeSetup answers what a test wants.
type fakeSetup struct {
	status protocol.SetupStatus
	found  []protocol.FoundServer
	models *protocol.ModelListResult
	asked  []protocol.ModelListParams
	fail   error
}

func (f *fakeSetup) Status(context.Context) protocol.SetupStatus { return f.status }

func (f *fakeSetup) Discover(context.Context) []protocol.FoundServer { return f.found }

func (f *fakeSetup) Models(_ context.Context, p protocol.ModelListParams) *protocol.ModelListResult {
	f.asked = append(f.asked, p)
	return f.models
}

func (f *fakeSetup) Demo(_ context.Context, stop bool) error {
	if f.fail == nil {
		f.status = protocol.SetupStatus{Configured: !stop, Provider: "openai", Demo: !stop}
	}
	return f.fail
}
