package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func file(t *testing.T, text string) Layer {
	t.Helper()
	l, problems := FromFile("settings.json", []byte(text))
	if len(problems) != 0 {
		t.Fatalf("problems: %v", problems)
	}
	return l
}

func editor(t *testing.T, text string) Layer {
	t.Helper()
	l, problems := FromEditor([]byte(text))
	if len(problems) != 0 {
		t.Fatalf("problems: %v", problems)
	}
	return l
}

func TestLaterLayersWin(t *testing.T) {
	user := file(t, `{"model": "file", "shell": "file", "proxy": "http://file", "commandTimeout": 1, "permissions": {"deny": ["file"]}}`)
	ed := editor(t, `{"model": "editor", "shell": "editor", "proxy": "http://editor", "permissions": {"deny": ["editor"], "allow": ["x"]}}`)
	env, _ := FromEnv([]string{"CLINED_MODEL=env", "CLINED_SHELL=env"})
	flags, _ := FromFlags(map[string]string{"model": "flag"})
	for range 2 { // merging changes no layer
		s, problems := Merge(noEnv, user, ed, env, flags)
		if s.Model.Model != "flag" || s.Shell != "env" || s.Proxy != "http://editor" || s.CommandTimeout != 1 || s.Provider != "openai" || len(problems) != 0 {
			t.Errorf("settings: %+v, %v", s, problems)
		}
		if !reflect.DeepEqual(s.Permissions, Permissions{Allow: []string{"x"}, Deny: []string{"file", "editor"}}) {
			t.Errorf("permissions: %+v", s.Permissions)
		}
	}
}

// A file that cannot be read may have held a "deny": what other layers allow
// does not count until it is mended.
func TestDamagedLayersTighten(t *testing.T) {
	loose := editor(t, `{"model": "m", "autoApprove": {"edit": true, "command": true}, "permissions": {"allow": ["x"], "deny": ["y"]},
		"sandbox": {"mode": "off", "writable": ["/srv"]}}`)
	tests := map[string]bool{
		`{`:                                true,
		`{"permissions": ["rm"]}`:          true,
		`{"permissions": {"deny": "rm"}}`:  true,
		`{"autoApprove": {"edit": "no"}}`:  true,
		`{"autoApprove": false}`:           true,
		`{"sandbox": {"mode": "on"}}`:      true,
		`{"commandTimeout": "x", "nay":1}`: false,
		`{"modle": "x", "plans": {}}`:      false,
		`{"permisions": {"deny": ["rm"]}}`: true,
		`{"permisions.deny": ["rm"]}`:      true,
		`{"permissions": {"dney": "rm"}}`:  true,
		`{"deny": ["rm"]}`:                 true,
		`{"sanbox": {"mode": "required"}}`: true,
		"{" + strings.Repeat(`"x":1,`, maxProblems) + `"permisions": {"deny": ["rm"]}}`: true,
	}
	for text, damaged := range tests {
		l, _ := FromFile("/s.json", []byte(text))
		s, problems := Merge(noEnv, l, loose)
		tight := s.AutoApprove == Default().AutoApprove && s.Permissions.Allow == nil &&
			s.Sandbox.Mode == "auto" && s.Sandbox.Writable == nil
		if tight != damaged || (len(problems) == 1) != damaged {
			t.Errorf("%s: %+v, %v", text, s.AutoApprove, problems)
		}
		if s.Model.Model != "m" || !slices.Equal(s.Permissions.Deny, []string{"y"}) {
			t.Errorf("%s: lost %+v", text, s)
		}
	}
}

