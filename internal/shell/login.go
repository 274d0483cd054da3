package shell

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// DefaultLoginLimit is how long a login shell may take to tell its environment.
const DefaultLoginLimit = 3 * time.Second

// loginBytes bounds what a login shell may print.
const loginBytes = 4 << 20

// loginVar is set while the environment is read: a start-up file can tell by it.
const loginVar = "CLINED_READING_ENVIRONMENT"

// LoginOptions of a LoginEnv.
type LoginOptions struct {
	// Base is the daemon's own environment; its SHELL is asked.
	Base []string
	// Wanted is false when Base is to be used as it is: the daemon was started from
	// a terminal and has the environment already.
	Wanted bool
	// Limit of 0 means DefaultLoginLimit.
	Limit time.Duration
	// Mark is a variable for all that the shell starts (Reaper.Env), "" for none.
	Mark string
	Log  *slog.Logger
}

// LoginEnv is the environment that the user's login shell makes: an editor that
// was started from a desktop has none of what the start-up files set, such as
// PATH. It is read once, when it is first asked for or by Start.
type LoginEnv struct {
	o     LoginOptions
	begin sync.Once
	stop  context.CancelFunc // set by begin
	done  chan struct{}
	env   []string // written before done is closed
}

// NewLoginEnv returns a LoginEnv that has started nothing.
func NewLoginEnv(o LoginOptions) *LoginEnv {
	if o.Limit <= 0 {
		o.Limit = DefaultLoginLimit
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &LoginEnv{o: o, done: make(chan struct{})}
}

// Start begins to read and returns at once; it may be called again.
func (l *LoginEnv) Start() {
	l.begin.Do(func() {
		ctx, stop := context.WithTimeout(context.Background(), l.o.Limit)
		l.stop = stop
		if !l.o.Wanted || !supported {
			l.env = l.o.Base
			close(l.done)
			return
		}
		go func() {
			defer close(l.done)
			began := time.Now()
			env, err := readLogin(ctx, l.o)
			if err != nil {
				l.o.Log.Warn("the login shell's environment cannot be read: commands have the one clined was started with", "err", err)
				env = l.o.Base
			} else {
				l.o.Log.Debug("the login shell's environment was read", "took", time.Since(began), "variables", len(env))
			}
			l.env = env
		}()
	})
}

// Environ waits until the environment is read, or for ctx, and returns it: the
// daemon's own if that failed or ctx ended. It fits Options.Environ.
func (l *LoginEnv) Environ(ctx context.Context) []string {
	l.Start()
	select {
	case <-l.done:
		return slices.Clone(l.env)
	case <-ctx.Done():
		return slices.Clone(l.o.Base)
	}
}

// Close ends a reading that is not done, and waits for that.
func (l *LoginEnv) Close() {
	l.Start() // so that no later one begins
	l.stop()
	<-l.done
}

// readLogin has the login shell print its environment between two lines that
// nothing else prints; what start-up files print is left out.
func readLogin(ctx context.Context, o LoginOptions) ([]string, error) {
	path, err := chooseShell("", o.Base)
	if err != nil {
		return nil, err
	}
	printer, err := exec.LookPath("env")
	if err != nil {
		return nil, err
	}
	border := "clined-" + newToken()
	// The program by its path: a function or an alias may have its name.
	line := fmt.Sprintf("echo %[1]s; '%[2]s' -0; echo %[1]s", border, printer)
	cmd := exec.Command(path, "-i", "-l", "-c", line)
	cmd.Env = append(slices.Clone(o.Base), loginVar+"=1", markVar+"="+strings.TrimPrefix(o.Mark, markVar+"=")+newToken())
	cmd.Dir = home(o.Base)
	newSession(cmd)
	var printed capped
	if err := runLogin(ctx, cmd, &printed); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	env, err := parseLogin(printed.b, border)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return mergeLogin(o.Base, env), nil
}

// runLogin runs cmd until it has ended or ctx has, and ends what is left of it.
func runLogin(ctx context.Context, cmd *exec.Cmd, printed *capped) error {
	stream, err := openStream(cmd, false)
	if err != nil {
		return err
	}
	cmd.Stderr = nil
	began := time.Now()
	mark := cmd.Env[len(cmd.Env)-1][len(markVar)+1:]
	if err := stream.start(cmd, mark); err != nil {
		return err
	}
	all := newTree(cmd.Process, mark, &processes{})
	read, exited := make(chan struct{}), make(chan struct{})
	go func() {
		stream.copyTo(printed)
		close(read)
	}()
	go func() {
		cmd.Wait() // what it printed counts, not how it ended
		close(exited)
	}()
	left := all
	select {
	case <-exited:
		left = all.ofSession() // an agent that a start-up file starts as a daemon is to stay
		select {
		case <-read:
		case <-time.After(settle): // something else holds the stream
		}
	case <-ctx.Done():
		err = fmt.Errorf("it was not done after %v", time.Since(began).Round(100*time.Millisecond))
	}
	left.end(grace)
	stream.close()
	defer all.close()
	<-read
	<-exited
	return err
}

// parseLogin takes what env -0 printed between the border lines.
func parseLogin(printed []byte, border string) ([]string, error) {
	_, after, begun := bytes.Cut(printed, []byte(border+"\n"))
	between, _, ended := bytes.Cut(after, []byte(border))
	if !begun || !ended {
		return nil, errors.New("it printed no environment")
	}
	var env []string
	for kv := range bytes.SplitSeq(between, []byte{0}) {
		if i := bytes.IndexByte(kv, '='); i > 0 {
			env = append(env, string(kv))
		}
	}
	if len(env) == 0 {
		return nil, errors.New("it printed no environment")
	}
	return env, nil
}

// ownVars are of the shell that was asked, or ours.
var ownVars = []string{"_", "SHLVL", "PWD", "OLDPWD", markVar, loginVar}

// mergeLogin is login's environment, with what base has under other names. What
// is set for clined itself stays as it is.
func mergeLogin(base, login []string) []string {
	kept := func(name string) bool { return slices.Contains(ownVars, name) || strings.HasPrefix(name, "CLINED_") }
	names := map[string]bool{}
	var env []string
	for _, kv := range login {
		name, _, _ := strings.Cut(kv, "=")
		if !kept(name) && !names[name] {
			names[name] = true
			env = append(env, kv)
		}
	}
	for _, kv := range base {
		if name, _, _ := strings.Cut(kv, "="); !names[name] {
			env = append(env, kv)
		}
	}
	return env
}

func home(env []string) string {
	for _, kv := range env {
		if dir, ok := strings.CutPrefix(kv, "HOME="); ok {
			if info, err := os.Stat(dir); err == nil && info.IsDir() {
				return dir
			}
		}
	}
	return os.TempDir()
}

// capped keeps the first bytes written to it.
type capped struct{ b []byte }

func (c *capped) Write(b []byte) (int, error) {
	c.b = append(c.b, b[:min(len(b), max(0, loginBytes-len(c.b)))]...)
	return len(b), nil
}

var _ io.Writer = (*capped)(nil)
