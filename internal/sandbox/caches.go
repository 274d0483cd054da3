package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Temp are the folders for temporary files: TMPDIR of env, unless that holds the
// home folder, and the system's.
func Temp(env []string, home string) []string {
	dirs := []string{"/tmp", "/var/tmp"}
	if dir := lookup(env, "TMPDIR"); usable(dir, home) {
		dirs = append([]string{filepath.Clean(dir)}, dirs...)
	}
	return dirs
}

// cache is what one tool keeps for itself, without the programs that it puts on
// PATH, its settings, and scripts that it runs each time: by these a command
// would reach out of the sandbox later. What a tool builds from its cache, or
// runs of it, can still be what a command left there.
type cache struct {
	// program is the tool: if it is installed and the cache is not there, an
	// empty one is made. "" makes none.
	program string
	// env names the variable that moves it. Without that it is home, below the
	// home folder. With below it is only that of either.
	env, home string
	below     []string
}

// always is the program of a cache that is made for whatever tool comes.
const always = "*"

var caches = []cache{
	{always, "XDG_CACHE_HOME", ".cache", nil}, // pip, uv, yarn, deno, pre-commit, ccache, composer, Bazel, Playwright …
	{"go", "GOCACHE", ".cache/go-build", nil},
	{"go", "GOMODCACHE", "go/pkg/mod", nil},
	{"go", "GOPATH", "go", []string{"pkg"}},
	{"golangci-lint", "GOLANGCI_LINT_CACHE", ".cache/golangci-lint", nil},
	{"npm", "npm_config_cache", ".npm", nil},
	{"npm", "NPM_CONFIG_CACHE", ".npm", nil},
	{"", "COREPACK_HOME", ".cache/node/corepack", nil},
	{"yarn", "YARN_CACHE_FOLDER", ".cache/yarn", nil},
	{"yarn", "YARN_GLOBAL_FOLDER", ".yarn/berry", nil},
	{"pnpm", "", ".local/share/pnpm/store", nil},
	{"pnpm", "", ".local/state/pnpm", nil},
	{"", "", ".pnpm-store", nil},
	{"bun", "BUN_INSTALL_CACHE_DIR", ".bun/install/cache", nil},
	{"deno", "DENO_DIR", ".cache/deno", nil},
	{"", "PLAYWRIGHT_BROWSERS_PATH", ".cache/ms-playwright", nil},
	{"cargo", "CARGO_HOME", ".cargo", []string{"registry", "git", ".package-cache", ".package-cache-mutate"}},
	{"", "SCCACHE_DIR", ".cache/sccache", nil},
	{"", "CCACHE_DIR", ".cache/ccache", nil},
	{"", "PIP_CACHE_DIR", ".cache/pip", nil},
	{"", "UV_CACHE_DIR", ".cache/uv", nil},
	{"", "POETRY_CACHE_DIR", ".cache/pypoetry", nil},
	{"", "PRE_COMMIT_HOME", ".cache/pre-commit", nil},
	{"", "RUFF_CACHE_DIR", ".cache/ruff", nil},
	{"", "HF_HOME", ".cache/huggingface", nil},
	{"gradle", "GRADLE_USER_HOME", ".gradle", []string{"caches", "wrapper", "daemon", "native", "notifications", "workers", ".tmp"}},
	{"mvn", "", ".m2", []string{"repository", "wrapper"}},
	{"sbt", "", ".ivy2", []string{"cache", "local"}},
	{"sbt", "", ".sbt", []string{"boot"}},
	{"", "COURSIER_CACHE", ".cache/coursier", nil},
	{"", "", ".konan", []string{"cache"}},
	{"dotnet", "NUGET_PACKAGES", ".nuget/packages", nil},
	{"dotnet", "", ".local/share/NuGet", nil},
	{"composer", "COMPOSER_CACHE_DIR", ".cache/composer", nil},
	{"", "", ".composer/cache", nil},
	{"bundle", "BUNDLE_USER_CACHE", ".bundle/cache", nil},
	{"", "", ".gem/specs", nil},
	{"dart", "PUB_CACHE", ".pub-cache", []string{"hosted", "hosted-hashes", "git", "_temp", "log"}},
	{"mix", "HEX_HOME", ".hex", []string{"packages"}},
	{"cabal", "", ".cabal", []string{"packages", "store"}},
	{"zig", "ZIG_GLOBAL_CACHE_DIR", ".cache/zig", nil},
	{"", "TF_PLUGIN_CACHE_DIR", ".terraform.d/plugin-cache", nil},
	{"", "", ".kube/cache", nil},
	{"helm", "HELM_CACHE_HOME", ".cache/helm", nil},
	{"", "", ".nv/ComputeCache", nil},
}

// Caches are the caches of tools that may be written: where env moves them to,
// else where the tools look below home. A missing one whose tool is installed is
// made, empty, for a command could not make it.
func Caches(env []string, home string) []string {
	var paths []string
	path := lookup(env, "PATH")
	for _, c := range caches {
		at := filepath.Join(home, c.home)
		if v := lookup(env, c.env); v != "" {
			at, _, _ = strings.Cut(v, string(filepath.ListSeparator)) // GOPATH is a list
		} else if home == "" {
			continue
		}
		if !usable(at, home) {
			continue
		}
		folders := []string{at}
		if len(c.below) > 0 {
			folders = nil
			for _, name := range c.below {
				folders = append(folders, filepath.Join(at, name))
			}
		}
		for _, dir := range folders {
			if slices.Contains(paths, dir) {
				continue
			}
			if c.program != "" && missing(dir, home, paths) && (c.program == always || installed(c.program, path)) {
				provide(dir)
			}
			paths = append(paths, dir)
		}
	}
	return paths
}

// usable: a cache is not the home folder, nor anything that this lies in.
func usable(dir, home string) bool {
	dir = filepath.Clean(dir)
	return filepath.IsAbs(dir) && dir != "/" && (home == "" || !within(filepath.Clean(home), dir))
}

// missing reports whether a cache is not there and is for us to make: what lies
// in another cache is for commands, and outside of the home folder it is for
// who chose that place.
func missing(path, home string, caches []string) bool {
	if home == "" || !within(path, filepath.Clean(home)) || withinAny(path, caches) {
		return false
	}
	_, err := os.Lstat(path)
	return err != nil
}

// provide makes a folder, and of cargo's locks an empty file. Failures show when
// a command wants to write.
func provide(path string) {
	if !strings.HasPrefix(filepath.Base(path), ".package-cache") {
		_ = os.MkdirAll(path, 0o700)
		return
	}
	if os.MkdirAll(filepath.Dir(path), 0o700) == nil {
		if f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600); err == nil {
			f.Close()
		}
	}
}

func installed(program, path string) bool {
	for _, dir := range filepath.SplitList(path) {
		if info, err := os.Stat(filepath.Join(dir, program)); filepath.IsAbs(dir) && err == nil && info.Mode()&0o111 != 0 && !info.IsDir() {
			return true
		}
	}
	return false
}

// lookup is the value of a variable in env, "" for none; the last one counts.
func lookup(env []string, name string) (value string) {
	for _, kv := range env {
		if k, v, ok := strings.Cut(kv, "="); ok && k == name && name != "" {
			value = v
		}
	}
	return value
}
