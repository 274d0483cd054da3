package scenario_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/rpc"
	"clined/internal/store"
	"clined/internal/test/fakeeditor"
	"clined/internal/test/fakellm"
	"clined/internal/test/scenario"
	"clined/internal/transcript"
)

// Rounds of TestRandomCancel: one task each for some seeds.
const (
	cancelTasks  = 4
	cancelRounds = 10
)

// busy are the replies of a model that keeps every room at work; each round
// has them in another order. The turn never ends by itself.
var busy = []string{`
reply
  think Let us look around first, and then at each of the files in turn.
  text I look at the files, one by one, and run a command beside that.
  call read_file {"path":"a.txt"}
  call read_file {"path":"b.txt"}
  call list_files {"path":".","recursive":true,"task_progress":"- [ ] look\n- [ ] write"}
  call execute_command {"command":"echo one; echo two; sleep 0.02; echo three","requires_approval":false}
`, `
reply
  text Now I write.
  call write_to_file {"path":"new.txt","content":"first line\nsecond line\nthird line\n"}
  call search_files {"path":".","regex":"alpha"}
`, `
reply
  status 503
`, `
reply
  cut after=900
  text A long answer which is cut off in the middle of the words that it has to say, and begun once more.
  call read_file {"path":"a.txt","start_line":1,"end_line":1,"task_progress":"- [x] look\n- [ ] write"}
`, `
reply
  text I ask.
  call ask_followup_question {"question":"Red or blue?","options":["red","blue"]}
`, `
reply
  text I only talk, and use no tool.
`, `
reply
  call read_file {"path":"a.txt"}
  call execute_command {"command":"sleep 7790 & echo started; sleep 7790","requires_approval":false}
  call read_file {"path":"b.txt"}
`}

// completion answers the prompt behind a cancel. A request that was on its way
// when the turn was cancelled may still take one of them.
const completion = `
reply
  call attempt_completion {"result":"done"}
reply
  call attempt_completion {"result":"done"}
reply
  call attempt_completion {"result":"done"}
`

// TestRandomCancel cancels a turn at a random moment of a busy one and says
// something else, which must succeed: fakellm checks that what is sent is valid
// and keeps its prefix.
func TestRandomCancel(t *testing.T) {
	for seed := range uint64(cancelTasks) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			c := newCanceller(t, seed)
			for i := range cancelRounds {
				c.round(i)
			}
			c.model.Replace("")
			c.checkJournal()
		})
	}
}

// canceller is a user who changes their mind.
type canceller struct {
	*testing.T
	ctx    context.Context
	rand   *rand.Rand
	home   string
	model  *fakellm.Server
	editor *fakeeditor.Editor
	task   string
	order  []string // of the replies
	seen   int      // events of the rounds before
	// undecided is set when an approval or a question was left open.
	undecided atomic.Bool
}

