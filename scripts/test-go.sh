#!/bin/sh
# Runs all Go tests with the race detector, builds the real binary for the
# scenarios that need it, and ends with one line of totals.
set -u
cd "$(dirname "$0")/.."
out=$(mktemp)
trap 'rm -f "$out"' EXIT
go test -race -timeout 20m -json ./... github.com/santhosh-tekuri/jsonschema/v6 >"$out"
code=$?
go run ./scripts/testsum <"$out" || code=1
exit $code
