#!/bin/sh
# Tests the VS Code extension: its units, its view in a browser, and the packed
# extension in a real VS Code with the real daemon and a scripted model, at last as a
# front of the conformance program. Names as arguments run those files of test/e2e
# alone: sh scripts/test-vscode.sh edits. Pictures are left in .cache/screenshots,
# and of a failure all that helps in failed-NAME beside them.
set -eu
cd "$(dirname "$0")/.."
sh scripts/vscode-ready.sh
cd editors/vscode
all=$#
if [ $all = 0 ]; then
	node esbuild.mjs --tests
	node esbuild.mjs --tests --webview
	set -- $(find dist/test/unit dist/test/webview dist/test/e2e -name '*.test.mjs')
else
	for name in "$@"; do
		shift
		set -- "$@" "dist/test/e2e/$name.test.mjs"
	done
fi
# A file whose process does not end would be waited for without end.
node --test --test-reporter=spec --test-concurrency=2 --test-timeout=900000 "$@"
[ $all != 0 ] || sh ../../scripts/conformance-vscode.sh --ready
