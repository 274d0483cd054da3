package scenario_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"clined/internal/event"
	"clined/internal/protocol"
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
			c.model.Dismiss()
			if messages := c.journal(); len(messages) < 2*cancelRounds {
				t.Errorf("the journal holds %d messages", len(messages))
			}
		})
	}
}

// canceller is a user who changes their mind.
type canceller struct {
	*driver
	rand  *rand.Rand
	order []string // of the replies
	seen  int      // events of the rounds before
	// undecided is set when an approval or a question was left open.
	undecided atomic.Bool
}

func newCanceller(t *testing.T, seed uint64) *canceller {
	var users sync.WaitGroup
	t.Cleanup(users.Wait) // behind the driver's, which closes the editor
	c := &canceller{driver: drive(t, startHere, setting{}), rand: rand.New(rand.NewPCG(seed, 1)), order: slices.Clone(busy)}
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

func (c *canceller) round(n int) {
	c.Helper()
	c.rand.Shuffle(len(busy), func(i, j int) { c.order[i], c.order[j] = c.order[j], c.order[i] })
	c.model.Replace(strings.Join(c.order, ""))
	c.undecided.Store(false)
	turn := c.prompt(fmt.Sprintf("Round %d.", n))
	after := c.rand.IntN(60)
	c.until(fmt.Sprintf("event %d of round %d", after, n), c.seen, func(events []protocol.TaskEventParams) bool {
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
