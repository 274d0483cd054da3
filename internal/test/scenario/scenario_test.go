package scenario_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"clined/examples/weather/server"
	"clined/internal/config"
	"clined/internal/daemon"
	"clined/internal/rpc"
	"clined/internal/test/binary"
	"clined/internal/test/fakemcp"
	"clined/internal/test/scenario"

	"go.uber.org/goleak"
)

// The test binary also plays the children that stories start.
func TestMain(m *testing.M) {
	if code, ok := daemon.Child(os.Args[1:], os.Stdin, os.Stdout, os.Exit); ok {
		os.Exit(code)
	}
	if len(os.Args) > 1 && os.Args[1] == "weather" {
		if err := server.Main(context.Background(), os.Args[2:]); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	if code, played := fakemcp.Main(); played {
		os.Exit(code)
	}
	flag.Parse()
	// Stories mostly wait, for pauses and for children.
	if err := flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	code := m.Run()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			code = 1
		}
	}
	binary.Remove()
	os.Exit(code)
}

// TestInProcess plays every story with the daemon in this process, but those
// that move megabytes: the race detector needs half a minute for them.
func TestInProcess(t *testing.T) {
	playAll(t, startHere, "streams/long_lines", "mcp/huge_result")
}

// TestChild plays every story against the real binary over its real stdio.
func TestChild(t *testing.T) {
	if testing.Short() {
		t.Logf("the stories run in this process only")
		return
	}
	binary.Path(t) // no story's time is spent on building it
	playAll(t, startChild)
}

func playAll(t *testing.T, start scenario.Start, except ...string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	commands := map[string]string{
		"$ARGS_OF_WEATHER": `["weather", "--recorded"]`, "$WEATHER": quote(exe),
	}
	for name, text := range fakeServers(t) {
		commands[name] = text
	}
	n := 0
	err = filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".txtar" {
			return err
		}
		n++
		name := strings.TrimSuffix(filepath.ToSlash(strings.TrimPrefix(path, "testdata")), ".txtar")[1:]
		if slices.Contains(except, name) {
			return nil
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scenario.Play(t, path, start, commands)
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 30 {
		t.Errorf("%d stories were found", n)
	}
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always marshals
	}
	return string(b)
}

// fakeServers are the entries that stories may use in mcp.json.
func fakeServers(t *testing.T) map[string]string {
	t.Helper()
	entry := func(s fakemcp.Script) string {
		b, err := json.Marshal(s.Entry(nil))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	return map[string]string{
		"$FAKEMCP": entry(fakemcp.Script{Tools: []fakemcp.Tool{{Name: "echo", Description: "Echo."}}}),
	}
}

// here is a daemon in this process.
type here struct {
	net.Conn
	code chan int
}

func (h *here) Wait() int { return <-h.code }

func startHere(t testing.TB, s scenario.Setup) scenario.Daemon {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return startOptions(t, s, daemon.Options{Environ: environ(s), Executable: exe, LogTo: s.Log})
}

func startOptions(t testing.TB, s scenario.Setup, o daemon.Options) scenario.Daemon {
	t.Helper()
	o.Version = "test"
	o.Dirs = config.Dirs{Config: s.Home, State: filepath.Join(s.Home, "state"), Cache: filepath.Join(s.Home, "cache")}
	d, _, err := daemon.New(o)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := net.Pipe()
	h := &here{Conn: ours, code: make(chan int, 1)}
	go func() {
		code := d.Serve(t.Context(), theirs, rpc.Sniff)
		d.Close()
		h.code <- code
	}()
	return h
}

// environ is a plain environment: nothing of the person who runs the tests. A
// machine under load may need long to start a server, and stories are about
// what comes then.
func environ(s scenario.Setup) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + s.Home, "SHELL=/bin/sh", "SHLVL=1", "CLINED_HOME=" + s.Home, "LANG=C.UTF-8", "CLINED_MCP_WAIT=60",
	}, s.Env...)
}

// child is the real binary.
type child struct {
	io.WriteCloser
	io.Reader
	cmd  *exec.Cmd
	once sync.Once
	code int
	// held keeps stdin open when the editor has ended.
	held bool
}

func (c *child) Close() error {
	if c.held {
		return nil
	}
	return c.WriteCloser.Close()
}

// Kill ends the child at once.
func (c *child) Kill() error { return c.cmd.Process.Kill() }

func (c *child) Wait() int {
	c.once.Do(func() {
		_ = c.WriteCloser.Close()
		err := c.cmd.Wait()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			c.code = -1
			return
		}
		c.code = c.cmd.ProcessState.ExitCode()
	})
	return c.code
}

func startChild(t testing.TB, s scenario.Setup) scenario.Daemon {
	return startProgram(t, s, binary.Path(t))
}

func startProgram(t testing.TB, s scenario.Setup, program string) scenario.Daemon {
	t.Helper()
	c := &child{cmd: exec.CommandContext(t.Context(), program, "--stdio")}
	c.cmd.Env = environ(s)
	c.cmd.Stderr = s.Log
	var err error
	if c.WriteCloser, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if c.Reader, err = c.cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Wait() })
	return c
}
