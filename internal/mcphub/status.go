package mcphub

import (
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"time"

	"clined/internal/tools"
)

// State is how a server is.
type State string

// The states.
const (
	Starting  State = "starting"
	Connected State = "connected"
	// Retrying waits a moment before the server is started again.
	Retrying State = "retrying"
	// Down stays so until Restart or other settings.
	Down     State = "down"
	Disabled State = "disabled"
)

// ServerStatus tells of one server.
type ServerStatus struct {
	Name  string
	State State
	// Since is when it came into this state.
	Since time.Time
	// Error says why it is retrying or down.
	Error string
	// Warnings are for the user: tools left out, variables not set.
	Warnings []string
	// Title and Version are what the server calls itself, Protocol the version
	// agreed on; "" before it was connected.
	Title, Version, Protocol string
	// Offer is what it offers, empty while it is not connected.
	Offer tools.MCPServer
	// Log holds the last lines it printed besides messages, oldest first.
	Log []string
}

// connected publishes what a connection offers.
func (s *server) connected(c Config, d dialResult) {
	d.offer.Name, d.offer.Command = s.name, commandLine(c)
	s.mu.Lock()
	again := s.conn == d.conn
	if again && reflect.DeepEqual(s.now.Offer, d.offer) {
		s.mu.Unlock()
		return
	}
	s.conn = d.conn
	if !again {
		s.now.Since = time.Now()
	}
	s.now = ServerStatus{
		Name: s.name, State: Connected, Since: s.now.Since, Warnings: d.warnings,
		Title: d.conn.hello.ServerInfo.Name, Version: d.conn.hello.ServerInfo.Version,
		Protocol: d.conn.hello.ProtocolVersion, Offer: d.offer,
	}
	n := Notice{Server: s.name, State: Connected, Text: s.now.sentence(again), Trouble: len(d.warnings) > 0, Over: s.failed || s.late}
	s.failed, s.late = false, false
	s.mu.Unlock()
	s.settle()
	s.tell(n)
}

// sentence tells the user how a server is; changed is true for one that was
// connected before and now offers something else.
func (s *ServerStatus) sentence(changed bool) string {
	switch {
	case s.State == Down:
		return fmt.Sprintf("MCP server %q is down: %s", s.Name, s.Error)
	case s.State == Retrying:
		return fmt.Sprintf("MCP server %q failed and is started again: %s", s.Name, s.Error)
	case s.State == Starting:
		return fmt.Sprintf("MCP server %q is still starting; the model goes on without its tools until it is connected", s.Name)
	case s.State != Connected:
		return fmt.Sprintf("MCP server %q is %s", s.Name, s.State)
	}
	text := fmt.Sprintf("MCP server %q is connected: %s", s.Name, count(len(s.Offer.Tools), "tool"))
	if changed {
		text = fmt.Sprintf("MCP server %q changed what it offers: %s", s.Name, count(len(s.Offer.Tools), "tool"))
	}
	if len(s.Warnings) > 0 {
		text += "; " + strings.Join(s.Warnings, "; ")
	}
	return text
}

// trouble tells what is amiss with a server now; ok is false for nothing.
func (s *server) trouble() (n Notice, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	late := s.late && s.now.State == Starting
	if !late && s.now.Error == "" && len(s.now.Warnings) == 0 {
		return Notice{}, false
	}
	return Notice{Server: s.name, State: s.now.State, Text: s.now.sentence(false), Trouble: true}, true
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (s *server) disconnected() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn = nil
	s.now.Offer = tools.MCPServer{}
	s.now.State, s.now.Since = Starting, time.Now()
}

// enter records a state without a connection.
func (s *server) enter(state State, reason string) {
	s.mu.Lock()
	same := s.now.State == state && s.now.Error == reason
	s.now = ServerStatus{Name: s.name, State: state, Error: reason, Since: time.Now()}
	failed := state == Down || state == Retrying
	s.failed = failed || s.failed && state == Starting
	n := Notice{Server: s.name, State: state, Text: s.now.sentence(false), Trouble: failed}
	s.mu.Unlock()
	if state != Starting {
		s.settle()
	}
	switch {
	case same:
	case failed:
		s.tell(n)
	default:
		s.logger.Info("mcp server", "state", state)
	}
}

func (s *server) tell(n Notice) {
	level := slog.LevelInfo
	if n.Trouble {
		level = slog.LevelWarn
	}
	s.logger.Log(context.Background(), level, n.Text)
	s.hub.options.Notify(n)
}

func (s *server) settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.settled:
	default:
		close(s.settled)
	}
}

// awaitFirst waits until the first start with these settings has settled, at
// most until limit after it began.
func (s *server) awaitFirst(ctx context.Context, limit time.Duration) {
	s.mu.Lock()
	begun, settled := s.begun, s.settled
	s.mu.Unlock()
	if begun.IsZero() {
		return
	}
	timer := time.NewTimer(time.Until(begun.Add(limit)))
	defer timer.Stop()
	select {
	case <-settled:
	case <-timer.C:
		s.goWithout(settled)
	case <-ctx.Done():
	}
}

// goWithout tells the user, once, of a start that is not waited for any longer.
func (s *server) goWithout(settled chan struct{}) {
	s.mu.Lock()
	select {
	case <-settled:
		s.mu.Unlock()
		return
	default:
	}
	told := s.late || s.settled != settled || s.gone || s.now.State != Starting
	s.late = s.late || !told
	n := Notice{Server: s.name, State: Starting, Text: (&ServerStatus{Name: s.name, State: Starting}).sentence(false), Trouble: true}
	s.mu.Unlock()
	if !told {
		s.tell(n)
	}
}

// offered returns what a connected server offers.
func (s *server) offered() (tools.MCPServer, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil || s.conn.over() {
		return tools.MCPServer{}, false
	}
	offer := s.now.Offer
	offer.Tools = slices.Clone(offer.Tools)
	for i := range offer.Tools {
		offer.Tools[i].AutoApprove = slices.Contains(s.want.AutoApprove, offer.Tools[i].Name)
	}
	return offer, true
}

func (s *server) status() ServerStatus {
	offer, _ := s.offered()
	s.mu.Lock()
	defer s.mu.Unlock()
	status := s.now
	status.Offer = offer
	status.Log = s.log.tail(logLines)
	return status
}

// live returns the connection and the time limit of a request.
func (s *server) live() (*conn, time.Duration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.conn != nil:
		return s.conn, s.want.Timeout, nil
	case s.now.Error != "":
		return nil, 0, fmt.Errorf("MCP server %q is %s: %s", s.name, s.now.State, s.now.Error)
	}
	return nil, 0, fmt.Errorf("MCP server %q is %s and cannot be called now", s.name, s.now.State)
}
