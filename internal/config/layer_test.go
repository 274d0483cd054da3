package config

import (
	"encoding/json"
	"log/slog"
	"reflect"
	"strings"
	"testing"
)

func noEnv(string) string { return "" }

func env(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

func TestFileSetsEveryKey(t *testing.T) {
	text := "\ufeff" + `// mine
{
	"provider": "openai", "model": "m", "baseUrl": "https://h/v1", "apiKey": "${env:K}", "contextWindow": 1000,
	"plan": {"model": "p", "apiKey": "${env:P}"},
	"act": {"provider": "ollama", "model": "a", "baseUrl": "http://localhost:1/v1", "contextWindow": 5,},
	"autoApprove": {"read": false, "readOutside": true, "edit": true, "editOutside": true, "command": "safe", "mcp": true},
	"permissions": {"allow": ["a"], "ask": ["b"], "deny": ["c", /* two */ "d"]},
	"toolCalling": "none", "plainTextEnds": true,
	"limits.requests": 7, // dotted, as the documentation names it
	"shell": "/bin/zsh", "commandTimeout": 30, "requestTimeout": 40,
	"sandbox": {"mode": "required", "network": false, "writable": ["/srv/cache"], "mcp": true},
	"mcp": {"file": "/m.json"}, "proxy": "http://proxy:3128", "caFile": "/ca.pem", "log": {"level": "debug"},
	"discover": ["http://127.0.0.1:1/v1"]
}`
	l, problems := FromFile("settings.json", []byte(text))
	if len(problems) != 0 {
		t.Fatalf("problems: %v", problems)
	}
	got, _ := Merge(noEnv, l)
	want := Settings{
		Model:       Model{Provider: "openai", Model: "m", BaseURL: "https://h/v1", APIKey: "${env:K}", ContextWindow: 1000},
		Plan:        Model{Model: "p", APIKey: "${env:P}"},
		Act:         Model{Provider: "ollama", Model: "a", BaseURL: "http://localhost:1/v1", ContextWindow: 5},
		AutoApprove: AutoApprove{ReadOutside: true, Edit: true, EditOutside: true, Command: SafeCommands, MCP: true},
		Permissions: Permissions{Allow: []string{"a"}, Ask: []string{"b"}, Deny: []string{"c", "d"}},
		ToolCalling: "none", PlainTextEnds: true,
		Limits: Limits{Requests: 7},
		Shell:  "/bin/zsh", CommandTimeout: 30, RequestTimeout: 40,
		Sandbox: Sandbox{Mode: "required", Writable: []string{"/srv/cache"}, MCP: true},
		MCP:     MCP{File: "/m.json", Wait: 10}, Proxy: "http://proxy:3128", CAFile: "/ca.pem", Log: Log{Level: "debug"},
		Discover: []string{"http://127.0.0.1:1/v1"},
	}
	got.merged = merged{}
	if !reflect.DeepEqual(*got, want) {
		t.Errorf("got  %+v\nwant %+v", *got, want)
	}
}

func TestFileProblems(t *testing.T) {
	tests := []struct {
		name, text string
		level      slog.Level
		where      string // line:column
		key        string
		says, hint string
	}{
		{"misspelt", "{\n  \"modle\": \"x\"}", slog.LevelWarn, "2:3", "modle", `no setting "modle"`, `"model"`},
		{"another tool's name", `{"openai_api_key": "x"}`, slog.LevelWarn, "1:2", "openai_api_key", "no setting", `did you mean "apiKey"?`},
		{"a longer name", `{"model": "m",       "OPENAI_BASE_URL": 2}`, slog.LevelWarn, "1:22", "OPENAI_BASE_URL", "no setting", `did you mean "baseUrl"?`},
		{"nearly one of a group", `{"planmodel": 1}`, slog.LevelWarn, "1:2", "planmodel", "no setting", `did you mean "plan.model"?`},
		{"twice", "{\n\"model\": \"a\",\n\"model\": \"b\"}", slog.LevelWarn, "3:10", "model", `"model" is set twice, in line 2 and here: the last one counts`, "delete the one"},
		{"with braces and dots", "{\"log\": {\"level\": \"info\"},\n\"log.level\": \"warn\"}", slog.LevelWarn, "2:14", "log.level", "in line 1 and here", "delete"},
		{"misspelt group", `{"autoApprov": {"edit": true}}`, slog.LevelWarn, "1:2", "autoApprov", `no setting "autoApprov"`, `did you mean "autoApprove"?`},
		{"misspelt in a group", "{\"log\": {\"levl\": \"x\"}}", slog.LevelWarn, "1:10", "log.levl", `"log.levl"`, `"log.level"`},
		{"in the wrong group", `{"requests": 3}`, slog.LevelWarn, "1:2", "requests", `"requests"`, `"limits.requests"`},
		{"unknown", `{"telemetryEndpoint": 1}`, slog.LevelWarn, "1:2", "telemetryEndpoint", "no setting", "autoApprove, permissions"},
		{"unknown group", `{"nowhere.x": 1}`, slog.LevelWarn, "1:2", "nowhere.x", "no setting", "there are provider, model"},
		{"unknown in a group", `{"autoApprove": {"everything": 1}}`, slog.LevelWarn, "1:18", "autoApprove.everything", "no setting", "there are read, readOutside"},
		{"number for text", "{\n\n \"model\": 4}", slog.LevelError, "3:11", "model", `"model" must be a text in quotes`, ""},
		{"text for number", `{"commandTimeout": "30"}`, slog.LevelError, "1:20", "commandTimeout", "a whole number from 1 to 86400", ""},
		{"fraction", `{"commandTimeout": 1.5}`, slog.LevelError, "1:20", "commandTimeout", "a whole number", ""},
		{"negative", `{"limits": {"requests": -1}}`, slog.LevelError, "1:25", "limits.requests", "from 0 to 1000000", ""},
		{"more than a duration holds", `{"commandTimeout": 18446744074}`, slog.LevelError, "1:20", "commandTimeout", "from 1 to 86400", ""},
		{"beyond a bound", `{"requestTimeout": 86401}`, slog.LevelError, "1:20", "requestTimeout", "from 1 to 86400", ""},
		{"no cost", `{"limits": {"cost": 1e308}}`, slog.LevelError, "1:21", "limits.cost", "from 0 to 1000000", ""},
		{"no window", `{"contextWindow": 9223372036854775807}`, slog.LevelError, "1:19", "contextWindow", "from 0 to 100000000", ""},
		{"no price", `{"prices": {"m": {"input": 1e308}}}`, slog.LevelError, "1:18", "prices", "from 0 to 1000000", ""},
		{"text for flag", `{"autoApprove": {"read": "yes"}}`, slog.LevelError, "1:26", "autoApprove.read", "true or false", ""},
		{"other word", `{"autoApprove": {"command": "unsafe"}}`, slog.LevelError, "1:29", "autoApprove.command", `false, "safe" or true`, ""},
		{"text for list", `{"permissions": {"deny": "rm"}}`, slog.LevelError, "1:26", "permissions.deny", "a list of texts", ""},
		{"text for group", `{"log": "debug"}`, slog.LevelError, "1:9", "log", "an object in braces", ""},
		{"other provider", `{"provider": "acme"}`, slog.LevelError, "1:14", "provider", `"openai", "ollama"`, ""},
		{"no url", `{"baseUrl": "api.example.com"}`, slog.LevelError, "1:13", "baseUrl", "http or https URL", ""},
		{"password in url", `{"proxy": "http://u:hunter2@proxy"}`, slog.LevelError, "1:11", "proxy", "without user name and password", ""},
		{"literal key", `{"apiKey": "sk-CANARY123"}`, slog.LevelError, "1:12", "apiKey", "reference to an environment variable", "environment variable"},
		{"bom counts for nothing", "\ufeff{\"model\": 4}", slog.LevelError, "1:11", "model", "a text", ""},
		{"not closed", "{\n \"model\": \"x\"\n", slog.LevelError, "3:1", "", "cannot be read: the file ends too early", "mend"},
		{"a name without quotes", `{model: "x"}`, slog.LevelError, "1:2", "", "names and texts stand in double quotes", "mend"},
		{"a comment not closed", `{/* "model": "x"}`, slog.LevelError, "1:2", "", "comment is not closed", "mend"},
		{"garbage", "{\n \"model\": \"sk-CANARY123\n\"}", slog.LevelError, "2:11", "", "a value is not valid JSON", "mend"},
		{"missing colon", "{\n \"model\" 4}", slog.LevelError, "2:10", "", "invalid character '4'", "mend"},
		{"array", " []", slog.LevelError, "1:2", "", "not an object", "mend"},
		{"too large", "{" + strings.Repeat(" ", maxFile) + "}", slog.LevelError, "1:1", "", "larger than 1 MiB", "mend"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, problems := FromFile("/s.json", []byte(tt.text))
			if len(problems) != 1 {
				t.Fatalf("problems: %v", problems)
			}
			p := &problems[0]
			if p.Level != tt.level || p.Key != tt.key || !strings.Contains(p.Message, tt.says) || !strings.Contains(p.Hint, tt.hint) {
				t.Errorf("problem: %+v", p)
			}
			if want := "/s.json:" + tt.where + ": "; !strings.HasPrefix(p.Error(), want) {
				t.Errorf("Error() = %q, want prefix %q", p.Error(), want)
			}
			if strings.Contains(p.Error()+p.Hint, "CANARY") || strings.Contains(p.Error()+p.Hint, "hunter2") {
				t.Errorf("the secret is shown: %v", p)
			}
		})
	}
}

