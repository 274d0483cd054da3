package daemon

import (
	"context"
	"testing"

	"clined/internal/config"
	"clined/internal/tools"
)

// A model that the user picks goes where the settings send it: with the mode
// that names it, or else to the address that no mode overrides.
func TestChosenModel(t *testing.T) {
	layer, problems := config.FromFile("settings.json", []byte(`{
		"model": "base", "baseUrl": "http://127.0.0.1:1/v1", "contextWindow": 1000,
		"plan": {"provider": "ollama", "model": "planner:8b"},
		"act": {"model": "actor", "baseUrl": "http://127.0.0.1:2/v1"}
	}`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	settings, _ := config.Merge(func(string) string { return "" }, layer)
	for _, tt := range []struct {
		chosen string
		mode   tools.Mode
		url    string
		window int
	}{
		{"", tools.Plan, "http://127.0.0.1:11434/v1", 32_768},
		{"", tools.Act, "http://127.0.0.1:2/v1", 128_000},
		{"base", tools.Plan, "http://127.0.0.1:1/v1", 1000},
		{"base", tools.Act, "http://127.0.0.1:1/v1", 1000},
		{"planner:8b", tools.Act, "http://127.0.0.1:11434/v1", 32_768},
		{"actor", tools.Plan, "http://127.0.0.1:2/v1", 128_000},
		{"another", tools.Plan, "http://127.0.0.1:1/v1", 128_000},
		{"another", tools.Act, "http://127.0.0.1:1/v1", 128_000},
	} {
		m := &models{settings: func() *config.Settings { return settings }, lookup: func(context.Context) config.Lookup { return config.Lookup{Getenv: func(string) string { return "" }} }}
		m.Choose(tt.chosen)
		e, model, err := m.chooseLocked(tt.mode)
		if err != nil {
			t.Errorf("%q in %s mode: %v", tt.chosen, tt.mode, err)
			continue
		}
		if e.BaseURL != tt.url || model.ContextWindow != tt.window || tt.chosen != "" && model.ID != tt.chosen {
			t.Errorf("%q in %s mode: %q at %s with a window of %d, want %s and %d",
				tt.chosen, tt.mode, model.ID, e.BaseURL, model.ContextWindow, tt.url, tt.window)
		}
		if tt.chosen != "" && settings.Model.Model != "base" {
			t.Fatal("the settings were changed")
		}
	}
}
