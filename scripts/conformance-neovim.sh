#!/bin/sh
# Runs the conformance program against the Neovim plugin, in both real Neovims or, with
# NEOVIM_SLOTS="0.12", in that one; arguments are the program's:
# sh scripts/conformance-neovim.sh -only queue.
set -eu
cd "$(dirname "$0")/.."
[ "${1-}" = --ready ] && shift || sh scripts/neovim-ready.sh
into=$PWD/.cache/neovim
"${GO:-go}" build -o "$into/conformance" ./internal/test/conformance
code=0
for slot in ${NEOVIM_SLOTS:-0.10 0.12}; do
	# People wait less; a machine that does much else needs more.
	"$into/conformance" -bin "$into/clined" -patience 60s "$@" -- editors/neovim/tests/conformance/neovim "$slot" || code=$?
done
exit $code
