package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// home gives the test a machine without any settings.
func home(t *testing.T) Dirs {
	t.Helper()
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "CLINED_") || strings.HasPrefix(name, "OPENAI_") {
			t.Setenv(name, "")
		}
	}
	t.Setenv("CLINED_HOME", t.TempDir())
	dirs, err := FindDirs()
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLoad(t *testing.T) {
	dirs := home(t)
	t.Setenv("HOME", "/home/somebody")
	write(t, dirs.SettingsFile(), `{"model": "file", "shell": "sh", "mcp.file": "~/servers.json", "caFile": "ca.pem"} // mine`)
	t.Setenv("CLINED_LOG_LEVEL", "info")
	s, problems := Load(dirs, Sources{Editor: json.RawMessage(`{"shell": "fish"}`), Flags: map[string]string{"model": "flag"}})
	if len(problems) != 0 {
		t.Errorf("problems: %v", problems)
	}
	if s.Model.Model != "flag" || s.Shell != "fish" || s.Log.Level != "info" {
		t.Errorf("settings: %+v", s)
	}
	if s.MCP.File != "/home/somebody/servers.json" || s.CAFile != filepath.Join(dirs.Config, "ca.pem") {
		t.Errorf("paths: %q, %q", s.MCP.File, s.CAFile)
	}
}

func TestLoadFromAnotherEnvironment(t *testing.T) {
	dirs := home(t)
	t.Setenv("CLINED_SHELL", "the process's")
	s, problems := Load(dirs, Sources{Environ: []string{"CLINED_MODEL=old", "CLINED_MODEL=m", "OPENAI_BASE_URL=https://gw"}})
	e, err := s.Endpoint("act", Lookup{Getenv: noEnv})
	if err != nil || len(problems) != 0 || s.Shell != "" || e.Model != "m" || e.BaseURL != "https://gw" {
		t.Errorf("%+v, %v, %v", e, err, problems)
	}
}

func TestLoadWithoutAFile(t *testing.T) {
	s, problems := Load(home(t), Sources{})
	if len(problems) != 0 || s.AutoApprove != Default().AutoApprove {
		t.Errorf("%+v, %v", s, problems)
	}
}

func TestLoadGoesOnWithoutABrokenFile(t *testing.T) {
	dirs := home(t)
	write(t, dirs.SettingsFile(), "{\n\"model\": ]}")
	s, problems := Load(dirs, Sources{Flags: map[string]string{"model": "flag"}})
	if s.Model.Model != "flag" || len(problems) != 2 || !strings.HasPrefix(problems[0].Error(), dirs.SettingsFile()+":2:10: ") {
		t.Errorf("%+v, %v", s.Model, problems)
	}
}

func TestLoadGoesOnWithoutAnUnreadableFile(t *testing.T) {
	dirs := home(t)
	if err := os.MkdirAll(dirs.SettingsFile(), 0o700); err != nil { // a folder in its place
		t.Fatal(err)
	}
	s, problems := Load(dirs, Sources{Flags: map[string]string{"model": "flag", "autoApprove.edit": "true"}})
	if s.Model.Model != "flag" || s.AutoApprove.Edit || len(problems) != 2 || !strings.Contains(problems[0].Message, "cannot be read") {
		t.Errorf("%+v, %v", s, problems)
	}
}

func TestFindDirs(t *testing.T) {
	t.Setenv("CLINED_HOME", "")
	t.Setenv("HOME", "/h")
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, "")
	}
	check := func(want Dirs) {
		t.Helper()
		if got, err := FindDirs(); err != nil || got != want {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
	}
	check(Dirs{Config: "/h/.config/clined", State: "/h/.local/state/clined", Cache: "/h/.cache/clined"})
	t.Setenv("XDG_CONFIG_HOME", "/c")
	t.Setenv("XDG_STATE_HOME", "/s")
	t.Setenv("XDG_CACHE_HOME", "/k")
	check(Dirs{Config: "/c/clined", State: "/s/clined", Cache: "/k/clined"})
	t.Setenv("XDG_STATE_HOME", "relative")
	check(Dirs{Config: "/c/clined", State: "/h/.local/state/clined", Cache: "/k/clined"})
	t.Setenv("CLINED_HOME", "/one")
	check(Dirs{Config: "/one", State: "/one/state", Cache: "/one/cache"})
}

// A key is in nothing that is printed, logged or written, and the
// children of the daemon do not get the variable.
func TestSecretsAreNeverShown(t *testing.T) {
	const canary = "sk-CANARY123"
	dirs := home(t)
	write(t, dirs.SettingsFile(), `{"model": "m", "baseUrl": "https://x", "apiKey": "${env:CANARY_KEY}", "plan": {"apiKey": "`+canary+`"}}`)
	t.Setenv("CANARY_KEY", canary)
	s, problems := Load(dirs, Sources{})
	e, err := s.Endpoint("act", Lookup{Getenv: os.Getenv})
	if err != nil || e.APIKey.Reveal() != canary {
		t.Fatalf("endpoint %v, %v", e, err)
	}
	if names := s.SecretEnv(); !slices.Contains(names, "CANARY_KEY") {
		t.Errorf("SecretEnv: %v", names)
	}
	var out bytes.Buffer
	for _, log := range []*slog.Logger{slog.New(slog.NewTextHandler(&out, nil)), slog.New(slog.NewJSONHandler(&out, nil))} {
		log.Info("start", "settings", s, "endpoint", e, "problems", problems, "key", e.APIKey, "value", *e)
	}
	for _, v := range []any{s, *s, e, *e, problems, e.APIKey, &e.APIKey, struct{ hidden Secret }{e.APIKey}} {
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			fmt.Fprintf(&out, format+"\n", v)
		}
		b, err := json.Marshal(v)
		if err != nil {
			t.Error(err)
		}
		out.Write(b)
	}
	if shown := out.String(); strings.Contains(shown, canary) || strings.Contains(shown, fmt.Sprintf("%x", canary)) {
		t.Errorf("the key is shown:\n%s", shown)
	}
	if (Secret{}).String() != "" || !(Secret{}).IsZero() {
		t.Error("an empty secret looks like one")
	}
}
