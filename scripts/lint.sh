#!/bin/sh
# gofmt, go vet (for Windows too, where there is code for it), staticcheck, a tidy go.mod, and the types of the VS Code
# extension. The linter is in a module of its own, so that go.mod stays short.
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
node scripts/neovim/format.mjs --check
echo "lint: gofmt, go vet, go mod tidy, staticcheck, tsc and stylua are content"