func newCanceller(t *testing.T, seed uint64) *canceller {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	dir := t.TempDir()
	c := &canceller{T: t, ctx: ctx, rand: rand.New(rand.NewPCG(seed, 1)), order: slices.Clone(busy), home: filepath.Join(dir, "home")}
	c.model = fakellm.Start(t, "")
	ws := filepath.Join(dir, "ws")
	for path, text := range map[string]string{
		filepath.Join(c.home, "settings.json"): `{"model": "fake-model", "baseUrl": "` + c.model.URL() + `", "autoApprove": {"command": true}}`,
		filepath.Join(ws, "a.txt"):             "alpha\n",
		filepath.Join(ws, "b.txt"):             "beta\n",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	d := startHere(t, scenario.Setup{Dir: dir, Home: c.home, Log: io.Discard})
	c.editor = fakeeditor.Connect(ctx, t, d, rpc.Header)
	var users sync.WaitGroup
	t.Cleanup(func() {
		cancel()
		c.editor.Close()
		d.Wait()
		users.Wait()
	})
	c.call("initialize", map[string]any{
		"workspaceFolders": []any{map[string]any{"uri": fakeeditor.URI(ws), "name": "ws"}},
		"capabilities": map[string]any{"experimental": map[string]any{"clined": map[string]any{
			"caps": map[string]any{"approvals": map[string]any{}, "asks": map[string]any{}, "transcript": map[string]any{}},
		}}},
	}, nil)
	var res protocol.TaskNewResult
	c.call("clined/task/new", map[string]any{}, &res)
	c.task = res.TaskID
	users.Go(func() { c.approve(rand.New(rand.NewPCG(seed, 2))) })
	users.Go(func() { c.answer(rand.New(rand.NewPCG(seed, 3))) })
	return c
}

// approve decides approvals, some of them not at all, until the editor closes.
func (c *canceller) approve(r *rand.Rand) {
	for {
		a, err := c.editor.NextApproval(c.ctx)
		if err != nil {
			return
		}
		switch r.IntN(3) {
		case 0:
			c.editor.Decide(a, &protocol.ApprovalOutcome{OptionID: "allow_once"})
		case 1:
			c.editor.Decide(a, &protocol.ApprovalOutcome{OptionID: "reject_once"})
		default:
			c.undecided.Store(true)
			c.editor.Decide(a, nil)
		}
	}
}

// answer does the same for questions.
func (c *canceller) answer(r *rand.Rand) {
	for {
		a, err := c.editor.NextAsk(c.ctx)
		switch {
		case err != nil:
			return
		case r.IntN(2) == 0:
			c.editor.Answer(a, &protocol.AskResult{Action: "accept", Text: "Go on"})
		default:
			c.undecided.Store(true)
			c.editor.Answer(a, nil)
		}
	}
}

func (c *canceller) call(method string, params, result any) {
	c.Helper()
	raw, err := c.editor.Call(c.ctx, method, params)
	if err == nil && result != nil {
		err = json.Unmarshal(raw, result)
	}
	if err != nil {
		c.Fatalf("%s: %v", method, err)
	}
}

// prompt says something and returns its turn.
func (c *canceller) prompt(text string) string {
	c.Helper()
	var res protocol.TaskPromptResult
	c.call("clined/task/prompt", map[string]any{"taskId": c.task, "prompt": protocol.Text(text)}, &res)
	return res.TurnID
}

// until waits for a condition on the events of this round.
func (c *canceller) until(what string, f func(events []protocol.TaskEventParams) bool) {
	c.Helper()
	if err := c.editor.Until(c.ctx, what, func() bool { return f(c.editor.EventsLocked()[c.seen:]) }); err != nil {
		c.Fatal(err)
	}
}

func (c *canceller) round(n int) {
	c.Helper()
	c.rand.Shuffle(len(busy), func(i, j int) { c.order[i], c.order[j] = c.order[j], c.order[i] })
	c.model.Replace(strings.Join(c.order, ""))
	c.undecided.Store(false)
	turn := c.prompt(fmt.Sprintf("Round %d.", n))
	after := c.rand.IntN(60)
	c.until(fmt.Sprintf("event %d of round %d", after, n), func(events []protocol.TaskEventParams) bool {
		return len(events) >= after || c.undecided.Load() || slices.ContainsFunc(events, stands)
	})
	for range c.rand.IntN(200) { // also between two events
		runtime.Gosched()
	}
	atOnce := c.rand.IntN(2) == 0
	c.call("clined/task/cancel", map[string]any{"taskId": c.task, "turnId": turn}, nil)
	if !atOnce {
		c.end(turn)
	}
	c.model.Replace(completion)
	next := c.prompt("Something else.")
	if end := c.end(turn); end.StopReason != event.Cancelled {
		c.Errorf("round %d: the turn ended with %+v", n, end)
	}
	if end := c.end(next); end.StopReason != event.Completed {
		c.Fatalf("round %d: the prompt behind the cancel ended with %+v", n, end)
	}
	c.checkEvents(n)
}

// stands reports an event after which nothing happens for long.
func stands(p protocol.TaskEventParams) bool {
	switch e := p.Event.Event.(type) {
	case event.State:
		return e.Waiting != nil
	case event.ToolCallDelta:
		return strings.HasPrefix(e.Output, "started")
	}
	return false
}

// end waits for the end of a turn.
func (c *canceller) end(turn string) (end event.State) {
	c.Helper()
	c.until("the end of turn "+turn, func(events []protocol.TaskEventParams) bool {
		for _, p := range events {
			if s, ok := p.Event.Event.(event.State); ok && s.State == event.Idle && p.TurnID == turn {
				end = s
				return true
			}
		}
		return false
	})
	return end
}

// checkEvents holds what fronts rely on: a turn tells nothing after its end,
// and leaves no call and no message unfinished.
func (c *canceller) checkEvents(n int) {
	c.Helper()
	events := c.editor.Events()[c.seen:]
	c.seen += len(events)
	ended := map[string]bool{}
	open := map[string]string{} // what is unfinished, and its turn
	for _, p := range events {
		if ended[p.TurnID] {
			c.Errorf("round %d: turn %s tells after its end: %+v", n, p.TurnID, p.Event.Event)
		}
		id, status := "", event.Status("")
		switch e := p.Event.Event.(type) {
		case event.MessageDelta:
			id, status = e.MessageID, event.InProgress
		case event.Message:
			id, status = e.MessageID, e.Status
		case event.ToolCall:
			id, status = e.ToolCallID, e.Status
		case event.ToolCallDelta:
			id, status = e.ToolCallID, event.InProgress
		case event.State:
			ended[p.TurnID] = e.State == event.Idle
		}
		if id == "" {
			continue
		}
		delete(open, id)
		if status == event.InProgress || status == event.Pending && p.Event.Type() == "toolCall" {
			open[id] = p.TurnID
		}
	}
	for id, turn := range open {
		c.Errorf("round %d: %s of turn %s was left unfinished", n, id, turn)
	}
}

// checkJournal holds that what lies on disk can be sent.
func (c *canceller) checkJournal() {
	c.Helper()
	journal, err := store.Open(filepath.Join(c.home, "state"), c.task)
	if err != nil {
		c.Fatal(err)
	}
	messages, err := journal.Messages()
	if err == nil {
		err = transcript.Validate(messages)
	}
	if err != nil || len(messages) < 2*cancelRounds {
		c.Errorf("the journal holds %d messages, %v", len(messages), err)
	}
}
