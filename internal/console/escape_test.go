package console_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"clined/internal/console"
	"clined/internal/event"
	"clined/internal/protocol"
)

// evil are texts that would steer a terminal.
var evil = []string{
	"\x1b[2J\x1b[1;1H", "\x1b]0;owned\x07", "\x1b]52;c;cm0gLXJm\x1b\\", "\x1b", "\x1b[", "\x1b]8;;http://x", "\u009b31m", "\x9b31m", "\x07", "\b\b\b", "\r",
	"\x00", "\x7f", "\x0e", "\x05", "\u202e", "\u2066", "\u2028", "\x1bPq\x1b\\", "\x1b_x", "\xc2", "\n", "\t", "\x1b[31", "m", "text", "日本", "```", "- ",
}

func evilText(rng *rand.Rand) string {
	var b strings.Builder
	for range rng.IntN(6) {
		b.WriteString(evil[rng.IntN(len(evil))])
	}
	return b.String()
}

// fill puts evil texts into every string of v.
func fill(rng *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if rng.IntN(4) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(rng, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(rng, v.Field(i))
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 { // raw JSON
			raw, _ := json.Marshal(map[string]string{evilText(rng): evilText(rng)})
			v.SetBytes(raw)
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), rng.IntN(3), 3))
		for i := range v.Len() {
			fill(rng, v.Index(i))
		}
	case reflect.String:
		v.SetString(evilText(rng))
	case reflect.Bool:
		v.SetBool(rng.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(rng.IntN(100000)))
	}
}

var (
	ids      = []string{"m1", "m2", "c1"}
	statuses = []event.Status{event.Pending, event.InProgress, event.Done, event.Error, event.Denied, event.Stopped, event.Discarded}
	kinds    = []string{"read", "edit", "command", "mcp", "ask", "control", ""}
)

// evilEvent is any event with evil texts and ids that meet.
func evilEvent(rng *rand.Rand) event.Event {
	all := event.All()
	v := reflect.New(reflect.TypeOf(all[rng.IntN(len(all))])).Elem()
	fill(rng, v)
	switch e := v.Interface().(type) {
	case event.MessageDelta:
		e.MessageID, e.Kind = ids[rng.IntN(3)], []string{"text", "thought"}[rng.IntN(2)]
		return e
	case event.Message:
		e.MessageID, e.Role, e.Status = ids[rng.IntN(3)], []string{"user", "assistant"}[rng.IntN(2)], statuses[rng.IntN(len(statuses))]
		for i := range e.Content {
			e.Content[i].Type = "text"
		}
		return e
	case event.ToolCall:
		e.ToolCallID, e.Status, e.Kind = ids[rng.IntN(3)], statuses[rng.IntN(len(statuses))], kinds[rng.IntN(len(kinds))]
		return e
	case event.ToolCallDelta:
		e.ToolCallID = ids[rng.IntN(3)]
		return e
	case event.State:
		e.State = []event.TaskState{event.Idle, event.Running, event.RequiresAction}[rng.IntN(3)]
		return e
	}
	return v.Interface().(event.Event)
}

// Nothing of what models, files and servers write steers the terminal, in any
// mode, whatever comes in whatever order.
func TestNothingSteersTheTerminal(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for i := range 400 {
		o := console.Options{OutTTY: i%2 == 0, Color: i%3 == 0, Width: []int{0, 20, 80}[i%3], JSON: i%7 == 0, In: strings.NewReader("y\n1\n\x1b[2Jx \x07\ny\n")}
		f := newFront(t, o)
		for range 30 {
			f.events(evilEvent(rng))
			switch rng.IntN(20) {
			case 0:
				p := &protocol.ApprovalRequestParams{}
				fill(rng, reflect.ValueOf(p).Elem())
				p.Options = []protocol.ApprovalOption{{OptionID: "y", Kind: "allow_once"},
					{OptionID: "a", Kind: "allow_always", Rule: &protocol.Rule{Scope: evilText(rng), Pattern: evilText(rng)}}, {OptionID: "n", Kind: "reject_once"}}
				if _, err := f.ApprovalRequest(t.Context(), p); err != nil {
					t.Fatal(err)
				}
			case 1:
				if _, err := f.Ask(t.Context(), &protocol.AskParams{Text: evilText(rng), Options: []string{evilText(rng)}}); err != nil {
					t.Fatal(err)
				}
			case 2:
				if err := f.ShowMessage(t.Context(), showMessage(rng.IntN(4)+1, evilText(rng))); err != nil {
					t.Fatal(err)
				}
			case 3:
				f.Show(evilText(rng))
			}
		}
		f.Lost(errors.New(evilText(rng)))
		wantHarmless(t, f.err.String())
		wantHarmless(t, f.out.String())
		if !o.Color && strings.Contains(f.err.String(), "\x1b") {
			t.Fatalf("colours without being asked: %q", f.err)
		}
	}
}

// A line of JSON is the event as it is, though no character of it steers.
func TestJSONIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for range 200 {
		f := newFront(t, console.Options{JSON: true})
		e := evilEvent(rng)
		f.events(e)
		line := f.out.String()
		if strings.Count(line, "\n") != 1 {
			t.Fatalf("%q", line)
		}
		var got, want any
		raw, err := json.Marshal(envelope(1, e))
		if err != nil {
			t.Fatal(err)
		}
		if json.Unmarshal([]byte(line), &got) != nil || json.Unmarshal(raw, &want) != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\nis not\n%s", line, raw)
		}
	}
}
