#!/bin/sh
# Runs the conformance program against the VS Code extension, packed and in a real
# VS Code; arguments are the program's: sh scripts/conformance-vscode.sh -only queue.
set -eu
cd "$(dirname "$0")/.."
[ "${1-}" = --ready ] && shift || sh scripts/vscode-ready.sh
into=$PWD/.cache/vscode
"${GO:-go}" build -o "$into/conformance" ./internal/test/conformance
cd editors/vscode
node esbuild.mjs --tests --conformance
# People wait less; a machine that does much else needs more.
exec node dist/test/conformance/run.mjs "$into/conformance" -bin "$into/extensions/clined.clined-0.1.0/bin/clined" -patience 60s "$@"
