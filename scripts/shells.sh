#!/bin/sh
# Makes sure that the shells the tests run commands with are there: sh, bash, zsh
# and fish. What is missing is fetched once from the distribution's packages into
# .cache/shells, without being installed: the tests look there too. Nothing is
# done when all are there. SHELLS_FETCH=1 fetches zsh and fish even so.
set -eu
cd "$(dirname "$0")/.."
into=$PWD/.cache/shells

there() {
	[ -x "$into/bin/$1" ] || { [ -z "${SHELLS_FETCH:-}" ] && command -v "$1" >/dev/null; }
}

give_up() {
	echo "shells: $1 is missing and cannot be fetched here; hint: install sh, bash, zsh and fish with the package manager of your system" >&2
	exit 1
}

own_apt() {
	apt-get -qq -o "Dir::State::Lists=$into/apt/lists" -o "Dir::Cache=$into/apt" -o APT::Sandbox::User= "$@"
}

# fetch downloads packages and unpacks them below $into.
fetch() {
	command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || give_up "$1"
	mkdir -p "$into/packages" "$into/bin"
	cd "$into/packages"
	if ! apt-get -qq download "$@" 2>/dev/null; then
		# Package lists of our own: those of the system may be missing, and
		# only root may refresh them.
		mkdir -p "$into/apt/lists/partial" "$into/apt/archives/partial"
		own_apt update && own_apt download "$@" || give_up "$1"
	fi
	for package in "$@"; do
		dpkg-deb -x "$package"_*.deb "$into"
	done
	cd - >/dev/null
}

command -v bash >/dev/null || give_up bash
if ! there zsh; then
	fetch zsh-static
	ln -srf "$(find "$into/bin" "$into/usr/bin" -name zsh-static 2>/dev/null | head -n 1)" "$into/bin/zsh"
fi
if ! there fish; then
	fetch fish fish-common libpcre2-32-0
	ln -sfn ../etc "$into/usr/etc" # fish looks for what it needs beside its own folder
	libs=$(cd "$into" && dirname "$(find usr/lib -name 'libpcre2-32.so.*' | head -n 1)")
	cat >"$into/bin/fish" <<-END
		#!/bin/sh
		here=\$(cd "\$(dirname "\$0")/.." && pwd)
		LD_LIBRARY_PATH="\$here/$libs" exec "\$here/usr/bin/fish" "\$@"
	END
	chmod +x "$into/bin/fish"
fi
for name in zsh fish; do
	path=$into/bin/$name
	[ -x "$path" ] || path=$name
	[ "$("$path" -c 'echo works' </dev/null)" = works ] || give_up "$name"
done
