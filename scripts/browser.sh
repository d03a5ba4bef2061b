#!/usr/bin/env bash
# Looks at the page in headless Chromium: search, zoom, keyboard, dark mode, a
# phone's width, and axe-core for accessibility.
#
#   scripts/browser.sh [DIR]     screenshots go to DIR
#
# On Debian, as root, Chromium and npm are installed where they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."

axe=axe-core@4.14.1

# install PACKAGE COMMAND...: true when one of the commands is there, if need be
# afterwards.
install() {
	local package=$1
	shift
	for command in "$@"; do command -v "$command" >/dev/null && return; done
	if [ ! -f /etc/debian_version ] || [ "$(id -u)" != 0 ]; then
		echo "needs $1: install $package"
		return 1
	fi
	echo "installing $package"
	apt-get install -y -qq "$package" >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq "$package"; } >/dev/null
}

install chromium chromium chromium-browser google-chrome
install npm npm

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && npm pack --silent "$axe" >/dev/null && tar xzf axe-core-*.tgz)
export SCHEDGEN_AXE=$work/package/axe.min.js
if [ $# -gt 0 ]; then
	mkdir -p "$1"
	SCHEDGEN_SCREENSHOTS=$(cd "$1" && pwd)
	export SCHEDGEN_SCREENSHOTS
fi
go tool -modfile=tools/go.mod gotestsum --format pkgname -- -count=1 -timeout 15m ./server/page
