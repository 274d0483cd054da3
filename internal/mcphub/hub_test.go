package mcphub_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"clined/internal/mcphub"
	"clined/internal/test/fakemcp"
)

func TestConversation(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	schema := `{"$schema":"http://json-schema.org/draft-07/schema#","title":"T","oneOf":[{"required":["b"]},{"required":["a"]}],"definitions":{"x":{"const":9007199254740993}},"properties":{"b":{"type":"string"},"a":{"$ref":"#/definitions/x"}},"type":"object"}`
	h := start(t, mcphub.Options{Version: "9"}, servers{"s": fakemcp.Script{
		Journal: journal, Instructions: " Use me. ",
		Tools: []fakemcp.Tool{
			{Name: "zeta.write", Description: "Writes."},
			{Name: "echo", Description: "Echoes.", Schema: []byte(schema), Annotations: []byte(`{"readOnlyHint":true}`)},
		},
	}.Entry(map[string]any{"autoApprove": []string{"echo"}, "args": []string{"--token", "abc", "--verbose"}})})

	list := h.Servers(t.Context())
	if len(list) != 1 || len(list[0].Tools) != 2 {
		t.Fatalf("got %+v", list)
	}
	s := list[0]
	if s.Name != "s" || s.Instructions != "Use me." || !strings.HasSuffix(s.Command, " --token *** --verbose") {
		t.Errorf("server: %+v", s)
	}
	echo, write := s.Tools[0], s.Tools[1]
	if echo.Name != "echo" || echo.Description != "Echoes." || string(echo.Schema) != schema || !echo.ReadOnly || !echo.AutoApprove || echo.Hash == "" {
		t.Errorf("echo: %+v", echo)
	}
	if write.Name != "zeta.write" || write.ReadOnly || write.AutoApprove || write.Hash == echo.Hash {
		t.Errorf("write: %+v", write)
	}
	args := `{"n":9007199254740993,"s":"a <b> ä","task_progress":"kept"}`
	if got, isError := call(t, h, "s", "echo", args); !sameJSON(t, got, args) || isError {
		t.Errorf("echo: got (error %v) %s", isError, got)
	}
	if got, _ := call(t, h, "s", "echo", ""); got != "{}" {
		t.Errorf("no arguments arrived as %s", got)
	}
	st := status(t, h, "s")
	if st.State != mcphub.Connected || st.Title != "fake" || st.Version != "1.2.3" || st.Protocol != "2024-11-05" || st.Error != "" {
		t.Errorf("status: %+v", st)
	}

	j := fakemcp.ReadJournal(journal)
	var methods []string
	for _, m := range j.Messages {
		methods = append(methods, m.Method)
	}
	want := []string{"initialize", "notifications/initialized", "tools/list", "tools/call", "tools/call"}
	if !slices.Equal(methods, want) || len(j.Complaints) > 0 {
		t.Errorf("the server saw %v (complaints %v), want %v", methods, j.Complaints, want)
	}
	contains(t, "initialize", string(j.Params("initialize")[0]), `"protocolVersion":"2025-11-25"`, `"clientInfo":{"name":"clined","version":"9"}`)
}

func TestWeatherServer(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := start(t, mcphub.Options{}, servers{"weather": map[string]any{"command": exe, "env": map[string]string{weatherVar: "1", "GORACE": "atexit_sleep_ms=0"}}})
	list := h.Servers(t.Context())
	if len(list) != 1 || len(list[0].Tools) != 2 || list[0].Tools[1].Name != "get_forecast" || !list[0].Tools[1].ReadOnly {
		t.Fatalf("got %+v", list)
	}
	want, err := os.ReadFile("../../examples/weather/server/testdata/washington.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got, isError := call(t, h, "weather", "get_forecast", `{"latitude":38.9072,"longitude":-77.0369}`); got != string(want) || isError {
		t.Errorf("got (error %v) %q", isError, got)
	}
}

