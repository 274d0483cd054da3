package agent_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/llm"
	"clined/internal/tools"
	"clined/internal/transcript"
)

// script is a model that plays one answer per request and checks each request.
type script struct {
	t       *testing.T
	family  llm.Family
	mu      sync.Mutex // guards the rest
	answers []answer
	got     []llm.Request
	prices  llm.Prices
	// fresh: the next request need not begin as the last one did.
	fresh bool
	// at is called before each event of each answer, for cancelling there.
	at func(request, event int)
	// playing is the context of the answer that is being played, for at.
	playing context.Context
}

// answer is one reply: events, then err if set.
type answer struct {
	events []llm.Event
	err    error
}

func (s *script) Select(tools.Mode) (agent.Model, llm.Model, error) {
	family := s.family
	if family == "" {
		family = llm.Generic
	}
	return s, llm.Model{ID: "fake", Family: family, ContextWindow: 1000, Prices: s.prices}, nil
}

func (s *script) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	s.mu.Lock()
	n := len(s.got)
	s.playing = ctx
	s.check(req)
	req.Messages = append([]transcript.Message(nil), req.Messages...)
	s.got = append(s.got, req)
	var a answer
	if n < len(s.answers) {
		a = s.answers[n]
	} else {
		a.err = &llm.Error{Class: llm.Refused, Message: "script is used up"}
	}
	s.mu.Unlock()
	return func(yield func(llm.Event, error) bool) {
		for i, ev := range a.events {
			if s.at != nil {
				s.at(n, i)
			}
			if ctx.Err() != nil {
				yield(llm.Event{}, ctx.Err())
				return
			}
			if !yield(ev, nil) {
				return
			}
		}
		if a.err != nil {
			yield(llm.Event{}, a.err)
		}
	}
}

// check holds what every provider demands and the rule of the stable prefix.
func (s *script) check(req llm.Request) {
	if err := transcript.Validate(req.Messages); err != nil {
		s.t.Errorf("request %d is not valid: %v", len(s.got), err)
	}
	if err := alternates(req.Messages); err != nil {
		s.t.Errorf("request %d: %v", len(s.got), err)
	}
	if len(s.got) == 0 || s.fresh {
		s.fresh = false
		return
	}
	before := s.got[len(s.got)-1]
	if before.System != req.System {
		s.t.Errorf("request %d: the system text changed", len(s.got))
	}
	if len(req.Messages) < len(before.Messages) || !reflect.DeepEqual(req.Messages[:len(before.Messages)], before.Messages) {
		s.t.Errorf("request %d does not begin with the messages of the one before", len(s.got))
	}
}

// alternates checks that the user's and the assistant's turns take turns.
func alternates(ms []transcript.Message) error {
	for i := 1; i < len(ms); i++ {
		a, b := ms[i-1].Role, ms[i].Role
		if a == b || a == transcript.User && b == transcript.Tool {
			return fmt.Errorf("message %d (%s) follows %s", i, b, a)
		}
	}
	return nil
}

func say(text string) []llm.Event {
	return []llm.Event{{Kind: llm.TextDelta, Text: text}, {Kind: llm.Stop, Reason: llm.EndTurn}}
}

// call makes an answer of text and calls, each "name {json}".
func call(calls ...string) []llm.Event {
	evs := []llm.Event{{Kind: llm.TextDelta, Text: "I"}, {Kind: llm.TextDelta, Text: " do it."}}
	for i, c := range calls {
		name, args, _ := strings.Cut(c, " ")
		half := len(args) / 2
		evs = append(evs,
			llm.Event{Kind: llm.CallStart, Index: i, ID: "id", Name: name},
			llm.Event{Kind: llm.CallDelta, Index: i, Text: args[:half]},
			llm.Event{Kind: llm.CallDelta, Index: i, Text: args[half:]})
	}
	usage := llm.Event{Kind: llm.UsageReport, Usage: transcript.Usage{Input: 100, CacheRead: 20, Output: 5}}
	return append(evs, usage, llm.Event{Kind: llm.Stop, Reason: llm.ToolUse})
}

func finish() answer { return answer{events: call(`attempt_completion {"result":"done"}`)} }

// box is a toolbox of functions. Names that begin with "read" only read.
type box map[string]func(ctx context.Context, c tools.Call) tools.Result

