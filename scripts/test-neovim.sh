#!/bin/sh
# Tests the Neovim plugin in two real Neovims, with the real daemon and a scripted
# model, at last as a front of the conformance program. Names as arguments run the test
# files of that name alone, in all folders of editors/neovim/tests:
# sh scripts/test-neovim.sh edits. NEOVIM_SLOTS="0.12" runs them in that Neovim alone.
# Pictures of screens are left in .cache/screenshots, and of a failure the logs in
# failed-neovim-NAME beside them.
set -eu
cd "$(dirname "$0")/.."
sh scripts/neovim-ready.sh
export NVIM_LOG_FILE=/dev/null
pictures=$(mktemp -d "$PWD/.cache/neovim/pictures.XXXXXX")
trap 'rm -rf "$pictures"' EXIT
code=0
NEOVIM_PICTURES=$pictures .cache/neovim/nvim-0.12 --clean -l editors/neovim/tests/run.lua "$@" || code=$?
node scripts/neovim/pictures.mjs "$pictures" .cache/screenshots
[ $# != 0 ] || sh scripts/conformance-neovim.sh --ready || code=$?
exit $code
