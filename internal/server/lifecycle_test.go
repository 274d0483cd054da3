package server

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"clined/internal/fileuri"
	"clined/internal/protocol"
	"clined/internal/rpc"
)

func TestLifeCycle(t *testing.T) {
	r := connect(t)
	r.refused(protocol.MethodTaskNew, `{}`, -32002, "clined/task/new before initialize")
	r.refused(protocol.MethodShutdown, `{}`, -32002, "shutdown before initialize")
	r.refused("no/such", `{}`, -32002, "no/such before initialize")
	r.notify(protocol.MethodDidOpen, `{"textDocument":{"uri":"file:///a","text":"x"}}`) // dropped
	r.initialize(`{"capabilities":{}}`)
	r.refused(protocol.MethodInitialize, `{}`, -32600, "initialize was answered already")
	r.refused("no/such", `{}`, -32601, "method not found: no/such")
	r.notify("$/unknown", `{}`)
	r.notify("no/such", `{}`)
	r.notify(protocol.MethodInitialized, `{}`)
	r.notify(protocol.MethodSetTrace, `{"value":"verbose"}`)
	if docs := r.backend.ws.Documents(); len(docs) != 0 {
		t.Errorf("a document from before initialize: %v", docs)
	}
	if got, err := r.call(protocol.MethodShutdown, `null`); err != nil || got != "null" {
		t.Errorf("shutdown: %q, %v", got, err)
	}
	r.refused(protocol.MethodTaskNew, `{}`, -32600, "clined/task/new after shutdown")
	r.refused(protocol.MethodInitialize, `{}`, -32600, "initialize after shutdown")
	r.notify(protocol.MethodExit, `null`)
	r.ends(ExitClean)
	if !r.backend.closed || r.backend.opened != 1 {
		t.Errorf("session closed: %v, opened %d times", r.backend.closed, r.backend.opened)
	}
}

// ends waits for the exit code; the rig stays usable for its clean-up.
func (r *rig) ends(want int) {
	r.t.Helper()
	select {
	case code := <-r.code:
		if code != want {
			r.t.Errorf("exit code %d, want %d", code, want)
		}
		r.code <- code
	case <-time.After(hang):
		r.t.Fatal("the session does not end")
	}
}

func TestExitCodes(t *testing.T) {
	t.Run("exit without shutdown", func(t *testing.T) {
		r := start(t, `{}`)
		r.notify(protocol.MethodExit, `{}`)
		r.ends(ExitUnclean)
	})
	t.Run("exit before initialize", func(t *testing.T) {
		r := connect(t)
		r.notify(protocol.MethodExit, `{}`)
		r.ends(ExitUnclean)
	})
	t.Run("end of input", func(t *testing.T) {
		r := start(t, `{}`)
		task, _ := r.newTask()
		r.pipe.Close()
		r.ends(ExitUnclean)
		if !task.closed {
			t.Error("the task lives on")
		}
	})
	t.Run("end of input after shutdown", func(t *testing.T) {
		r := start(t, `{}`)
		if _, err := r.server.Shutdown(r.ctx(), nil); err != nil {
			t.Fatal(err)
		}
		r.pipe.Close()
		r.ends(ExitClean)
	})
}

// A whole session piped in at once is answered whole, exit behind shutdown.
func TestPipedSession(t *testing.T) {
	in := `{"id":1,"method":"initialize","params":{"capabilities":{}}}
{"method":"initialized"}
{"id":2,"method":"clined/config/get"}
{"id":3,"method":"shutdown"}
{"method":"exit"}
`
	for _, tt := range []struct {
		input string
		code  int
	}{{in, ExitClean}, {strings.ReplaceAll(in, `{"id":3,"method":"shutdown"}`, ""), ExitUnclean}} {
		var out strings.Builder
		rwc := struct {
			io.Reader
			io.Writer
			io.Closer
		}{strings.NewReader(tt.input), &out, io.NopCloser(nil)}
		b := &backend{options: map[string]string{}}
		if code := Serve(t.Context(), rwc, Options{Backend: b, NewID: func() string { return "id" }}); code != tt.code {
			t.Errorf("exit code %d, want %d", code, tt.code)
		}
		want := 2 + strings.Count(tt.input, "shutdown")
		if got := strings.Count(out.String(), "\n"); got != want || strings.Contains(out.String(), "error") {
			t.Errorf("%d answers, want %d:\n%s", got, want, out.String())
		}
	}
}

func TestHandshake(t *testing.T) {
	r := connect(t)
	r.refused(protocol.MethodInitialize, `{"protocolVersion":1,"clientCapabilities":{}}`, -32602,
		"this is the handshake of the Agent Client Protocol, which this build of clined does not speak; use LSP's initialize")
	for params, want := range map[string]string{
		`{"min":2,"max":3}`:   "the editor speaks protocol 2 to 3, this clined 1 to 1; update clined",
		`{"min":-2,"max":-1}`: "the editor speaks protocol -2 to -1, this clined 1 to 1; update the editor plugin",
	} {
		body := `{"capabilities":{"experimental":{"clined":{"protocol":` + params + `}}}}`
		r.refused(protocol.MethodInitialize, body, -32602, want)
		_, err := r.call(protocol.MethodInitialize, body)
		var e *rpc.Error
		if errors.As(err, &e); string(e.Data) != `{"protocol":{"min":1,"max":1}}` {
			t.Errorf("data %s", e.Data)
		}
	}
	r.backend.refuse = errors.New("the settings cannot be read")
	r.refused(protocol.MethodInitialize, `{}`, -32603, "the settings cannot be read")
	r.backend.refuse = nil

	res := r.initialize(`{"processId":42,"clientInfo":{"name":"Neovim","version":"0.12"},
		"initializationOptions":{"clined":{"model":"x"},"other":1},
		"capabilities":{"general":{"positionEncodings":["utf-7","utf-32","utf-8"]},"experimental":{"clined":{"protocol":{"min":1,"max":7}}}}}`)
	own := res.Capabilities.Experimental.Clined
	if own.Protocol != 1 || own.Version != "1.2.3" || !slices.Contains(own.Methods, "clined/task/prompt") || slices.Contains(own.Methods, "initialize") {
		t.Errorf("%+v", own)
	}
	if res.Capabilities.PositionEncoding != "utf-32" || res.ServerInfo.Version != "1.2.3" {
		t.Errorf("%+v", res)
	}
	spec := r.backend.spec
	if spec.ProcessID != 42 || spec.Client != "Neovim 0.12" || string(spec.Settings) != `{"model":"x"}` || spec.Editor != nil {
		t.Errorf("%+v", spec)
	}
}

