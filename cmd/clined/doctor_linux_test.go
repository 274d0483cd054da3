package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// models is a server that lists models, or answers with a status.
func modelServer(t *testing.T, status int, ids ...string) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" {
			status = http.StatusNotFound
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		var list []map[string]string
		for _, id := range ids {
			list = append(list, map[string]string{"id": id, "object": "model"})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": list})
	}))
	t.Cleanup(srv.Close)
	return srv
}

// examined is the JSON of doctor.
type examined struct {
	OK     bool
	Checks []finding
}

// examine runs doctor, and looks at the table it prints, too.
func examine(t *testing.T, cwd string) examined {
	t.Helper()
	table := command(t, "", "doctor", "--cwd", cwd)
	for line := range strings.Lines(table.out) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > fullWidth && strings.Contains(strings.TrimSpace(line), " ") && strings.Count(line, "/") < 3 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	r := command(t, "", "doctor", "--json", "--cwd", cwd)
	var e examined
	if err := json.Unmarshal([]byte(r.out), &e); err != nil {
		t.Fatalf("%v: %s%s", err, r.out, r.err)
	}
	if want := map[bool]int{true: 0, false: 1}[e.OK]; r.code != want || table.code != want || r.err != "" {
		t.Errorf("exit codes %d and %d, ok %v, %s", r.code, table.code, e.OK, r.err)
	}
	for _, f := range e.Checks {
		if f.State != good && f.Hint == "" {
			t.Errorf("%s: %s: and what is to be done?", f.Name, f.Text)
		}
	}
	return e
}

// has says whether something was found about a name, in a state, with words.
func (e examined) has(t *testing.T, name string, s state, words ...string) {
	t.Helper()
	for _, f := range e.Checks {
		found := f.Name == name && f.State == s
		for _, w := range words {
			found = found && strings.Contains(f.Text+"\n"+f.Hint, w)
		}
		if found {
			return
		}
	}
	t.Errorf("nothing about %s is %s and tells of %q: %+v", name, s, words, e.Checks)
}

func TestDoctorWhenNothingIsWrong(t *testing.T) {
	dir, ws := newHome(t), workspace(t)
	srv := modelServer(t, 200, "other", "m")
	put(t, filepath.Join(dir, "settings.json"), fmt.Sprintf(`{"model": "m", "baseUrl": %q}`, srv.URL+"/v1"))
	put(t, filepath.Join(ws, ".clined", "settings.json"), `{"autoApprove": {"read": false}}`)
	e := examine(t, ws)
	if !e.OK {
		t.Errorf("%+v", e.Checks)
	}
	e.has(t, "version", good, version(), "protocol 1")
	e.has(t, "settings", good, filepath.Join(dir, "settings.json"))
	e.has(t, "workspace", good, ".clined")
	e.has(t, "model", good, "m at "+srv.URL, "no key")
	e.has(t, "server", good, "offers m")
	e.has(t, "MCP", good, "no servers")
	e.has(t, "tasks", good)
	e.has(t, "keys", good, "secrets.json", "CLINED_HOME")
	e.has(t, "shell", good)
	if out := command(t, "", "doctor", "--cwd", ws).out; !strings.HasSuffix(out, "\nNothing is wrong.\n") || !strings.Contains(out, "✓ version") {
		t.Errorf("%s", out)
	}
}