func TestResources(t *testing.T) {
	png := []byte("\x89PNG not really")
	h := start(t, mcphub.Options{}, servers{
		"with": fakemcp.Script{
			Resources: []fakemcp.Resource{
				{URI: "x://text", Name: "text", MimeType: "text/plain", Text: "hello"},
				{URI: "x://image", Name: "image", MimeType: "image/png", Blob: png},
				{URI: "x://data", Name: "data", MimeType: "application/zip", Blob: []byte("PK")},
				{URI: "x://empty", Name: "empty"},
			},
			Templates: []fakemcp.Resource{{URI: "x://{id}", Name: "one"}},
		}.Entry(nil),
		"without": fakemcp.Script{}.Entry(nil),
	})
	list := h.Servers(t.Context())
	if len(list) != 2 || len(list[0].Resources) != 4 || list[0].Resources[0].URI != "x://data" || list[0].Templates[0].URI != "x://{id}" || list[1].Resources != nil {
		t.Fatalf("got %+v", list)
	}
	for uri, want := range map[string]string{
		"x://text":  "hello",
		"x://image": "",
		"x://data":  "[binary data from x://data, application/zip, 2 bytes, not shown]",
		"x://empty": "(Empty response)",
		"x://none":  "no resource x://none",
	} {
		r, err := h.ReadResource(t.Context(), "with", uri)
		if err != nil {
			t.Fatal(err)
		}
		if r.Text != want || r.IsError != (uri == "x://none") {
			t.Errorf("%s: got %+v", uri, r)
		}
		if uri == "x://image" && (len(r.Images) != 1 || r.Images[0].MediaType != "image/png" || string(r.Images[0].Data) != string(png)) {
			t.Errorf("image: %+v", r.Images)
		}
	}
}

