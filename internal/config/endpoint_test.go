package config

import (
	"errors"
	"strings"
	"testing"
)

func TestStoredKeys(t *testing.T) {
	kept := map[string]string{
		"openai@https://api.openai.com": "vendor", "openai@https://mine": "mine", "ollama@http://127.0.0.1:11434": "local", "openai@https://act": "act",
	}
	tests := []struct {
		name, file string
		env        map[string]string
		key, from  string
		fail, tip  string
	}{
		{name: "stored and not named", file: `{"model": "m"}`, key: "vendor", from: "keyring"},
		{name: "a variable goes before", file: `{"model": "m"}`, env: map[string]string{"OPENAI_API_KEY": "k"}, key: "k", from: "OPENAI_API_KEY"},
		{name: "unless it is named", file: `{"model": "m", "apiKey": "keyring"}`, env: map[string]string{"OPENAI_API_KEY": "k"}, key: "vendor", from: "keyring"},
		{name: "by host", file: `{"model": "m", "baseUrl": "https://MINE/v1", "apiKey": "keyring"}`, key: "mine", from: "keyring"},
		{name: "never to another", file: `{"model": "m", "baseUrl": "https://other/v1"}`},
		{name: "never over plain http", file: `{"model": "m", "baseUrl": "http://mine/v1"}`},
		{name: "named and not there", file: `{"model": "m", "baseUrl": "https://other/v1", "apiKey": "keyring"}`, fail: "no stored API key for https://other/v1",
			tip: "clined auth login --provider openai --base-url https://other/v1"},
		{name: "by provider", file: `{"provider": "ollama", "model": "m"}`, key: "local", from: "keyring"},
		{name: "by mode", file: `{"model": "m", "apiKey": "keyring", "act": {"baseUrl": "https://act/v1"}}`, key: "act", from: "keyring"},
		{name: "a variable that is not set is no way to a stored one", file: `{"model": "m", "apiKey": "${env:NONE}"}`, fail: "NONE"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, problems := Merge(env(tt.env), file(t, tt.file))
			if len(problems) != 0 {
				t.Fatal(problems)
			}
			e, err := s.Endpoint("act", Lookup{Getenv: env(tt.env), Stored: func(account string) (string, string, error) {
				return kept[account], "keyring", nil
			}})
			if tt.fail != "" {
				var p *Problem
				if !errors.As(err, &p) || !strings.Contains(p.Message, tt.fail) || !strings.Contains(p.Hint, tt.tip) {
					t.Fatalf("%+v", err)
				}
				return
			}
			if err != nil || e.APIKey.Reveal() != tt.key || e.KeyFrom != tt.from || e.Warning != nil {
				t.Errorf("%v, %+v", err, e)
			}
		})
	}
}

