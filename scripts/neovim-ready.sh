#!/bin/sh
# Puts what the plugin is tried with into .cache/neovim: the daemon and the scripted
# model, beside the Neovims, and sees that there is a browser to draw screens with.
set -eu
cd "$(dirname "$0")/.."
sh scripts/neovim.sh
sh scripts/vscode.sh packages
sh scripts/vscode.sh chromium
into=$PWD/.cache/neovim
"${GO:-go}" build -trimpath -ldflags "-s -w -X main.release=${VERSION:-0.1.0-dev}" -o "$into/clined" ./cmd/clined
"${GO:-go}" build -o "$into/fakellm" ./internal/test/fakellm/serve
