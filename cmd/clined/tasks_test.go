package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"clined/internal/protocol"
	"clined/internal/test/fakellm"
)

// completes is a model that completes each task with the same words.
func completes(t *testing.T, words ...string) *fakellm.Server {
	t.Helper()
	var script strings.Builder
	for _, w := range words {
		script.WriteString("reply\n  conversation " + w + "\n  call attempt_completion {\"result\":\"" + w + "\"}\n")
	}
	return fakellm.Start(t, script.String())
}

// settings writes the settings file of this test's home.
func settings(t *testing.T, text string) {
	t.Helper()
	t.Setenv("CLINED_HOME", t.TempDir())
	if err := os.WriteFile(filepath.Join(os.Getenv("CLINED_HOME"), "settings.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// listed are the tasks that a command line lists as JSON.
func listed(t *testing.T, args ...string) []protocol.TaskInfo {
	t.Helper()
	r := command(t, "", append(args, "--json")...)
	var res protocol.TaskListResult
	if err := json.Unmarshal([]byte(r.out), &res); err != nil || r.code != 0 {
		t.Fatalf("%v, exit code %d: %s%s", err, r.code, r.out, r.err)
	}
	return res.Tasks
}

func TestTasks(t *testing.T) {
	model := completes(t, "one", "two")
	settings(t, `{"model": "m", "baseUrl": "`+model.URL()+`", "prices": {"m": {"input": 1000, "output": 1000}}}`)
	command(t, "", "tasks").want(t, 0, nil, []string{"no tasks yet"})
	first, second := workspace(t), workspace(t)
	command(t, "", "run", "tell me about the parser", "--cwd", first).want(t, 0, nil, []string{"cached 0 · $0.11"})
	command(t, "", "run", "tell me about the lexer", "--cwd", second).want(t, 0, nil, nil)

	all := listed(t, "tasks")
	if len(all) != 2 || all[0].Title != "tell me about the lexer" || all[1].Cwd != first || all[1].StopReason != "completed" {
		t.Fatalf("%+v", all)
	}
	short := all[1].TaskID[28:]
	list := command(t, "", "tasks")
	list.want(t, 0, []string{short + "  done", "just now", "$0.11", "tell me about the parser"}, nil)
	if strings.Contains(list.out, "\x1b") {
		t.Error("colours where there is no terminal")
	}
	command(t, "", "tasks", "list", "--cwd", first).want(t, 0, []string{short}, nil)
	if here := listed(t, "tasks", "--cwd", first); len(here) != 1 {
		t.Errorf("%d tasks in a folder with one", len(here))
	}
	t.Chdir(second)
	if here := listed(t, "tasks", "--here"); len(here) != 1 || here[0].Cwd != second {
		t.Errorf("%+v", here)
	}
	if found := listed(t, "tasks", "search", "parser", "tell"); len(found) != 1 || found[0].TaskID != all[1].TaskID {
		t.Errorf("%+v", found)
	}
	command(t, "", "tasks", "search", "grammar").want(t, 0, nil, []string{"no task has all of these words"})

	for _, args := range [][]string{{short}, {all[1].TaskID}, {"--last", "--cwd", first}, {"last", "--cwd", first}} {
		command(t, "", append([]string{"tasks", "show"}, args...)...).want(t, 0, []string{"› tell me about the parser\n", "\none\n", "done, just now\nsay more: clined run --resume " + short}, nil)
	}
	command(t, "", "tasks", "show", "--json", short).want(t, 0, []string{`"type":"message"`, all[1].TaskID}, nil)

	command(t, "", "tasks", "rename", short, "a", "better title").want(t, 0, nil, []string{`"a better title"`})
	command(t, "", "tasks", "favorite", "--last").want(t, 0, nil, []string{"is a favorite now"})
	if fav := listed(t, "tasks", "--favorites"); len(fav) != 1 || fav[0].Cwd != second {
		t.Errorf("%+v", fav)
	}
	command(t, "", "tasks", "favorite", "--last", "--off").want(t, 0, nil, nil)
	command(t, "", "tasks", "--favorites").want(t, 0, nil, []string{"no task is a favorite"})

	testExport(t, short)

	// The ids begin alike: the error tells of both, and nothing is deleted.
	command(t, "", "tasks", "delete", "01", "--yes").want(t, 1, nil, []string{`"01" fits 2 tasks`, short, "a better title", "hint: give more"})
	command(t, "", "tasks", "delete", short).want(t, 3, nil, []string{"nobody is there"})
	command(t, "n\n", "tasks", "delete", short).want(t, 1, nil, []string{"delete this task", "nothing was deleted"})
	command(t, "y\n", "tasks", "delete", short, all[1].TaskID, "--last").want(t, 0, nil, []string{"these 2 tasks", `deleted "a better title"`})
	command(t, "", "tasks").want(t, 0, nil, []string{"no tasks yet"})
}

func testExport(t *testing.T, id string) {
	t.Helper()
	command(t, "", "tasks", "export", id).want(t, 0, []string{"a better title", "tell me about the parser"}, nil)
	if out := command(t, "", "tasks", "export", id, "--format", "json").out; !json.Valid([]byte(out)) {
		t.Errorf("no JSON: %s", out)
	}
	dir := t.TempDir()
	command(t, "", "tasks", "export", id, "--output", dir).want(t, 0, nil, []string{"written to " + filepath.Join(dir, "a-better-title.md")})
	command(t, "", "tasks", "export", id, "-o", filepath.Join(dir, "x.md")).want(t, 0, nil, nil)
	for _, name := range []string{"a-better-title.md", "x.md"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(text), "tell me about the parser") {
			t.Errorf("%s holds %q, %v", name, text, err)
		}
	}
	command(t, "", "tasks", "export", id, "-o", filepath.Join(dir, "no", "x.md")).want(t, 1, nil, []string{"clined: "})
}

func TestTasksUsage(t *testing.T) {
	for name, tc := range map[string]struct {
		args []string
		code int
		errs []string
	}{
		"show without id":    {[]string{"tasks", "show"}, 2, []string{"not said which task", "clined tasks"}},
		"show two":           {[]string{"tasks", "show", "a", "b"}, 1, []string{`no task "a"; there are none at all`}},
		"wrong flag":         {[]string{"tasks", "show", "--nope"}, 2, []string{"clined tasks show --help"}},
		"rename without":     {[]string{"tasks", "rename"}, 2, []string{"not said which task"}},
		"delete without":     {[]string{"tasks", "delete"}, 2, []string{"not said which task"}},
		"search for nothing": {[]string{"tasks", "search"}, 2, []string{"clined tasks search --help"}},
		"bad format":         {[]string{"tasks", "export", "x", "--format", "pdf"}, 2, []string{`must be one of "markdown","json"`, "clined tasks export --help"}},
		"unknown":            {[]string{"tasks", "bogus"}, 2, []string{"bogus", "clined tasks --help"}},
		"no last":            {[]string{"tasks", "resume", "--last"}, 1, []string{"there is no task in"}},
		"resume nothing":     {[]string{"run", "--resume", "abc"}, 1, []string{`no task "abc"`}},
		"resume last":        {[]string{"run", "--resume", "last"}, 1, []string{"there is no task in", "clined tasks"}},
		"resume --mode":      {[]string{"run", "--resume", "abc", "--mode", "yolo"}, 2, []string{"--mode"}},
	} {
		t.Run(name, func(t *testing.T) { command(t, "", tc.args...).want(t, tc.code, nil, tc.errs) })
	}
}

// A task that failed is gone on with, in the folder that is its own, and by
// words, in a mode.
func TestRunResume(t *testing.T) {
	model := fakellm.Start(t, `
reply
  status 401 body={"error":{"message":"bad key"}}
reply
  expect contains change it
  call write_to_file {"path":"a.txt","content":"two\n"}
reply
  call attempt_completion {"result":"Changed."}
reply
  expect-last contains and now propose
  call plan_mode_respond {"response":"The plan."}
`)
	settings(t, `{"model": "m", "baseUrl": "`+model.URL()+`"}`)
	dir := workspace(t, "a.txt", "one\n")
	r := command(t, "", "run", "change it", "--cwd", dir)
	r.want(t, 1, nil, []string{"clined: ", "to go on with this task: clined run --resume "})
	short := regexp.MustCompile(`--resume (\S+)`).FindStringSubmatch(r.err)[1]

	r = command(t, "y\n", "run", "--resume", short) // from elsewhere
	r.want(t, 0, []string{"Changed.\n"}, []string{"change it", dir, "│ › change it", "-one", "+two"})
	if text, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(text) != "two\n" {
		t.Errorf("the file holds %q", text)
	}
	command(t, "", "run", "--resume", short).want(t, 2, nil, []string{"has come to its end", `--resume ` + short + ` "…"`})
	r = command(t, "and now propose", "tasks", "resume", short, "-", "--mode", "plan", "--json")
	r.want(t, 0, []string{"The plan."}, []string{"to carry it out: clined run --resume " + short})
	if first, _, _ := strings.Cut(r.out, "\n"); !strings.Contains(first, `"taskId":"01`) {
		t.Errorf("the first line is %s", first)
	}

	if err := os.Rename(dir, dir+"-away"); err != nil {
		t.Fatal(err)
	}
	command(t, "", "run", "--resume", short, "more").want(t, 1, nil, []string{"is not there any more", "clined tasks show"})
	command(t, "", "tasks", "--cwd", dir).want(t, 0, []string{short}, nil)
}

// Whatever meets a damaged database first tells of it, once.
func TestTellsOfADamagedDatabase(t *testing.T) {
	ws := workspace(t, "a.txt", "one\n")
	for name, args := range map[string][]string{
		"tasks": {"tasks"}, "search": {"tasks", "search", "first"}, "resume": {"run", "--resume", "last", "more", "--cwd", ws},
		"rules": {"rules"}, "trust": {"trust", "--list"}, "policy": {"policy", "explain", "npm test", "--cwd", ws},
		"tool": {"tool", "list_files", `{"path":"."}`, "--cwd", ws},
	} {
		t.Run(name, func(t *testing.T) {
			settings(t, `{"model": "m", "baseUrl": "`+completes(t, "One.").URL()+`"}`)
			command(t, "", "run", "first", "--cwd", ws).want(t, 0, nil, nil)
			state := filepath.Join(os.Getenv("CLINED_HOME"), "state")
			if err := os.WriteFile(filepath.Join(state, "clined.db"), []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
				t.Fatal(err)
			}
			r := command(t, "", args...)
			aside, _ := filepath.Glob(filepath.Join(state, "clined.db.damaged-*[0-9]"))
			if len(aside) != 1 || !strings.Contains(r.err, `clined.db" was damaged`) || !strings.Contains(r.err, aside[0]) ||
				strings.Count(r.err, "hint: see in clined tasks whether something is missing") != 1 || strings.Contains(r.err, "level=") {
				t.Errorf("%q: %+v", aside, r)
			}
			if again := command(t, "", "tasks"); strings.Contains(again.err, "damaged") {
				t.Errorf("told again: %s", again.err)
			}
		})
	}
}

func TestRunTellsOfADamagedDatabase(t *testing.T) {
	settings(t, `{"model": "m", "baseUrl": "`+completes(t, "One.", "Two.", "Three.").URL()+`"}`)
	command(t, "", "run", "first", "--cwd", workspace(t)).want(t, 0, nil, nil)
	if err := os.WriteFile(filepath.Join(os.Getenv("CLINED_HOME"), "state", "clined.db"), []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	command(t, "", "run", "second", "--cwd", workspace(t)).want(t, 0, []string{"Two."},
		[]string{`clined.db" was damaged`, "what could be read was brought over", "hint: see in clined tasks whether something is missing"})
	if third := command(t, "", "run", "third", "--cwd", workspace(t)); strings.Contains(third.err, "damaged") {
		t.Errorf("told again: %s", third.err)
	}
}

// What nobody was there to decide on is asked again when the task goes on.
func TestResumeAsksWhatNobodyDecided(t *testing.T) {
	model := fakellm.Start(t, "reply\n  call write_to_file {\"path\":\"a.txt\",\"content\":\"x\"}\nreply\n  call attempt_completion {\"result\":\"Written.\"}\n")
	settings(t, `{"model": "m", "baseUrl": "`+model.URL()+`"}`)
	ws := workspace(t)
	command(t, "", "run", "write it", "--cwd", ws, "--json").want(t, 3, []string{`"stopReason":"interrupted"`}, []string{"nobody is there", "clined run --resume"})
	command(t, "", "run", "--resume", "last", "--cwd", ws, "--auto", "edit").want(t, 0, []string{"Written."}, []string{"asks as usual", "Create a.txt"})
	if _, err := os.Stat(filepath.Join(ws, "a.txt")); err != nil {
		t.Error(err)
	}
}

// Looking at tasks starts nothing.
func TestTasksStartNoServers(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "started")
	settings(t, `{"model": "m"}`)
	text := `{"mcpServers": {"x": {"command": "touch", "args": ["` + mark + `"]}}}`
	if err := os.WriteFile(filepath.Join(os.Getenv("CLINED_HOME"), "mcp.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	command(t, "", "tasks").want(t, 0, nil, nil)
	if _, err := os.Stat(mark); err == nil {
		t.Error("an MCP server was started")
	}
}

// A limit asks like any question, and its answer lets the task go on.
func TestLimitAsks(t *testing.T) {
	script := `
reply
  call list_files {"path":"."}
`
	model := fakellm.Start(t, script+"reply\n  call attempt_completion {\"result\":\"Listed.\"}\n")
	settings(t, `{"model": "m", "baseUrl": "`+model.URL()+`", "limits": {"requests": 1}}`)
	command(t, "1\n", "run", "list it", "--cwd", workspace(t)).want(t, 0, []string{"Listed."}, []string{"asked once", "1 Go on for 1 more", "2 Stop here"})
	model = fakellm.Start(t, script)
	settings(t, `{"model": "m", "baseUrl": "`+model.URL()+`", "limits": {"requests": 1}}`)
	command(t, "", "run", "list it", "--cwd", workspace(t)).want(t, 3, nil, []string{"nobody is there", "to go on with this task: clined run --resume"})
}