func (b box) Defs(context.Context) []llm.ToolDef { return nil }
func (b box) Describe(name string) (tools.Info, bool) {
	_, ok := b[name]
	return tools.Info{Kind: tools.Read, ReadOnly: strings.HasPrefix(name, "read")}, ok
}
func (b box) Run(ctx context.Context, c tools.Call) tools.Result {
	if f, ok := b[c.Name]; ok {
		if err := c.Started(ctx, ""); err != nil {
			return tools.Fail(err.Error())
		}
		return f(ctx, c)
	}
	if c.Name == "attempt_completion" {
		text := c.Args.String("result")
		return tools.Result{Text: "shown", End: &tools.End{Answer: text}}
	}
	return tools.Fail("no such tool: " + c.Name)
}

// prompter makes details that differ for each request, as a clock would.
type prompter struct {
	mu sync.Mutex // guards n and seen
	n  int
	// seen are the environments asked for; before, if set, is called first.
	seen   []agent.Environment
	before func(context.Context)
}

func (*prompter) System(context.Context) (string, error) { return "system", nil }
func (*prompter) User(words string, first bool) string   { return fmt.Sprintf("<%v>%s", first, words) }
func (p *prompter) Environment(ctx context.Context, e agent.Environment) string {
	if p.before != nil {
		p.before(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
	p.seen = append(p.seen, e)
	return fmt.Sprintf("env %d", p.n)
}

// sink keeps the events and lets tests wait for one.
type sink struct {
	mu     sync.Mutex // guards events and cond's condition
	cond   *sync.Cond
	events []emitted
}

type emitted struct {
	turn string
	event.Event
}

func newSink() *sink {
	s := &sink{}
	s.cond = sync.NewCond(&s.mu)
	return s
}

func (s *sink) Emit(turn string, e event.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, emitted{turn, e})
	s.cond.Broadcast()
}

// idle waits for the n-th idle state and returns it.
func (s *sink) idle(n int) event.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		seen := 0
		for _, e := range s.events {
			if st, ok := e.Event.(event.State); ok && st.State == event.Idle {
				if seen++; seen == n {
					return st
				}
			}
		}
		s.cond.Wait()
	}
}

// all returns the events of one type.
func all[E event.Event](s *sink) []E {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []E
	for _, e := range s.events {
		if x, ok := e.Event.(E); ok {
			out = append(out, x)
		}
	}
	return out
}

// memory is a journal; fail makes it refuse.
type memory struct {
	mu       sync.Mutex // guards the rest
	messages []transcript.Message
	standing agent.Standing
	fail     bool
	// stored is what the next Begin returns; refuse fails it.
	stored *agent.History
	refuse error
	// anew makes what Begin returns to who knows nothing.
	anew   func() *agent.History
	turn   string
	before string
	ends   []event.StopReason
	syncs  int
	// wait, if set, is called by what writes, which then fails with its error, or
	// when the context has ended, as a disk that is waited for.
	wait func(ctx context.Context, what string) error
	// instead is what Rewind put on record.
	instead emitted
	// left are the prompts that wait on record.
	left []emitted
	// leases tells how the task was begun and given back.
	leases []string
}

func (m *memory) waited(ctx context.Context, what string) error {
	m.mu.Lock()
	wait := m.wait
	m.mu.Unlock()
	if wait != nil {
		if err := wait(ctx, what); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// waits sets wait.
func (m *memory) waits(wait func(ctx context.Context, what string) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.wait = wait
}

// locked is a disk that answers nobody.
func locked(ctx context.Context, _ string) error {
	<-ctx.Done()
	return context.Cause(ctx)
}

func (m *memory) lease(what string) { m.leases = append(m.leases, what) }

// held tells how the task was begun and given back so far.
func (m *memory) held() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strings.Join(m.leases, " ")
}

func (m *memory) Begin(ctx context.Context, turnID string, known bool) (*agent.History, error) {
	if err := m.waited(ctx, "begin"); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refuse != nil {
		return nil, m.refuse
	}
	h := m.stored
	if h == nil && !known {
		h = m.anew()
	}
	m.lease("begin")
	m.before, m.turn, m.stored = m.turn, turnID, nil
	if h != nil {
		m.messages, m.standing = slices.Clone(h.Messages), h.Standing
	}
	return h, nil
}

func (m *memory) Append(ctx context.Context, msg transcript.Message, s agent.Standing) error {
	if err := m.waited(ctx, "append"); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail {
		return errors.New("disk full")
	}
	m.messages, m.standing = append(m.messages, msg), s
	return nil
}

func (m *memory) Sync(ctx context.Context) error {
	if err := m.waited(ctx, "sync"); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.syncs++
	return nil
}

func (m *memory) Claim(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.refuse
}

func (m *memory) Abandon(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turn = m.before
	m.lease("abandon")
	return nil
}

func (m *memory) Rewind(ctx context.Context, messageID, turnID string, instead event.Message) error {
	if err := m.waited(ctx, "rewind"); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.messages, func(x transcript.Message) bool { return x.ID == messageID })
	if i < 0 {
		return errors.New("no such message")
	}
	m.messages = m.messages[:i:i]
	m.instead = emitted{turnID, instead}
	return nil
}

