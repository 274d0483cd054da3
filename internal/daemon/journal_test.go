package daemon

import (
	"reflect"
	"slices"
	"testing"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/store"
	"clined/internal/transcript"
)

// What was accepted and no message on record carries is said when a task is
// taken up, however often that began already.
func TestSeenPrompts(t *testing.T) {
	said := func(id string, turn string, s event.Status) store.Item {
		return store.Item{TurnID: turn, Event: event.Message{MessageID: id, Role: "user", Status: s}}
	}
	end := func(turn string, r event.StopReason) store.Item {
		return store.Item{TurnID: turn, Event: event.State{State: event.Idle, StopReason: r}}
	}
	items := []store.Item{
		said("first", "1", event.Done),
		said("told with first", "1", event.Pending), // killed before fronts heard of it
		said("unrecorded", "2", event.Done), end("2", event.Failed),
		said("begun", "3", event.Done), // 4 took it up and was killed before it said so
		said("closed", "5", event.Done), end("5", event.Interrupted),
		said("waits", "6", event.Pending),
		said("taken back", "7", event.Discarded),
		{TurnID: "4", Event: event.Message{MessageID: "answer", Role: "assistant", Status: event.Done}},
	}
	h := &agent.History{
		Messages:    []transcript.Message{{ID: "first", Also: []string{"told with first"}, Role: transcript.User}},
		Interrupted: "4",
	}
	seen(h, items)
	var got []string
	for _, m := range h.Unsent {
		got = append(got, m.MessageID)
	}
	if want := []string{"begun", "closed", "waits"}; !slices.Equal(got, want) {
		t.Errorf("unsent are %q, want %q", got, want)
	}
}

// Notes that are damaged keep nobody from the messages.
func TestReadStanding(t *testing.T) {
	before := store.Info{Title: "A title", Model: "m", Totals: []byte(`{"tokensIn":7,"tokensOut":3,"cost":1.5}`)}
	instead := standing{Title: "A title", Model: "m", Cost: 1.5, Total: transcript.Usage{Input: 7, Output: 3}}
	for _, c := range []struct {
		name, raw string
		want      standing
		damaged   bool
	}{
		{"none yet", "", standing{}, false},
		{"sound", `{"title":"T","cost":2}`, standing{Title: "T", Cost: 2}, false},
		{"zeros", "\x00\x00\x00", instead, true},
		{"a flipped bit", `{"title:"T"}`, instead, true},
		{"JSON of other things", `{"title":"T","total":"x"}`, instead, true},
		{"cut", `{"title":"T"`, instead, true},
	} {
		if st, damage := readStanding([]byte(c.raw), before); !reflect.DeepEqual(st, c.want) || (damage != "") != c.damaged {
			t.Errorf("%s: %+v, %q", c.name, st, damage)
		}
	}
	before.Totals = []byte("\x00")
	if st, _ := readStanding([]byte("\x00"), before); st.Cost != 0 || st.Title != "A title" {
		t.Errorf("%+v", st)
	}
}