func TestFileThatSetsNothing(t *testing.T) {
	for _, text := range []string{"", " \n", "\ufeff", "{}", `{"model": null, "log": null}`, `{"$schema": "x"}`, "{/**/}"} {
		l, problems := FromFile("f", []byte(text))
		if len(problems) != 0 || len(l.values) != 0 {
			t.Errorf("%q: %v, %v", text, l.values, problems)
		}
	}
}

func TestTheOtherSettingsOfAFileHold(t *testing.T) {
	l, problems := FromFile("f", []byte(`{"commandTimeout": "x", "model": "first", "nope": 1, "model": "m"}`))
	s, _ := Merge(noEnv, l)
	if len(problems) != 3 || s.Model.Model != "m" || s.CommandTimeout != 600 {
		t.Errorf("%+v, %v", s.Model, problems)
	}
}

func TestEditor(t *testing.T) {
	for _, text := range []string{"", " ", "null", "{}"} {
		l, problems := FromEditor(json.RawMessage(text))
		if len(problems) != 0 || len(l.values) != 0 {
			t.Errorf("%q: %v, %v", text, l.values, problems)
		}
	}
	l, problems := FromEditor(json.RawMessage(`{"model": "m", "shell": 1}`))
	if s, _ := Merge(noEnv, l); s.Model.Model != "m" {
		t.Errorf("model %q", s.Model.Model)
	}
	if len(problems) != 1 || problems[0].Error() != `the editor's settings: "shell" must be a text in quotes` {
		t.Errorf("problems: %v", problems)
	}
}

