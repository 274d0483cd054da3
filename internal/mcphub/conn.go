package mcphub

import (
	"context"
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
	// messages feeds the client what the process says.
	messages *io.PipeWriter
	pace     pace
	log      *serverLog
	// logged is where this connection's part of the log begins.
	logged int

	// hello is what the server said of itself.
	hello *mcp.InitializeResult
	// warnings of its start are for the user.
	warnings []string
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
func (d *dialer) dial(ctx context.Context, c Config) (*conn, error) {
	base := environ(d.options.Env(ctx))
	expanded, unset := c.expand(base, d.options.Workspace)
	s, err := d.spec(base, expanded)
	if err != nil {
		return nil, settingsError{err}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	logFrom := d.logging(redactor(base, d.options.Scrub, expanded.Env))
	stdout, messages := io.Pipe()
	k := &conn{
		messages: messages, log: d.log, logged: d.log.mark(),
		changed:  make(chan struct{}, 1),
		ended:    make(chan struct{}),
		progress: map[string]func(string){},
	}
	for _, name := range unset {
		k.warnings = append(k.warnings, fmt.Sprintf("its settings name the environment variable %q, which is not set", name))
	}
	s.pace, s.confine = &k.pace, d.options.Confine
	if k.process, err = startProcess(s, messages, logFrom("stdout: "), logFrom("")); err != nil {
		return nil, settingsError{err}
	}
	go k.watch()
	if err := k.handshake(ctx, d, stdout, logFrom("log: ")); err != nil {
		err = k.explain(err)
		k.close()
		if len(k.warnings) > 0 { // likely the reason
			err = fmt.Errorf("%w; %s", err, strings.Join(k.warnings, "; "))
		}
		return nil, err
	}
	return k, nil
}

// spec works out what to start; c has its references resolved.
func (d *dialer) spec(base map[string]string, c Config) (spec, error) {
	env := childEnv(base, d.options.Scrub, c.Env)
	dir := c.Cwd
	if dir == "" {
		dir = d.options.Workspace
	}
	if info, err := os.Stat(dir); dir != "" && (err != nil || !info.IsDir()) {
		return spec{}, fmt.Errorf("its folder %q does not exist", dir)
	}
	path, err := lookPath(c.Command, env, dir)
	return spec{path: path, args: c.Args, dir: dir, env: environLines(env), maxLine: d.options.MaxLine}, err
}

// logging returns a maker of functions that log lines, without secrets, as
// coming from a source.
func (d *dialer) logging(secrets *strings.Replacer) func(source string) func(line string) {
	return func(source string) func(string) {
		return func(line string) {
			line = source + secrets.Replace(line)
			d.log.add(line)
			d.logger.Debug("mcp server output", "line", line)
		}
	}
}

func (k *conn) handshake(ctx context.Context, d *dialer, stdout io.Reader, logged func(string)) error {
	stdio := transport.NewIO(stdout, k.process.stdin, nil)
	transport.WithCommandLogger(d.logger)(stdio)
	// The newest version that begins with initialize: servers that do not know
	// the newer way of asking first may ignore the question or end.
	k.client = client.NewClient(tap{stdio, &k.pace}, client.WithProtocolVersion(mcp.LATEST_LEGACY_PROTOCOL_VERSION))
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

// over reports whether the connection has ended.
func (k *conn) over() bool {
	select {
	case <-k.ended:
		return true
	default:
		return false
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
	k.pace.ask() // what is left is read to its end
	_ = k.client.Close()
	_ = k.messages.Close() // the client reads the end, not an error
	if err := k.process.stop(); err != nil {
		k.log.add("clined: " + err.Error())
	}
	<-k.ended
}
