# What scripts/vscode.sh and scripts/neovim.sh fetch with; they source it. Theirs to
# set: room, the name that messages begin with. Theirs to use: links, the folder in
# .cache that leads to what was fetched; log, what the last command said; cache, the
# folder that all checkouts of a user share.
links=$PWD/.cache/$room
log=$links/fetch.log
cache=${XDG_CACHE_HOME:-${HOME:-$PWD/.cache}/.cache}/clined-dev
mkdir -p "$links" "$cache"

give_up() {
	echo "$room: $1; hint: $2" >&2
	exit 1
}

# quietly shows what a command said only if it failed.
quietly() {
	"$@" >"$log" 2>&1 || {
		tail -n 40 "$log" >&2
		give_up "\"$*\" failed" "what it said is in $log; ${fetch_hint:-the network is needed for what it fetches}"
	}
}

# once LOCK COMMAND... keeps a second run waiting.
once() (
	exec 9>"$1"
	flock 9
	shift
	"$@"
)

# fetched NAME FUNCTION... has the function make NAME in the shared folder. It works
# in a folder that gets its name when all of it is there.
fetched() {
	[ -d "$cache/$1" ] || once "$cache/lock" fetch "$@"
}

fetch() {
	[ ! -d "$cache/$1" ] || return 0
	echo "$room: fetching $1, once" >&2
	rm -rf "$cache/$1.part"
	mkdir "$cache/$1.part"
	cd "$cache/$1.part"
	name=$1
	shift
	"$@"
	mv "$cache/$name.part" "$cache/$name"
}

link() {
	[ "$(readlink "$links/$2" || true)" = "$1" ] || ln -sfn "$1" "$links/$2"
}

# need_node sees that Node and npm are there, and has them trust what the system does.
need_node() {
	command -v node >/dev/null && command -v npm >/dev/null ||
		give_up "Node and npm are missing" "install Node 20 or newer, from your system's packages or nodejs.org"
	[ "$(node -p 'parseInt(process.versions.node) >= 20')" = true ] ||
		give_up "Node $(node -v) is too old" "install Node 20 or newer, from your system's packages or nodejs.org"
	# Node has certificates of its own: those that the system trusts besides, such as
	# a company's, are named to it.
	system_certificates=/etc/ssl/certs/ca-certificates.crt
	if [ -z "${NODE_EXTRA_CA_CERTS:-}" ] && [ -r "$system_certificates" ]; then
		export NODE_EXTRA_CA_CERTS="$system_certificates"
	fi
}

npm() {
	quietly command npm --no-audit --no-fund --no-update-notifier "$@"
}

# npm_packages PACKAGE... installs them into this folder, without their scripts.
npm_packages() {
	echo '{"private": true}' >package.json
	npm install --ignore-scripts "$@"
}
