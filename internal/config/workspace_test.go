package config

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// workspaceLayer is the layer of a workspace's file.
func workspaceLayer(text string) Layer {
	l, _ := FromFile("/w/.clined/settings.json", []byte(text))
	l.rank, l.root, l.hash = workspaceRank, "/w", LooseningHash(l)
	return l
}

func TestKeysSayWhatAWorkspaceMay(t *testing.T) {
	for _, k := range Keys() {
		v := reflect.New(k.typ).Elem()
		switch k.Workspace {
		case Free, Trusted:
		case Tighten: // its values must have an order
			if k.looseness(v) < 0 && k.Choices == nil || k.Type == Text || k.Type == List || k.Type == Costs {
				t.Errorf("%s has no order", k.Name)
			}
		default:
			t.Errorf("%s does not say what a workspace may do", k.Name)
		}
	}
	for name, want := range map[string]Say{"apiKey": Trusted, "baseUrl": Trusted, "plan.baseUrl": Trusted, "act.provider": Trusted, "proxy": Trusted, "caFile": Trusted,
		"shell": Trusted, "mcp.file": Trusted, "permissions.allow": Trusted, "prices": Trusted, "autoApprove.edit": Tighten, "limits.cost": Tighten,
		"permissions.deny": Free, "permissions.ask": Free} {
		if k, _ := findKey(name); k.Workspace != want {
			t.Errorf("%s is %s", name, k.Workspace)
		}
	}
}

func TestWorkspaceTightensOnly(t *testing.T) {
	user := file(t, `{"model": "mine", "autoApprove": {"edit": true, "command": "safe"}, "limits": {"requests": 20}, "permissions": {"allow": ["make"], "deny": ["rm"]}}`)
	tests := []struct {
		text string
		held string // keys, "" for none
		ok   func(s *Settings) bool
	}{
		{`{"model": "theirs"}`, "", func(s *Settings) bool { return s.Model.Model == "theirs" }},
		{`{"autoApprove": {"edit": false, "read": false}}`, "", func(s *Settings) bool { return !s.AutoApprove.Edit && !s.AutoApprove.Read }},
		{`{"autoApprove": {"edit": true, "mcp": true}}`, "autoApprove.mcp", func(s *Settings) bool { return s.AutoApprove.Edit && !s.AutoApprove.MCP }},
		{`{"autoApprove.command": true}`, "autoApprove.command", func(s *Settings) bool { return s.AutoApprove.Command == SafeCommands }},
		{`{"autoApprove.command": false}`, "", func(s *Settings) bool { return s.AutoApprove.Command == NoCommands }},
		{`{"limits": {"requests": 10, "cost": 2}}`, "", func(s *Settings) bool { return s.Limits == Limits{10, 2} }},
		{`{"limits": {"requests": 0}}`, "limits.requests", func(s *Settings) bool { return s.Limits.Requests == 20 }},
		{`{"limits": {"requests": 21}}`, "limits.requests", func(s *Settings) bool { return s.Limits.Requests == 20 }},
		{`{"commandTimeout": 601, "requestTimeout": 999}`, "commandTimeout", func(s *Settings) bool { return s.CommandTimeout == 600 && s.RequestTimeout == 999 }},
		{`{"permissions": {"allow": ["make"], "ask": ["a"], "deny": ["b"]}}`, "", func(s *Settings) bool {
			return slices.Equal(s.Permissions.Deny, []string{"rm", "b"}) && slices.Equal(s.Permissions.Ask, []string{"a"})
		}},
		{`{"permissions": {"allow": ["make", "sh"]}}`, "permissions.allow", func(s *Settings) bool { return slices.Equal(s.Permissions.Allow, []string{"make"}) }},
		{`{"baseUrl": "https://evil", "apiKey": "${env:MINE}", "act": {"baseUrl": "https://evil"}}`, "baseUrl apiKey act.baseUrl", func(s *Settings) bool { return s.BaseURL == "" && !slices.Contains(s.SecretEnv(), "MINE") }},
		{`{"shell": "./sh", "proxy": "http://evil", "mcp.file": "m.json", "caFile": "ca.pem", "log.file": true}`, "shell proxy mcp.file caFile log.file", func(s *Settings) bool { return s.Shell == "" }},
		{`{"prices": {"theirs": {"input": 0}}}`, "prices", func(s *Settings) bool { return s.Prices == nil }},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			l := workspaceLayer(tt.text)
			s, problems := Merge(noEnv, user, l)
			var keys []string
			for _, p := range problems {
				keys = append(keys, p.Key)
				if p.Level != slog.LevelWarn || p.Line != 1 || p.Column < 2 || p.Source != l.Source || !strings.Contains(p.Hint, "clined trust /w") {
					t.Errorf("problem %+v", p)
				}
			}
			if strings.Join(keys, " ") != tt.held || !tt.ok(s) {
				t.Errorf("held %v: %+v", keys, s)
			}
			if u := s.Untrusted(); (len(u) == 1) != (tt.held != "") || len(u) == 1 && (u[0].Hash != LooseningHash(l) || len(u[0].Loosens) != len(keys)) {
				t.Errorf("untrusted %+v", u)
			}
			l.trusted = true
			if _, problems := Merge(noEnv, user, l); len(problems) != 0 {
				t.Errorf("trusted: %v", problems)
			}
		})
	}
}

