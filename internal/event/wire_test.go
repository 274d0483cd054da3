package event_test

import (
	"encoding/json"
	"testing"

	"clined/internal/event"
)

// A checklist without entries is an empty list on the wire, not null, also when
// it was stored as null.
func TestEmptyPlan(t *testing.T) {
	const want = `{"type":"plan","entries":[],"byUser":true}`
	raw, err := json.Marshal(event.Envelope{Event: event.Plan{ByUser: true}})
	if err != nil || string(raw) != want {
		t.Errorf("%s, %v", raw, err)
	}
	var read event.Envelope
	if err := json.Unmarshal([]byte(`{"type":"plan","entries":null,"byUser":true}`), &read); err != nil {
		t.Fatal(err)
	}
	if raw, err := json.Marshal(read); err != nil || string(raw) != want {
		t.Errorf("%s, %v", raw, err)
	}
}
