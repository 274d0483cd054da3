#!/bin/sh
# Fuzzes what reads text from outside, one target after the other, for FUZZTIME
# each, and prints the closing line of each. ROOMS="rpc config" picks packages
# below internal; all that have targets are the default. A failure shows all of
# its output; go test has left the input in the testdata of the package then.
set -u
cd "$(dirname "$0")/.."
out=$(mktemp)
trap 'rm -f "$out"' EXIT
code=0

# ended says whether fuzzing came to the end of its time. At that very moment go
# test may call the input in work failed, by "context deadline exceeded"
# (go.dev/issue/75804); there is no failing input then.
ended() {
	grep -q '^fuzz: elapsed: .*execs' "$out" || return 1
	[ "$1" = 0 ] && return
	grep -q '^    context deadline exceeded$' "$out" && ! grep -qi 'failing input' "$out"
}

rooms() { grep -rl '^func Fuzz' internal --include='*_test.go' | xargs -n 1 dirname | sort -u | sed 's,^internal/,,'; }

for room in ${ROOMS:-$(rooms)}; do
	for name in $(go test "./internal/$room" -list '^Fuzz' | grep '^Fuzz'); do
		go test "./internal/$room" -run '^$' -fuzz "^$name\$" -fuzztime "${FUZZTIME:-10m}" -timeout 0 >"$out" 2>&1
		if ended $?; then
			echo "ok   $room $name: $(grep '^fuzz: elapsed' "$out" | tail -n 1)"
		else
			cat "$out"
			echo "FAIL $room $name"
			code=1
		fi
	done
done
exit $code
