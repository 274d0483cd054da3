package mcphub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// settingsError is a failure that trying again cannot mend.
type settingsError struct{ error }

// conn is a live connection to a server: its process and the MCP client on it.
type conn struct {
	client  *client.Client
	process *process
	stdout  *io.PipeReader
	log     *serverLog
	// logged is where this connection's part of the log begins.
	logged int

	// hello is what the server said of itself.
	hello *mcp.InitializeResult
	// changed is poked when the server says that its lists changed.
	changed chan struct{}
	// ended is closed when the connection is no more; reason then says why.
	ended  chan struct{}
	reason error

	mu       sync.Mutex
	progress map[string]func(string) // by token; guarded by mu
	tokens   int                     // guarded by mu
}

// dialer holds what connections of one server have in common.
type dialer struct {
	options *Options
	log     *serverLog
	logger  *slog.Logger
}

// dial starts the server and shakes hands. The caller closes the connection.
// warnings are for the user.
func (d *dialer) dial(ctx context.Context, c Config) (_ *conn, warnings []string, err error) {
	base := environ(d.options.Env(ctx))
	expanded, unset := c.expand(base, d.options.Workspace)
	for _, name := range unset {
		warnings = append(warnings, fmt.Sprintf("its settings name the environment variable %q, which is not set", name))
	}
	env := childEnv(base, d.options.Scrub, expanded.Env)
	dir := expanded.Cwd
	if dir == "" {
		dir = d.options.Workspace
	}
	if info, err := os.Stat(dir); dir != "" && (err != nil || !info.IsDir()) {
		return nil, warnings, settingsError{fmt.Errorf("its folder %q does not exist", dir)}
	}
	path, err := lookPath(expanded.Command, env, dir)
	if err != nil {
		return nil, warnings, settingsError{err}
	}
	if err := ctx.Err(); err != nil {
		return nil, warnings, err
	}

	secrets := redactor(base, d.options.Scrub, expanded.Env)
	logFrom := func(source string) func(string) {
		return func(line string) {
			line = secrets.Replace(line)
			d.log.add(source + line)
			d.logger.Debug("mcp server output", "source", strings.TrimSpace(source), "line", line)
		}
	}
	stdout, messages := io.Pipe()
	mark := d.log.mark()
	p, err := startProcess(spec{path: path, args: expanded.Args, dir: dir, env: environLines(env), maxLine: d.options.MaxLine},
		messages, logFrom("stdout: "), logFrom(""))
	if err != nil {
		return nil, warnings, settingsError{err}
	}
	k := &conn{
		process: p, stdout: stdout, log: d.log, logged: mark,
		changed:  make(chan struct{}, 1),
		ended:    make(chan struct{}),
		progress: map[string]func(string){},
	}
	go k.watch()
	if err := k.handshake(ctx, d, logFrom("log: ")); err != nil {
		err = k.explain(err)
		k.close()
		return nil, warnings, err
	}
	return k, warnings, nil
}

func (k *conn) handshake(ctx context.Context, d *dialer, logged func(string)) error {
	stdio := transport.NewIO(k.stdout, k.process.stdin, nil)
	transport.WithCommandLogger(d.logger)(stdio)
	// The newest version that begins with initialize: servers that do not know
	// the newer way of asking first may ignore the question or end.
	k.client = client.NewClient(tap{stdio}, client.WithProtocolVersion(mcp.LATEST_LEGACY_PROTOCOL_VERSION))
	k.client.OnNotification(func(n mcp.JSONRPCNotification) { k.notified(n, logged) })
	// What the server asks of us is answered as long as the connection lives,
	// not only while it is being made.
	if err := k.client.Start(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, d.options.StartTimeout)
	defer cancel()
	var request mcp.InitializeRequest
	request.Params.ClientInfo = mcp.Implementation{Name: "clined", Version: d.options.Version}
	hello, err := k.client.Initialize(ctx, request)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
		return fmt.Errorf("it did not answer \"initialize\" within %v", d.options.StartTimeout)
	}
	k.hello = hello
	return err
}

// watch finds out how the connection ended.
func (k *conn) watch() {
	defer close(k.ended)
	<-k.process.outputEnded
	timer := time.NewTimer(500 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-k.process.exited:
		k.reason = errors.New("it ended with " + k.process.exit)
	case <-timer.C:
		k.reason = errors.New("it closed its output")
	}
	if errors.Is(k.process.outputErr, errLongLine) {
		k.reason = k.process.outputErr
	}
	if tail := k.log.since(k.logged, tailLines); len(tail) > 0 {
		k.reason = fmt.Errorf("%w; its last output:\n%s", k.reason, strings.Join(tail, "\n"))
	}
}

// tailLines of a server's output are shown with the news of its end.
const tailLines = 8

// explain turns the transport's word for a lost connection into the reason.
func (k *conn) explain(err error) error {
	for _, lost := range []error{transport.ErrTransportClosed, io.ErrClosedPipe, os.ErrClosed, syscall.EPIPE} {
		if !errors.Is(err, lost) {
			continue
		}
		timer := time.NewTimer(time.Second)
		defer timer.Stop()
		select {
		case <-k.ended:
			return k.reason
		case <-timer.C: // it closed its input and goes on
			return errors.New("it does not read its input any more")
		}
	}
	return err
}

// close ends the connection and its process and waits for both.
func (k *conn) close() {
	_ = k.stdout.Close()
	if k.client != nil {
		_ = k.client.Close()
	}
	if err := k.process.stop(); err != nil {
		k.log.add("clined: " + err.Error())
	}
	<-k.ended
}

// notified runs on the client's reading goroutine and must not block.
func (k *conn) notified(n mcp.JSONRPCNotification, logged func(string)) {
	fields := n.Params.AdditionalFields
	switch n.Method {
	case mcp.MethodNotificationToolsListChanged, mcp.MethodNotificationResourcesListChanged:
		select {
		case k.changed <- struct{}{}:
		default:
		}
	case "notifications/message":
		text, ok := fields["data"].(string)
		if !ok {
			b, err := json.Marshal(fields["data"])
			if err != nil {
				return
			}
			text = string(b)
		}
		logged(fmt.Sprintf("%v: %s", fields["level"], text))
	case "notifications/progress":
		// The lock is held so that nothing is reported after forget.
		k.mu.Lock()
		defer k.mu.Unlock()
		report := k.progress[fmt.Sprint(fields["progressToken"])]
		if text := progressText(fields); report != nil && text != "" {
			report(text)
		}
	}
}

func progressText(fields map[string]any) string {
	if message, _ := fields["message"].(string); message != "" {
		return message
	}
	done, ok := fields["progress"].(float64)
	if !ok {
		return ""
	}
	if total, ok := fields["total"].(float64); ok && total > 0 {
		return fmt.Sprintf("%g of %g", done, total)
	}
	return fmt.Sprintf("%g", done)
}

// track registers a progress listener, which must not block, and returns its
// token.
func (k *conn) track(report func(string)) (token string, forget func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tokens++
	token = fmt.Sprintf("progress-%d", k.tokens)
	k.progress[token] = report
	return token, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		delete(k.progress, token)
	}
}
