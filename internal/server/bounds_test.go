package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
)

// A prompt that waits for the disk does not hold up the cancel behind it.
func TestCancelPassesASlowPrompt(t *testing.T) {
	r := start(t, everything)
	task, id := r.newTask()
	waits, disk := make(chan struct{}), make(chan struct{})
	task.slow = func() {
		close(waits)
		<-disk
	}
	prompted := make(chan error, 1)
	go func() {
		_, err := r.call(protocol.MethodTaskPrompt, `{"taskId":"`+id+`","prompt":[{"type":"text","text":"x"}]}`)
		prompted <- err
	}()
	<-waits
	if _, err := r.call(protocol.MethodTaskCancel, `{"taskId":"`+id+`"}`); err != nil || len(task.cancels) != 1 {
		t.Error(err)
	}
	close(disk)
	if err := <-prompted; err != nil {
		t.Error(err)
	}
}

// A request that the peer gave up is told from a failure of the store.
func TestStoreErrors(t *testing.T) {
	wrapped := errors.Join(errors.New("reading"), context.Canceled)
	if err := storeError("t1", wrapped); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	var e *rpc.Error
	if err := storeError("t1", errors.New("disk full")); !errors.As(err, &e) || e.Code != protocol.CodeStorage {
		t.Errorf("%v", err)
	}
	if err := taskError("t1", &agent.TakenError{PID: 7}); !errors.As(err, &e) || e.Code != protocol.CodeTaskBusy || !strings.Contains(string(e.Data), `"pid":7`) {
		t.Errorf("%v", err)
	}
}

// No answer has more than a mebibyte of events, but for one that has more alone; what
// is left is had page by page.
func TestBytesOfPages(t *testing.T) {
	r := start(t, everything)
	record := r.backend.history.record("t1")
	tell := func(id string, size int) {
		e := event.Message{MessageID: id, Role: "assistant", Status: event.Done, Content: []event.Content{{Type: "text", Text: strings.Repeat("x", size)}}}
		seq := record.NextSeq()
		record.Record(event.Item{Key: event.Key(e, "", seq), Seq: seq, First: seq, Event: e})
	}
	tell("whole", 3<<20)
	for _, id := range []string{"a", "b", "c", "d"} {
		tell(id, 400<<10)
	}
	ids := func(events []protocol.TaskEventParams) (ids []string) {
		for _, e := range events {
			ids = append(ids, e.Event.Event.(event.Message).MessageID)
		}
		return ids
	}
	first, err := r.server.TaskAttach(r.ctx(), &protocol.TaskAttachParams{TaskID: "t1"})
	if err != nil || !first.More || first.Before == 0 {
		t.Fatal(first, err)
	}
	since, err := r.server.TaskAttach(r.ctx(), &protocol.TaskAttachParams{TaskID: "t1", SinceSeq: 1})
	if err != nil || !since.More || since.Before != 0 {
		t.Fatal(since, err)
	}
	got := [][]string{ids(first.Events), ids(since.Events)}
	for before := first.Before; before != 0; {
		page, err := r.server.TaskRead(r.ctx(), &protocol.TaskReadParams{TaskID: "t1", Before: before})
		if err != nil || page.More != (page.Before != 0) {
			t.Fatal(page, err)
		}
		got, before = append(got, ids(page.Events)), page.Before
	}
	if want := "[[c d] [c d] [a b] [whole]]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// What the user writes beside prompts is bounded, and a title is one line that
// does nothing to a terminal.
func TestBoundsOfTitlesAndChecklists(t *testing.T) {
	r := start(t, everything)
	task, id := r.newTask()
	text := func(s string) string {
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	list := func(s string) string { return `{"taskId":"` + id + `","markdown":` + text(s) + `}` }
	r.refused(protocol.MethodTaskSetChecklist, list(strings.Repeat("- [ ] item\n", 6000)), -32602, "invalid params: markdown is longer than 64 KB")
	if _, err := r.call(protocol.MethodTaskSetChecklist, list(strings.Repeat("x", 64<<10))); err != nil {
		t.Error(err)
	}
	if _, err := r.call(protocol.MethodTaskSetChecklist, list("- [ ] a\x00b")); err != nil {
		t.Error(err)
	}
	if got := task.noted[len(task.noted)-1]; got != "checklist - [ ] a\uFFFDb" {
		t.Errorf("%q", got)
	}
	r.backend.history.record(id)
	title := func(s string) string { return `{"taskId":"` + id + `","title":` + text(s) + `}` }
	r.refused(protocol.MethodTaskRename, title(strings.Repeat("é", 201)), -32602, "invalid params: title is longer than 200 characters")
	r.refused(protocol.MethodTaskRename, title(" \x00\n\u202e"), -32602, "invalid params: title is missing")
	for in, want := range map[string]string{
		strings.Repeat("é", 200):        strings.Repeat("é", 200),
		"a\x00b\n\x1b[31mX\u202e\tend ": "ab [31mX end",
	} {
		if _, err := r.call(protocol.MethodTaskRename, title(in)); err != nil {
			t.Error(err)
		}
		if got := r.backend.history.titles[id]; got != want {
			t.Errorf("%q is called %q", in, got)
		}
	}
}
