#!/bin/sh
# Makes sure that what the Neovim plugin is tested and checked with is there: a real
# Neovim of the oldest line that is promised and a new one, tmux for tests of what a
# terminal shows, and what formats Lua and checks its types. What is missing is
# fetched once, from Debian's packages and npm's, into a folder that all checkouts of
# a user share; .cache/neovim leads there. Nothing is installed, and nobody has to be
# root. Says nothing when all is there.
#
#   sh scripts/neovim.sh            everything
#   sh scripts/neovim.sh packages   only what formatting and checking need, such as
#                                   the newer Neovim with the types of its API
#
# An nvim on PATH of a fitting version is used. NVIM_0_10=PATH and NVIM_0_12=PATH
# name others, which must be the programs themselves. NEOVIM_FETCH=1 fetches both and
# tmux even where PATH has them. DEBIAN_MIRROR=URL is where Debian's packages are, on
# a system that has other ones.
set -eu
cd "$(dirname "$0")/.."
room=neovim
. scripts/fetch.sh
export NVIM_LOG_FILE=/dev/null # or each start leaves one in the home folder

old_suite=trixie # Debian 13, which keeps its 0.10
new_suite=sid    # where the newest is
stylua=2.5.2
luaparse=0.3.1

by_hand="install Neovim 0.10.x and one of 0.12 or newer yourself, and name them: NVIM_0_10=/path/nvim NVIM_0_12=/path/nvim"

# version PROGRAM is what it says its version is, such as 0.12.4.
version() {
	"$1" --version 2>/dev/null | sed -n '1s/^NVIM v\([0-9.]*\).*/\1/p'
}

# fits SLOT VERSION: 0.10 is that line, 0.12 that or anything newer.
fits() {
	case $1:$2 in
	0.10:0.10.* | 0.12:0.1[2-9].* | 0.12:0.[2-9][0-9].* | 0.12:[1-9]*) ;;
	*) return 1 ;;
	esac
}

# packages_of SUITE NAME... unpacks packages and all that they need into root/, with
# lists of packages of our own: those of the system are of another release.
packages_of() {
	suite=$1
	shift
	mirror=$(debian_mirror)
	mkdir -p root apt/lists/partial apt/cache/archives/partial apt/packages
	: >apt/status
	echo "deb [signed-by=$keyring] $mirror $suite main" >apt/sources.list
	quietly own_apt update
	own_apt --no-install-recommends -s install "$@" >apt/plan 2>"$log" ||
		give_up "Debian's $suite does not have $*" "what apt-get said is in $log; $by_hand"
	# shellcheck disable=SC2046 # names of packages
	(cd apt/packages && quietly own_apt download $(awk '/^Inst/ {print $2}' ../plan))
	for package in apt/packages/*.deb; do
		quietly dpkg-deb -x "$package" root
	done
	rm -r apt
}

own_apt() {
	apt-get -q -o "Dir::Etc::SourceList=$cache/$name.part/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
		-o "Dir::State::lists=$cache/$name.part/apt/lists" -o "Dir::State::status=$cache/$name.part/apt/status" \
		-o "Dir::Cache=$cache/$name.part/apt/cache" -o Acquire::Languages=none -o APT::Sandbox::User= \
		-o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false "$@"
}

keyring=/usr/share/keyrings/debian-archive-keyring.gpg

debian_mirror() {
	for tool in apt-get dpkg-deb; do
		command -v "$tool" >/dev/null || give_up "\"$tool\" is missing: Neovim is fetched on Debian and what descends of it only" "$by_hand"
	done
	[ -r "$keyring" ] || give_up "Debian's keys are missing" "install debian-archive-keyring, or: $by_hand"
	if [ -n "${DEBIAN_MIRROR:-}" ]; then
		echo "$DEBIAN_MIRROR"
	elif grep -qs '^ID=debian$' /etc/os-release; then
		cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list /etc/apt/sources.list 2>/dev/null |
			awk '/^URIs:/ {print $2; exit} /^deb / {sub(/\[[^]]*\]/, ""); print $2; exit}'
	else
		give_up "this is no Debian" "give a mirror of its packages, DEBIAN_MIRROR=URL, or: $by_hand"
	fi
}

# debian SUITE PACKAGE PROGRAM unpacks a program that runs beside the system: with its
# own C library, by its own path, so that it can start itself again.
debian() {
	packages_of "$1" "$2" patchelf
	loader=$(find root/usr/lib -type f -name 'ld-linux*' | head -n 1)
	libraries=$(dirname "$loader")
	quietly "$loader" --library-path "$libraries" root/usr/bin/patchelf --force-rpath \
		--set-rpath "$cache/$name/$libraries" --set-interpreter "$cache/$name/$loader" "root/usr/bin/$3"
	quietly "$loader" --library-path "$libraries" "root/usr/bin/$3" "${4:---version}"
}

lua_tools() {
	npm_packages "@johnnymorganz/stylua@$stylua" "luaparse@$luaparse"
}

# neovim SLOT SUITE GIVEN links a fitting Neovim as nvim-SLOT.
neovim() {
	if [ -n "$3" ]; then
		fits "$1" "$(version "$3")" || give_up "\"$3\" is Neovim \"$(version "$3")\", which is not $1" "$by_hand"
		link "$3" "nvim-$1"
		return
	fi
	path=$(command -v nvim || true)
	if [ -z "${NEOVIM_FETCH:-}" ] && [ -n "$path" ] && fits "$1" "$(version "$path")"; then
		link "$path" "nvim-$1"
		return
	fi
	fetched "neovim-$1" debian "$2" neovim nvim
	path=$cache/neovim-$1/root/usr/bin/nvim
	fits "$1" "$(version "$path")" ||
		give_up "Debian's $2 has Neovim \"$(version "$path")\", which is not $1" "remove $cache/neovim-$1 to fetch it anew, or: $by_hand"
	link "$path" "nvim-$1"
}

find_tmux() {
	path=$(command -v tmux || true)
	if [ -n "${NEOVIM_FETCH:-}" ] || [ -z "$path" ]; then
		fetched tmux debian "$new_suite" tmux tmux -V
		path=$cache/tmux/root/usr/bin/tmux
	fi
	link "$path" tmux
}

need_node
fetched "lua-$stylua-$luaparse" lua_tools
link "$cache/lua-$stylua-$luaparse" lua
neovim 0.12 "$new_suite" "${NVIM_0_12:-}"
[ "${1:-}" != packages ] || exit 0
neovim 0.10 "$old_suite" "${NVIM_0_10:-}"
find_tmux
