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
	// Caches that are there are written, whether their tool is installed or not,
	// and what shells run is there as well.
	for _, dir := range []string{".cache/pip", ".cache/gitstatus", ".config/go"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(home, ".cache/p10k-instant-prompt.zsh"), "kept")
	// The cache of who runs the tests: an empty one would be filled for half a minute.
	built, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
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
		{"git init -q . && git remote add o ../o && git checkout -q -b b --track HEAD && git config branch.b.remote && git config a.b c && echo ok", "ok"},
		{"mkdir -p ~/.cache/pip/http && echo x > ~/.cache/pip/http/y && echo ok", "ok"},
	} {
		if out, exit := run(c.line); exit != 0 || !strings.Contains(out, c.says) {
			t.Errorf("%s: exit %d: %s", c.line, exit, out)
		}
	}
	for _, line := range []string{"echo x > ~/.bashrc", "echo x > ~/.gitconfig", "mkdir ~/go/bin", "mkdir -p ~/.config/x", "go env -w GOFLAGS=-x", "git config --global user.name B",
		"echo x > ~/.cache/p10k-instant-prompt.zsh", "echo x > ~/.cache/gitstatus/gitstatusd", "mkdir ~/.cache/any", "mv ~/.cache/gitstatus ~/.cache/pip/g", "ln -s ~/.bashrc ~/.cache/zcompdump"} {
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
	home, bin, elsewhere := t.TempDir(), t.TempDir(), t.TempDir()
	for _, program := range []string{"go", "npm", "cargo"} {
		if err := os.WriteFile(filepath.Join(bin, program), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{home + "/.gradle/caches", home + "/.cache/ms-playwright", home + "/.cache/zsh", elsewhere + "/cargo/registry", elsewhere + "/uv", home + "/.bun/bin"} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"PATH=relative:" + bin + ":" + home + "/.bun/bin/", "BUN_INSTALL_CACHE_DIR=" + home + "/.bun", "CARGO_HOME=" + elsewhere + "/cargo", "GOPATH=" + home + "/gopath:/other", "GOMODCACHE=" + elsewhere + "/mod",
		"UV_CACHE_DIR=" + elsewhere + "/uv/", "PIP_CACHE_DIR=" + home, "DENO_DIR=/", "HF_HOME=relative", "CCACHE_DIR=" + filepath.Dir(home), "SCCACHE_DIR=" + home + "/.cache"}
	for _, again := range []bool{false, true} {
		got := Caches(env, home)
		slices.Sort(got)
		want := []string{elsewhere + "/cargo/registry", elsewhere + "/uv"}
		// Made is what an installed tool needs below home.
		for _, name := range []string{".cache/go-build", ".cache/ms-playwright", ".cache/node-gyp", ".cache/staticcheck", ".gradle/caches", ".npm", "gopath/pkg"} {
			want = append(want, filepath.Join(home, name))
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("again %t: %q, want %q", again, got, want)
		}
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

// XDG_CACHE_HOME moves the caches that stand below .cache, and only these.
func TestCachesElsewhere(t *testing.T) {
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "go"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ moved, want string }{ // HOME and XDG stand for folders
		{"XDG", "HOME/go/pkg HOME/go/pkg/mod XDG/go-build XDG/staticcheck"},
		{"XDG/", "HOME/go/pkg HOME/go/pkg/mod XDG/go-build XDG/staticcheck"},
		{"XDG/missing", "HOME/go/pkg HOME/go/pkg/mod"}, // whoever chose it makes it
		{"HOME/c", "HOME/c/go-build HOME/c/staticcheck HOME/go/pkg HOME/go/pkg/mod"},
		{"relative", "HOME/.cache/go-build HOME/.cache/staticcheck HOME/go/pkg HOME/go/pkg/mod"},
		{"", "HOME/.cache/go-build HOME/.cache/staticcheck HOME/go/pkg HOME/go/pkg/mod"},
		{"HOME", "HOME/go/pkg HOME/go/pkg/mod"},
		{"/", "HOME/go/pkg HOME/go/pkg/mod"},
	} {
		place := strings.NewReplacer("HOME", t.TempDir(), "XDG", t.TempDir())
		got := Caches([]string{"PATH=" + bin, "XDG_CACHE_HOME=" + place.Replace(c.moved)}, place.Replace("HOME"))
		slices.Sort(got)
		if want := strings.Fields(place.Replace(c.want)); !slices.Equal(got, want) {
			t.Errorf("XDG_CACHE_HOME %q: %q, want %q", c.moved, got, want)
		}
	}
}

// A cache that a folder of PATH lies in, there or not, is not granted, whether a
// variable moves it or not; what lies below a folder of PATH is.
func TestCachesWithPrograms(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"", "HOME/.cache/pip HOME/.cache/uv HOME/.npm"},
		{"HOME/.cache/uv/bin", "HOME/.cache/pip HOME/.npm"},
		{"HOME/.cache/uv/bin/missing", "HOME/.cache/pip HOME/.npm"},
		{"HOME/.npm/:HOME/.cache/pip/../uv", "HOME/.cache/pip"},
		{"HOME/.cache/uv", "HOME/.cache/pip HOME/.npm"},
		{"HOME/.cache/uvx:HOME/.cache:HOME:HOME/.local/bin:relative/.npm:.", "HOME/.cache/pip HOME/.cache/uv HOME/.npm"},
		{"HOME/link", "HOME/.cache/pip HOME/.npm"},          // to .cache/uv/bin
		{"HOME/link/missing", "HOME/.cache/pip HOME/.npm"},  // the same
		{"HOME/.cache/uv/out", "HOME/.cache/pip"},           // to .npm
		{"HOME/real/bin", "HOME/.cache/pip HOME/.cache/uv"}, // .npm is a link there
	} {
		home := t.TempDir()
		for _, dir := range []string{".cache/uv/bin", ".cache/pip", "real/bin"} {
			if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		for link, target := range map[string]string{"link": ".cache/uv/bin", ".npm": "real", ".cache/uv/out": "../../real"} {
			if err := os.Symlink(target, filepath.Join(home, link)); err != nil {
				t.Fatal(err)
			}
		}
		for _, moved := range []string{"", "UV_CACHE_DIR=" + home + "/.cache/uv"} {
			got := Caches([]string{"PATH=" + strings.ReplaceAll(c.path, "HOME", home), moved}, home)
			slices.Sort(got)
			if want := strings.Fields(strings.ReplaceAll(c.want, "HOME", home)); !slices.Equal(got, want) {
				t.Errorf("PATH %q, %q: %q, want %q", c.path, moved, got, want)
			}
		}
	}
}

// Nothing that tools put on PATH, link to from there or let shells source is
// granted, nor what they run each time.
func TestNoProgramsInCaches(t *testing.T) {
	home := t.TempDir()
	var granted []string
	for _, c := range caches {
		granted = append(granted, c.folders(nil, home, filepath.Join(home, ".cache"))...)
	}
	for _, name := range strings.Fields(`go/bin .cargo/bin .cargo/env .cargo/config.toml .rustup/toolchains .local/bin .npmrc .yarn/bin .yarn/releases .volta/bin .nvm/versions .config/yarn/global
		.local/share/pnpm/pnpm .local/share/pnpm/global .bun/bin .bun/install/global .deno/bin .cache/pypoetry/virtualenvs .local/share/pypoetry/venv .local/share/virtualenvs .virtualenvs .local/share/pipx/venvs .local/pipx/venvs
		.local/share/uv/tools .local/share/uv/python .local/share/hatch/env .local/share/pdm/venvs .pyenv/shims .rbenv/shims .asdf/shims .local/share/mise/shims .cache/mise .sdkman/candidates .jenv/shims .conda/pkgs miniconda3/bin .rye/shims
		.cache/coursier/arc .cache/coursier/jvm .local/share/coursier/bin .cache/scalacli/local-repo/bin .gradle/init.d .gradle/gradle.properties .m2/settings.xml .sbt/1.0/plugins .konan/dependencies .dotnet/tools .nuget/plugins .config/composer/vendor/bin .composer/vendor/bin
		.gem/ruby .local/share/gem .bundle/plugin .bundle/config .pub-cache/bin .pub-cache/global_packages .mix/escripts .mix/archives .hex/hex.config .cache/rebar3/bin .cache/rebar3/plugins .cabal/bin .cabal/store .cabal/config .local/state/cabal/store .stack/programs
		.opam/default .luarocks/bin .nix-profile .local/state/nix .cache/helm/plugins .local/share/helm/plugins .krew/bin .local/share/gh/extensions .terraformrc .kube/config .cache/huggingface/token .cache/p10k-dump.zsh .cache/gitstatus .cache/starship .cache/zsh`) {
		at := filepath.Join(home, name)
		for _, dir := range granted {
			if within(at, dir) || within(dir, at) {
				t.Errorf("%q is in %q", name, dir)
			}
		}
	}
	for _, name := range strings.Fields(".cache/pypoetry/cache .cache/pypoetry/artifacts .cache/coursier/v1/https .cache/uv/wheels-v5 .cargo/registry/src .local/share/pnpm/store/v10 .cabal/packages .cache/helm/repository .cache/rebar3/hex .cache/huggingface/hub go/pkg/mod .npm/_npx") {
		if !withinAny(filepath.Join(home, name), granted) {
			t.Errorf("%q is not granted", name)
		}
	}
}

// No row names a folder of all caches, or one that shells and their prompts run
// things from.
func TestCacheList(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range caches {
		key := c.env + " " + c.home
		if seen[key] || c.home == "" || filepath.IsAbs(c.home) || filepath.Clean(c.home) != c.home || strings.Contains(c.home, "..") {
			t.Errorf("%q", key)
		}
		seen[key] = true
		top, below, _ := strings.Cut(c.home, "/")
		if whole := below == "" && len(c.below) == 0; whole && top != ".npm" && top != ".pnpm-store" {
			t.Errorf("all of %q", c.home)
		}
		if slices.Contains([]string{".config", ".ssh", "bin"}, top) || strings.HasPrefix(c.home, ".local/bin") {
			t.Errorf("%q", c.home)
		}
	}
}
