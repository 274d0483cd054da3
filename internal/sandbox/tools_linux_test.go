package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Tools with caches of their own work in a home folder where nothing else can be
// written.
func TestTools(t *testing.T) {
	home := t.TempDir()
	ws := filepath.Join(t.TempDir(), "ws")
	if err := os.Mkdir(ws, 0o700); err != nil {
		t.Fatal(err)
	}
	var env []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if !slices.Contains([]string{"HOME", "GOCACHE", "GOMODCACHE", "GOPATH", "GOFLAGS", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "TMPDIR"}, name) {
			env = append(env, kv)
		}
	}
	tmp := t.TempDir()
	// The cache of who runs the tests: an empty one would be filled for half a minute.
	built, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(home, ".config/go"), 0o700); err != nil {
		t.Fatal(err)
	}
	env = append(env, "HOME="+home, "TMPDIR="+tmp, "GOCACHE="+strings.TrimSpace(string(built)), "GOFLAGS=-mod=mod", "GOPROXY=off", "GIT_CONFIG_NOSYSTEM=1")
	plan := Plan{Workspace: []string{ws}, Writable: append([]string{tmp}, Caches(env, home)...), Network: true, Required: true}
	run := func(line string) (string, int) {
		cmd := exec.Command("/bin/sh", "-c", line)
		cmd.Dir, cmd.Env = ws, env
		return start(t, here(), cmd, plan)
	}
	write(t, filepath.Join(ws, "go.mod"), "module example.com/m\n")
	write(t, filepath.Join(ws, "main.go"), "package main\n\nfunc main() { println(\"built\") }\n")
	write(t, filepath.Join(ws, "main_test.go"), "package main\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { t.TempDir() }\n")
	for _, c := range []struct{ line, says string }{
		{"go build -o m . && ./m", "built"},
		{"go test .", "ok"},
		{"git init -q . && git add . && git -c user.name=A -c user.email=a@example.com commit -qm m && git log --oneline", "m"},
		{"mkdir -p ~/.cache/pip/http ~/.cache/uv/x ~/.cache/any && echo x > ~/.cache/pip/http/y && echo ok", "ok"},
	} {
		if out, exit := run(c.line); exit != 0 || !strings.Contains(out, c.says) {
			t.Errorf("%s: exit %d: %s", c.line, exit, out)
		}
	}
	for _, line := range []string{"echo x > ~/.bashrc", "echo x > ~/.gitconfig", "mkdir ~/go/bin", "mkdir -p ~/.config/x", "go env -w GOFLAGS=-x", "git config --global user.name B"} {
		out, exit := run(line)
		if exit == 0 {
			t.Errorf("%s: %s", line, out)
		}
		if why := Refusal(exit, out, plan); !strings.Contains(why, "does not let commands write \""+home) {
			t.Errorf("%s: %q of %q", line, why, out)
		}
	}
}

func TestCaches(t *testing.T) {
	home, bin := t.TempDir(), t.TempDir()
	for _, program := range []string{"go", "npm", "cargo"} {
		if err := os.WriteFile(filepath.Join(bin, program), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	elsewhere := t.TempDir()
	env := []string{"PATH=relative:" + bin, "CARGO_HOME=" + elsewhere + "/cargo", "GOPATH=" + home + "/gopath:/other",
		"UV_CACHE_DIR=" + elsewhere + "/uv", "PIP_CACHE_DIR=" + home, "DENO_DIR=/", "HF_HOME=relative", "CCACHE_DIR=" + filepath.Dir(home)}
	got := Caches(env, home)
	for _, want := range []string{home + "/.cache", home + "/gopath/pkg", home + "/.npm", elsewhere + "/cargo/registry", elsewhere + "/cargo/.package-cache", elsewhere + "/uv", home + "/.gradle/caches"} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	for _, path := range got {
		if within(home, path) || !filepath.IsAbs(path) || path == elsewhere+"/cargo" || strings.HasPrefix(path, home+"/.cargo") {
			t.Errorf("%q may be written", path)
		}
	}
	// Made is what an installed tool needs below home.
	for path, want := range map[string]bool{".cache": true, ".npm": true, "gopath/pkg": true, ".gradle": false, ".m2": false, ".cache/go-build": false} {
		if _, err := os.Stat(filepath.Join(home, path)); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := os.Stat(elsewhere + "/cargo"); err == nil {
		t.Error("a folder was made outside of home")
	}
	for _, path := range Caches([]string{"PATH=" + bin}, "") {
		t.Errorf("without a home: %q", path)
	}
	for value, want := range map[string]string{"/x/y/": "/x/y,/tmp,/var/tmp", "": "/tmp,/var/tmp", "relative": "/tmp,/var/tmp", home: "/tmp,/var/tmp", "/": "/tmp,/var/tmp"} {
		if got := Temp([]string{"TMPDIR=" + value}, home); strings.Join(got, ",") != want {
			t.Errorf("TMPDIR %q: %q", value, got)
		}
	}
}
