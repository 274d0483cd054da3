package demo_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"clined/internal/agent"
	"clined/internal/approval"
	"clined/internal/codedefs"
	"clined/internal/demo"
	"clined/internal/event"
	"clined/internal/llm"
	"clined/internal/llm/openai"
	"clined/internal/prompt"
	"clined/internal/tools"
	"clined/internal/tools/builtin"
	"clined/internal/transcript"
	"clined/internal/workspace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hang is how long anything may take here before a test is stuck.
const hang = time.Minute

// scene is a story on the real rooms: the agent, the built-in tools behind the
// gate, real files. Only the MCP server, commands and the user are scripted.
type scene struct {
	t   *testing.T
	dir string
	// server is what get_forecast answers for coordinates; nil for no server.
	server func(lat, lon float64) (*tools.MCPResult, error)
	// decide answers approvals; nil says yes to all.
	decide func(r approval.Request) approval.Answer
	// command is how a command ends.
	command tools.CommandResult
	// installed are the detected command-line tools.
	installed []string
	mode      tools.Mode
	// guest: the folder is a person's own.
	guest bool
	// onCall is told of each call before it is decided on.
	onCall func(r approval.Request)

	task *agent.Task
	ids  atomic.Int64

	mu        sync.Mutex // guards the rest
	calls     []string   // name and arguments, without the checklist
	asked     []string   // titles of approvals
	final     string
	checklist []event.PlanEntry
	idle      chan event.State
}

func newScene(t *testing.T, story string) *scene {
	t.Helper()
	s := &scene{t: t, dir: filepath.Join(t.TempDir(), "demo"), installed: []string{"git", "go", "make"}, idle: make(chan event.State, 8)}
	st, err := demo.Find(story)
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Unpack(s.dir); err != nil {
		t.Fatal(err)
	}
	s.command = tools.CommandResult{Output: "ok  \tshop\t0.002s\n", Duration: 300 * time.Millisecond}
	s.server = recorded(t, "washington.txt")
	return s
}

func (s *scene) put(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) text(name string) string {
	s.t.Helper()
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(b)
}

// recorded answers with the example server's own text.
func recorded(t *testing.T, name string) func(lat, lon float64) (*tools.MCPResult, error) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../examples/weather/server/testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return func(float64, float64) (*tools.MCPResult, error) { return &tools.MCPResult{Text: string(text)}, nil }
}

// start builds the task on the demo's endpoint.
func (s *scene) start() {
	s.t.Helper()
	m, err := demo.Start(demo.Options{Guest: s.guest})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(m.Close)
	client, err := openai.New(openai.Options{BaseURL: m.BaseURL})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(client.Close)
	ws := workspace.New(workspace.Options{Roots: []string{s.dir}})
	servers := scripted{s}
	var registry tools.Registry
	builtin.Register(&registry, builtin.Deps{
		Files: ws, Lister: ws.Tree(), Searcher: ws.Tree(), Definitions: codedefs.New(), Commands: servers,
		Servers: servers, Asker: servers, CWD: s.dir,
	})
	model := llm.ModelFor(demo.ModelID)
	p := prompt.New(prompt.Config{
		Family: func() llm.Family { return model.Family }, Cwd: s.dir, Roots: ws.Roots(),
		Workspace: ws, Files: ws.Tree(), Servers: servers, CLI: servers, Now: time.Now,
	})
	set := tools.NewSet(tools.SetConfig{
		Registry: &registry, Servers: servers, MCPTool: builtin.MCPTool(servers),
		Context: func() tools.Context { return tools.Context{Family: model.Family, CWD: s.dir} },
		Runner: approval.NewGate(approval.GateOptions{
			Policy: func() approval.Policy { return approval.Policy{} }, Approver: servers,
		}),
	})
	s.task = agent.New(context.Background(), agent.Config{
		Models: oneModel{client, model}, Tools: set, Prompt: prompter{p}, Journal: servers, Sink: servers,
		Asker: servers, Clock: servers, NewID: func() string { return fmt.Sprint("id", s.ids.Add(1)) }, Mode: s.mode, Log: quiet(),
	})
	s.t.Cleanup(s.task.Close)
}

// say gives the task a prompt, waits for the end of its turn, and returns how
// it ended and the final answer.
func (s *scene) say(words string) (event.State, string) {
	s.t.Helper()
	if s.task == nil {
		s.start()
	}
	s.mu.Lock()
	s.final, s.calls, s.asked = "", nil, nil
	s.mu.Unlock()
	if _, err := s.task.Prompt(agent.Prompt{Parts: []transcript.Part{transcript.TextPart(words)}}); err != nil {
		s.t.Fatal(err)
	}
	select {
	case st := <-s.idle:
		s.mu.Lock()
		defer s.mu.Unlock()
		return st, s.final
	case <-time.After(hang):
		s.t.Fatal("the turn does not end")
	}
	panic("unreachable")
}

// ask is say for turns that must end with a completed task.
func (s *scene) ask(words string) string {
	s.t.Helper()
	st, answer := s.say(words)
	if st.StopReason != event.Completed {
		s.t.Fatalf("the turn ended with %+v (%+v); calls %q", st, st.Error, s.calls)
	}
	return answer
}

