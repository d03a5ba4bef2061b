#!/usr/bin/env bash
# Has the clients that people use ask the service: those in Go, and @solana/web3.js
# and @solana/kit in the versions that server/clienttest/js pins.
#
#   scripts/clients.sh [ARGUMENT]...     arguments are those of go test, such as -v
#
# Needs Node.js 18 or later and npm, and asks npm's registry for the packages. On
# Debian, as root, both are installed when they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts=$PWD/server/clienttest/js

has() { command -v node >/dev/null && command -v npm >/dev/null; }

if ! has && [ -f /etc/debian_version ] && [ "$(id -u)" = 0 ]; then
	echo "installing nodejs and npm"
	get=(apt-get install -y -qq --no-install-recommends nodejs npm ca-certificates)
	log=$(mktemp)
	{ "${get[@]}" || { apt-get update -qq && "${get[@]}"; }; } >"$log" 2>&1 || tail -n 5 "$log"
	rm -f "$log"
fi
has || { echo "needs node and npm (Debian: apt-get install nodejs npm)"; exit 1; }
node -e 'process.exit(process.versions.node.split(".")[0] >= 18 ? 0 : 1)' ||
	{ echo "needs Node.js 18 or later, not $(node --version)"; exit 1; }

if [ ! "$scripts/node_modules/.package-lock.json" -nt "$scripts/package-lock.json" ]; then
	(cd "$scripts" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
fi
echo "clients in Node.js $(node --version)"
SCHEDGEN_CLIENTS=$scripts go test -count=1 "$@" ./server/clienttest
