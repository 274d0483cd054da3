#!/bin/sh
# Puts what the plugin is tried with into .cache/neovim: the daemon and the scripted
# model, beside the Neovims, and sees that there is a browser to draw screens with.
# Programs that did not change stay as they are, for whoever runs them just now.
set -eu
cd "$(dirname "$0")/.."
sh scripts/neovim.sh
sh scripts/vscode.sh packages
sh scripts/vscode.sh chromium
into=$PWD/.cache/neovim
mkdir -p "$into/built"
exec 9>"$into/lock"
flock 9
"${GO:-go}" build -trimpath -ldflags "-s -w -X main.release=${VERSION:-0.1.0-dev}" -o "$into/built/clined" ./cmd/clined
"${GO:-go}" build -o "$into/built/fakellm" ./internal/test/fakellm/serve
for program in clined fakellm; do
	cmp -s "$into/built/$program" "$into/$program" && continue
	cp "$into/built/$program" "$into/$program.part"
	mv "$into/$program.part" "$into/$program"
done
