#!/bin/sh
# Prints what the Neovim plugin costs, with the goals, in both Neovims: what having it
# adds to a start, opening the chat, and each update while an answer streams in. It
# fails when a goal is missed.
set -eu
cd "$(dirname "$0")/.."
sh scripts/neovim-ready.sh
export NVIM_LOG_FILE=/dev/null
code=0
for slot in 0.10 0.12; do
	NEOVIM_SLOTS=$slot CLINED_TEST_KINDS=bench .cache/neovim/nvim-0.12 --clean -l editors/neovim/tests/run.lua || code=$?
done
exit $code
