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
