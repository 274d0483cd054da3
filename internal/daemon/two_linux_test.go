package daemon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/llm"
	"clined/internal/store"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// Two daemons work on one task, while both are prompted, cancelled, closed and
// killed at random. Each prompt that was accepted reaches the model once and in
// order, or is taken back by whoever cancelled it; no call is made twice.
func TestTwoDaemonsOnOneTask(t *testing.T) {
	seeds := uint64(12)
	if testing.Short() {
		seeds = 3
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			p := &playground{t: t, dir: t.TempDir(), ran: map[string]int{}, moved: make(chan struct{})}
			first := p.start(seed + 1000)
			p.say(first, false, func(q agent.Prompt) (agent.Accepted, error) { return first.task.Prompt(q) })
			first.close()
			var both sync.WaitGroup
			for n := range uint64(2) {
				both.Go(func() { p.user(rand.New(rand.NewPCG(seed, n))) })
			}
			both.Wait()
			p.check()
		})
	}
}

// playground is a state folder, the model, and what was said to whom.
type playground struct {
	t   *testing.T
	dir string
	ids atomic.Int64

	mu      sync.Mutex // guards the rest
	said    []*saying
	ran     map[string]int
	refused []string
	// over: nothing is held any more.
	over bool
	// moved is closed and replaced whenever a user does something.
	moved chan struct{}
	all   []*peer
}

// saying is a prompt of a user that was accepted.
type saying struct {
	mark    string
	acc     agent.Accepted
	by      *peer
	steered bool
	// dropped: somebody cancelled what may have been it.
	dropped bool
}

// peer is a daemon as far as a task goes. It lives as long as its child.
type peer struct {
	p     *playground
	child *exec.Cmd
	store *store.Store
	j     *journal
	task  *agent.Task
	dead  atomic.Bool

	mu   sync.Mutex // guards dice, over and the order of events
	dice *rand.Rand
	// over are the turns that came to an end; ended is signalled for each.
	over  map[string]event.State
	ended *sync.Cond
}

// start starts a process with the task open.
func (p *playground) start(seed uint64) *peer {
	p.t.Helper()
	child := exec.Command("sleep", "3600")
	if err := child.Start(); err != nil {
		p.t.Fatal(err)
	}
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", child.Process.Pid))
	space, _ := os.Readlink("/proc/self/ns/pid")
	self := store.Process{BootID: strings.TrimSpace(string(boot)), PID: child.Process.Pid,
		Start: strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))[19] + " " + space}
	s := store.Open(p.dir, store.Options{Process: self})
	stored, err := s.Task(p.t.Context(), "t1")
	if errors.Is(err, store.ErrNotFound) {
		stored, err = s.Create(p.t.Context(), store.New{ID: "t1", Cwd: "/w", Mode: "act"})
	}
	if err != nil {
		p.t.Fatal(err)
	}
	d := &peer{p: p, child: child, store: s, over: map[string]event.State{}}
	d.ended = sync.NewCond(&d.mu)
	d.dice = rand.New(rand.NewPCG(seed, 7))
	d.j = &journal{Task: stored, s: s, sweep: func() {}, loaded: func() {}, mode: func() tools.Mode { return tools.Act }, models: &models{}, wrote: tools.Act, now: time.Now}
	d.task = agent.New(context.Background(), agent.Config{
		Models: d, Tools: d, Prompt: d, Journal: mortal{d}, Sink: d, Asker: d, Clock: clock{},
		NewID: p.newID, Log: slog.New(slog.DiscardHandler),
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, d)
	return d
}

// close ends a process as an editor does, kill as a machine may.
func (d *peer) close() {
	d.task.Close()
	if err := d.store.Close(); err != nil {
		d.p.t.Error(err)
	}
	d.end()
}

func (d *peer) kill() {
	d.dead.Store(true)
	d.end()
	d.task.Close()
}

func (d *peer) end() {
	_ = d.child.Process.Kill()
	_ = d.child.Wait() // it was killed
}

// user does one thing after the other.
func (p *playground) user(r *rand.Rand) {
	d := p.start(r.Uint64())
	for range 60 {
		switch r.IntN(17) {
		case 0, 1, 2, 3, 4:
			p.say(d, false, d.task.Prompt)
		case 5:
			p.say(d, false, func(q agent.Prompt) (agent.Accepted, error) { q.Queue = false; return d.task.Prompt(q) })
		case 6, 7:
			p.say(d, true, func(q agent.Prompt) (agent.Accepted, error) { return d.task.Steer("", q) })
		case 8:
			p.say(d, false, d.task.Resume)
		case 9, 16:
			p.resume(d)
		case 10:
			p.cancel(d, "")
		case 11, 12:
			p.cancel(d, p.someTurn(r))
		case 13:
			var killed sync.WaitGroup
			killed.Go(d.kill)
			p.say(d, false, d.task.Prompt)
			killed.Wait()
			d = p.start(r.Uint64())
		case 14:
			d.kill()
			d = p.start(r.Uint64())
			p.resume(d)
		case 15:
			d.close()
			d = p.start(r.Uint64())
		}
		p.move()
	}
	d.close()
}