// policy is all that a setting can loosen; each figure is greater the looser.
func policy(s *Settings) map[string]float64 {
	p := map[string]float64{}
	for _, k := range keys() {
		if field := reflect.ValueOf(s).Elem().FieldByIndex(k.index); k.Workspace == Tighten {
			p[k.Name] = k.looseness(field)
		}
	}
	for _, rule := range s.Permissions.Allow {
		p["allow "+rule] = 1
	}
	for _, rules := range [][]string{s.Permissions.Ask, s.Permissions.Deny} {
		for _, rule := range rules {
			p["forbid "+rule] = -1
		}
	}
	return p
}

// places are where things go, and what programs and files are used: a workspace
// must not touch them.
func places(s *Settings) string {
	var b strings.Builder
	for _, mode := range []string{"plan", "act"} {
		w := s.where(mode)
		fmt.Fprintln(&b, w.provider, w.url, w.key, w.keyOrigin)
	}
	fmt.Fprintln(&b, s.Proxy, s.CAFile, s.Shell, s.MCP.File, s.Log, s.Prices, s.SecretEnv())
	return b.String()
}

// For any file of a workspace that is not trusted, what holds is never looser
// than without it. With the user's trust the file holds like any other.
func TestUntrustedNeverLoosens(t *testing.T) {
	for seed := range uint64(2000) {
		s := scribble{rand.New(rand.NewPCG(seed, 2))}
		user, _ := FromFile("/u/settings.json", []byte(s.file()))
		ed, _ := FromEditor([]byte(s.one("", "{}", `{"autoApprove": {"edit": true}, "limits.cost": 1}`, `{"baseUrl": "https://ed", "apiKey": "keyring"}`)))
		env, _ := FromEnv([]string{"CLINED_MODEL=" + s.one("", "m"), "CLINED_AUTO_APPROVE_COMMAND=" + s.one("", "safe", "true")})
		text := s.file()
		w := workspaceLayer(strings.TrimPrefix(text, "\ufeff"))
		without, _ := Merge(noEnv, user, ed, env)
		with, _ := Merge(noEnv, user, w, ed, env)
		before, after := policy(without), policy(with)
		for name, figure := range after {
			if was, ok := before[name]; figure > was || !ok && figure > 0 {
				t.Errorf("%s went from %v to %v", name, was, figure)
			}
		}
		for name, figure := range before {
			if now, ok := after[name]; figure < 0 && (!ok || now > figure) {
				t.Errorf("%s is gone", name)
			}
		}
		if a, b := places(without), places(with); a != b {
			t.Errorf("places changed:\n%s%s", a, b)
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, text)
		}
	}
	if math.IsInf(policy(&Settings{})["limits.cost"], 1) == false {
		t.Error("no limit is the loosest limit")
	}
}

// FuzzUntrusted: whatever a repository brings along.
func FuzzUntrusted(f *testing.F) {
	for _, s := range []string{"", "{", `{"autoApprove":{"edit":true}}`, `{"permissions":{"allow":["x"],"deny":["x"]}}`, `{"autoApprove":1,"limits.cost":0}`, `{"act":{"baseUrl":"https://x"}}`} {
		f.Add([]byte(s))
	}
	user, _ := FromFile("u", []byte(`{"autoApprove": {"read": false}, "limits": {"cost": 2}, "permissions": {"deny": ["rm"], "allow": ["ls"]}, "apiKey": "${env:K}"}`))
	without, _ := Merge(noEnv, user)
	f.Fuzz(func(t *testing.T, text []byte) {
		with, _ := Merge(noEnv, user, workspaceLayer(string(text)))
		before := policy(without)
		for name, figure := range policy(with) {
			if was, ok := before[name]; figure > was || !ok && figure > 0 {
				t.Errorf("%s went from %v to %v", name, was, figure)
			}
		}
		if a, b := places(without), places(with); a != b {
			t.Errorf("places changed:\n%s%s", a, b)
		}
	})
}

