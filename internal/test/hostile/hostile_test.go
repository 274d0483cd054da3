package hostile

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"

	"clined/internal/agent"
	"clined/internal/llm/openai"
	"clined/internal/test/fakellm"
	"clined/internal/transcript"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// judge is what the fake model reports to: replies that were not asked for are
// no fault here, as nobody knows how many there will be.
type judge struct {
	mu       sync.Mutex
	faults   []string
	cleanups []func()
}

func (j *judge) Helper() {}
func (j *judge) Errorf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if strings.Contains(text, "were not asked for") || strings.Contains(text, "is beyond its") {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.faults = append(j.faults, text)
}
func (j *judge) Fatalf(format string, args ...any) { j.Errorf(format, args...) }
func (j *judge) Cleanup(f func())                  { j.cleanups = append(j.cleanups, f) }

const done = "reply\ncall attempt_completion {\"result\":\"done\"}\n"

// play runs a task of two turns before an endpoint that the dice make up. It
// must come to an end (a hang is a deadlock of the bubble), every request must
// be one that vendors take, and what is left must be a valid record.
func play(t *testing.T, data []byte) {
	synctest.Test(t, func(t *testing.T) {
		d := &dice{data}
		cancelAt := 0
		if d.roll(4) == 1 {
			cancelAt = 1 + d.roll(30)
		}
		var script strings.Builder
		for range 1 + d.roll(12) {
			script.WriteString(d.reply())
		}
		script.WriteString(strings.Repeat(done, 60))

		j := &judge{}
		pipe := fakellm.NewPipe()
		server := fakellm.StartOn(j, pipe, script.String())
		transport := &http.Transport{DialContext: pipe.Dial}
		client, err := openai.New(openai.Options{
			BaseURL: server.URL(), HTTPClient: &http.Client{Transport: transport}, Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		w := &world{client: client, dice: d, changed: make(chan struct{}), ran: map[string]int{}, cancelAt: cancelAt}
		task := agent.New(t.Context(), agent.Config{
			Models: w, Tools: w, Prompt: w, Journal: w, Sink: w, Asker: w, Clock: w,
			NewID: w.newID, Settings: func() agent.Settings { return agent.Settings{MaxRequests: 8} }, Log: slog.New(slog.DiscardHandler),
		})
		w.cancel = func() { _ = task.Cancel("") }
		for n := range 2 {
			_, err := task.Prompt(agent.Prompt{Parts: []transcript.Part{transcript.TextPart("go")}})
			if err != nil {
				t.Fatal(err)
			}
			w.waitIdle(n + 1)
			synctest.Wait() // a cancel that comes too late is over
		}
		task.Close()
		client.Close()
		transport.CloseIdleConnections()
		server.Close()
		for _, f := range append(w.faults(), j.faults...) {
			t.Errorf("%s\nthe endpoint:\n%s", f, strings.TrimSuffix(script.String(), strings.Repeat(done, 60)))
		}
	})
}

func TestHostileEndpoints(t *testing.T) {
	n := uint64(400)
	if testing.Short() {
		n = 60
	}
	for seed := range n {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			data := make([]byte, 40+r.IntN(400))
			for i := range data {
				data[i] = byte(r.Uint32())
			}
			play(t, data)
		})
	}
}

func FuzzHostileEndpoints(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("a stream of what comes to mind, on and on"))
	f.Add([]byte{1, 3, 9, 0, 2, 1, 2, 1, 0, 7, 4, 3, 2, 1, 6, 6, 6, 5, 4, 3, 2, 1, 0, 0, 7, 7, 7})
	f.Fuzz(play)
}
