// Package mcphub owns the MCP servers: their settings, one process and
// connection each, restarts, and what they offer. It answers what is connected
// now, what calling a tool or reading a resource gave, and how each server is.
//
// It asks nobody for permission, cuts no results, and never writes a settings
// file. It alone, besides the example servers, imports mcp-go. It implements
// tools.MCPServers; the daemon makes the one Hub of a process.
package mcphub

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"clined/internal/tools"
)

// Options of a Hub. The zero value of a field means its default.
type Options struct {
	// Workspace is the folder servers start in and what ${workspaceFolder} means.
	Workspace string
	// Env returns the environment that servers get and commands are looked up
	// in, as "NAME=value". It may wait for a login shell, until ctx ends.
	// Default: that of this process.
	Env func(ctx context.Context) []string
	// Scrub names variables that no server inherits. A server's own settings
	// may still pass one on with ${env:NAME}.
	Scrub []string
	// Confine, if set, is called with each server's command right before it is
	// started, and may change it. An error, a sentence for the user, keeps the
	// server from starting.
	Confine func(cmd *exec.Cmd) error
	// Notify is told when a server connects, fails, is in doubt, or is not waited for
	// any longer. It must not block and may be called from any goroutine.
	Notify func(Notice)
	Logger *slog.Logger
	// Version of clined, told to servers.
	Version string

	// FirstWait returns how long Servers waits for one that starts for the first
	// time, or with other settings, counted from then. Default: 10 s.
	FirstWait func() time.Duration
	// StartTimeout is how long a server may take to answer "initialize"; npx
	// may have to download it first. Nothing waits for it. Default 2 min.
	StartTimeout time.Duration
	// MaxTools of one server. Default 100.
	MaxTools int
	// MaxLine is the longest message a server may send, in bytes. Default 32 MiB.
	MaxLine int
	// Backoff returns the pause before the n-th restart in a row, from 0, and
	// false to give up. Default: 1, 2, 4, 8, 16 s.
	Backoff func(n int) (time.Duration, bool)
}

func (o Options) withDefaults() *Options {
	if o.Env == nil {
		o.Env = func(context.Context) []string { return os.Environ() }
	}
	if o.Notify == nil {
		o.Notify = func(Notice) {}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.FirstWait == nil {
		o.FirstWait = func() time.Duration { return 10 * time.Second }
	}
	if o.StartTimeout == 0 {
		o.StartTimeout = 2 * time.Minute
	}
	if o.MaxTools == 0 {
		o.MaxTools = 100
	}
	if o.MaxLine == 0 {
		o.MaxLine = 32 << 20
	}
	if o.Backoff == nil {
		o.Backoff = func(n int) (time.Duration, bool) { return time.Second << min(n, 4), n < 5 }
	}
	return &o
}

// Notice is news of a server for the user: a sentence.
type Notice struct {
	Server string
	State  State
	Text   string
	// Trouble is true when something is amiss: the server failed, it is connected
	// and leaves something out, or the model goes on without it while it starts.
	Trouble bool
	// Over is true when a server that failed or was late is there.
	Over bool
}

// Hub owns the MCP servers.
type Hub struct {
	options *Options
	ctx     context.Context
	cancel  context.CancelFunc
	owners  sync.WaitGroup

	mu      sync.Mutex
	started bool               // guarded by mu
	servers map[string]*server // guarded by mu; a removed one stays until its process is gone
	applied *Settings          // guarded by mu: what Apply was given last
	beside  map[string]Config  // guarded by mu: see Beside
}

var _ tools.MCPServers = (*Hub)(nil)

// New returns a hub that has no servers yet. It starts nothing.
func New(o Options) *Hub {
	ctx, cancel := context.WithCancel(context.Background())
	return &Hub{options: o.withDefaults(), ctx: ctx, cancel: cancel, servers: map[string]*server{}}
}

// Load reads the settings file and applies it. A missing file means no
// servers. On an error nothing changes: what was good before stays.
func (h *Hub) Load(path string) error {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	settings, err := ParseSettings(data)
	if err != nil {
		return fmt.Errorf("MCP settings %s: %w", path, err)
	}
	h.Apply(settings)
	return nil
}

// Apply makes the servers what settings say. Only those whose connection
// settings changed are reconnected. It returns at once; before Start, and
// after Close, nothing runs.
func (h *Hub) Apply(settings *Settings) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.applied = settings
	h.applyLocked()
}

