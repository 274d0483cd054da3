package console_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"clined/internal/console"
	"clined/internal/event"
	"clined/internal/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var update = flag.Bool("update", false, "write the golden files")

// hang is how long anything may take here before a test is stuck.
const hang = time.Minute

// screen is what a terminal, or a file, shows.
type screen struct {
	mu   sync.Mutex
	text strings.Builder
	// changed is closed at the next write, when somebody waits for it.
	changed chan struct{}
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Write(b)
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
	return len(b), nil
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// wait waits until the screen holds text n times.
func (s *screen) wait(t *testing.T, text string, n int) {
	t.Helper()
	timeout := time.After(hang)
	for {
		s.mu.Lock()
		if strings.Count(s.text.String(), text) >= n {
			s.mu.Unlock()
			return
		}
		if s.changed == nil {
			s.changed = make(chan struct{})
		}
		changed := s.changed
		s.mu.Unlock()
		select {
		case <-changed:
		case <-timeout:
			t.Fatalf("no %q on the screen:\n%s", text, s)
		}
	}
}

// front is a Front with its streams.
type front struct {
	*console.Front
	t        *testing.T
	out, err *screen
}

// newFront returns a front whose Out and Err are apart, or one terminal with
// OutTTY.
func newFront(t *testing.T, o console.Options) *front {
	f := &front{t: t, err: &screen{}}
	f.out = f.err
	if !o.OutTTY {
		f.out = &screen{}
	}
	o.Out, o.Err = f.out, f.err
	f.Front = console.New(o)
	t.Cleanup(f.Close)
	return f
}

// events sends events as a daemon does.
func (f *front) events(list ...event.Event) {
	f.t.Helper()
	for i, e := range list {
		if err := f.TaskEvent(context.Background(), envelope(int64(i+1), e)); err != nil {
			f.t.Fatal(err)
		}
	}
}

func envelope(seq int64, e event.Event) *protocol.TaskEventParams {
	return &protocol.TaskEventParams{TaskID: "t1", Seq: seq, TurnID: "u1", Ts: "2026-03-14T09:26:53.000Z", Event: event.Envelope{Event: e}}
}

// golden compares with testdata/name.txt.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

// both shows the two streams one below the other.
func (f *front) both() string {
	if f.out == f.err {
		return f.err.String()
	}
	return fmt.Sprintf("-- err --\n%s-- out --\n%s", f.err, f.out)
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

// wantHarmless fails when text holds what steers a terminal, colours aside.
func wantHarmless(t *testing.T, text string) {
	t.Helper()
	for i, r := range sgr.ReplaceAllString(text, "") {
		bidi := r == 0x61c || r >= 0x200e && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
		if r != '\n' && r != '\t' && (r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || bidi) {
			t.Fatalf("%U at %d of %q", r, i, text)
		}
	}
}

func wantIn(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("no %q in:\n%s", p, text)
		}
	}
}

func say(id, text string) event.MessageDelta {
	return event.MessageDelta{MessageID: id, Kind: "text", Text: text}
}

func think(id, text string) event.MessageDelta {
	return event.MessageDelta{MessageID: id, Kind: "thought", Text: text}
}

func said(id, text string) event.Message {
	return event.Message{MessageID: id, Role: "assistant", Status: event.Done, Content: []event.Content{{Type: "text", Text: text}}}
}

func final(id, text string) event.Message {
	m := said(id, text)
	m.Final = true
	return m
}

func idle(reason event.StopReason) event.State {
	return event.State{State: event.Idle, StopReason: reason}
}

// typist is an input that somebody types into.
type typist struct {
	*io.PipeReader
	w *io.PipeWriter
}

func newTypist() *typist {
	r, w := io.Pipe()
	return &typist{r, w}
}

// enter sends lines; each is taken before it returns.
func (k *typist) enter(lines ...string) {
	for _, l := range lines {
		_, _ = io.WriteString(k.w, l+"\n")
	}
}