func TestProgress(t *testing.T) {
	h := start(t, mcphub.Options{}, servers{"s": fakemcp.Script{
		Tools: []fakemcp.Tool{{Name: "slow", Progress: []string{"one", "", "three"}, Text: "done"}},
	}.Entry(nil)})
	h.Servers(t.Context())
	var told []string
	if _, err := h.CallTool(t.Context(), "s", "slow", nil, func(text string) { told = append(told, text) }); err != nil {
		t.Fatal(err)
	}
	if want := []string{"one", "2 of 3", "three"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

func TestListChanged(t *testing.T) {
	noticed := make(chan mcphub.Notice, 10)
	h := start(t, mcphub.Options{Notify: func(n mcphub.Notice) { noticed <- n }}, servers{"s": fakemcp.Script{
		Tools: []fakemcp.Tool{
			{Name: "change", Text: "ok", NewTools: []fakemcp.Tool{{Name: "other", Description: "New."}, {Name: "same", Description: "Other words."}}},
			{Name: "same", Description: "Words.", Schema: []byte(`{"type":"object"}`)},
		},
	}.Entry(nil)})
	before := h.Servers(t.Context())[0].Tools
	call(t, h, "s", "change", "{}")
	until(t, "the new list is there", func() bool { return h.Servers(t.Context())[0].Tools[0].Name == "other" })
	after := h.Servers(t.Context())[0].Tools
	if before[1].Name != "same" || after[1].Name != "same" || before[1].Hash == after[1].Hash {
		t.Errorf("changed words do not show: %+v, %+v", before, after)
	}
	if n := <-noticed; n.Text != `MCP server "s" is connected: 2 tools` || n.Server != "s" || n.State != mcphub.Connected {
		t.Errorf("got %+v", n)
	}
	if n := <-noticed; n.Text != `MCP server "s" changed what it offers: 2 tools` {
		t.Errorf("got %+v", n)
	}
}

// A server that says after each list that it changed is asked less and less often.
func TestListThatNeverRests(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	began := time.Now()
	h := start(t, mcphub.Options{}, servers{"s": fakemcp.Script{
		Tools: []fakemcp.Tool{{Name: "one", Text: "1"}}, Restless: true, Journal: journal,
	}.Entry(nil)})
	h.Servers(t.Context())
	const lists = 6
	until(t, "it was asked again", func() bool { return len(fakemcp.ReadJournal(journal).Params("tools/list")) >= lists })
	// The first is of the start, the second comes at once.
	if d, least := time.Since(began), (50+100+200+400)*time.Millisecond; d < least {
		t.Errorf("%d lists within %v, want at least %v", lists, d, least)
	}
	if text, _ := call(t, h, "s", "one", "{}"); text != "1" {
		t.Errorf("got %q", text)
	}
}

func TestManyTools(t *testing.T) {
	var many []fakemcp.Tool
	for _, a := range "abcdefghij" {
		for _, b := range "abcdefghij" {
			many = append(many, fakemcp.Tool{Name: string(a) + string(b)})
		}
	}
	for name, c := range map[string]struct {
		script fakemcp.Script
		limit  int
		tools  int
		warn   string
	}{
		"pages": {fakemcp.Script{Tools: many, PageSize: 20}, 0, 100, ""},
		"limit": {fakemcp.Script{Tools: many}, 97, 97, "it offers 100 tools, the limit is 97; left out: jh, ji, jj"},
		"loop":  {fakemcp.Script{Tools: many, PageSize: 50, LoopCursor: true}, 0, 100, "its list of tools repeats a page"},
		"schemas": {fakemcp.Script{Tools: []fakemcp.Tool{
			{Name: "text", Schema: []byte(`{"type":"string"}`)}, {Name: "list", Schema: []byte(`[]`)},
			{Name: "deep", Schema: []byte(strings.Repeat(`{"not":`, 100) + "{}" + strings.Repeat("}", 100))},
			{Name: "many", Schema: []byte(`{"type":["object","null"]}`)}, {Name: "none", Schema: []byte(`{}`)},
		}}, 0, 2, `the tool "text" was left out: its schema is of type string, not an object` + "\n" +
			`the tool "list" was left out: its schema is no object` + "\n" + `the tool "deep" was left out: its schema is nested 101 deep`},
		"doubled": {fakemcp.Script{Tools: []fakemcp.Tool{{Name: "x"}, {Name: "x"}, {}}}, 0, 1, "broken or doubled"},
	} {
		t.Run(name, func(t *testing.T) {
			h := start(t, mcphub.Options{MaxTools: c.limit}, servers{"s": c.script.Entry(nil)})
			list := h.Servers(t.Context())
			if len(list) != 1 || len(list[0].Tools) != c.tools {
				t.Fatalf("got %d servers: %+v", len(list), status(t, h, "s"))
			}
			warnings := strings.Join(status(t, h, "s").Warnings, "\n")
			if (c.warn == "") != (warnings == "") || !strings.Contains(warnings, c.warn) {
				t.Errorf("warned %q, want %q", warnings, c.warn)
			}
		})
	}
}

// Ten servers, one of which takes its time.
func TestSlowServerJoinsLater(t *testing.T) {
	gate := filepath.Join(t.TempDir(), "gate")
	all := servers{}
	for _, name := range strings.Split("a b c d e f g h i", " ") {
		all[name] = fakemcp.Script{}.Entry(nil)
	}
	h := start(t, mcphub.Options{}, all)
	if got := connectedNames(h); len(got) != 9 {
		t.Fatalf("connected: %v", got)
	}
	h.Close()

	news := make(chan mcphub.Notice, 10)
	slow := start(t, mcphub.Options{FirstWait: wait(1), Notify: func(n mcphub.Notice) { news <- n }}, servers{"slow": fakemcp.Script{SilentUntil: gate}.Entry(nil)})
	for range 2 { // told once
		if got := connectedNames(slow); got != nil {
			t.Fatalf("connected: %v", got)
		}
	}
	want := mcphub.Notice{
		Server: "slow", State: mcphub.Starting, Trouble: true,
		Text: `MCP server "slow" is still starting; the model goes on without its tools until it is connected`,
	}
	if got := <-news; got != want {
		t.Errorf("told %+v, want %+v", got, want)
	}
	if got := slow.Troubles(); !slices.Equal(got, []mcphub.Notice{want}) {
		t.Errorf("the troubles are %+v", got)
	}
	if _, err := slow.CallTool(t.Context(), "slow", "x", nil, nil); err == nil || err.Error() != `MCP server "slow" is starting and cannot be called now` {
		t.Errorf("got %v", err)
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	untilState(t, slow, "slow", mcphub.Connected)
	if got := connectedNames(slow); !slices.Equal(got, []string{"slow"}) {
		t.Errorf("connected: %v", got)
	}
	if got := <-news; got.State != mcphub.Connected || !got.Over || got.Trouble {
		t.Errorf("told %+v", got)
	}
	if got := slow.Troubles(); len(got) > 0 || len(news) > 0 {
		t.Errorf("the troubles are %+v; %d more were told", got, len(news))
	}
}

func TestGarbageAndLongLines(t *testing.T) {
	t.Parallel()
	const size = 2 << 20
	h := start(t, mcphub.Options{}, servers{"s": fakemcp.Script{
		Garbage: []string{"Server starting…", "", `{"level":"info"}`, "[1,2]", "{", strings.Repeat("x", 2000)},
		Stderr:  []string{"to stderr"},
		Tools:   []fakemcp.Tool{{Name: "huge", Huge: size}},
	}.Entry(nil)})
	h.Servers(t.Context())
	if got, _ := call(t, h, "s", "huge", ""); len(got) != size {
		t.Errorf("got %d bytes, want %d", len(got), size)
	}
	log := strings.Join(status(t, h, "s").Log, "\n")
	contains(t, "log", log, "stdout: Server starting…", `stdout: {"level":"info"}`, "stdout: [1,2]", "stdout: {", "\n", "to stderr")
	for _, line := range status(t, h, "s").Log {
		if len(line) > 1010 {
			t.Errorf("a line of %d bytes in the log", len(line))
		}
	}
}

func TestUnknownServer(t *testing.T) {
	none := mcphub.New(mcphub.Options{})
	if _, err := none.CallTool(t.Context(), "x", "y", nil, nil); err == nil || err.Error() != `there is no MCP server "x"; none is configured` {
		t.Errorf("got %v", err)
	}
	h := start(t, mcphub.Options{}, servers{
		"off":    fakemcp.Script{}.Entry(map[string]any{"disabled": true}),
		"remote": map[string]any{"url": "http://127.0.0.1:1/mcp"},
		"bad":    map[string]any{"args": []string{"x"}},
	})
	if got := connectedNames(h); got != nil {
		t.Errorf("connected: %v", got)
	}
	for name, want := range map[string]string{
		"x":      `there is no MCP server "x"; there are "bad", "off", "remote"`,
		"off":    `MCP server "off" is disabled and cannot be called now`,
		"remote": `MCP server "remote" is down: remote servers are not in this build yet, only those with a "command"`,
		"bad":    `MCP server "bad" is down: line 3, column 12: a server needs a "command" or a "url"`,
	} {
		if _, err := h.ReadResource(t.Context(), name, "y"); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
	if err := h.Restart("off"); err == nil || err.Error() != `the MCP server "off" is disabled in the settings` {
		t.Errorf("got %v", err)
	}
}

func TestCallsBesideEachOther(t *testing.T) {
	h := start(t, mcphub.Options{}, servers{"s": fakemcp.Script{Tools: []fakemcp.Tool{{Name: "echo"}}}.Entry(nil)})
	h.Servers(t.Context())
	var calls sync.WaitGroup
	for i := range 50 {
		calls.Go(func() {
			args := fmt.Sprintf(`{"i":%d}`, i)
			r, err := h.CallTool(t.Context(), "s", "echo", []byte(args), nil)
			if err != nil || r.Text != args {
				t.Errorf("%s: got %+v, %v", args, r, err)
			}
		})
	}
	calls.Wait()
}

// How long to wait is asked for once, however many servers there are: it may cost a
// look at files.
func TestServersAskOnceHowLongToWait(t *testing.T) {
	var asked atomic.Int32
	first := func() time.Duration { asked.Add(1); return hang }
	h := start(t, mcphub.Options{FirstWait: first}, servers{"a": fakemcp.Script{}.Entry(nil), "b": fakemcp.Script{}.Entry(nil)})
	asked.Store(0)
	if list := h.Servers(t.Context()); len(list) != 2 || asked.Load() != 1 {
		t.Errorf("%d servers, asked %d times", len(list), asked.Load())
	}
}
