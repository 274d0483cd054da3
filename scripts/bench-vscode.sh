#!/bin/sh
# Prints what the VS Code extension costs, with the goals: sizes, the time it takes in
# VS Code, and what it does while nobody does anything.
set -eu
cd "$(dirname "$0")/.."
sh scripts/vscode-ready.sh
"${GO:-go}" build -o .cache/vscode/longtask ./internal/test/longtask
cd editors/vscode
CLINED_SIZES=$(node ../../scripts/vsix/check.mjs --sizes clined-linux-x64.vsix)
export CLINED_SIZES
node dist/test/e2e/bench.mjs