func TestAKeyringThatFails(t *testing.T) {
	hangs := Lookup{Getenv: noEnv, Stored: func(string) (string, string, error) { return "", "", errors.New("it hangs") }}
	s, _ := Merge(noEnv, file(t, `{"model": "m", "baseUrl": "https://mine", "apiKey": "keyring"}`))
	if _, err := s.Endpoint("act", hangs); err == nil || !strings.Contains(err.Error(), "it hangs") {
		t.Errorf("%v", err)
	}
	if _, err := s.Endpoint("act", Lookup{Getenv: noEnv}); err == nil {
		t.Error("no store, and no error")
	}
	s, _ = Merge(noEnv, file(t, `{"model": "m", "baseUrl": "https://mine"}`)) // which may want no key
	if e, err := s.Endpoint("act", hangs); err != nil || e.Warning == nil || !strings.Contains(e.Warning.Message, "it hangs") {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestReasoningAndPrices(t *testing.T) {
	s, problems := Merge(noEnv, file(t, `{"provider": "ollama", "model": "m", "reasoning": "low", "plan": {"reasoning": "high", "model": "p"},
		"prices": {"m": {"input": 1, "output": 2, "cacheRead": 0.1, "cacheWrite": 1.25}}}`), editor(t, `{"prices": {"p": {"output": 4}, "m": {"output": 3}}}`))
	act, err := s.Endpoint("act", Lookup{Getenv: noEnv})
	plan, also := s.Endpoint("plan", Lookup{Getenv: noEnv})
	if err := errors.Join(err, also); err != nil || len(problems) != 0 {
		t.Fatal(err, problems)
	}
	if act.Reasoning != "low" || *act.Price != (Price{Output: 3}) || plan.Reasoning != "high" || *plan.Price != (Price{Output: 4}) {
		t.Errorf("%+v, %+v", act, plan)
	}
	s, _ = Merge(noEnv, file(t, `{"model": "m", "reasoning": "low", "act": {"provider": "ollama", "model": "a"}}`))
	if act, err = s.Endpoint("act", Lookup{Getenv: noEnv}); err != nil || act.Reasoning != "" || act.Price != nil {
		t.Errorf("another provider inherits: %+v, %v", act, err)
	}
}

// An endpoint that is only asked gets a key by the same rules: one that was given
// for its host, and no other.
func TestEndpointAt(t *testing.T) {
	kept := map[string]string{"openai@https://api.openai.com": "vendor", "openai@https://mine": "mine", "ollama@http://127.0.0.1:11434": "local"}
	const set = `{"model": "m", "baseUrl": "https://set/v1", "apiKey": "${env:SET}", "plan": {"baseUrl": "https://plan/v1/", "apiKey": "${env:PLAN}"}}`
	vars := map[string]string{"SET": "of set", "PLAN": "of plan", "OPENAI_API_KEY": "vendor's"}
	for _, tt := range []struct {
		file, provider, baseURL, tried string
		env                            map[string]string
		url, key, fail                 string
	}{
		{file: `{}`, env: vars, url: "https://api.openai.com/v1", key: "vendor's"},
		{file: `{}`, url: "https://api.openai.com/v1", key: "vendor"},
		{file: set, env: vars, url: "https://set/v1", key: "of set"},
		{file: set, env: vars, provider: "openai", url: "https://api.openai.com/v1", key: "vendor's"},
		{file: set, env: vars, provider: "ollama", url: "http://127.0.0.1:11434/v1", key: "local"},
		{file: set, env: vars, baseURL: "https://set/v2/", url: "https://set/v2", key: "of set"},
		{file: set, env: vars, baseURL: "http://set/v1", url: "http://set/v1"},
		{file: set, env: vars, baseURL: "https://set:8443/v1", url: "https://set:8443/v1"},
		{file: set, env: vars, baseURL: "https://plan/v1", url: "https://plan/v1", key: "of plan"},
		{file: set, env: vars, baseURL: "https://other/v1", url: "https://other/v1"},
		{file: set, env: vars, baseURL: "https://mine/v1", url: "https://mine/v1", key: "mine"},
		{file: set, env: vars, provider: "ollama", baseURL: "https://mine/v1", url: "https://mine/v1"},
		{file: set, baseURL: "https://set/v1", fail: "SET, which is not set"},
		{file: set, baseURL: "https://set/v1", tried: "typed", url: "https://set/v1", key: "typed"},
		{file: set, env: vars, baseURL: "https://set/v1", tried: "typed", url: "https://set/v1", key: "typed"},
		{file: set, env: vars, baseURL: "https://mine/v1", tried: "typed", url: "https://mine/v1", key: "typed"},
		{file: `{}`, env: vars, provider: "openai", tried: "typed", url: "https://api.openai.com/v1", key: "typed"},
		{file: `{}`, provider: "openai", tried: "typed", url: "https://api.openai.com/v1", key: "typed"},
		{file: set, provider: "nobody", tried: "typed", fail: `no provider "nobody"`},
		{file: set, baseURL: "https://u:p@set/v1", tried: "typed", fail: "must be an http"},
		{file: `{}`, baseURL: "https://api.openai.com.evil/v1", env: vars, url: "https://api.openai.com.evil/v1"},
		{file: set, baseURL: "localhost:1234", fail: "must be an http"},
		{file: set, baseURL: "https://u:p@set/v1", fail: "must be an http"},
		{file: set, provider: "nobody", fail: `no provider "nobody"`},
		{file: set, provider: "nobody", baseURL: "https://set/v1", fail: `no provider "nobody"`},
	} {
		s, _ := Merge(env(tt.env), file(t, tt.file))
		e, err := s.EndpointAt(tt.provider, tt.baseURL, tt.tried, Lookup{Getenv: env(tt.env), Stored: func(account string) (string, string, error) {
			return kept[account], "keyring", nil
		}})
		if tt.fail != "" {
			var p *Problem
			if !errors.As(err, &p) || !strings.Contains(p.Message, tt.fail) || p.Hint == "" {
				t.Errorf("%+v: %v", tt, err)
			}
			continue
		}
		if err != nil || e.BaseURL != tt.url || e.APIKey.Reveal() != tt.key {
			t.Errorf("%+v: %v, %+v with %q", tt, err, e, e.APIKey.Reveal())
		}
	}
	s, _ := Merge(noEnv, file(t, `{}`))
	if _, err := s.EndpointAt("openai", "", "", Lookup{Getenv: noEnv}); err == nil || !strings.Contains(err.Error(), "no API key") {
		t.Errorf("no key: %v", err)
	}
}

func TestDiscover(t *testing.T) {
	for _, tt := range []struct {
		user, workspace, editor string
		want                    string
	}{
		{`{}`, `{}`, `{}`, "9"},
		{`{"discover": ["http://127.0.0.1:1/v1", "http://[::1]:2"]}`, `{}`, `{}`, "http://127.0.0.1:1/v1 http://[::1]:2"},
		{`{"discover": []}`, `{}`, `{}`, ""},
		{`{"discover": ["http://127.0.0.1:1/v1"]}`, `{"discover": ["http://127.0.0.1:2/v1"]}`, `{}`, "http://127.0.0.1:1/v1"},
		{`{"discover": ["http://127.0.0.1:1/v1"]}`, `{}`, `{"discover": ["http://127.0.0.1:3/v1"]}`, "http://127.0.0.1:3/v1"},
		{`{"discover": ["ftp://127.0.0.1"]}`, `{}`, `{}`, "9"},
		{`{"discover": ["http://u:p@127.0.0.1"]}`, `{}`, `{}`, "9"},
	} {
		user, _ := FromFile("settings.json", []byte(tt.user))
		workspace := file(t, tt.workspace)
		workspace.rank = workspaceRank
		s, _ := Merge(noEnv, user, workspace, editor(t, tt.editor))
		got := strings.Join(s.Discover, " ")
		if len(s.Discover) == len(usualPlaces()) {
			got = "9"
		}
		if got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}
