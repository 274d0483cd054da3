package server

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"clined/internal/protocol"
	"clined/internal/rpc"
	"clined/internal/workspace"
)

// Options of a session.
type Options struct {
	Backend Backend
	// Version of the build, told to the editor.
	Version string
	// Framing of the stream; the zero value finds out.
	Framing rpc.Framing
	// Now stamps events; default: time.Now.
	Now func() time.Time
	// NewID makes ids of tasks, approvals and questions.
	NewID func() string
	Log   *slog.Logger
}

// Exit codes of Serve, as LSP has them.
const (
	ExitClean   = 0 // after shutdown
	ExitUnclean = 1 // without it
)

// suspension is how long an editor may not read, being stopped by its user or a
// debugger. What waits for it is bounded by the queue meanwhile, and its end
// shows by other signs.
const suspension = 12 * time.Hour

// phase is where an editor stands in the LSP life cycle.
type phase int

const (
	fresh phase = iota
	running
	shutDown
)

// server is the session of one editor.
type server struct {
	o      Options
	log    *slog.Logger
	ctx    context.Context // of the session and its tasks
	conn   *rpc.Conn
	wire   *wire
	client protocol.Client
	desk   *desk
	edits  *editor
	exit   chan struct{} // closed by exit and end
	exited sync.Once

	// Written by initialize before phase becomes running, then only read.
	session   Session
	workspace *workspace.Workspace
	encoding  protocol.Encoding
	// native is false for a plain LSP client, which knows nothing of ours.
	native bool
	caps   protocol.ClientCaps
	window protocol.WindowCaps

	phaseMu sync.Mutex
	phase   phase

	// opening lets one stored task be opened at a time.
	opening sync.Mutex
	tasksMu sync.Mutex
	tasks   map[string]*task
	began   int // tasks so far
	closed  bool

	state stateFilter
	roots rootList
	views views
	trust *trust
	// messageless: the client turned out not to know window/showMessageRequest.
	messageless atomic.Bool
	// stray is the document whose changes were last ignored; of the read loop.
	stray string
}

// Serve serves one editor on rwc, which it owns, until the editor exits, the
// stream ends or ctx does. Then it closes the editor's tasks and waits for
// them. It returns the exit code of LSP: 0 after shutdown, else 1.
func Serve(ctx context.Context, rwc io.ReadWriteCloser, o Options) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newServer(ctx, o)
	// The connection outlives ctx by what the tasks tell of their end.
	s.conn = rpc.NewConn(context.WithoutCancel(ctx), rwc, s.bind, rpc.Options{
		Framing: o.Framing, Log: s.log, InTurn: s.inTurn, Stall: suspension,
	})
	select {
	case <-s.conn.Done():
	case <-s.exit:
	case <-ctx.Done():
	}
	if err := s.conn.Err(); err != nil {
		s.log.Warn("the connection to the editor broke", "err", err)
	}
	s.closeTasks()
	_ = s.conn.Close()
	cancel()
	s.views.closing.Wait()
	s.desk.close()
	s.trust.close()
	if s.session != nil {
		s.session.Close()
	}
	if s.currentPhase() == shutDown {
		return ExitClean
	}
	return ExitUnclean
}

func newServer(ctx context.Context, o Options) *server {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &server{o: o, log: o.Log, ctx: ctx, exit: make(chan struct{}), tasks: map[string]*task{}, encoding: protocol.UTF16}
	s.desk = newDesk(s)
	s.trust = &trust{s: s}
	s.edits = &editor{s: s, changed: make(chan struct{})}
	return s
}

func (s *server) bind(c *rpc.Conn) rpc.Handler {
	s.wire = &wire{s: s, conn: c}
	s.client = protocol.NewClientStub(s.wire)
	return s.gate(protocol.ServerHandler(s))
}

// inTurn lets exit wait for the requests before it, so that a shutdown sent
// just ahead of it counts.
func (s *server) inTurn(method string) bool {
	return method == protocol.MethodExit && s.currentPhase() != shutDown
}

func (s *server) currentPhase() phase {
	s.phaseMu.Lock()
	defer s.phaseMu.Unlock()
	return s.phase
}

func (s *server) setPhase(p phase) {
	s.phaseMu.Lock()
	defer s.phaseMu.Unlock()
	s.phase = p
}

// gate holds the life cycle of LSP 3.17: what may be asked when.
func (s *server) gate(next rpc.Handler) rpc.Handler {
	return func(ctx context.Context, r *rpc.Request) (any, error) {
		p := s.currentPhase()
		switch {
		case r.Notification && p != running && r.Method != protocol.MethodExit:
			s.log.Debug("notification outside of the session ignored", "method", r.Method)
			return nil, nil
		case r.Notification:
		case p == fresh && r.Method != protocol.MethodInitialize:
			return nil, rpc.Errorf(protocol.CodeNotInitialized, "%s before initialize", r.Method)
		case p == running && r.Method == protocol.MethodInitialize:
			return nil, rpc.Errorf(rpc.CodeInvalidRequest, "initialize was answered already")
		case p == shutDown:
			return nil, rpc.Errorf(rpc.CodeInvalidRequest, "%s after shutdown", r.Method)
		}
		result, err := next(ctx, r)
		if !r.Notification {
			s.wire.replies()
		}
		if r.Notification && err != nil && !errors.Is(err, rpc.ErrMethodNotFound) {
			s.tell(ctx, r.Method+" was ignored: "+err.Error())
			return nil, nil
		}
		return result, err
	}
}

// tell warns the author of an editor plugin, and the log, of a message that
// was ignored.
func (s *server) tell(ctx context.Context, text string) {
	s.log.Warn(text)
	_ = s.client.LogMessage(ctx, &protocol.ShowMessageParams{Type: protocol.MessageWarning, Message: "clined: " + text})
}

// showUser warns the user, and the log.
func (s *server) showUser(text string) {
	s.log.Warn(text)
	s.say(protocol.MessageWarning, text)
}

// say shows the user a sentence.
func (s *server) say(severity protocol.MessageType, text string) {
	_ = s.client.ShowMessage(s.ctx, &protocol.ShowMessageParams{Type: severity, Message: "clined: " + text})
}
