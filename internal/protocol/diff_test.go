package protocol

import (
	"reflect"
	"testing"
)

// Updates that are joined for a slow editor lead to the same text, in one step.
func TestUpdatesJoin(t *testing.T) {
	older := &DiffUpdateParams{DiffID: "d", Rev: 3, Edits: []LineEdit{{StartLine: 4, EndLine: 5, Lines: []string{"x"}}, {StartLine: 0, EndLine: 0, Lines: []string{"a"}}}, ActiveLine: 5}
	newer := &DiffUpdateParams{DiffID: "d", Rev: 4, Edits: []LineEdit{{StartLine: 1, EndLine: 3, Lines: []string{}}}, ActiveLine: 1}
	n := updateNotification(newer)
	if n.Key != updateNotification(older).Key || n.Key == updateNotification(&DiffUpdateParams{DiffID: "e"}).Key || n.Droppable {
		t.Errorf("%+v", n)
	}
	joined, ok := n.Merge(older, newer)
	want := &DiffUpdateParams{DiffID: "d", Rev: 4, Edits: []LineEdit{older.Edits[0], older.Edits[1], newer.Edits[0]}, ActiveLine: 1}
	if !ok || !reflect.DeepEqual(joined, want) || len(older.Edits) != 2 || len(newer.Edits) != 1 {
		t.Errorf("%+v", joined)
	}
}
