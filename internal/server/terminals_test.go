package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
)

// fakeTerminals know the command c1 and note what is done to it.
type fakeTerminals struct {
	mu   sync.Mutex
	done []string
	// killing, if set, gets a word from each Kill, which then waits for another.
	killing chan struct{}
}

func (f *fakeTerminals) List() []event.Terminal {
	return []event.Terminal{{TerminalID: "c1", Command: "npm start", Cwd: "/p", State: "background"}}
}

func (f *fakeTerminals) note(id, what string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if id != "c1" {
		return fmt.Errorf("no command %q runs", id)
	}
	f.done = append(f.done, what)
	return nil
}

func (f *fakeTerminals) Input(id, text string) error { return f.note(id, "input "+text) }

func (f *fakeTerminals) Resize(id string, cols, rows int) error {
	return f.note(id, fmt.Sprintf("resize %dx%d", cols, rows))
}

func (f *fakeTerminals) Kill(_ context.Context, id string) error {
	if f.killing != nil {
		f.killing <- struct{}{}
		<-f.killing
	}
	return f.note(id, "kill")
}

func (f *fakeTerminals) Detach(id string) error { return f.note(id, "detach") }

func (t *fakeTask) Terminals() Terminals { return &t.terminals }

func TestTerminals(t *testing.T) {
	r := start(t, everything)
	task, id := r.newTask()
	at := protocol.TerminalParams{TaskID: id, TerminalID: "c1"}
	list, err := r.server.TerminalList(r.ctx(), &protocol.TerminalListParams{TaskID: id})
	if err != nil || len(list.Terminals) != 1 || list.Terminals[0].TerminalID != "c1" {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, do := range []func(protocol.TerminalParams) error{
		func(at protocol.TerminalParams) error {
			_, err := r.server.TerminalInput(r.ctx(), &protocol.TerminalInputParams{TerminalParams: at, Text: "y\r"})
			return err
		},
		func(at protocol.TerminalParams) error {
			_, err := r.server.TerminalResize(r.ctx(), &protocol.TerminalResizeParams{TerminalParams: at, Cols: 80, Rows: 24})
			return err
		},
		func(at protocol.TerminalParams) error {
			_, err := r.server.TerminalDetach(r.ctx(), &at)
			return err
		},
		func(at protocol.TerminalParams) error {
			_, err := r.server.TerminalKill(r.ctx(), &at)
			return err
		},
	} {
		if err := do(at); err != nil {
			t.Error(err)
		}
		gone, nowhere, nameless := at, at, at
		gone.TerminalID, nowhere.TaskID, nameless.TerminalID = "c9", "t9", ""
		wantCode(t, do(gone), protocol.CodeTerminalNotFound, `no command "c9" runs`)
		wantCode(t, do(nowhere), protocol.CodeTaskNotFound, "t9")
		wantCode(t, do(nameless), rpc.CodeInvalidParams, "terminalId")
	}
	if want := []string{"input y\r", "resize 80x24", "detach", "kill"}; !slices.Equal(task.terminals.done, want) {
		t.Errorf("done: %q", task.terminals.done)
	}
	for _, side := range []int{0, -1, maxSide + 1} {
		_, err := r.server.TerminalResize(r.ctx(), &protocol.TerminalResizeParams{TerminalParams: at, Cols: 80, Rows: side})
		wantCode(t, err, rpc.CodeInvalidParams, "rows")
	}
}

// A command that does not want to end holds up nobody else.
func TestSlowKill(t *testing.T) {
	r := start(t, everything)
	task, id := r.newTask()
	task.terminals.killing = make(chan struct{})
	killed := make(chan error)
	go func() {
		_, err := r.server.TerminalKill(r.ctx(), &protocol.TerminalParams{TaskID: id, TerminalID: "c1"})
		killed <- err
	}()
	<-task.terminals.killing
	if _, err := r.server.TerminalList(r.ctx(), &protocol.TerminalListParams{TaskID: id}); err != nil {
		t.Error(err)
	}
	task.terminals.killing <- struct{}{}
	if err := <-killed; err != nil {
		t.Error(err)
	}
}

// fakeRules hold the ids of rules; bad is the error of a store.
type fakeRules struct {
	mu  sync.Mutex
	ids []int64
	bad error
}

func (f *fakeRules) List(_ context.Context, all bool) (list []protocol.RuleInfo, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range f.ids {
		if all || id < 10 {
			list = append(list, protocol.RuleInfo{ID: id, Verdict: "allow"})
		}
	}
	return list, f.bad
}

func (f *fakeRules) Remove(_ context.Context, id int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.Index(f.ids, id)
	if i < 0 {
		return ErrNoRule
	}
	f.ids = slices.Delete(f.ids, i, i+1)
	return f.bad
}

func (b *backend) Rules() Rules { return &b.rules }

func TestRules(t *testing.T) {
	r := start(t, everything)
	rules := &r.backend.rules
	ids := func(all bool) (ids []int64) {
		t.Helper()
		res, err := r.server.RuleList(r.ctx(), &protocol.RuleListParams{All: all})
		if err != nil || res.Rules == nil {
			t.Fatalf("%+v, %v", res, err)
		}
		for _, rule := range res.Rules {
			ids = append(ids, rule.ID)
		}
		return ids
	}
	if got := ids(true); got != nil {
		t.Errorf("rules %v", got)
	}
	rules.ids = []int64{1, 2, 11}
	if _, err := r.server.RuleRemove(r.ctx(), &protocol.RuleRemoveParams{ID: 1}); err != nil {
		t.Error(err)
	}
	_, err := r.server.RuleRemove(r.ctx(), &protocol.RuleRemoveParams{ID: 1})
	wantCode(t, err, rpc.CodeInvalidParams, "1 is that of no rule")
	if got := ids(false); !slices.Equal(got, []int64{2}) {
		t.Errorf("rules here %v", got)
	}
	if got := ids(true); !slices.Equal(got, []int64{2, 11}) {
		t.Errorf("all rules %v", got)
	}
	rules.bad = errors.New("the disk is full")
	_, err = r.server.RuleRemove(r.ctx(), &protocol.RuleRemoveParams{ID: 2})
	wantCode(t, err, protocol.CodeStorage, "the disk is full")
	_, err = r.server.RuleList(r.ctx(), &protocol.RuleListParams{})
	wantCode(t, err, protocol.CodeStorage, "the disk is full")
}

func wantCode(t *testing.T, err error, code int64, says string) {
	t.Helper()
	var e *rpc.Error
	if !errors.As(err, &e) || e.Code != code || !strings.Contains(e.Message, says) {
		t.Errorf("got %v, want code %d with %q", err, code, says)
	}
}
