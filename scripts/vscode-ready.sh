#!/bin/sh
# Packs the extension, and puts what it is tried with into .cache/vscode: an extensions
# folder where it is installed, and the scripted model; and bundles the tests of it.
set -eu
cd "$(dirname "$0")/.."
sh scripts/vscode.sh
sh scripts/vsix.sh
into=$PWD/.cache/vscode
"${GO:-go}" build -o "$into/fakellm" ./internal/test/fakellm/serve
rm -rf "$into/extensions.part" "$into/installed-by"
printf 'auth: none\n' >"$into/config.yaml"
"$into/node" "$into/code-server/out/node/entry.js" --config "$into/config.yaml" --user-data-dir "$into/installed-by" \
	--extensions-dir "$into/extensions.part" --install-extension editors/vscode/clined-linux-x64.vsix >"$into/install.log" 2>&1 || {
	cat "$into/install.log" >&2
	exit 1
}
rm -rf "$into/extensions"
mv "$into/extensions.part" "$into/extensions"
cd editors/vscode
node esbuild.mjs --tests --e2e
