package mcphub_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clined/internal/mcphub"
	"clined/internal/test/fakemcp"
)

// What was good stays, and the file stays as it is.
func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mcp.json")
	h := mcphub.New(mcphub.Options{FirstWait: wait(hang)})
	defer h.Close()
	if err := h.Load(path); err != nil {
		t.Fatalf("a missing file: %v", err)
	}
	h.Start()
	write := func(data string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("\ufeff// servers\n" + string(fakemcp.Settings(servers{"s": fakemcp.Script{}.Entry(nil)})))
	if err := h.Load(path); err != nil {
		t.Fatal(err)
	}
	if got := connectedNames(h); len(got) != 1 {
		t.Fatalf("connected: %v", got)
	}
	broken := "{\n  \"mcpServers\": {\n    \"s\": {\"command\": }\n"
	write(broken)
	err := h.Load(path)
	if err == nil || !strings.HasPrefix(err.Error(), "MCP settings "+path+": line 3, column 22: ") {
		t.Errorf("got %v", err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != broken {
		t.Errorf("the file was touched: %q, %v", data, err)
	}
	if got := connectedNames(h); len(got) != 1 {
		t.Errorf("connected after a broken file: %v", got)
	}
	write("")
	if err := h.Load(path); err != nil {
		t.Fatal(err)
	}
	until(t, "the server is gone", func() bool { return len(h.Status()) == 0 })
}

func TestReloadReconnectsOnlyWhatChanged(t *testing.T) {
	dir := t.TempDir()
	entry := func(name string, extra map[string]any) map[string]any {
		return fakemcp.Script{Journal: filepath.Join(dir, name), Tools: []fakemcp.Tool{{Name: "x"}}}.Entry(extra)
	}
	starts := func(name string) int { return len(fakemcp.ReadJournal(filepath.Join(dir, name)).Starts) }
	h := start(t, mcphub.Options{}, servers{"a": entry("a", nil), "b": entry("b", nil), "c": entry("c", nil)})
	h.Servers(t.Context())

	apply(t, h, servers{
		"a": entry("a", map[string]any{"autoApprove": []string{"x"}, "timeout": 5}),
		"b": entry("b", map[string]any{"args": []string{"other"}}),
		"d": entry("d", nil),
	})
	until(t, "b was started again and d for the first time", func() bool { return starts("b") == 2 && starts("d") == 1 })
	untilState(t, h, "b", mcphub.Connected)
	list := h.Servers(t.Context())
	if len(list) != 3 || !list[0].Tools[0].AutoApprove || list[1].Tools[0].AutoApprove {
		t.Errorf("got %+v", list)
	}
	if starts("a") != 1 || starts("c") != 1 {
		t.Errorf("a was started %d times, c %d times, want 1 each", starts("a"), starts("c"))
	}
	if err := h.Restart("a"); err != nil {
		t.Fatal(err)
	}
	until(t, "a was started again", func() bool { return starts("a") == 2 })
}

func TestCloseWithoutStart(t *testing.T) {
	h := mcphub.New(mcphub.Options{})
	apply(t, h, servers{"s": fakemcp.Script{}.Entry(nil)})
	if got := connectedNames(h); got != nil {
		t.Errorf("connected: %v", got)
	}
	h.Close()
	h.Start()
	h.Close()
}

// Servers beside those of the settings come and go apart from them.
func TestBeside(t *testing.T) {
	h := start(t, mcphub.Options{}, servers{"own": fakemcp.Script{Tools: []fakemcp.Tool{{Name: "x"}}}.Entry(nil)})
	more, err := mcphub.ParseSettings(fakemcp.Settings(servers{
		"own":   fakemcp.Script{Tools: []fakemcp.Tool{{Name: "y"}}}.Entry(nil),
		"extra": fakemcp.Script{}.Entry(nil),
	}))
	if err != nil {
		t.Fatal(err)
	}
	h.Beside(more.Servers)
	if got := connectedNames(h); !slices.Equal(got, []string{"extra", "own"}) {
		t.Fatalf("connected: %v", got)
	}
	if tool := h.Servers(t.Context())[1].Tools[0].Name; tool != "x" {
		t.Errorf("the user's own server gave way: it offers %q", tool)
	}
	apply(t, h, servers{})
	until(t, "both are as beside", func() bool {
		list := h.Servers(t.Context())
		return len(list) == 2 && list[1].Tools[0].Name == "y"
	})
	h.Beside(nil)
	until(t, "nothing is left", func() bool { return len(h.Status()) == 0 })
}