func TestLooseningHash(t *testing.T) {
	hash := func(text string) string { return LooseningHash(workspaceLayer(text)) }
	one := hash(`{"autoApprove": {"edit": true, "read": false}, "shell": "sh", "prices": {"a": {"input": 1}, "b": {"output": 2}}, "model": "m"}`)
	for _, same := range []string{
		`{"shell": "sh", /* x */ "prices": {"b": {"output": 2.0}, "a": {"input": 1, "cacheRead": 0}}, "autoApprove.edit": true}`,
		`{"model": "other", "reasoning": "high", "permissions": {"deny": ["x"], "allow": []}, "shell": "zsh", "shell": "sh", "autoApprove": {"edit": true, "mcp": false}, "prices": {"a": {"input": 1e0}, "b": {"output": 2}}}`,
	} {
		if hash(same) != one {
			t.Errorf("another hash for %s", same)
		}
	}
	for _, other := range []string{
		`{"autoApprove": {"edit": true}, "shell": "sh"}`,
		`{"autoApprove": {"edit": true}, "shell": "sh", "prices": {"a": {"input": 1}, "b": {"output": 3}}}`,
		`{"autoApprove": {"edit": true, "mcp": true}, "shell": "sh", "prices": {"a": {"input": 1}, "b": {"output": 2}}}`,
		`{"plan": {"model": "m"}, "autoApprove": {"edit": true}, "shell": "sh ", "prices": {"a": {"input": 1}, "b": {"output": 2}}}`,
	} {
		if hash(other) == one {
			t.Errorf("the same hash for %s", other)
		}
	}
	for _, nothing := range []string{"", "{", `{"model": "m", "autoApprove": {"edit": false, "command": false}, "toolCalling": "none", "permissions": {"allow": [], "deny": ["x"]}, "prices": {}}`} {
		if hash(nothing) != "" {
			t.Errorf("a hash for %s", nothing)
		}
	}
}

func TestLoadFromWorkspaces(t *testing.T) {
	dirs := home(t)
	real, link := filepath.Join(t.TempDir(), "a b"), filepath.Join(t.TempDir(), "link")
	write(t, WorkspaceFile(real), "{\n  \"model\": \"w\",\n  \"mcp.file\": \"tools/mcp.json\"}")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	write(t, dirs.SettingsFile(), `{"model": "u", "caFile": "ca.pem"}`)
	s, problems := Load(dirs, Sources{Roots: []string{link}})
	if s.Model.Model != "w" || s.MCP.File != "" || len(problems) != 1 {
		t.Fatalf("%+v, %v", s, problems)
	}
	if p := problems[0]; p.Error() != WorkspaceFile(real)+`:3:15: "mcp.file" of this workspace does not hold: the workspace is not trusted as it is now` ||
		!strings.HasSuffix(p.Hint, "clined trust '"+real+"'") {
		t.Errorf("%v, hint %s", &p, p.Hint)
	}
	w, problems := ReadWorkspace(link)
	if w.Root != real || len(problems) != 0 || len(w.Loosens) != 1 || w.Loosens[0].Line != 3 || string(w.Loosens[0].Value) != `"tools/mcp.json"` {
		t.Errorf("%+v, %v", w, problems)
	}
	if u := s.Untrusted(); len(u) != 1 || u[0].Hash != w.Hash || u[0].Root != real {
		t.Errorf("trust in %+v would not be trust in %+v", u, w)
	}
	s, problems = Load(dirs, Sources{Roots: []string{link}, Trusted: func(root, hash string) bool { return root == real && hash == w.Hash }})
	if s.MCP.File != filepath.Join(real, "tools", "mcp.json") || s.CAFile != filepath.Join(dirs.Config, "ca.pem") || len(problems) != 0 || len(s.Untrusted()) != 0 {
		t.Errorf("%+v, %v", s, problems)
	}
	if files := (Sources{Roots: []string{real}}).Files(dirs); !slices.Equal(files, []string{dirs.SettingsFile(), WorkspaceFile(real)}) {
		t.Errorf("files: %v", files)
	}
}

func TestLoadFromOddWorkspaces(t *testing.T) {
	dirs, root := home(t), t.TempDir()
	write(t, dirs.SettingsFile(), `{"autoApprove": {"edit": true, "read": false}}`)
	write(t, filepath.Join(root, "file", ".clined"), "")
	write(t, WorkspaceFile(filepath.Join(root, "broken")), "{")
	own := filepath.Join(root, "own")
	if err := errors.Join(os.MkdirAll(WorkspaceFile(filepath.Join(root, "folder")), 0o700), os.MkdirAll(filepath.Join(own, ".clined"), 0o700),
		os.Symlink(dirs.SettingsFile(), WorkspaceFile(own))); err != nil {
		t.Fatal(err)
	}
	for name, problems := range map[string]int{"nothing": 0, "file": 0, "own": 0, "broken": 2, "folder": 2} {
		s, got := Load(dirs, Sources{Roots: []string{filepath.Join(root, name)}})
		if len(got) != problems || s.AutoApprove.Edit != (problems == 0) || s.AutoApprove.Read {
			t.Errorf("%s: %+v, %v", name, s.AutoApprove, got)
		}
	}
}
