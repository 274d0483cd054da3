package mcphub_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clined/internal/mcphub"
	"clined/internal/test/fakemcp"
)

// giveUp makes a hub not start a server again.
func giveUp(int) (time.Duration, bool) { return 0, false }

// The process ends during a call.
func TestServerDiesDuringCall(t *testing.T) {
	t.Parallel()
	h := start(t, mcphub.Options{Backoff: giveUp}, servers{"s": fakemcp.Script{
		Stderr:   []string{"hello"},
		Children: 1, // holds stdout open
		Tools:    []fakemcp.Tool{{Name: "die", Stderr: []string{"panic: out of cheese", "goroutine 1"}, Exit: ptr(3)}},
	}.Entry(nil)})
	h.Servers(t.Context())
	_, err := h.CallTool(t.Context(), "s", "die", nil, nil)
	if err == nil {
		t.Fatal("no error")
	}
	contains(t, "error", err.Error(), `MCP server "s" did not answer: it ended with exit code 3; its last output:`, "\npanic: out of cheese\ngoroutine 1")
	st := untilState(t, h, "s", mcphub.Down)
	contains(t, "status", st.Error, "exit code 3")
	if _, err := h.CallTool(t.Context(), "s", "die", nil, nil); err == nil || !strings.HasPrefix(err.Error(), `MCP server "s" is down: it ended with exit code 3`) {
		t.Errorf("got %v", err)
	}
	if got := connectedNames(h); got != nil {
		t.Errorf("connected: %v", got)
	}
	if err := h.Restart("s"); err != nil {
		t.Fatal(err)
	}
	untilState(t, h, "s", mcphub.Connected)
}

func TestServerClosesItsOutput(t *testing.T) {
	h := start(t, mcphub.Options{Backoff: giveUp}, servers{"s": fakemcp.Script{Tools: []fakemcp.Tool{{Name: "close", CloseOutput: true}}}.Entry(nil)})
	h.Servers(t.Context())
	if _, err := h.CallTool(t.Context(), "s", "close", nil, nil); err == nil || err.Error() != `MCP server "s" did not answer: it closed its output` {
		t.Errorf("got %v", err)
	}
	untilState(t, h, "s", mcphub.Down)
}

// The server does not answer.
func TestCallTimesOut(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "journal")
	h := start(t, mcphub.Options{}, servers{"s": fakemcp.Script{Journal: journal, Tools: []fakemcp.Tool{{Name: "hang", Hang: true}, {Name: "echo"}}}.Entry(map[string]any{"timeout": 1})})
	h.Servers(t.Context())
	_, err := h.CallTool(t.Context(), "s", "hang", nil, nil)
	if err == nil || !strings.HasPrefix(err.Error(), `MCP server "s" did not answer within 1s, the request was cancelled.`) {
		t.Errorf("got %v", err)
	}
	untilCancelled(t, journal)
	if got, _ := call(t, h, "s", "echo", `{"a":1}`); got != `{"a":1}` {
		t.Errorf("afterwards: %s", got)
	}
}