func TestDoctorAboutSettings(t *testing.T) {
	dir, ws := newHome(t), workspace(t)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"data":[{"id":"b","owned_by":"library"},{"id":"a; x","owned_by":"library"}]}`)
	}))
	t.Cleanup(srv.Close)
	t.Setenv("CLINED_DISCOVER", fmt.Sprintf("[%q]", srv.URL+"/v1"))
	put(t, filepath.Join(dir, "settings.json"), "{\n  \"modle\": \"m\",\n  \"log\": {\"level\": \"loud\"}\n}")
	put(t, filepath.Join(ws, ".clined", "settings.json"), `{"shell": "./evil"}`)
	t.Setenv("CLINED_MODLE", "m")
	t.Setenv("CLINE_COMMAND_PERMISSIONS", `{"denny": []}`)
	e := examine(t, ws)
	e.has(t, "settings", warning, "CLINE_COMMAND_PERMISSIONS", `no key "denny"`, "allowRedirects")
	t.Setenv("CLINE_COMMAND_PERMISSIONS", `{"deny": "rm"}`)
	examine(t, ws).has(t, "settings", failure, "CLINE_COMMAND_PERMISSIONS", "list of texts", "every command asks")
	e.has(t, "settings", warning, "settings.json:2:3", `"modle"`, `did you mean "model"?`)
	e.has(t, "settings", failure, "settings.json:3:20", `"log.level" must be`)
	e.has(t, "settings", warning, "CLINED_MODLE", "CLINED_MODEL")
	e.has(t, "workspace", warning, `"shell"`, "clined trust "+ws)
	e.has(t, "model", failure, "no model is set", "CLINED_MODEL")
	e.has(t, "found", good, "Ollama at "+srv.URL+`/v1 offers "a; x" and 1 more`, `"provider": "ollama"`)
	put(t, filepath.Join(dir, "settings.json"), "{\n  \"shell\": \"/no/such/shell\",")
	examine(t, ws).has(t, "settings", failure, "settings.json:2:", "cannot be read")
	put(t, filepath.Join(dir, "settings.json"), `{"shell": "/no/such/shell"}`)
	examine(t, ws).has(t, "shell", failure, "/no/such/shell", "clined config set shell")
}

// Each way in which a model's server may not answer has words of its own.
func TestDoctorAboutTheServer(t *testing.T) {
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://" + closed.Addr().String() + "/v1"
	closed.Close()
	tests := []struct {
		name, url string
		state     state
		says      []string
	}{
		{"nobody listens", nobody, failure, []string{"connection refused", "start the server"}},
		{"no such host", "http://no.such.host.invalid/v1", failure, []string{"no.such.host.invalid"}},
		{"an unknown certificate", secure.URL + "/v1", failure, []string{"certificate", "caFile"}},
		{"a key is wanted", modelServer(t, 401).URL + "/v1", failure, []string{"401", "API key"}},
		{"another path", modelServer(t, 200).URL + "/api", warning, []string{"404", "/v1"}},
		{"it fails", modelServer(t, 500).URL + "/v1", failure, []string{"500"}},
		{"the model is not there", modelServer(t, 200, "a", "b").URL + "/v1", warning, []string{`"m" is not among its 2 models`, `it offers ["a" "b"]`}},
		{"Ollama's names", modelServer(t, 200, "m:latest").URL + "/v1", good, []string{"offers m"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			newHome(t)
			t.Setenv("CLINED_MODEL", "m")
			t.Setenv("CLINED_BASE_URL", tt.url)
			examine(t, t.TempDir()).has(t, "server", tt.state, tt.says...)
		})
	}
}

func TestDoctorAboutKeys(t *testing.T) {
	const canary = "sk-CANARY"
	dir, ws := newHome(t), workspace(t)
	var sent string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = r.Header.Get("Authorization")
		fmt.Fprint(w, `{"data": [{"id": "m"}, {"id": "p"}]}`)
	}))
	t.Cleanup(srv.Close)
	put(t, filepath.Join(dir, "settings.json"), fmt.Sprintf(`{"model": "m", "baseUrl": %q, "apiKey": "keyring", "plan": {"model": "p"}}`, srv.URL))
	e := examine(t, ws)
	e.has(t, "model", failure, "no stored API key", "clined auth login --provider openai --base-url "+srv.URL)
	command(t, canary, "auth", "login").want(t, 0, nil, nil)
	e = examine(t, ws)
	e.has(t, "model", good, "m at", "key from "+filepath.Join(dir, "secrets.json"))
	e.has(t, "plan model", good, "p at")
	if sent != "Bearer "+canary || !e.OK {
		t.Errorf("sent %q, %+v", sent, e.Checks)
	}
	if r := command(t, "", "doctor", "--cwd", ws); strings.Contains(r.out+r.err, canary) {
		t.Errorf("the key is shown: %s", r.out)
	}
	if err := os.Chmod(filepath.Join(dir, "secrets.json"), 0o644); err != nil {
		t.Fatal(err)
	}
	examine(t, ws).has(t, "keys", failure, "may be read by others", "chmod 600")
	put(t, filepath.Join(dir, "secrets.json"), `{"accounts"`)
	e = examine(t, ws)
	e.has(t, "keys", failure, "damaged")
	e.has(t, "model", failure, "cannot be read")
}

// A key in the query of the base URL is printed nowhere.
func TestKeyInTheBaseURL(t *testing.T) {
	const canary = "QUERYCANARY"
	newHome(t)
	command(t, "", "config", "set", "model", "m").want(t, 0, nil, nil)
	url := modelServer(t, 401).URL + "/v1?api_key=" + canary
	for _, args := range [][]string{
		{"config", "set", "baseUrl", url}, {"config", "get"}, {"config", "get", "baseUrl"}, {"doctor"}, {"doctor", "--json"},
		{"auth", "status"}, {"auth", "logout"}, {"run", "hi", "--cwd", workspace(t)},
	} {
		r := command(t, "", args...)
		if strings.Contains(r.out+r.err, canary) {
			t.Errorf("%q shows it: %s%s", args, r.out, r.err)
		}
		if args[0] == "config" && !strings.Contains(r.out, "api_key=***") {
			t.Errorf("%q: %s%s", args, r.out, r.err)
		}
	}
}

func TestDoctorAboutMCP(t *testing.T) {
	dir, ws := newHome(t), workspace(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "mcp.json"), fmt.Sprintf(`{"mcpServers": {"weather": {"command": %q, "args": ["weather"]}, "gone": {"command": "/no/such/program"}, "off": {"command": "x", "disabled": true}}}`, self))
	e := examine(t, ws)
	e.has(t, "MCP", good, "weather: ", "tools")
	e.has(t, "MCP", failure, "gone: ", "mcp.json")
	e.has(t, "MCP", good, "off: disabled")
	put(t, filepath.Join(dir, "mcp.json"), "{\n\"mcpServers\": ]")
	examine(t, ws).has(t, "MCP", failure, "line 2", "mend the file")
}

func TestDoctorAboutTasks(t *testing.T) {
	dir, ws := newHome(t), workspace(t)
	put(t, filepath.Join(dir, "settings.json"), `{}`)
	command(t, "", "trust", "--list").want(t, 0, nil, nil) // makes the database
	examine(t, ws).has(t, "tasks", good, "0 in ", "MB free")
	put(t, filepath.Join(dir, "state", "clined.db"), strings.Repeat("no database ", 1000))
	examine(t, ws).has(t, "tasks", warning, "0 in ", "earlier it was damaged", "clined.db.damaged-", "delete it when you miss nothing")
	db := filepath.Join(dir, "state", "clined.db")
	if err := errors.Join(os.RemoveAll(db), os.RemoveAll(db+"-wal"), os.RemoveAll(db+"-shm"), os.Mkdir(db, 0o700)); err != nil {
		t.Fatal(err)
	}
	examine(t, ws).has(t, "tasks", failure, "clined.db\" is no file", "move what has that name away")
	lock := filepath.Join(dir, "state", "clined.lock")
	if err := errors.Join(os.Remove(db), os.RemoveAll(lock), os.Mkdir(lock, 0o700)); err != nil {
		t.Fatal(err)
	}
	examine(t, ws).has(t, "tasks", failure, "clined.lock\" is no file", "move what has that name away")
	command(t, "", "run", "hi", "--cwd", ws, "--model", "m", "--base-url", "http://127.0.0.1:1/v1").want(t, 1, nil, []string{"clined.lock\" is no file", "move what has that name away"})
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 10, ""}, {"a b", 10, "a b"}, {"aaaa bbbb cc", 9, "aaaa bbbb|cc"}, {"a toolongword b", 5, "a|toolongword|b"}, {"ää öö", 5, "ää öö"},
	} {
		if got := strings.Join(wrap(tt.text, tt.width), "|"); got != tt.want {
			t.Errorf("%q at %d: %q", tt.text, tt.width, got)
		}
	}
}
