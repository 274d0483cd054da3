package console

import (
	"context"
	"fmt"
	"io"
	"time"

	"clined/internal/fileuri"
	"clined/internal/protocol"
	"clined/internal/rpc"
)

// Workspace says where the task works.
type Workspace struct {
	// Cwd is absolute; "" for a front that only looks at tasks.
	Cwd string
	// Roots are absolute, too; none is Cwd alone.
	Roots []string
	// Version of this program, told in the handshake.
	Version string
}

// farewell bounds the exchange at the end: a daemon that hangs is left alone.
const farewell = 10 * time.Second

// Connect attaches the front to the daemon at the other end of rwc, which it
// owns, and does the handshake of an editor. The returned function hangs up
// and waits.
func (f *Front) Connect(ctx context.Context, rwc io.ReadWriteCloser, w Workspace) (hangUp func(), err error) {
	conn := rpc.NewConn(context.WithoutCancel(ctx), rwc, func(*rpc.Conn) rpc.Handler { return protocol.ClientHandler(f) },
		rpc.Options{Framing: rpc.Header})
	server := protocol.NewServerStub(conn)
	if err := shakeHands(ctx, server, w); err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("handshake: %w", err)
	}
	f.Attach(server)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		<-conn.Done()
		f.Lost(conn.Err())
	}()
	return func() {
		f.bye(server, conn)
		<-watched
		f.partingWords()
	}, nil
}

func shakeHands(ctx context.Context, server protocol.Server, w Workspace) error {
	params := &protocol.InitializeParams{WorkspaceFolders: []protocol.WorkspaceFolder{}}
	roots := w.Roots
	if len(roots) == 0 && w.Cwd != "" {
		roots = []string{w.Cwd}
	}
	for _, r := range roots {
		params.WorkspaceFolders = append(params.WorkspaceFolders, protocol.WorkspaceFolder{URI: fileuri.FromPath(r), Name: "workspace"})
	}
	params.ClientInfo = &protocol.ClientInfo{Name: "clined terminal", Version: w.Version}
	params.Capabilities.General.PositionEncodings = []string{"utf-8"}
	params.Capabilities.Experimental.Clined = Capabilities(w.Version)
	if _, err := server.Initialize(ctx, params); err != nil {
		return err
	}
	return server.Initialized(ctx, &protocol.Empty{})
}

// bye ends the session as LSP wants it.
func (f *Front) bye(server protocol.Server, conn *rpc.Conn) {
	f.mu.Lock()
	f.leaving = true
	f.mu.Unlock()
	f.finishErrands()
	f.show.farewell()
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	if _, err := server.Shutdown(ctx, &protocol.Empty{}); err == nil {
		_ = server.Exit(ctx, &protocol.Empty{}) // the daemon may be gone before
	}
	_ = conn.Close()
	f.Close()
}