func TestEndpoint(t *testing.T) {
	const openai = "https://api.openai.com/v1"
	tests := []struct {
		name               string
		file, editor       string
		env                map[string]string // CLINED_…, OPENAI_… and others
		flags              map[string]string
		mode               string
		model, url, key    string // key: the value
		window             int
		warning, fail, tip string
	}{
		{name: "nothing set", fail: "no model is set", tip: "CLINED_MODEL"},
		{name: "vendor without a key", file: `{"model": "m"}`, fail: "no API key for " + openai, tip: "OPENAI_API_KEY"},
		{name: "the vendor's variable", file: `{"model": "m"}`, env: map[string]string{"OPENAI_API_KEY": "k"}, model: "m", url: openai, key: "k"},
		{name: "the vendor's variables together", file: `{"model": "m"}`, env: map[string]string{"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "https://gw/v1/"}, model: "m", url: "https://gw/v1", key: "k"},
		{name: "the vendor's key stays home", file: `{"model": "m", "baseUrl": "https://other/v1"}`, env: map[string]string{"OPENAI_API_KEY": "k"}, model: "m", url: "https://other/v1"},
		{name: "settings lie above the vendor's variables", file: `{"model": "m", "baseUrl": "https://other/v1", "apiKey": "${env:MINE}"}`,
			env: map[string]string{"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "https://gw", "MINE": "mine"}, model: "m", url: "https://other/v1", key: "mine"},
		{name: "the vendor's key by name", file: `{"model": "m", "apiKey": "${env:OPENAI_API_KEY}"}`, env: map[string]string{"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "https://gw"}, model: "m", url: "https://gw", key: "k"},
		{name: "a file's key for the vendor and the environment's URL", file: `{"model": "m", "apiKey": "${env:MINE}"}`,
			env: map[string]string{"MINE": "mine", "OPENAI_BASE_URL": "https://gw"}, model: "m", url: "https://gw", warning: "MINE is not sent to https://gw"},
		{name: "CLINED_API_KEY beside the environment's URL", file: `{"model": "m"}`,
			env: map[string]string{"CLINED_API_KEY": "c", "OPENAI_BASE_URL": "https://gw"}, model: "m", url: "https://gw", key: "c"},
		{name: "an editor's URL does not get a file's key", file: `{"model": "m", "baseUrl": "https://mine", "apiKey": "${env:MINE}"}`, editor: `{"baseUrl": "https://evil"}`,
			env: map[string]string{"MINE": "mine"}, model: "m", url: "https://evil", warning: "MINE"},
		{name: "nor does plain http of the same host", file: `{"model": "m", "baseUrl": "https://mine", "apiKey": "${env:MINE}"}`, editor: `{"baseUrl": "http://mine"}`,
			env: map[string]string{"MINE": "mine"}, model: "m", url: "http://mine", warning: "MINE"},
		{name: "another path of the same host does", file: `{"model": "m", "baseUrl": "https://mine/a", "apiKey": "${env:MINE}"}`, editor: `{"baseUrl": "https://MINE/b"}`,
			env: map[string]string{"MINE": "mine"}, model: "m", url: "https://MINE/b", key: "mine"},
		{name: "the environment's key and a flag's URL", env: map[string]string{"CLINED_API_KEY": "c"}, flags: map[string]string{"model": "m", "baseUrl": "https://x"}, model: "m", url: "https://x", key: "c"},
		{name: "the environment's key and a file's URL", file: `{"model": "m", "baseUrl": "https://mine"}`, env: map[string]string{"CLINED_API_KEY": "c"}, model: "m", url: "https://mine", key: "c"},
		{name: "variable not set", file: `{"model": "m", "baseUrl": "https://mine", "apiKey": "${env:MINE}"}`, fail: "variable MINE, which is not set", tip: "set MINE"},
		{name: "ollama wants no key", file: `{"provider": "ollama", "model": "m"}`, env: map[string]string{"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "https://gw"}, model: "m", url: "http://127.0.0.1:11434/v1"},
		{name: "plan's own model", file: `{"model": "m", "contextWindow": 9, "plan": {"model": "p"}}`, mode: "plan", env: map[string]string{"OPENAI_API_KEY": "k"}, model: "p", url: openai, key: "k"},
		{name: "act keeps the common one", file: `{"model": "m", "contextWindow": 9, "plan": {"model": "p"}}`, env: map[string]string{"OPENAI_API_KEY": "k"}, model: "m", url: openai, key: "k", window: 9},
		{name: "act's own provider inherits nothing", file: `{"model": "m", "apiKey": "${env:MINE}", "act": {"provider": "ollama", "model": "a", "contextWindow": 3}}`,
			env: map[string]string{"MINE": "mine"}, model: "a", url: "http://127.0.0.1:11434/v1", window: 3},
		{name: "nor the model", file: `{"model": "m", "act": {"provider": "ollama"}}`, fail: "no model"},
		{name: "act's own place with its key", file: `{"model": "m", "apiKey": "${env:MINE}", "act": {"baseUrl": "https://act", "apiKey": "${env:ACT}"}}`,
			env: map[string]string{"MINE": "mine", "ACT": "act"}, model: "m", url: "https://act", key: "act"},
		{name: "act's own place without a key", file: `{"model": "m", "apiKey": "${env:MINE}", "act": {"baseUrl": "https://act"}}`,
			env: map[string]string{"MINE": "mine"}, model: "m", url: "https://act", warning: "MINE"},
		{name: "a flag's model is for both modes", file: `{"plan": {"provider": "ollama", "model": "p"}, "act": {"model": "a"}}`, flags: map[string]string{"model": "m"}, mode: "plan",
			env: map[string]string{"OPENAI_API_KEY": "k"}, model: "m", url: openai, key: "k"},
		{name: "and the environment's own for a mode beside its model", env: map[string]string{"CLINED_MODEL": "m", "CLINED_PLAN_MODEL": "p", "OPENAI_API_KEY": "k"}, mode: "plan",
			model: "p", url: openai, key: "k"},
		{name: "act's own key at the common place", file: `{"model": "m", "baseUrl": "https://mine", "act": {"apiKey": "${env:ACT}"}}`,
			env: map[string]string{"ACT": "act"}, model: "m", url: "https://mine", key: "act"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var environ []string
			for k, v := range tt.env {
				environ = append(environ, k+"="+v)
			}
			fileLayer, editorLayer := file(t, tt.file), editor(t, "{}")
			if tt.editor != "" {
				editorLayer = editor(t, tt.editor)
			}
			envLayer, _ := FromEnv(environ)
			flagLayer, _ := FromFlags(tt.flags)
			s, problems := Merge(env(tt.env), fileLayer, editorLayer, envLayer, flagLayer)
			if len(problems) != 0 {
				t.Fatalf("problems: %v", problems)
			}
			mode := tt.mode
			if mode == "" {
				mode = "act"
			}
			e, err := s.Endpoint(mode, Lookup{Getenv: env(tt.env)})
			if tt.fail != "" {
				p, ok := err.(*Problem)
				if !ok || !strings.Contains(p.Message, tt.fail) || !strings.Contains(p.Hint, tt.tip) {
					t.Fatalf("error %+v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if e.Model != tt.model || e.BaseURL != tt.url || e.APIKey.Reveal() != tt.key || e.ContextWindow != tt.window {
				t.Errorf("endpoint %+v, key %q", e, e.APIKey.Reveal())
			}
			if (e.Warning != nil) != (tt.warning != "") || e.Warning != nil && !strings.Contains(e.Warning.Message, tt.warning) {
				t.Errorf("warning %+v", e.Warning)
			}
			if tt.key != "" && !slices.Contains(s.SecretEnv(), e.APIKey.Env) {
				t.Errorf("%s is not among %v", e.APIKey.Env, s.SecretEnv())
			}
		})
	}
}

func TestSecretEnv(t *testing.T) {
	user := file(t, `{"baseUrl": "https://x", "apiKey": "${env:MINE}", "plan": {"apiKey": "${env:PLAN}"}}`)
	over, _ := FromEnv([]string{"CLINED_API_KEY=c"})
	vendors := []string{"ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OPENAI_API_KEY"}
	tests := []struct {
		name   string
		layers []Layer
		want   []string
	}{
		{"every name that any layer gave", []Layer{user, over}, []string{"CLINED_API_KEY", "MINE", "PLAN"}},
		{"the vendors' when nothing is set", nil, nil},
		{"and when they are not used", []Layer{file(t, `{"provider": "ollama"}`)}, nil},
		{"a vendor's that is named", []Layer{file(t, `{"apiKey": "${env:OPENAI_API_KEY}"}`)}, nil},
	}
	for _, tt := range tests {
		s, _ := Merge(noEnv, tt.layers...)
		got := s.SecretEnv()
		slices.Sort(got)
		want := append(slices.Clone(tt.want), vendors...)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", tt.name, got, want)
		}
	}
}
