#!/bin/sh
# Builds editors/vscode/clined-linux-x64.vsix: the extension with the daemon, linked
# statically, so that it runs on any Linux. Prints where it is.
set -eu
cd "$(dirname "$0")/.."
[ "$(uname -s) $("${GO:-go}" env GOARCH)" = "Linux amd64" ] || {
	echo "vsix: the package is for Linux on x86-64, and its daemon can be built there alone; hint: make, and name bin/clined in the setting clined.path" >&2
	exit 1
}
sh scripts/vscode.sh packages
: "${VERSION:=0.1.0-dev}"
commit=$(git rev-parse --short=12 HEAD 2>/dev/null || true)
CGO_ENABLED=1 "${GO:-go}" build -trimpath -tags netgo,osusergo \
	-ldflags "-s -w -linkmode external -extldflags -static -X main.release=$VERSION -X main.revision=$commit" \
	-o editors/vscode/bin/clined ./cmd/clined
cd editors/vscode
npx --no-install tsc --noEmit
node esbuild.mjs
node ../../scripts/vsix/notices.mjs "${GO:-go}" >dist/ThirdPartyNotices.txt
rm -f ./*.vsix
npx --no-install vsce package --no-dependencies --target linux-x64 --out clined-linux-x64.vsix >dist/vsce.log 2>&1 || {
	cat dist/vsce.log >&2
	exit 1
}
node ../../scripts/vsix/check.mjs clined-linux-x64.vsix
echo "built editors/vscode/clined-linux-x64.vsix"
