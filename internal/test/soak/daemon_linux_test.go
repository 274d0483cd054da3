package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"clined/internal/rpc"
	"clined/internal/test/binary"
	"clined/internal/test/fakeeditor"
)

// hangGuard ends a wait for something that never comes, storyGuard a story that
// never ends: the longest have twenty requests, some of them refused at first.
const (
	hangGuard  = 2 * time.Minute
	storyGuard = 8 * time.Minute
)

// mark is the variable by which all processes of a place are found.
const mark = "CLINED_SOAK"

// place is where daemons run: a workspace and a home.
type place struct {
	t             *testing.T
	ctx           context.Context
	dir, ws, home string
	// as, if set, changes how a daemon is started.
	as  func(*exec.Cmd)
	log *lockedBuffer
}

func newPlace(t *testing.T) *place {
	t.Helper()
	dir := t.TempDir()
	p := &place{t: t, dir: dir, ws: filepath.Join(dir, "ws"), home: filepath.Join(dir, "home"), log: &lockedBuffer{}}
	p.patience(storyGuard)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the daemons' log ends: %s", tail(p.log.String(), 4000))
		}
		p.nobodyLeft()
	})
	return p
}

// patience says how long all that follows may take.
func (p *place) patience(limit time.Duration) {
	ctx, cancel := context.WithTimeoutCause(p.t.Context(), limit, errors.New("it never came"))
	p.t.Cleanup(cancel)
	p.ctx = ctx
}

func (p *place) write(path, text string) {
	p.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		p.t.Fatal(err)
	}
}

// settings writes the user's.
func (p *place) settings(v any) { p.write(filepath.Join(p.home, "settings.json"), jsonOf(v)) }

func (p *place) environ() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "SHELL=/bin/sh", "CLINED_HOME=" + p.home, "LANG=C.UTF-8", "CLINED_MCP_WAIT=60", mark + "=" + p.dir,
	}
}

// daemon is a running binary with its editor.
type daemon struct {
	p      *place
	cmd    *exec.Cmd
	in     io.Closer
	editor *fakeeditor.Editor
	once   sync.Once
	// done is closed when the process has ended.
	done chan struct{}
}

// start runs the binary and connects an editor. The daemon is killed at the end
// of the test if it still lives.
func (p *place) start() *daemon {
	p.t.Helper()
	d := &daemon{p: p, cmd: exec.Command(binary.Path(p.t), "--stdio"), done: make(chan struct{})}
	d.cmd.Env = p.environ()
	d.cmd.Stderr = p.log
	if p.as != nil {
		p.as(d.cmd)
	}
	in, err := d.cmd.StdinPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := d.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	d.in = in
	d.editor = fakeeditor.Connect(p.ctx, p.t, pipes{out, in}, rpc.Header)
	p.t.Cleanup(d.kill)
	return d
}

type pipes struct {
	io.Reader
	io.WriteCloser
}

// kill ends the process as nothing can be held off.
func (d *daemon) kill() {
	d.once.Do(func() {
		_ = d.cmd.Process.Signal(syscall.SIGKILL) // it may have ended
		d.await()
	})
}

// quit ends it as an editor does.
func (d *daemon) quit() error {
	var err error
	d.once.Do(func() {
		_, err = d.editor.Call(d.p.ctx, "shutdown", nil)
		err = errors.Join(err, d.editor.Notify("exit", nil))
		d.await()
		if code := d.cmd.ProcessState.ExitCode(); code != 0 {
			err = errors.Join(err, fmt.Errorf("it ended with code %d", code))
		}
	})
	return err
}

// await waits for the end; the editor reads all before Wait closes the pipes.
func (d *daemon) await() {
	select {
	case <-d.editor.Done():
	case <-d.p.ctx.Done():
		_ = d.cmd.Process.Kill()
	}
	_ = d.cmd.Wait() // its error is the exit code
	close(d.done)
}

// handshake are the params of an editor that can do everything.
func handshake(p *place) any {
	return map[string]any{
		"workspaceFolders": []any{map[string]any{"uri": fakeeditor.URI(p.ws), "name": "ws"}},
		"capabilities": map[string]any{"experimental": map[string]any{"clined": map[string]any{
			"caps": map[string]any{"approvals": map[string]any{}, "asks": map[string]any{}, "transcript": map[string]any{}},
		}}},
	}
}

// initialize does the handshake.
func (d *daemon) initialize() error { return d.call("initialize", handshake(d.p), nil) }

// call sends a request and reads its result.
func (d *daemon) call(method string, params, result any) error {
	raw, err := d.editor.Call(d.p.ctx, method, params)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(raw, result)
}

// must is call where nothing may go wrong.
func (d *daemon) must(method string, params, result any) {
	d.p.t.Helper()
	if err := d.call(method, params, result); err != nil {
		d.p.t.Fatal(err)
	}
}

// nobodyLeft waits for the end of all processes of the place.
func (p *place) nobodyLeft() {
	p.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		left := marked(p.dir)
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			p.t.Errorf("left behind: %q", left)
			return
		}
		<-time.After(20 * time.Millisecond)
	}
}

// marked returns the processes that carry a mark, with their command lines.
func marked(dir string) []string {
	var found []string
	paths, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range paths {
		env, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(append([]byte{0}, env...), []byte("\x00"+mark+"="+dir+"\x00")) {
			continue
		}
		line, err := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		if err != nil || len(line) == 0 { // it has ended
			continue
		}
		found = append(found, filepath.Base(filepath.Dir(path))+" "+strings.ReplaceAll(strings.TrimRight(string(line), "\x00"), "\x00", " "))
	}
	return found
}

// lockedBuffer holds what daemons write for maintainers.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func jsonOf(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }
