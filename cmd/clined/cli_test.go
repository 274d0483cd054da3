package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clined/examples/weather/server"
	"clined/internal/daemon"
	"clined/internal/test/fakellm"
)

// The test binary also plays the children that commands start.
func TestMain(m *testing.M) {
	if code, ok := daemon.Child(os.Args[1:], os.Stdin, os.Stdout, os.Exit); ok {
		os.Exit(code)
	}
	switch {
	case len(os.Args) > 1 && os.Args[1] == "weather":
		if err := server.Main(context.Background(), os.Args[2:]); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	for _, name := range []string{"OPENAI_API_KEY", "OPENAI_BASE_URL", "CLINED_MODEL", "CLINED_BASE_URL"} {
		os.Unsetenv(name) // nothing of the person who runs the tests
	}
	os.Exit(m.Run())
}

// ran is how a command line ended.
type ran struct {
	code     int
	out, err string
}

// command runs a command line with a fresh home, in an empty folder.
func command(t *testing.T, stdin string, args ...string) ran {
	t.Helper()
	if os.Getenv("CLINED_HOME") == "" {
		t.Setenv("CLINED_HOME", t.TempDir())
	}
	var out, errs bytes.Buffer
	code := run(&app{stdin: strings.NewReader(stdin), stdout: &out, stderr: &errs, args: args})
	return ran{code, out.String(), errs.String()}
}

// workspace makes a folder with files, given as name and text.
func workspace(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func (r ran) want(t *testing.T, code int, out []string, errs []string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d", r.code, code)
	}
	for _, part := range out {
		if !strings.Contains(r.out, part) {
			t.Errorf("stdout lacks %q", part)
		}
	}
	for _, part := range errs {
		if !strings.Contains(r.err, part) {
			t.Errorf("stderr lacks %q", part)
		}
	}
	if t.Failed() {
		t.Logf("stdout: %s\nstderr: %s", r.out, r.err)
	}
}

func TestUsage(t *testing.T) {
	for name, tc := range map[string]struct {
		args []string
		code int
		errs []string
	}{
		"no task":                {[]string{"run"}, 2, []string{"nothing to do", "hint:"}},
		"blank task":             {[]string{"run", "  "}, 2, []string{"nothing to do"}},
		"unknown command":        {[]string{"bogus"}, 2, []string{"clined: unexpected argument bogus", "clined --help"}},
		"unknown flag":           {[]string{"run", "x", "--nope"}, 2, []string{"--nope", "clined run --help"}},
		"bad kind":               {[]string{"run", "--auto", "read,foo", "x"}, 2, []string{`no "foo"`, "read, edit, command, mcp"}},
		"bad mode":               {[]string{"run", "--mode", "yolo", "x"}, 2, []string{`--mode must be one of "act","plan" but got "yolo"`}},
		"bad provider":           {[]string{"auth", "logout", "--provider", "nope"}, 2, []string{`must be one of "openai","ollama" but`}},
		"bad base URL":           {[]string{"run", "--base-url", "ftp://x", "x"}, 2, []string{`"baseUrl" must be an http or https URL`, "nothing was begun"}},
		"no folder":              {[]string{"run", "--cwd", "/no/such/folder", "x"}, 2, []string{"no folder"}},
		"tool without a name":    {[]string{"tool"}, 2, []string{"clined tool --help"}},
		"tool with bad JSON":     {[]string{"tool", "read_file", "{bad"}, 1, nil},
		"unknown tool":           {[]string{"tool", "read_fil", "{}"}, 1, nil},
		"unknown story":          {[]string{"demo", "opera"}, 2, []string{"weather", "edit"}},
		"live without a model":   {[]string{"demo", "--live"}, 2, []string{"--live needs a model", "hint:"}},
		"no model":               {[]string{"run", "x"}, 1, []string{"clined: no model", "hint:"}},
		"data that is not there": {[]string{"demo", "--data", "/no/such/file"}, 2, []string{"/no/such/file"}},
	} {
		t.Run(name, func(t *testing.T) { command(t, "", tc.args...).want(t, tc.code, nil, tc.errs) })
	}
}

func TestVersionAndSchema(t *testing.T) {
	command(t, "", "version").want(t, 0, []string{"clined " + version(), "protocol 1", "Go,"}, nil)
	var v struct {
		Version   string
		Languages []string
	}
	if err := json.Unmarshal([]byte(command(t, "", "version", "--json").out), &v); err != nil || v.Version != version() || len(v.Languages) < 8 {
		t.Errorf("%+v, %v", v, err)
	}
	if out := command(t, "", "schema").out; !json.Valid([]byte(out)) || !strings.Contains(out, "clined/task/new") {
		t.Errorf("the schema is %q", out)
	}
}

func TestRun(t *testing.T) {
	dir := workspace(t, "a.txt", "one\n")
	const edit = `
reply
  text I will change it.
  call replace_in_file {"path":"a.txt","diff":"------- SEARCH\none\n=======\ntwo\n+++++++ REPLACE"}
reply
  call attempt_completion {"result":"Changed."}
`
	model := fakellm.Start(t, edit)
	flags := []string{"--cwd", dir, "--model", "m", "--base-url", model.URL()}
	r := command(t, "y\n", append([]string{"run", "change it"}, flags...)...)
	r.want(t, 0, nil, []string{"I will change it.", "-one", "+two", "y yes"})
	if r.out != "Changed.\n" {
		t.Errorf("stdout is %q: it holds the answer and nothing else", r.out)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(text) != "two\n" {
		t.Errorf("the file holds %q", text)
	}

	// Nobody can approve: the task stops, and says how to go on.
	model = fakellm.Start(t, strings.ReplaceAll(edit[:strings.Index(edit, "reply\n  call attempt")], "one", "old"))
	r = command(t, "", "run", "change it", "--cwd", workspace(t, "a.txt", "old\n"), "--model", "m", "--base-url", model.URL())
	r.want(t, 3, nil, []string{"nobody is there", "--auto edit", "--yes"})
}

func TestRunWithYesAndJSON(t *testing.T) {
	dir := workspace(t)
	model := fakellm.Start(t, `
reply
  call write_to_file {"path":"b.txt","content":"b\n"}
reply
  call attempt_completion {"result":"Written <b> & done."}
`)
	r := command(t, "", "run", "--yes", "--json", "write it", "--cwd", dir, "--model", "m", "--base-url", model.URL())
	r.want(t, 0, []string{`Written <b> & done.`}, nil)
	seq := int64(0)
	for line := range strings.Lines(r.out) {
		var e struct {
			Seq   int64
			Event struct{ Type string }
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Seq <= seq || e.Event.Type == "" {
			t.Errorf("%v after %d: %s", err, seq, line)
		}
		seq = e.Seq
	}
}

func TestRunReadsItsTaskFromStdin(t *testing.T) {
	model := fakellm.Start(t, "reply\n  expect contains from a pipe\n  call attempt_completion {\"result\":\"ok\"}\n")
	command(t, "from a pipe", "run", "-", "--cwd", workspace(t), "--model", "m", "--base-url", model.URL()).want(t, 0, []string{"ok"}, nil)
}

func TestConversation(t *testing.T) {
	model := fakellm.Start(t, `
reply
  expect contains first words
  call plan_mode_respond {"response":"The plan."}
reply
  expect contains second words
  call attempt_completion {"result":"The end."}
`)
	r := command(t, "first words\n/act second words\n/exit\n", "run", "-i", "--mode", "plan", "--cwd", workspace(t), "--model", "m", "--base-url", model.URL())
	r.want(t, 0, []string{"The plan.", "The end."}, nil)
}

func TestPlainChat(t *testing.T) {
	model := fakellm.Start(t, `
reply
  text Hello there.
reply
  text Goodbye.
`)
	r := command(t, "hi\nbye\n", "run", "-i", "--no-tools", "--cwd", workspace(t), "--model", "gpt-4o", "--base-url", model.URL())
	r.want(t, 0, []string{"Hello there.", "Goodbye."}, nil)
	if sent := model.Requests(); len(sent) != 2 || len(sent[0].Tools) != 0 {
		t.Errorf("%d requests, the first with %d tools", len(sent), len(sent[0].Tools))
	}
}

func TestRunFails(t *testing.T) {
	model := fakellm.Start(t, "reply\n  status 401 body={\"error\":{\"message\":\"bad key\"}}\n")
	command(t, "", "run", "x", "--cwd", workspace(t), "--model", "m", "--base-url", model.URL()).want(t, 1, nil, []string{"clined: ", "hint: "})
}

func TestTool(t *testing.T) {
	dir := workspace(t, "a.txt", "one\n")
	command(t, "", "tool", "read_file", `{"path":"a.txt"}`, "--cwd", dir).want(t, 0, []string{"1 | one"}, nil)
	command(t, "", "tool", "read_file", `{"path":"b.txt"}`, "--cwd", dir).want(t, 1, []string{"b.txt"}, nil)
	write := []string{"tool", "write_to_file", `{"path":"a.txt","content":"two\n"}`, "--cwd", dir}
	command(t, "", write...).want(t, 3, []string{"nothing was done"}, nil)
	command(t, "no, keep it\n", write...).want(t, 3, []string{"keep it"}, nil)
	if text, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(text) != "one\n" {
		t.Errorf("the file holds %q", text)
	}
	command(t, "", append(write, "--mode", "plan", "--yes")...).want(t, 3, []string{"plan mode"}, nil)
	command(t, "", append(write, "--yes")...).want(t, 0, nil, nil)
	if text, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(text) != "two\n" {
		t.Errorf("the file holds %q", text)
	}
	command(t, "", "tool", "execute_command", `{"command":"exit 7"}`, "--cwd", dir, "--yes").want(t, 1, []string{"exit code 7"}, nil)
}

func TestPrompt(t *testing.T) {
	r := command(t, "", "prompt", "my task", "--cwd", workspace(t))
	r.want(t, 0, []string{"=== system ===", "read_file", "my task", "<environment_details>", "=== size"}, nil)
	if strings.Contains(r.out, "{{") {
		t.Error("a placeholder was left")
	}
}

func TestDemo(t *testing.T) {
	recording := func(text string) string {
		file := filepath.Join(t.TempDir(), "data.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	warmer := recording(strings.ReplaceAll(recorded(t), `"temperature": 73`, `"temperature": 99`))
	down := recording(`{"unavailable": true}`)
	for name, tc := range map[string]struct {
		stdin     string
		args      []string
		code      int
		out, errs []string
	}{
		"weather":        {"", []string{"--yes"}, 0, []string{"73°F", "降水概率 50%"}, []string{"scripted", "get_forecast"}},
		"English":        {"", []string{"--yes", "--task", "Tomorrow's weather in New York?"}, 0, []string{"New York", "76°F"}, nil},
		"other data":     {"", []string{"--yes", "--data", warmer}, 0, []string{"99°F"}, nil},
		"failing server": {"", []string{"--yes", "--data", down}, 0, []string{"没有查到预报", "cannot be reached"}, nil},
		"step by step":   {"y\ny\ny\n", nil, 0, []string{"73°F"}, []string{"y yes · n no"}},
		"no to the last": {"y\ny\nn\n", nil, 0, []string{"没有查询天气"}, nil},
		"nobody there":   {"", nil, 3, nil, []string{"nobody is there"}},
		"edit":           {"", []string{"edit", "--yes"}, 0, []string{"I corrected the discount"}, []string{"-\treturn price - percent", "+\treturn price - price*percent/100"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := command(t, tc.stdin, append([]string{"demo", "--fast"}, tc.args...)...)
			r.err = strings.ReplaceAll(r.err, "-    return", "-\treturn")
			r.err = strings.ReplaceAll(r.err, "+    return", "+\treturn")
			r.want(t, tc.code, tc.out, tc.errs)
		})
	}
}

// recorded is the built-in recording.
func recorded(t *testing.T) string {
	t.Helper()
	f, err := os.Open("../../examples/weather/server/data/recorded.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