// A plain LSP client is told of LSP and nothing else.
func TestPlainClient(t *testing.T) {
	r := connect(t)
	raw, err := r.call(protocol.MethodInitialize, `{"processId":null,"rootUri":null,"capabilities":{"experimental":{}}}`)
	want := `{"capabilities":{"positionEncoding":"utf-16","textDocumentSync":{"openClose":true,"change":2,"save":true},` +
		`"workspace":{"workspaceFolders":{"supported":true,"changeNotifications":true}},` +
		`"executeCommandProvider":{"commands":["clined.newTask","clined.prompt","clined.reply","clined.cancel","clined.approve",` +
		`"clined.reject","clined.answer","clined.resume","clined.status","clined.tasks"]}},"serverInfo":{"name":"clined","version":"1.2.3"}}`
	if err != nil || raw != want {
		t.Errorf("got %s, %v", raw, err)
	}
}

func TestFolders(t *testing.T) {
	dir := t.TempDir()
	uri := func(name string) string { return fileuri.FromPath(filepath.Join(dir, name)) }
	at := func(names ...string) (list []string) {
		for _, n := range names {
			list = append(list, filepath.Join(dir, n))
		}
		return list
	}
	tests := []struct {
		name, params string
		want         []string
	}{
		{"several folders", `"workspaceFolders":[{"uri":"` + uri("a") + `"},{"uri":"untitled:x"},{"uri":"` + uri("b c") + `"},{"uri":"` + uri("a") + `/"}],"rootUri":"` + uri("z") + `"`, at("a", "b c")},
		{"null folders, rootUri", `"workspaceFolders":null,"rootUri":"` + uri("r") + `","rootPath":"/other"`, at("r")},
		{"no folders, rootUri", `"workspaceFolders":[],"rootUri":"` + uri("r") + `"`, at("r")},
		{"rootPath", `"rootUri":null,"rootPath":"` + filepath.ToSlash(dir) + `/p/"`, at("p")},
		{"relative rootPath", `"rootPath":"p"`, nil},
		{"remote", `"rootUri":"vscode-remote://ssh/x"`, nil},
		{"none", `"rootUri":null`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := connect(t)
			r.initialize(`{` + tt.params + `}`)
			if !slices.Equal(r.backend.spec.Roots, tt.want) {
				t.Errorf("got %v, want %v", r.backend.spec.Roots, tt.want)
			}
		})
	}
	t.Run("changes", func(t *testing.T) {
		for _, n := range []string{"a", "b", "c"} {
			if err := os.MkdirAll(filepath.Join(dir, n), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		r := connect(t)
		r.initialize(`{"workspaceFolders":[{"uri":"` + uri("a") + `"},{"uri":"` + uri("b") + `"}]}`)
		before, _ := r.newTask()
		r.notify(protocol.MethodDidChangeWorkspaceFolders, `{"event":{"removed":[{"uri":"`+uri("a")+`"},{"uri":"`+uri("none")+`"}],"added":[{"uri":"`+uri("c")+`"},{"uri":"`+uri("b")+`"}]}}`)
		r.settle()
		after, _ := r.newTask()
		if !slices.Equal(before.Roots, at("a", "b")) || !slices.Equal(after.Roots, at("b", "c")) || after.Cwd != at("b")[0] {
			t.Errorf("before %v, after %v in %s", before.Roots, after.Roots, after.Cwd)
		}
		var roots []string
		for _, w := range r.backend.ws.Roots() {
			roots = append(roots, w.Path)
		}
		if !slices.Equal(roots, at("b", "c")) {
			t.Errorf("the workspace has %v", roots)
		}
	})
}

func TestConfiguration(t *testing.T) {
	r := start(t, `{}`)
	r.notify(protocol.MethodDidChangeConfiguration, `{"settings":null}`)
	r.notify(protocol.MethodDidChangeConfiguration, `{"settings":{"other":1}}`)
	r.notify(protocol.MethodDidChangeConfiguration, `{"settings":{"clined":{"model":"y"}}}`)
	r.notify(protocol.MethodDidChangeConfiguration, `{"settings":{"clined":{"bad":1}}}`)
	r.client.until(t, "the warning", func() bool { return len(r.client.shown) > 0 })
	if got := strings.Join(r.backend.settings, " "); got != `{"model":"y"} {"bad":1}` {
		t.Errorf("settings %s", got)
	}
	if r.client.shown[0] != `clined: unknown setting "bad"` {
		t.Errorf("shown %q", r.client.shown)
	}
}