// Beside makes these the servers that are there beside those of the settings, of
// which one with the same name comes first. It works as Apply does.
func (h *Hub) Beside(servers map[string]Config) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.beside = servers
	h.applyLocked()
}

func (h *Hub) applyLocked() {
	all := maps.Clone(h.beside)
	if all == nil {
		all = map[string]Config{}
	}
	if h.applied != nil {
		maps.Copy(all, h.applied.Servers)
	}
	for name, s := range h.servers {
		if c, ok := all[name]; ok {
			s.configure(c)
		} else {
			s.remove()
		}
	}
	for name, c := range all {
		if h.servers[name] == nil {
			s := newServer(h, name, c)
			h.servers[name] = s
			h.runLocked(s)
		}
	}
}

// Start starts the servers, in parallel, and returns at once.
func (h *Hub) Start() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.started {
		return
	}
	h.started = true
	for _, s := range h.servers {
		h.runLocked(s)
	}
}

// runLocked starts the owner of s if the hub runs.
func (h *Hub) runLocked(s *server) {
	if h.started && h.ctx.Err() == nil {
		s.begin()
		h.owners.Go(func() { s.run(h.ctx) })
	}
}

// Close ends all servers and returns when their processes are gone, within
// 5 seconds.
func (h *Hub) Close() {
	h.mu.Lock()
	h.cancel()
	h.mu.Unlock()
	h.owners.Wait()
}

// forget drops a server that was removed, unless it was added again.
func (h *Hub) forget(s *server) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !s.removed() {
		return false
	}
	delete(h.servers, s.name)
	return true
}

// all returns the servers in the order of their names.
func (h *Hub) all() []*server {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]*server, 0, len(h.servers))
	for _, name := range slices.Sorted(maps.Keys(h.servers)) {
		if s := h.servers[name]; !s.removed() {
			list = append(list, s)
		}
	}
	return list
}

// Servers implements tools.MCPServers. It waits a moment for servers that are
// starting, and tells the user of those it then does without; see
// Options.FirstWait.
func (h *Hub) Servers(ctx context.Context) []tools.MCPServer {
	var list []tools.MCPServer
	limit := h.options.FirstWait()
	for _, s := range h.all() {
		s.awaitFirst(ctx, limit)
		if offer, ok := s.offered(); ok {
			list = append(list, offer)
		}
	}
	return list
}

// Status tells of all servers, in the order of their names.
func (h *Hub) Status() []ServerStatus {
	all := h.all()
	list := make([]ServerStatus, len(all))
	for i, s := range all {
		list[i] = s.status()
	}
	return list
}

// Troubles tells of the servers with which something is amiss now, in the order
// of their names.
func (h *Hub) Troubles() []Notice {
	var list []Notice
	for _, s := range h.all() {
		if n, ok := s.trouble(); ok {
			list = append(list, n)
		}
	}
	return list
}

// Restart ends a server's process, if there is one, and starts it anew.
func (h *Hub) Restart(name string) error {
	s, err := h.find(name)
	if err != nil {
		return err
	}
	return s.requestRestart()
}

func (h *Hub) find(name string) (*server, error) {
	all := h.all()
	for _, s := range all {
		if s.name == name {
			return s, nil
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there is no MCP server %q; none is configured", name)
	}
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = fmt.Sprintf("%q", s.name)
	}
	return nil, fmt.Errorf("there is no MCP server %q; there are %s", name, strings.Join(names, ", "))
}
