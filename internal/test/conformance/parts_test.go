package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestFrames(t *testing.T) {
	const one, two = `{"a":"é"}`, `{"b":2}`
	for name, in := range map[string]string{
		"header":       "Content-Length: 10\r\n\r\n" + one + "content-length:7\r\nX-Y: z\r\n\r\n" + two,
		"lines":        one + "\n" + two + "\n",
		"without end":  one + "\n" + two,
		"crlf of line": one + "\r\n" + two + "\r\n",
	} {
		f := &frames{r: bufio.NewReader(strings.NewReader(in))}
		var again bytes.Buffer
		for _, want := range []string{one, two} {
			got, err := f.next()
			if err != nil || string(got) != want {
				t.Errorf("%s: %q, %v", name, got, err)
			}
			if err := frame(&again, got, f.lines); err != nil {
				t.Error(err)
			}
		}
		if _, err := f.next(); err != io.EOF {
			t.Errorf("%s: the end is %v", name, err)
		}
		back := &frames{r: bufio.NewReader(&again)}
		if got, err := back.next(); err != nil || string(got) != one || back.lines != f.lines {
			t.Errorf("%s: written and read it is %q, %v", name, got, err)
		}
	}
	for _, bad := range []string{"Content-Length: x\r\n\r\n{}", "Content-Length: 9\r\n\r\n{}", "Content-Type: a\r\n\r\n{}", "C"} {
		if got, err := (&frames{r: bufio.NewReader(strings.NewReader(bad))}).next(); err == nil {
			t.Errorf("%q is the message %q", bad, got)
		}
	}
}

func TestNewsAreMixedInAndNumbered(t *testing.T) {
	event := func(seq int, typ string) string {
		return `{"jsonrpc":"2.0","method":"clined/task/event","params":{"taskId":"t","seq":` + string(rune('0'+seq)) + `,"event":{"type":"` + typ + `"}}}`
	}
	n := &news{wanted: true}
	var types []string
	var last float64
	for _, m := range []string{event(1, "message"), event(2, "state"), event(3, "message"), event(4, "state"), `{"jsonrpc":"2.0","id":1,"result":[]}`} {
		bodies, err := n.after([]byte(m))
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range bodies {
			var got struct {
				Params struct {
					Seq   float64
					Event struct{ Type string }
				}
			}
			if err := json.Unmarshal(b, &got); err != nil {
				t.Fatal(err)
			}
			types = append(types, got.Params.Event.Type)
			if typ := got.Params.Event.Type; typ != "" && got.Params.Seq <= last {
				t.Errorf("%s has the number %v behind %v", typ, got.Params.Seq, last)
			}
			last = got.Params.Seq
		}
	}
	if want := []string{"message", "state", "hologram", "message", "state", "hologram", ""}; !reflect.DeepEqual(types, want) {
		t.Errorf("%q", types)
	}
}

func TestVersionIsChanged(t *testing.T) {
	r := &relay{plan: plan{Protocol: 7}}
	bodies, err := r.toClined([]byte(`{"id":1,"method":"initialize","params":{"processId":1,"capabilities":{"experimental":{"clined":{"protocol":{"min":1,"max":1},"caps":{}}}}}}`))
	if err != nil || len(bodies) != 1 || !strings.Contains(string(bodies[0]), `"protocol":{"max":7,"min":7}`) || !strings.Contains(string(bodies[0]), `"caps":{}`) {
		t.Errorf("%s, %v", bodies, err)
	}
	other := `{"id":2,"method":"shutdown"}`
	if bodies, err := r.toClined([]byte(other)); err != nil || string(bodies[0]) != other {
		t.Errorf("%s, %v", bodies, err)
	}
	if _, err := r.toClined([]byte(`{"id":1,"method":"initialize","params":{"capabilities":{}}}`)); err == nil || !strings.Contains(err.Error(), "experimental") {
		t.Errorf("a front without the native protocol: %v", err)
	}
}

// scripted is a front that notes what it is told.
type scripted struct {
	got   []Action
	err   error
	state State
}

