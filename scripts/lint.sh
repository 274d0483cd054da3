#!/bin/sh
# gofmt, go vet (for Windows too, where there is code for it), staticcheck, a tidy go.mod, and the types of the VS Code
# extension and of the Lua of the Neovim plugin, formatted by StyLua. The linter is in a module of its own, so that go.mod stays short.
set -eu
cd "$(dirname "$0")/.."
unformatted=$(gofmt -l cmd internal examples scripts third_party)
if [ -n "$unformatted" ]; then
	echo "not formatted (run gofmt -w):" >&2
	echo "$unformatted" >&2
	exit 1
fi
go vet ./... github.com/santhosh-tekuri/jsonschema/v6
# The rooms with code for Windows, which no test runs.
GOOS=windows CGO_ENABLED=0 go vet ./internal/mcphub ./internal/sandbox ./internal/shell
go mod tidy -diff
go tool -modfile=tools/lint/go.mod staticcheck ./...
sh scripts/vscode.sh packages
(cd editors/vscode && npx --no-install tsc --noEmit)
sh scripts/neovim.sh packages
checked=.cache/neovim/types.log
node scripts/neovim/format.mjs --check
node --test scripts/neovim/types/check.test.mjs >"$checked" 2>&1 || {
	cat "$checked" >&2
	exit 1
}
node scripts/neovim/types.mjs
echo "lint: gofmt, go vet, go mod tidy, staticcheck, tsc, stylua and the types of Lua are content"
