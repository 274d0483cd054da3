package tools

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"clined/internal/llm"
)

// Runner runs a prepared tool behind permissions; approval.Gate is one. It
// always gives a result, with Outcome Failed when Prepare refused the call.
type Runner interface {
	Run(ctx context.Context, t Tool, call Call) Result
}

// Router is a Tool that only stands for others, such as use_mcp_tool: Route
// names the tool that is really meant and the call for it, so that permissions
// are judged on that one. An error is for the model.
type Router interface {
	Route(ctx context.Context, call Call) (Tool, Call, error)
}

// SetConfig is what a Set is made of. All but Servers, MCPTool, Spill and Log
// must be given; MCPTool must be when Servers is.
type SetConfig struct {
	Registry *Registry
	// Context is asked for at each request; MCP in it is filled in by the set.
	Context func() Context
	Servers MCPServers
	// MCPTool makes the tool of a server's tool, called name by the model.
	MCPTool func(server MCPServer, tool MCPTool, name string) Tool
	Runner  Runner
	Spill   Spill
	Log     *slog.Logger
}

// Set is the tools of one task: the built-in ones of the model's family, then
// those of the connected MCP servers sorted by name, all behind the limits and
// the Runner. It may be used from several goroutines.
type Set struct {
	c SetConfig

	mu sync.Mutex
	// snap is what the model was last told of.
	snap *snapshot
	// last is the name of the newest call.
	last string
}

// snapshot is the tools at one moment; it does not change once made.
type snapshot struct {
	context Context
	tools   []Tool
	byName  map[string]Tool
}

// NewSet returns the tools of one task.
func NewSet(c SetConfig) *Set {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &Set{c: c}
}

// take makes a new snapshot.
func (s *Set) take(ctx context.Context) *snapshot {
	c := s.c.Context()
	var servers []MCPServer
	if s.c.Servers != nil && len(FamilyTools(c.Family)) > 0 {
		servers = s.c.Servers.Servers(ctx)
	}
	c.MCP = len(servers) > 0
	snap := &snapshot{context: c, tools: s.c.Registry.For(c), byName: map[string]Tool{}}
	snap.tools = append(snap.tools, s.mcpTools(servers)...)
	for _, t := range snap.tools {
		snap.byName[t.Spec().Name] = t
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.snap = snap
	return snap
}

func (s *Set) mcpTools(servers []MCPServer) []Tool {
	var refs []MCPRef
	for _, server := range servers {
		for _, tool := range server.Tools {
			refs = append(refs, MCPRef{server.Name, tool.Name})
		}
	}
	names := MCPNames(refs)
	list := make([]Tool, 0, len(refs))
	for _, server := range servers {
		for _, tool := range server.Tools {
			list = append(list, s.c.MCPTool(server, tool, names[MCPRef{server.Name, tool.Name}]))
		}
	}
	byName := func(a, b Tool) int { return strings.Compare(a.Spec().Name, b.Spec().Name) }
	slices.SortStableFunc(list, byName)
	// A server that lists a tool twice is told of once.
	return slices.CompactFunc(list, func(a, b Tool) bool { return byName(a, b) == 0 })
}

// current returns the last snapshot, nil before the first.
func (s *Set) current() *snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.snap
}

// Defs returns the tools as the model is told of them.
func (s *Set) Defs(ctx context.Context) []llm.ToolDef {
	snap := s.take(ctx)
	var defs []llm.ToolDef
	for _, t := range snap.tools {
		if t.Spec().Unlisted {
			continue
		}
		def, err := Def(t.Spec(), snap.context)
		if err != nil { // For has filtered: a fault of ours, not the user's.
			s.c.Log.Error("tool left out", "tool", t.Spec().Name, "err", err)
			continue
		}
		defs = append(defs, def)
	}
	return defs
}