func (s *scripted) Do(_ context.Context, a Action) error {
	s.got = append(s.got, a)
	return s.err
}
func (s *scripted) State(_ context.Context, after int64) (State, error) {
	s.got = append(s.got, Action{Verb: See, After: after})
	return s.state, s.err
}
func (s *scripted) Close() error { return nil }

// Every field of an action and of a state comes through the lines.
func TestLinesLoseNothing(t *testing.T) {
	var action Action
	fill(reflect.ValueOf(&action).Elem())
	state := State{}
	fill(reflect.ValueOf(&state).Elem())
	raw, err := json.Marshal(action)
	if err != nil {
		t.Fatal(err)
	}
	f := &scripted{state: state}
	if r := reply(t.Context(), f, raw); !r.OK || !reflect.DeepEqual(f.got, []Action{action}) {
		t.Errorf("%+v became %+v", action, f.got)
	}
	var out bytes.Buffer
	if err := serve(t.Context(), f, strings.NewReader(`{"verb":"state","after":7}`+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	var got Reply
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || !got.OK || !reflect.DeepEqual(*got.State, state) || f.got[1].After != 7 {
		t.Errorf("%+v became %s, %v", state, out.Bytes(), err)
	}
}

// fill gives every field a value.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("a \"b\"\nc é")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int64:
		v.SetInt(1 << 40)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"a": "b"}))
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	}
}

func TestServeAnswersWhatIsWrong(t *testing.T) {
	f := &scripted{err: errors.New("no such button")}
	var out bytes.Buffer
	if err := serve(t.Context(), f, strings.NewReader("{\"verb\":\"cancel\"}\nnonsense\n{\"verb\":\"state\"}\n"), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], "no such button") || !strings.Contains(lines[1], "no action") || !strings.Contains(lines[2], "no such button") {
		t.Errorf("%q", lines)
	}
}

// A driver that misbehaves is told apart, and none is left behind.
func TestDriversThatMisbehave(t *testing.T) {
	for name, tt := range map[string]struct{ script, fault string }{
		"ends at once":     {"exit 3", "driver"},
		"ends when asked":  {"read x; exit 0", "ended"},
		"says nonsense":    {"read x; echo nonsense; cat >/dev/null", "nonsense"},
		"refuses":          {`read x; echo '{"ok":false,"error":"not offered"}'; cat >/dev/null`, "not offered"},
		"shows nothing":    {`read x; echo '{"ok":true}'; cat >/dev/null`, "no state"},
		"talks afterwards": {`read x; echo '{"ok":true}'; while read y; do :; done; yes | head -1000`, "no state"},
	} {
		t.Run(name, func(t *testing.T) {
			log, err := os.Create(filepath.Join(t.TempDir(), "log"))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = log.Close() }()
			d, err := startDriver(t.Context(), log, "sh", "-c", tt.script)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := d.State(t.Context(), 0); err == nil || !strings.Contains(err.Error(), tt.fault) {
				t.Errorf("its state: %v", err)
			}
			if err := d.Close(); err != nil && name != "ends at once" {
				t.Errorf("its end: %v", err)
			}
		})
	}
}

// The documentation for those who write drivers tells of all there is.
func TestDocumentation(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "conformance.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for verb := range editorVerbs {
		if !strings.Contains(text, "`"+verb+"`") {
			t.Errorf("there is nothing of the verb %s", verb)
		}
	}
	for _, v := range []any{Action{}, State{}, Reply{}, Task{}, Item{}, Pending{}} {
		for i := range reflect.TypeOf(v).NumField() {
			name, _, _ := strings.Cut(reflect.TypeOf(v).Field(i).Tag.Get("json"), ",")
			if !strings.Contains(text, "`"+name+"`") && !strings.Contains(text, `"`+name+`"`) {
				t.Errorf("there is nothing of %s in %T", name, v)
			}
		}
	}
	for _, c := range checks() {
		if !strings.Contains(text, "| "+c.name+" |") {
			t.Errorf("there is nothing of the check %q", c.name)
		}
	}
}
