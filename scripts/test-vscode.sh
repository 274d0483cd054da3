#!/bin/sh
# Tests the VS Code extension: its unit tests, and the packed extension in a real VS
# Code with the real daemon and a scripted model. Names as arguments run those test
# files alone: sh scripts/test-vscode.sh edits. Pictures are left in
# .cache/screenshots, and of a failure all that helps in failed-NAME beside them.
set -eu
cd "$(dirname "$0")/.."
sh scripts/vscode.sh
sh scripts/vsix.sh
sh scripts/vscode-ready.sh
cd editors/vscode
if [ $# = 0 ]; then
	node esbuild.mjs --tests
	node --test dist/test/unit/*.mjs
	set -- "*"
fi
node esbuild.mjs --tests --e2e
files=
for name in "$@"; do
	files="$files dist/test/e2e/$name.test.mjs"
done
node --test --test-concurrency=2 $files