// Describe returns what fronts show of a call before it runs.
func (s *Set) Describe(name string) (Info, bool) {
	snap := s.current()
	if snap == nil {
		snap = s.take(context.Background())
	}
	t, ok := snap.byName[name]
	if !ok {
		return Info{}, false
	}
	spec := t.Spec()
	return Info{
		Kind: spec.Kind, ReadOnly: spec.ReadOnly, Server: spec.Server, Tool: spec.Tool,
		OwnChecklist: OwnsChecklist(spec.Schema),
	}, true
}

// Run runs one call to its end and always gives a result.
func (s *Set) Run(ctx context.Context, call Call) Result {
	res := s.run(ctx, call)
	return s.finish(ctx, call, res)
}

func (s *Set) run(ctx context.Context, call Call) (res Result) {
	defer func() {
		if p := recover(); p != nil {
			s.c.Log.Error("bug: tool panicked", "tool", call.Name, "call", call.ID, "panic", p, "stack", string(debug.Stack()))
			res = Fail(call.Name + " failed by a fault inside clined. It may have done part of its work: check before you go on.")
		}
	}()
	if ctx.Err() != nil {
		return Result{Text: "Interrupted before it began: nothing was done.", Outcome: Cancelled}
	}
	s.mu.Lock()
	call.After, s.last = s.last, call.Name
	s.mu.Unlock()
	t, snap, ok := s.lookup(ctx, call.Name)
	if !ok {
		return Fail(snap.unknown(s.c.Registry, call.Name))
	}
	// Whoever calls, a checklist never gets to a tool that has no such parameter.
	name := call.Name
	call.Args, _ = StripChecklist(call.Args, OwnsChecklist(t.Spec().Schema))
	ignored := unknownParams(t.Spec(), call.Args)
	err := Validate(t.Spec(), call.Args)
	if r, ok := t.(Router); ok && err == nil {
		t, call, err = r.Route(ctx, call)
	}
	if err != nil {
		return Fail(err.Error())
	}
	res = s.c.Runner.Run(ctx, t, call)
	if len(ignored) > 0 && len(ignored) <= maxIgnored {
		res.Text = strings.TrimRight(res.Text, "\n") + fmt.Sprintf("\n[Not known to %s and ignored: %s]", name, strings.Join(ignored, ", "))
	}
	return res
}

// maxIgnored bounds the parameters that are told to have been ignored; more
// come from a model that makes no sense anyway.
const maxIgnored = 10

// lookup finds a tool among those the model was told of, or that have joined since.
func (s *Set) lookup(ctx context.Context, name string) (Tool, *snapshot, bool) {
	snap := s.current()
	if snap != nil {
		if t, ok := snap.byName[name]; ok {
			return t, snap, true
		}
	}
	snap = s.take(ctx)
	t, ok := snap.byName[name]
	return t, snap, ok
}

// finish makes a result fit for every model.
func (s *Set) finish(ctx context.Context, call Call, res Result) Result {
	if err := ctx.Err(); err != nil && res.Outcome == Failed {
		res.Outcome = Cancelled
		if res.Text == err.Error() { // words of Go, not for a model
			res.Text = "Interrupted before it was done."
		}
	}
	res.Text = strings.ToValidUTF8(res.Text, "\uFFFD")
	res.Text = strings.ReplaceAll(res.Text, "\x00", "\uFFFD") // refused by some providers
	if strings.TrimSpace(res.Text) == "" {
		res.Text = "(no output)"
	}
	res.Text = Limit(call.ID, res.Text, s.c.Spill)
	switch {
	case len(res.Images) > 0 && !s.c.Context().Images:
		res.Text += fmt.Sprintf("\n[%d images left out: this model cannot see images]", len(res.Images))
		res.Images = nil
	case len(res.Images) > MaxImages:
		res.Text += fmt.Sprintf("\n[%d of %d images left out]", len(res.Images)-MaxImages, len(res.Images))
		res.Images = res.Images[:MaxImages]
	}
	return res
}