// resume goes on with what was left, without words.
func (p *playground) resume(d *peer) {
	if _, err := d.task.Resume(agent.Prompt{}); err != nil {
		p.expected(err)
	}
}

// move lets go on what was held.
func (p *playground) move() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.moved)
	p.moved = make(chan struct{})
}

// say says something that is told apart.
func (p *playground) say(d *peer, steered bool, give func(agent.Prompt) (agent.Accepted, error)) {
	mark := "mark-" + p.newID() + "-"
	acc, err := give(agent.Prompt{Parts: []transcript.Part{transcript.TextPart(mark)}, Queue: true})
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case d.dead.Load(): // nobody heard the answer
	case err == nil:
		p.said = append(p.said, &saying{mark: mark, acc: acc, by: d, steered: steered})
	default:
		p.expected(err)
		p.refused = append(p.refused, mark)
	}
}

// expected are refusals that a user must live with.
func (p *playground) expected(err error) {
	var taken *agent.TakenError
	if !errors.As(err, &taken) && !errors.Is(err, agent.ErrBusy) && !errors.Is(err, agent.ErrNothing) && !errors.Is(err, agent.ErrTurnMismatch) {
		p.t.Error(err)
	}
}

// someTurn is one that somebody was promised.
func (p *playground) someTurn(r *rand.Rand) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said[max(0, len(p.said)-1-r.IntN(6))].acc.TurnID
}

func (p *playground) cancel(d *peer, turn string) {
	p.drop(d, turn)
	if err := d.task.Cancel(turn); err != nil {
		p.expected(err)
	}
	p.drop(d, turn) // also what the other said to that turn meanwhile, before its end
}

// drop marks what a cancel may take back.
func (p *playground) drop(d *peer, turn string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.said {
		if s.by == d || turn != "" && s.acc.TurnID == turn {
			s.dropped = true
		}
	}
}

func (p *playground) newID() string { return fmt.Sprint(p.ids.Add(1)) }

// check has a last daemon say what is left, and looks at the record.
func (p *playground) check() {
	p.mu.Lock()
	p.over = true
	p.mu.Unlock()
	d := p.start(1)
	p.say(d, false, d.task.Prompt)
	p.mu.Lock()
	last := p.said[len(p.said)-1]
	p.mu.Unlock()
	if end := d.await(last.acc.TurnID); end.StopReason != event.Completed {
		p.t.Errorf("the last turn ended with %+v, %+v", end, end.Error)
	}
	h, err := d.j.Task.Load(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	items, _, err := d.j.Items(p.t.Context(), store.ItemQuery{Limit: 100_000})
	if err != nil {
		p.t.Fatal(err)
	}
	status := map[string]event.Status{}
	for _, it := range items {
		if m, ok := it.Event.(event.Message); ok && m.Role == "user" {
			status[m.Content[0].Text] = m.Status
		}
	}
	var all strings.Builder
	for _, m := range h.Messages {
		if m.Role == transcript.User {
			all.WriteString(m.Text())
		}
	}
	text := all.String()
	at := map[*peer]int{}
	for _, s := range p.said {
		n, place := strings.Count(text, s.mark), strings.Index(text, s.mark)
		switch st := status[s.mark]; {
		case n > 1, n == 0 && !s.dropped, n == 0 && st != event.Discarded, n == 1 && st != event.Done:
			p.t.Errorf("%s was accepted and said %d times; it is shown as %q; cancelled: %v, steered: %v", s.mark, n, st, s.dropped, s.steered)
		case n == 1 && !s.steered && place < at[s.by]:
			p.t.Errorf("%s was said before what its user had said before", s.mark)
		case n == 1 && !s.steered:
			at[s.by] = place
		}
	}
	for _, mark := range p.refused {
		if strings.Contains(text, mark) || status[mark] == event.Pending {
			p.t.Errorf("%s was refused, and is said or waits", mark)
		}
	}
	for n, times := range p.ran {
		if times > 1 {
			p.t.Errorf("call %s was made %d times", n, times)
		}
	}
	d.close()
	for _, d := range p.all {
		_ = d.store.Close() // of those that were killed
	}
}

// await waits for the end of a turn.
func (d *peer) await(turn string) event.State {
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		if end, ok := d.over[turn]; ok {
			return end
		}
		d.ended.Wait()
	}
}

// Emit numbers and records events as the server does.
func (d *peer) Emit(turn string, e event.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s, ok := e.(event.State); ok && s.State == event.Idle {
		d.over[turn] = s
		d.ended.Broadcast()
	}
	if !d.dead.Load() {
		d.j.tell(turn, e)
	}
}

