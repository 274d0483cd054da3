# clined. `make demo` shows it, `make test` proves it.
GO      ?= go
BIN     := bin
VERSION ?= 0.1.0-dev
COMMIT  := $(shell git rev-parse --short=12 HEAD 2>/dev/null)
LDFLAGS := -s -w -X main.release=$(VERSION) -X main.revision=$(COMMIT)

.DEFAULT_GOAL := build
.PHONY: build demo test test-go-short test-go shells lint format-lua help-neovim vsix test-vscode conformance-vscode test-neovim conformance-neovim bench bench-go bench-vscode bench-neovim fuzz soak install clean toolcheck

toolcheck:
	@command -v $(GO) >/dev/null || { echo "clined: Go is missing; hint: install Go 1.26 or newer from your system's packages or go.dev" >&2; exit 1; }
	@command -v $${CC:-gcc} >/dev/null || { echo "clined: a C compiler is missing; hint: install gcc (tree-sitter's grammars are C)" >&2; exit 1; }

build: toolcheck ## the daemon and the example MCP server, into bin/
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN)/clined ./cmd/clined
	$(GO) build -trimpath -ldflags '-s -w' -o $(BIN)/weather ./examples/weather

demo: build ## the weather story; ARGS="edit", ARGS=--yes, ARGS="--data FILE", ARGS=--live
	@$(BIN)/clined demo $(ARGS)

test: toolcheck lint test-go test-vscode test-neovim ## everything, with the race detector

test-go-short: toolcheck shells ## the fast layer: seconds once built
	$(GO) test -short ./...

shells: ## fetches zsh and fish for the tests where they are missing
	@sh scripts/shells.sh

test-go: shells ## all Go tests
	sh scripts/test-go.sh

vsix: toolcheck ## the VS Code extension with the daemon inside, editors/vscode/clined-linux-x64.vsix
	@GO='$(GO)' VERSION='$(VERSION)' sh scripts/vsix.sh

test-vscode: toolcheck ## the VS Code extension: its unit tests, and in a real VS Code; ARGS="NAME" runs test files of that name
	@GO='$(GO)' VERSION='$(VERSION)' sh scripts/test-vscode.sh $(ARGS)

test-neovim: toolcheck ## the Neovim plugin, in the two Neovims that .cache/neovim leads to; ARGS="NAME" runs test files of that name
	@GO='$(GO)' VERSION='$(VERSION)' sh scripts/test-neovim.sh $(ARGS)

conformance-vscode: toolcheck ## what a front promises, in a real VS Code; ARGS="-only queue"
	@GO='$(GO)' VERSION='$(VERSION)' sh scripts/conformance-vscode.sh $(ARGS)

conformance-neovim: toolcheck ## what a front promises, in the two Neovims; ARGS="-only queue"
	@GO='$(GO)' VERSION='$(VERSION)' sh scripts/conformance-neovim.sh $(ARGS)

lint: ## gofmt, go vet, staticcheck, tidy go.mod, tsc
	sh scripts/lint.sh

format-lua: ## formats the Lua of the Neovim plugin
	@sh scripts/neovim.sh packages && node scripts/neovim/format.mjs

help-neovim: ## writes the help of the Neovim plugin anew
	@sh scripts/neovim.sh && NVIM_LOG_FILE=/dev/null .cache/neovim/nvim-0.12 --clean -l scripts/neovim/help.lua

bench: build ## figures of whole processes with their goals; ARGS="-only start"
	@$(GO) run ./internal/test/bench -bin $(BIN)/clined $(ARGS)

bench-go: ## the Go benchmarks of all rooms
	$(GO) test -run '^$$' -bench . -benchmem ./internal/...

bench-vscode: toolcheck ## figures of the VS Code extension with their goals
	@GO='$(GO)' VERSION='$(VERSION)' sh scripts/bench-vscode.sh

bench-neovim: toolcheck ## figures of the Neovim plugin with their goals
	@GO='$(GO)' VERSION='$(VERSION)' sh scripts/bench-neovim.sh

fuzz: ## each fuzz target of what reads from outside, for FUZZTIME (10m)
	@FUZZTIME=$(FUZZTIME) sh scripts/fuzz.sh

soak: toolcheck ## SOAK kills (1000) of the binary at random moments, two daemons on one state, 10 times as many commands in tasks, long tasks, writes, COMMANDS short commands (10000); SOAK_SEED=N replays one
	SOAK=$${SOAK:-1000} $(GO) test -count=1 -timeout 0 -v ./internal/test/soak
	SOAK=$${SOAK:-1000} $(GO) test -count=1 -timeout 0 -v -run Killed ./internal/workspace
	COMMANDS=$${COMMANDS:-10000} $(GO) test -count=1 -timeout 0 -v -run ManyShortCommands ./internal/shell

install: build ## into $(go env GOBIN) or GOPATH/bin
	@dir=$$($(GO) env GOBIN); dir=$${dir:-$$($(GO) env GOPATH)/bin}; mkdir -p "$$dir" && cp $(BIN)/clined "$$dir/clined" && echo "installed $$dir/clined"

clean:
	rm -rf $(BIN)
