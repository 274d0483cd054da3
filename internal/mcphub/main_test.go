package mcphub_test

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"clined/examples/weather/server"
	"clined/internal/mcphub"
	"clined/internal/test/fakemcp"
)

// A test binary started with one of these is a server or a daemon.
const (
	weatherVar = "CLINED_TEST_WEATHER"
	daemonVar  = "CLINED_TEST_DAEMON"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(daemonVar); path != "" {
		os.Exit(daemon(path))
	}
	if code, played := fakemcp.Main(); played {
		os.Exit(code)
	}
	if os.Getenv(weatherVar) != "" {
		source, err := server.Recorded()
		if err == nil {
			err = server.ServeStdio(context.Background(), server.New(source), os.Stdin, os.Stdout)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// daemon runs a hub until its input ends, as the real one does.
func daemon(settings string) int {
	_ = os.Unsetenv(daemonVar) // the servers shall not become daemons too
	h := mcphub.New(mcphub.Options{})
	if err := h.Load(settings); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	h.Start()
	fmt.Println(len(h.Servers(context.Background())), "connected")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	h.Close()
	return 0
}

// servers are the entries of a settings file by name.
type servers = map[string]any

// wait is an Options.FirstWait.
func wait(d time.Duration) func() time.Duration { return func() time.Duration { return d } }

// start runs a hub on the given servers until the test ends.
func start(t *testing.T, o mcphub.Options, s servers) *mcphub.Hub {
	t.Helper()
	if o.FirstWait == nil {
		o.FirstWait = wait(hang)
	}
	h := mcphub.New(o)
	apply(t, h, s)
	h.Start()
	t.Cleanup(h.Close)
	return h
}

func apply(t *testing.T, h *mcphub.Hub, s servers) {
	t.Helper()
	settings, err := mcphub.ParseSettings(fakemcp.Settings(s))
	if err != nil {
		t.Fatal(err)
	}
	h.Apply(settings)
}

// hang guards tests against waiting for ever; nothing is measured by it.
const hang = 30 * time.Second

// until waits for a condition.
func until(t *testing.T, what string, condition func() bool) {
	t.Helper()
	limit := time.NewTimer(hang)
	defer limit.Stop()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-tick.C:
		case <-limit.C:
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

func status(t *testing.T, h *mcphub.Hub, name string) mcphub.ServerStatus {
	t.Helper()
	for _, s := range h.Status() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no status of %q", name)
	panic("unreachable")
}

func untilState(t *testing.T, h *mcphub.Hub, name string, state mcphub.State) mcphub.ServerStatus {
	t.Helper()
	until(t, name+" is "+string(state), func() bool { return status(t, h, name).State == state })
	return status(t, h, name)
}

func connectedNames(h *mcphub.Hub) []string {
	var names []string
	for _, s := range h.Servers(context.Background()) {
		names = append(names, s.Name)
	}
	return names
}

func call(t *testing.T, h *mcphub.Hub, srv, tool, args string) (text string, isError bool) {
	t.Helper()
	r, err := h.CallTool(t.Context(), srv, tool, []byte(args), nil)
	if err != nil {
		t.Fatalf("%s %s: %v", srv, tool, err)
	}
	return r.Text, r.IsError
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func contains(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s: %q does not contain %q", what, text, p)
		}
	}
}

func ptr[T any](v T) *T { return &v }
