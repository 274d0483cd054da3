package scenario

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clined/internal/test/fakellm"

	"golang.org/x/tools/txtar"
)

// build lays out the folders and starts the model.
func (s *Stage) build(ar *txtar.Archive) {
	s.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	s.subst = strings.NewReplacer("$WS", s.ws, "$DIR", s.dir, "$OUTSIDE", s.outside(), "$PROGRAM", exe, "$SLEEP", fmt.Sprintf("600.%09d", rand.IntN(1e9)))
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

// outside makes a folder that is neither in the workspace nor among temporary
// files, for stories that name it.
func (s *Stage) outside() string {
	s.t.Helper()
	if !strings.Contains(strings.Join(slices.Collect(maps.Values(s.parts)), ""), "$OUTSIDE") {
		return ""
	}
	return Outside(s.t)
}

// Outside returns a new folder that no sandbox lets commands write, which is gone
// when the test is over.
func Outside(t testing.TB) string {
	t.Helper()
	home, _ := os.UserHomeDir() // else the others
	here, _ := os.Getwd()
	for _, base := range []string{home, here, "/srv", "/opt"} {
		if base == "" || strings.HasPrefix(base+"/", "/tmp/") || strings.HasPrefix(base+"/", "/var/tmp/") {
			continue
		}
		dir, err := os.MkdirTemp(base, "clined-test-")
		if err != nil {
			continue
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		return dir
	}
	t.Fatal("there is no folder outside of those for temporary files")
	return ""
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