func TestEnv(t *testing.T) {
	l, problems := FromEnv([]string{"PATH=/bin", "CLINED_HOME=/h", "CLINED_MODEL=m=1", "CLINED_BASE_URL=", "CLINED_AUTO_APPROVE_READ_OUTSIDE=true",
		"CLINED_AUTO_APPROVE_COMMAND=safe", "CLINED_PERMISSIONS_DENY=[\"x\"]", "CLINED_LIMITS_REQUESTS=9", "CLINED_API_KEY=sk-CANARY123",
		"CLINED_PLAN_MODEL=12", "CLINED_PLAN_API_KEY=sk-CANARY123", "CLINED_COMMAND_TIMEOUT=soon", "CLINED_MODLE=x", "CLINED_SOMETHING_ELSE=x"})
	s, _ := Merge(noEnv, l)
	if s.Model.Model != "m=1" || !s.AutoApprove.ReadOutside || s.AutoApprove.Command != SafeCommands || s.Limits.Requests != 9 ||
		s.APIKey != "${env:CLINED_API_KEY}" || s.Plan.Model != "12" || s.Plan.APIKey != "${env:CLINED_PLAN_API_KEY}" || len(s.Permissions.Deny) != 1 {
		t.Errorf("settings: %+v", s)
	}
	if len(problems) != 2 || problems[0].Key != "commandTimeout" || !strings.Contains(problems[0].Message, "CLINED_COMMAND_TIMEOUT") ||
		problems[1].Hint != "did you mean CLINED_MODEL?" {
		t.Errorf("problems: %v", problems)
	}
}