// Waiting implements agent.Journal.
func (m *memory) Waiting(ctx context.Context, turnID string) (list []event.Message, err error) {
	if err := m.waited(ctx, "waiting"); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.left {
		if e.turn == turnID {
			list = append(list, e.Event.(event.Message))
		}
	}
	return list, nil
}

func (m *memory) End(ctx context.Context, turnID string, reason event.StopReason) error {
	if err := m.waited(ctx, "end"); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if turnID == m.turn {
		m.turn = ""
	}
	m.ends = append(m.ends, reason)
	m.lease(string(reason))
	return nil
}

// history is what a process that starts now would find, given what fronts saw.
func (m *memory) history(seen *sink) *agent.History {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.historyLocked(seen)
}

func (m *memory) historyLocked(seen *sink) *agent.History {
	h := &agent.History{
		Messages: slices.Clone(m.messages), Standing: m.standing, Interrupted: m.turn, Calls: map[string]event.ToolCall{},
	}
	if n := len(m.ends); n > 0 && m.ends[n-1] == event.Interrupted {
		h.Interrupted = "interrupted"
	}
	for _, c := range all[event.ToolCall](seen) {
		h.Calls[c.ToolCallID] = c
	}
	users := map[string]event.Message{}
	var order []string
	for _, e := range all[event.Message](seen) {
		if e.Role == "user" {
			if _, known := users[e.MessageID]; !known {
				order = append(order, e.MessageID)
			}
			users[e.MessageID] = e
		}
	}
	for _, id := range order {
		recorded := slices.ContainsFunc(m.messages, func(x transcript.Message) bool { return x.Carries(id) })
		if u := users[id]; u.Status != event.Discarded && !recorded {
			h.Unsent = append(h.Unsent, u)
		}
	}
	return h
}

// asker answers with its replies in order, then not at all.
type asker struct {
	mu      sync.Mutex // guards the rest
	replies []tools.Answer
	asked   []string
}

func (a *asker) Ask(_ context.Context, q tools.Question) (tools.Answer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, q.Text)
	if len(a.replies) == 0 {
		return tools.Answer{Cancelled: true}, nil
	}
	r := a.replies[0]
	a.replies = a.replies[1:]
	return r, nil
}

// clock passes time at once and keeps the pauses.
type clock struct {
	mu    sync.Mutex // guards slept
	slept []int64
}

func (c *clock) Sleep(ctx context.Context, ms int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slept = append(c.slept, ms)
	return ctx.Err()
}

// stage is a task with its fakes.
type stage struct {
	*agent.Task
	model   *script
	tools   box
	prompt  *prompter
	journal *memory
	sink    *sink
	asker   *asker
	clock   *clock
	forgot  int
}

func newStage(t *testing.T, change func(*stage, *agent.Config), answers ...answer) *stage {
	t.Helper()
	s := &stage{
		model: &script{t: t, answers: answers}, tools: box{}, prompt: &prompter{},
		journal: &memory{}, sink: newSink(), asker: &asker{}, clock: &clock{},
	}
	var mu sync.Mutex
	n := 0
	c := agent.Config{
		Models: s.model, Tools: s.tools, Prompt: s.prompt, Journal: s.journal,
		Sink: s.sink, Asker: s.asker, Clock: s.clock, Log: slog.New(slog.DiscardHandler),
		Forget: func() { s.forgot++ },
		NewID:  func() string { mu.Lock(); defer mu.Unlock(); n++; return fmt.Sprint("n", n) },
	}
	if change != nil {
		change(s, &c)
	}
	s.journal.anew = func() *agent.History { return s.journal.historyLocked(s.sink) }
	s.Task = agent.New(t.Context(), c)
	t.Cleanup(s.Close)
	return s
}

func (s *stage) say(t *testing.T, text string) agent.Accepted {
	t.Helper()
	acc, err := s.Prompt(agent.Prompt{Parts: []transcript.Part{transcript.TextPart(text)}, Queue: true})
	if err != nil {
		t.Fatal(err)
	}
	return acc
}

// lastText is what the model is told last in request n.
func (s *stage) lastText(n int) string {
	s.model.mu.Lock()
	defer s.model.mu.Unlock()
	ms := s.model.got[n].Messages
	m := ms[len(ms)-1]
	var out []string
	for _, p := range m.Parts {
		if p.Result != nil {
			out = append(out, p.Result.Text)
			continue
		}
		out = append(out, p.Text)
	}
	return strings.Join(out, "\n")
}
