package scenario

import (
	"maps"
	"os"
	"path/filepath"
	"strings"

	"clined/internal/test/fakellm"

	"golang.org/x/tools/txtar"
)

// build lays out the folders and starts the model.
func (s *Stage) build(ar *txtar.Archive) {
	s.t.Helper()
	s.subst = strings.NewReplacer("$WS", s.ws, "$DIR", s.dir)
	s.model = fakellm.Start(s.t, s.subst.Replace(repeat(s.parts["model"])))
	servers, err := s.serversOf(s.parts)
	if err != nil {
		s.t.Fatal(err)
	}
	maps.Copy(s.commands, servers)
	write := func(name, text string) {
		path := filepath.Join(s.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
	if err := os.MkdirAll(s.ws, 0o755); err != nil {
		s.t.Fatal(err)
	}
	for _, f := range ar.Files {
		if strings.Contains(f.Name, "/") && !strings.HasPrefix(f.Name, "want/") && !strings.HasPrefix(f.Name, "mcp/") {
			write(f.Name, string(f.Data))
		}
	}
	settings := s.parts["settings.json"]
	if settings == "" {
		settings = `{"model": "fake-model", "baseUrl": "$MODEL_URL"}`
	}
	write("home/settings.json", s.subst.Replace(strings.ReplaceAll(settings, "$MODEL_URL", s.model.URL())))
	if _, ok := s.parts["mcp.json"]; ok {
		if err := s.writeServers([]string{"mcp.json"}); err != nil {
			s.t.Fatal(err)
		}
	}
}

func envOf(text string) []string {
	var env []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			env = append(env, line)
		}
	}
	return env
}

func (s *Stage) checkWanted(ar *txtar.Archive) {
	for _, f := range ar.Files {
		name, ok := strings.CutPrefix(f.Name, "want/")
		if !ok {
			continue
		}
		got, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
		if err != nil {
			s.t.Errorf("%s: %v", name, err)
			continue
		}
		if string(got) != string(f.Data) {
			s.t.Errorf("%s holds %q, want %q", name, got, f.Data)
		}
	}
}