func TestUserCancels(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	h := start(t, mcphub.Options{}, servers{"s": fakemcp.Script{Journal: journal, Tools: []fakemcp.Tool{{Name: "hang", Progress: []string{"at it"}, Hang: true}}}.Entry(nil)})
	h.Servers(t.Context())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := h.CallTool(ctx, "s", "hang", nil, func(string) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	untilCancelled(t, journal)
}

// untilCancelled waits until the server was told that its call is cancelled.
func untilCancelled(t *testing.T, journal string) {
	t.Helper()
	until(t, "the server is told", func() bool {
		return len(fakemcp.ReadJournal(journal).Params("notifications/cancelled")) == 1
	})
	contains(t, "cancelled", string(fakemcp.ReadJournal(journal).Params("notifications/cancelled")[0]), `"requestId":3`)
}

// A server that reads nothing blocks neither a cancel nor the end.
func TestDeafServer(t *testing.T) {
	t.Parallel()
	h := start(t, mcphub.Options{FirstWait: wait(1)}, servers{"s": fakemcp.Script{Deaf: true}.Entry(map[string]any{"timeout": 1})})
	st := untilState(t, h, "s", mcphub.Retrying)
	contains(t, "status", st.Error, "it did not tell within 1s what it offers")
}

func TestCallToFullPipeIsCancelled(t *testing.T) {
	t.Parallel()
	h := start(t, mcphub.Options{}, servers{"s": fakemcp.Script{Tools: []fakemcp.Tool{{Name: "stop", Progress: []string{"stopped"}, Stop: true}}}.Entry(nil)})
	h.Servers(t.Context())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	big := []byte(`{"x":"` + strings.Repeat("x", 256<<10) + `"}`)
	ended := make(chan error, 4)
	for range cap(ended) {
		go func() {
			_, err := h.CallTool(ctx, "s", "stop", big, func(string) { cancel() })
			ended <- err
		}()
	}
	for range cap(ended) {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

func TestRestartAfterCrash(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	var notices []mcphub.Notice
	tries := make(chan int, 100)
	o := mcphub.Options{
		Backoff: func(n int) (time.Duration, bool) { tries <- n; return time.Millisecond, n < 2 },
		Notify:  func(n mcphub.Notice) { notices = append(notices, n) }, // by one owner only
	}
	h := start(t, o, servers{"s": fakemcp.Script{Journal: journal, Tools: []fakemcp.Tool{{Name: "die", Exit: ptr(1)}}}.Entry(nil)})
	for range 3 {
		untilState(t, h, "s", mcphub.Connected)
		if _, err := h.CallTool(t.Context(), "s", "die", nil, nil); err == nil {
			t.Fatal("no error")
		}
		<-tries
	}
	untilState(t, h, "s", mcphub.Down)
	h.Close()
	if starts := fakemcp.ReadJournal(journal).Starts; len(starts) != 3 {
		t.Errorf("started %d times, want 3", len(starts))
	}
	var states []mcphub.State
	for _, n := range notices {
		states = append(states, n.State)
	}
	want := []mcphub.State{mcphub.Connected, mcphub.Retrying, mcphub.Connected, mcphub.Retrying, mcphub.Connected, mcphub.Down}
	if len(states) != len(want) {
		t.Fatalf("notices: %+v", notices)
	}
	for i := range want {
		if states[i] != want[i] {
			t.Errorf("notice %d: %+v, want state %s", i, notices[i], want[i])
		}
	}
}

func TestServerThatNeverStarts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(dir, "plain.txt")
	if err := os.WriteFile(script, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := start(t, mcphub.Options{
		Backoff:   giveUp,
		Workspace: dir,
		Env:       func(context.Context) []string { return []string{"PATH=/usr/nowhere:relative:/bin", "HOME=/"} },
	}, servers{
		"exits":   fakemcp.Script{ExitAtStart: ptr(7), Stderr: []string{"need a key"}}.Entry(nil),
		"future":  fakemcp.Script{Protocol: "2999-01-01"}.Entry(nil),
		"unknown": map[string]any{"command": "no-such-npx", "args": []string{"-y", "x"}},
		"words":   map[string]any{"command": "npx -y x"},
		"plain":   map[string]any{"command": "./plain.txt"},
		"folder":  map[string]any{"command": dir},
		"nocwd":   map[string]any{"command": "/bin/true", "cwd": dir + "/none"},
	})
	for name, want := range map[string]string{
		"exits":   "it ended with exit code 7; its last output:\nneed a key",
		"future":  "2999-01-01",
		"unknown": `"no-such-npx" was not found; give its full path as "command" in the MCP settings, or set "PATH" in the server's "env"; PATH searched: /usr/nowhere:relative:/bin`,
		"words":   `"npx -y x" was not found; put the arguments into "args", one per element; PATH searched:`,
		"plain":   `plain.txt" cannot be run: permission denied`,
		"folder":  "cannot be run: is a directory",
		"nocwd":   `its folder "` + dir + `/none" does not exist`,
	} {
		st := untilState(t, h, name, mcphub.Down)
		contains(t, name, st.Error, want)
	}
}

func TestSilentServer(t *testing.T) {
	t.Parallel()
	h := start(t, mcphub.Options{Backoff: giveUp, StartTimeout: 100 * time.Millisecond}, servers{"s": fakemcp.Script{SilentUntil: "/nowhere/never"}.Entry(nil)})
	st := untilState(t, h, "s", mcphub.Down)
	contains(t, "status", st.Error, `it did not answer "initialize" within 100ms`)
}

func TestLongLineEndsTheConnection(t *testing.T) {
	t.Parallel()
	h := start(t, mcphub.Options{Backoff: giveUp, MaxLine: 1 << 20}, servers{"s": fakemcp.Script{Tools: []fakemcp.Tool{{Name: "endless", Huge: 2 << 20}}}.Entry(nil)})
	h.Servers(t.Context())
	if _, err := h.CallTool(t.Context(), "s", "endless", nil, nil); err == nil || err.Error() != `MCP server "s" did not answer: it sent a line that is too long: more than 1048576 bytes` {
		t.Errorf("got %v", err)
	}
}
