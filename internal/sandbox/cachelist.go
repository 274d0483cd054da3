package sandbox

// cache is what one tool keeps for itself, without the programs that it puts on
// PATH, its settings, and scripts that it runs each time: by these a command
// would reach out of the sandbox later. What a tool builds from its cache, or
// runs of it, can still be what a command left there. Not granted either is what
// is linked to from PATH, as cabal's store, or sourced by shells, as virtual
// environments.
//
// Nobody is given ~/.cache as a whole: prompts, completions and version managers
// keep there what every new shell runs.
type cache struct {
	// program is the tool, or what brings it: if that is installed and the
	// cache is not there, an empty one is made. "" makes none.
	program string
	// env names the variable that moves it. Without that it is home, below the
	// home folder, and .cache stands for where XDG_CACHE_HOME says. With below
	// it is only that of either.
	env, home string
	below     []string
}

var caches = []cache{
	// Go
	{"go", "GOCACHE", ".cache/go-build", nil},
	{"go", "GOMODCACHE", "go/pkg/mod", nil},
	{"go", "GOPATH", "go", []string{"pkg"}},
	{"go", "STATICCHECK_CACHE", ".cache/staticcheck", nil},
	{"golangci-lint", "GOLANGCI_LINT_CACHE", ".cache/golangci-lint", nil},
	{"gopls", "", ".cache/gopls", nil},
	{"goimports", "", ".cache/goimports", nil},
	{"tinygo", "", ".cache/tinygo", nil},

	// JavaScript
	{"npm", "npm_config_cache", ".npm", nil},
	{"npm", "NPM_CONFIG_CACHE", ".npm", nil},
	{"npm", "", ".cache/node-gyp", nil},
	{"corepack", "COREPACK_HOME", ".cache/node/corepack", nil},
	{"yarn", "YARN_CACHE_FOLDER", ".cache/yarn", nil},
	{"yarn", "YARN_GLOBAL_FOLDER", ".yarn/berry", nil},
	{"pnpm", "", ".cache/pnpm", nil},
	{"pnpm", "", ".local/share/pnpm/store", nil},
	{"pnpm", "", ".local/state/pnpm", nil},
	{"", "", ".pnpm-store", nil},
	{"bun", "BUN_INSTALL_CACHE_DIR", ".bun/install/cache", nil},
	{"deno", "DENO_DIR", ".cache/deno", nil},
	{"", "PLAYWRIGHT_BROWSERS_PATH", ".cache/ms-playwright", nil},
	{"", "CYPRESS_CACHE_FOLDER", ".cache/Cypress", nil},
	{"", "PUPPETEER_CACHE_DIR", ".cache/puppeteer", nil},
	{"", "SE_CACHE_PATH", ".cache/selenium", nil},
	{"", "electron_config_cache", ".cache/electron", nil},
	{"", "ELECTRON_BUILDER_CACHE", ".cache/electron-builder", nil},
	{"", "", ".cache/prisma", nil},

	// Python
	{"python3", "PIP_CACHE_DIR", ".cache/pip", nil},
	{"uv", "UV_CACHE_DIR", ".cache/uv", nil},
	{"poetry", "POETRY_CACHE_DIR", ".cache/pypoetry", []string{"cache", "artifacts"}},
	{"pipenv", "PIPENV_CACHE_DIR", ".cache/pipenv", nil},
	{"pdm", "PDM_CACHE_DIR", ".cache/pdm", nil},
	{"hatch", "HATCH_CACHE_DIR", ".cache/hatch", nil},
	{"", "", ".cache/virtualenv", nil},
	{"pre-commit", "PRE_COMMIT_HOME", ".cache/pre-commit", nil},
	{"", "RUFF_CACHE_DIR", ".cache/ruff", nil},
	{"", "MYPY_CACHE_DIR", ".cache/mypy", nil},
	{"black", "BLACK_CACHE_DIR", ".cache/black", nil},
	{"pylint", "PYLINTHOME", ".cache/pylint", nil},
	{"", "PYRIGHT_PYTHON_CACHE_DIR", ".cache/pyright-python", nil},
	{"", "", ".cache/matplotlib", nil},
	{"", "HF_HOME", ".cache/huggingface", []string{"hub", "datasets", "modules", "assets", "xet"}},
	{"", "TORCH_HOME", ".cache/torch", nil},

	// Rust, C and their like
	{"cargo", "CARGO_HOME", ".cargo", []string{"registry", "git", ".package-cache", ".package-cache-mutate"}},
	{"", "WASM_PACK_CACHE", ".cache/.wasm-pack", nil},
	{"trunk", "", ".cache/trunk", nil},
	{"sccache", "SCCACHE_DIR", ".cache/sccache", nil},
	{"ccache", "CCACHE_DIR", ".cache/ccache", nil},
	{"clang", "", ".cache/clang", nil},
	{"clangd", "", ".cache/clangd", nil},
	{"vcpkg", "VCPKG_DEFAULT_BINARY_CACHE", ".cache/vcpkg", nil},
	{"zig", "ZIG_GLOBAL_CACHE_DIR", ".cache/zig", nil},
	{"nim", "", ".cache/nim", nil},
	{"crystal", "CRYSTAL_CACHE_DIR", ".cache/crystal", nil},
	{"shards", "SHARDS_CACHE_PATH", ".cache/shards", nil},
	{"swift", "", ".cache/org.swift.swiftpm", nil},

	// Java, Scala, Kotlin, .NET, and what builds all of them
	{"gradle", "GRADLE_USER_HOME", ".gradle", []string{"caches", "wrapper", "daemon", "native", "notifications", "workers", ".tmp"}},
	{"mvn", "", ".m2", []string{"repository", "wrapper"}},
	{"sbt", "", ".ivy2", []string{"cache", "local"}},
	{"sbt", "", ".sbt", []string{"boot"}},
	{"", "COURSIER_CACHE", ".cache/coursier/v1", nil},
	{"scala-cli", "", ".cache/scalacli", []string{"virtual-projects"}},
	{"mill", "", ".cache/mill", nil},
	{"", "", ".konan", []string{"cache"}},
	{"dotnet", "NUGET_PACKAGES", ".nuget/packages", nil},
	{"dotnet", "", ".local/share/NuGet", []string{"http-cache", "v3-cache", "plugins-cache", "Migrations"}},
	{"bazel", "", ".cache/bazel", nil},
	{"bazelisk", "BAZELISK_HOME", ".cache/bazelisk", nil},
	{"pants", "", ".cache/pants", nil},
	{"pants", "", ".cache/nce", nil},

	// Other languages
	{"composer", "COMPOSER_CACHE_DIR", ".cache/composer", nil},
	{"", "", ".composer/cache", nil},
	{"bundle", "BUNDLE_USER_CACHE", ".bundle/cache", nil},
	{"gem", "", ".cache/gem/specs", nil},
	{"", "", ".gem/specs", nil},
	{"rubocop", "", ".cache/rubocop_cache", nil},
	{"dart", "PUB_CACHE", ".pub-cache", []string{"hosted", "hosted-hashes", "git", "_temp", "log"}},
	{"mix", "HEX_HOME", ".hex", []string{"packages"}},
	{"rebar3", "REBAR_CACHE_DIR", ".cache/rebar3", []string{"hex"}},
	{"gleam", "", ".cache/gleam", nil},
	{"", "", ".cabal", []string{"packages"}},
	{"cabal", "", ".cache/cabal", nil},
	{"dune", "DUNE_CACHE_ROOT", ".cache/dune", nil},
	{"luarocks", "", ".cache/luarocks", nil},
	{"R", "", ".cache/R", nil},

	// Operations, documents, devices
	{"nix", "", ".cache/nix", nil},
	{"", "TF_PLUGIN_CACHE_DIR", ".terraform.d/plugin-cache", nil},
	{"kubectl", "KUBECACHEDIR", ".kube/cache", nil},
	{"helm", "HELM_CACHE_HOME", ".cache/helm", []string{"repository", "content"}},
	{"trivy", "TRIVY_CACHE_DIR", ".cache/trivy", nil},
	{"grype", "", ".cache/grype", nil},
	{"act", "", ".cache/act", nil},
	{"buf", "BUF_CACHE_DIR", ".cache/buf", nil},
	{"gh", "", ".cache/gh", nil},
	{"hugo", "HUGO_CACHEDIR", ".cache/hugo_cache", nil},
	{"typst", "", ".cache/typst", nil},
	{"tectonic", "TECTONIC_CACHE_DIR", ".cache/Tectonic", nil},
	{"fc-cache", "", ".cache/fontconfig", nil},
	{"", "", ".nv/ComputeCache", nil},
}