func TestMisspeltVariablesThatForbidTighten(t *testing.T) {
	for name, damaged := range map[string]bool{"CLINED_PERMISIONS_DENY": true, "CLINED_LIMITS_REQUEST": true, "CLINED_MODLE": false, "CLINED_SOMETHING_ELSE": false} {
		if l, _ := FromEnv([]string{name + "=x"}); l.damaged != damaged {
			t.Errorf("%s: damaged %v", name, l.damaged)
		}
	}
}

func TestFlags(t *testing.T) {
	l, problems := FromFlags(map[string]string{"model": "m", "autoApprove.command": "true", "autoApprove.edit": "true", "log.level": "loud"})
	s, _ := Merge(noEnv, l)
	if s.Model.Model != "m" || s.AutoApprove.Command != AllCommands || !s.AutoApprove.Edit || s.Log.Level != "warn" {
		t.Errorf("settings: %+v", s)
	}
	if len(problems) != 1 || problems[0].Error() != `the command line: "log.level" must be "debug", "info", "warn", "error"` {
		t.Errorf("problems: %v", problems)
	}
}

// Every key has words for people, a name in the environment, and a default
// that its own check accepts.
func TestKeys(t *testing.T) {
	d := reflect.ValueOf(Default())
	seen := map[string]bool{}
	for _, k := range Keys() {
		if k.Doc == "" || k.Expect == "" || seen[k.Env] {
			t.Errorf("key %+v", k)
		}
		if number := k.Type == Count || k.Type == Amount; number != (k.Min != nil) || number != (k.Max != nil) {
			t.Errorf("%s has not both bounds", k.Name)
		}
		seen[k.Env] = true
		value := d.FieldByIndex(k.index)
		if strings.HasPrefix(k.Name, "plan.") || strings.HasPrefix(k.Name, "act.") || value.Kind() == reflect.Slice {
			continue // not set means inherited
		}
		raw, err := json.Marshal(value.Interface())
		if v, ok := k.decode(raw); err != nil || !ok || !reflect.DeepEqual(v.Interface(), value.Interface()) {
			t.Errorf("%s: default %s is refused", k.Name, raw)
		}
	}
	if !seen["CLINED_AUTO_APPROVE_READ_OUTSIDE"] || !seen["CLINED_CA_FILE"] || !seen["CLINED_API_KEY"] || !seen["CLINED_ACT_BASE_URL"] {
		t.Errorf("names: %v", seen)
	}
}

// FuzzFromFile: any text gives a layer that can be merged, problems have a
// place inside the text, and an apiKey that is no reference never gets in.
func FuzzFromFile(f *testing.F) {
	for _, s := range []string{"", "{", "{}", "\ufeff{/*x*/}", `{"a":1,}`, `{"model":{"x":1}}`, `{"plan":{"apiKey":"k"}}`, "{\n\"log.level\": \"debug\"}", `{"permissions":{"deny":[1]}}`, "{\"\xff\":1}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		l, problems := FromFile("f", text)
		s, _ := Merge(noEnv, l)
		lines := strings.Count(string(text), "\n") + 1
		for _, p := range problems {
			if p.Line < 1 || p.Line > lines || p.Column < 1 || p.Message == "" || p.Hint == "" {
				t.Errorf("problem %+v in %q", p, text)
			}
		}
		for _, ref := range []string{s.APIKey, s.Plan.APIKey, s.Act.APIKey} {
			if ref != "" && envReference(ref) == "" {
				t.Errorf("apiKey %q", ref)
			}
		}
	})
}
