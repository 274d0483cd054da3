package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	mcpserver "github.com/mark3labs/mcp-go/server"
)

// ServeStdio serves one client until in ends or ctx is done.
func ServeStdio(ctx context.Context, s *mcpserver.MCPServer, in io.Reader, out io.Writer) error {
	stdio := mcpserver.NewStdioServer(s)
	stdio.SetErrorLogger(log.New(io.Discard, "", 0))
	err := stdio.Listen(ctx, in, out)
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// ServeSSE serves the older HTTP transport at http://addr/sse until ctx is
// done. It says so on logs.
func ServeSSE(ctx context.Context, s *mcpserver.MCPServer, addr string, logs io.Writer) error {
	sse := mcpserver.NewSSEServer(s)
	return serve(ctx, sse, addr, "/sse", logs, sse.CloseSessions)
}

// ServeHTTP serves streamable HTTP at http://addr/mcp until ctx is done. It
// says so on logs.
func ServeHTTP(ctx context.Context, s *mcpserver.MCPServer, addr string, logs io.Writer) error {
	streamable := mcpserver.NewStreamableHTTPServer(s)
	mux := http.NewServeMux()
	mux.Handle("/mcp", streamable)
	return serve(ctx, mux, addr, "/mcp", logs, func() {})
}

// serve listens on loopback only: the server asks nobody for a password.
func serve(ctx context.Context, h http.Handler, addr, path string, logs io.Writer, closeSessions func()) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("%q is not a loopback address, such as 127.0.0.1:8931", addr)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	web := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() {
		closeSessions()
		_ = web.Close() // open streams would hold up a graceful shutdown
	})
	defer stop()
	fmt.Fprintf(logs, "weather: serving http://%s%s\n", l.Addr(), path)
	if err := web.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