// held waits until a user does something, by chance.
func (d *peer) held(ctx context.Context) {
	d.p.mu.Lock()
	moved, over := d.p.moved, d.p.over
	d.p.mu.Unlock()
	if over || !d.rolls(2) {
		return
	}
	select {
	case <-moved:
	case <-ctx.Done():
	}
}

// rolls is true once in n times.
func (d *peer) rolls(n int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dice.IntN(n) == 0
}

func (d *peer) Select(tools.Mode) (agent.Model, llm.Model, error) {
	return d, llm.Model{ID: "fake", Family: llm.Generic, ContextWindow: 100_000}, nil
}

// Stream makes some calls, or is done.
func (d *peer) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	if err := transcript.Validate(req.Messages); err != nil {
		d.p.t.Errorf("a request is not valid: %v", err)
	}
	return func(yield func(llm.Event, error) bool) {
		d.held(ctx)
		calls := 0
		for !d.rolls(3) && calls < 3 {
			args := `{"n":"` + d.p.newID() + `"}`
			if !yield(llm.Event{Kind: llm.CallStart, Index: calls, ID: "id", Name: "do"}, ctx.Err()) ||
				!yield(llm.Event{Kind: llm.CallDelta, Index: calls, Text: args}, ctx.Err()) {
				return
			}
			calls++
		}
		if calls == 0 {
			if !yield(llm.Event{Kind: llm.CallStart, ID: "id", Name: "attempt_completion"}, ctx.Err()) ||
				!yield(llm.Event{Kind: llm.CallDelta, Text: `{"result":"done"}`}, ctx.Err()) {
				return
			}
		}
		yield(llm.Event{Kind: llm.Stop, Reason: llm.ToolUse}, ctx.Err())
	}
}

func (d *peer) Defs(context.Context) []llm.ToolDef { return nil }

func (d *peer) Describe(name string) (tools.Info, bool) {
	return tools.Info{Kind: tools.Edit}, slices.Contains([]string{"do", "attempt_completion"}, name)
}

func (d *peer) Run(ctx context.Context, c tools.Call) tools.Result {
	if c.Name == "attempt_completion" {
		return tools.Result{Text: "shown", End: &tools.End{Answer: c.Args.String("result")}}
	}
	if err := c.Started(ctx, ""); err != nil {
		return tools.Fail(err.Error())
	}
	d.p.mu.Lock()
	d.p.ran[c.Args.String("n")]++
	d.p.mu.Unlock()
	d.held(ctx)
	return tools.Result{Text: "done"}
}

func (d *peer) System(context.Context) (string, error)                { return "You help.", nil }
func (d *peer) User(words string, _ bool) string                      { return words }
func (d *peer) Environment(context.Context, agent.Environment) string { return "env" }
func (d *peer) Ask(context.Context, tools.Question) (tools.Answer, error) {
	return tools.Answer{Text: "Go on"}, nil
}

// mortal is the journal of a process that may be dead: then nothing is written
// any more, and nobody learns of what was written last.
type mortal struct{ d *peer }

var errDead = errors.New("the process is dead")

func (m mortal) alive(f func() error) error {
	if m.d.dead.Load() {
		return errDead
	}
	if err := f(); err != nil {
		return err
	}
	if m.d.dead.Load() {
		return errDead
	}
	return nil
}

func (m mortal) Begin(ctx context.Context, turnID string, known bool) (h *agent.History, err error) {
	err = m.alive(func() error {
		h, err = m.d.j.Begin(ctx, turnID, known)
		return err
	})
	return h, err
}

func (m mortal) Append(ctx context.Context, msg transcript.Message, s agent.Standing) error {
	return m.alive(func() error { return m.d.j.Append(ctx, msg, s) })
}

func (m mortal) Rewind(ctx context.Context, messageID, turnID string, instead event.Message) error {
	return m.alive(func() error { return m.d.j.Rewind(ctx, messageID, turnID, instead) })
}

func (m mortal) Waiting(ctx context.Context, turnID string) (list []event.Message, err error) {
	err = m.alive(func() error {
		list, err = m.d.j.Waiting(ctx, turnID)
		return err
	})
	return list, err
}

func (m mortal) End(ctx context.Context, turnID string, reason event.StopReason) error {
	return m.alive(func() error { return m.d.j.End(ctx, turnID, reason) })
}

func (m mortal) Claim(ctx context.Context) error {
	return m.alive(func() error { return m.d.j.Claim(ctx) })
}
func (m mortal) Sync(ctx context.Context) error {
	return m.alive(func() error { return m.d.j.Sync(ctx) })
}
func (m mortal) Abandon(ctx context.Context) error {
	return m.alive(func() error { return m.d.j.Abandon(ctx) })
}