func (s *scene) wantCalls(want ...string) {
	s.t.Helper()
	if !slices.Equal(s.calls, want) {
		s.t.Errorf("calls:\n  %s\nwant:\n  %s", strings.Join(s.calls, "\n  "), strings.Join(want, "\n  "))
	}
}

// wantTicked names the items that must be ticked at the end, by number.
func (s *scene) wantTicked(want ...int) {
	s.t.Helper()
	var got []int
	for i, e := range s.checklist {
		if e.Done {
			got = append(got, i)
		}
	}
	if !slices.Equal(got, want) {
		s.t.Errorf("ticked items %v of %d, want %v", got, len(s.checklist), want)
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

// scripted is the rest of the world: server, shell, user, clock and books.
type scripted struct{ s *scene }

func (w scripted) Servers(context.Context) []tools.MCPServer {
	if w.s.server == nil {
		return nil
	}
	return []tools.MCPServer{{Name: "weather", Tools: []tools.MCPTool{
		{Name: "get_alerts", ReadOnly: true, Schema: json.RawMessage(`{"type":"object","properties":{"state":{"type":"string"}},"required":["state"]}`)},
		{Name: "get_forecast", ReadOnly: true, Schema: json.RawMessage(`{"type":"object","properties":{"latitude":{"type":"number"},"longitude":{"type":"number"}},"required":["latitude","longitude"]}`)},
	}}}
}

func (w scripted) CallTool(_ context.Context, _, tool string, args json.RawMessage, _ func(string)) (*tools.MCPResult, error) {
	var a struct{ Latitude, Longitude float64 }
	if err := json.Unmarshal(args, &a); err != nil || tool != "get_forecast" {
		return nil, fmt.Errorf("%s %s: %w", tool, args, err)
	}
	return w.s.server(a.Latitude, a.Longitude)
}

func (w scripted) ReadResource(context.Context, string, string) (*tools.MCPResult, error) {
	return nil, fmt.Errorf("no resources")
}

func (w scripted) Run(context.Context, tools.CommandLine, func(string)) (*tools.CommandResult, error) {
	r := w.s.command
	return &r, nil
}

func (w scripted) Installed(context.Context) []string { return w.s.installed }

func (w scripted) Approve(ctx context.Context, r approval.Request) (approval.Answer, error) {
	w.s.mu.Lock()
	w.s.asked = append(w.s.asked, r.Title)
	w.s.mu.Unlock()
	if w.s.onCall != nil {
		w.s.onCall(r)
	}
	if w.s.decide == nil {
		return approval.Answer{Allowed: true}, ctx.Err()
	}
	return w.s.decide(r), ctx.Err()
}

func (w scripted) Ask(_ context.Context, q tools.Question) (tools.Answer, error) {
	w.s.t.Errorf("the user is asked %q", q.Text)
	return tools.Answer{Cancelled: true}, nil
}

func (w scripted) Append(context.Context, transcript.Message, agent.Standing) error { return nil }
func (w scripted) Begin(context.Context, string, bool) (*agent.History, error)      { return nil, nil }
func (w scripted) Claim(context.Context) error                                      { return nil }
func (w scripted) Abandon(context.Context) error                                    { return nil }
func (w scripted) Sync(context.Context) error                                       { return nil }
func (w scripted) Rewind(context.Context, string, string, event.Message) error      { return nil }
func (w scripted) Waiting(context.Context, string) ([]event.Message, error)         { return nil, nil }
func (w scripted) End(context.Context, string, event.StopReason) error              { return nil }
func (w scripted) Sleep(context.Context, int64) error                               { return nil }

func (w scripted) Emit(_ string, e event.Event) {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	switch e := e.(type) {
	case event.ToolCall:
		if e.Status != event.Pending && e.Status != event.InProgress {
			w.s.calls = append(w.s.calls, e.Name+" "+withoutChecklist(e.Args))
		}
	case event.Message:
		if e.Final {
			w.s.final = e.Content[0].Text
		}
	case event.Plan:
		w.s.checklist = e.Entries
	case event.State:
		if e.State == event.Idle {
			w.s.idle <- e
		}
	}
}

// withoutChecklist leaves out long texts, too: they are looked at elsewhere.
func withoutChecklist(args string) string {
	var m map[string]any
	if json.Unmarshal([]byte(args), &m) != nil {
		return args
	}
	for _, k := range []string{"task_progress", "result", "diff", "response", "requires_approval"} {
		delete(m, k)
	}
	out, _ := json.Marshal(m)
	return strings.TrimSuffix(string(out), "{}")
}

type oneModel struct {
	client *openai.Client
	model  llm.Model
}

func (m oneModel) Select(tools.Mode) (agent.Model, llm.Model, error) { return m.client, m.model, nil }

type prompter struct{ *prompt.Prompt }

func (p prompter) Environment(ctx context.Context, e agent.Environment) string {
	return p.Prompt.Environment(ctx, prompt.Environment(e))
}
