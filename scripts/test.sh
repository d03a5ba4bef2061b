#!/usr/bin/env bash
# Runs the tests everywhere that this machine can run them: natively, with the
# race detector, without assembly, on 32-bit, and on arm64 and big-endian s390x
# under qemu. Says at the end what ran, with counts, and what was left out. Every
# way runs the packages in which it can make a difference, and all run natively.
#
#   scripts/test.sh [STAGE]...     stages: native race purego 386 arm64 s390x models
#
# On Debian, as root, what is missing is installed. Elsewhere it is skipped.
set -u
cd "$(dirname "$0")/.."

stages=("$@")
[ ${#stages[@]} -gt 0 ] || stages=(native race purego 386 arm64 s390x models)

report=$(mktemp -d)
trap 'rm -rf "$report"' EXIT
failed=0

# install PACKAGE COMMAND: true when COMMAND is there, if need be afterwards.
install() {
	command -v "$2" >/dev/null && return 0
	[ -f /etc/debian_version ] && [ "$(id -u)" = 0 ] || return 1
	echo "installing $1"
	{ apt-get install -y -qq "$1" || { apt-get update -qq && apt-get install -y -qq "$1"; }; } >"$report/apt" 2>&1 ||
		{ tail -n 5 "$report/apt"; return 1; }
	command -v "$2" >/dev/null
}

skip() { printf '%-8s skipped: %s\n' "$1" "$2" >>"$report/summary"; }

# backends: those that the processor must have, by what Linux says of it, so that
# a backend that is not found is a failure and not a skip.
backends() {
	grep -qw avx512vl /proc/cpuinfo 2>/dev/null && printf avx512,
	grep -qw avx2 /proc/cpuinfo 2>/dev/null && printf avx2
}

# skips FILE: why tests were skipped, each reason once, with the number of times;
# FILE is the output of go test -json.
skips() {
	awk '
		function field(name) {
			return match($0, "\"" name "\":\"([^\"\\\\]|\\\\.)*\"") ? substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5) : ""
		}
		{ test = field("Package") " " field("Test") }
		/"Action":"output"/ && /\.go:[0-9]+: / { said[test] = field("Output") }
		/"Action":"skip"/ && said[test] { print said[test] }
	' "$1" | sed -E 's/^ +//; s/\\n$//; s/\\"/"/g' | sort | uniq -c
}

# Where the processor's backends are; what has bits; what shares memory.
backed="./internal/... ./chacha20rng/... ./wsample/... ./schedule/... ./batch/... ./vectors/..."
bits="$backed ./stakes/... ./slotclock/... ./schedulefile/... ./leaders/... ./compare/... ./server/splice/... ./server/store/..."
shared="$backed ./leaders/... ./noderpc/... ./server/..."

# run NAME [VAR=VALUE]... -- ARGUMENT...: one stage of $packages, through gotestsum,
# which counts the tests and names the skipped ones.
packages=./...
run() {
	local name=$1 code=0
	shift
	local environment=()
	while [ "$1" != -- ]; do environment+=("$1"); shift; done
	shift
	echo "== $name: ${environment[*]} go test $* $packages"
	# shellcheck disable=SC2086 # a list of packages
	env "${environment[@]}" "$report/gotestsum" --format pkgname --hide-summary=skipped \
		--jsonfile "$report/$name.json" -- "$@" $packages 2>&1 | tee "$report/$name.log"
	code=${PIPESTATUS[0]}
	[ "$code" = 0 ] || failed=1
	printf '%-8s %s\n' "$name" "$(grep '^DONE' "$report/$name.log" | tail -n 1)" >>"$report/summary"
	skips "$report/$name.json" >"$report/$name.skips"
}

go build -modfile=tools/go.mod -o "$report/gotestsum" gotest.tools/gotestsum || exit 1

for stage in "${stages[@]}"; do
	packages=./...
	case $stage in
	native) run native "SCHEDGEN_REQUIRE_BACKENDS=$(backends)" -- ;;
	race)
		if command -v "$(go env CC)" >/dev/null; then
			packages=$shared
			run race CGO_ENABLED=1 -- -race -short
		else
			skip race "the race detector needs a C compiler"
		fi ;;
	purego)
		packages=$backed
		run purego -- -tags purego ;;
	386)
		if [ "$(uname -s)/$(uname -m)" = Linux/x86_64 ]; then
			packages=$bits
			run 386 GOARCH=386 CGO_ENABLED=0 -- -short
		else
			skip 386 "needs Linux on x86-64"
		fi ;;
	arm64 | s390x)
		emulator=qemu-$stage-static
		[ "$stage" = arm64 ] && emulator=qemu-aarch64-static
		packages=$bits
		[ "$stage" = s390x ] || packages=$backed
		if install qemu-user-static "$emulator"; then
			run "$stage" GOOS=linux GOARCH="$stage" CGO_ENABLED=0 SCHEDGEN_TEST_EMULATED=1 -- -short -exec "$emulator"
		else
			skip "$stage" "needs $emulator (Debian: apt-get install qemu-user-static)"
		fi ;;
	models)
		packages=$backed
		if [ "$(go env GOHOSTARCH)" = amd64 ] && install qemu-user-static qemu-x86_64-static; then
			# Without AVX2; and with AVX2 but, as qemu has none, without AVX-512.
			run nehalem CGO_ENABLED=0 SCHEDGEN_TEST_EMULATED=1 -- -short -exec "qemu-x86_64-static -cpu Nehalem"
			run avx2 CGO_ENABLED=0 SCHEDGEN_TEST_EMULATED=1 SCHEDGEN_REQUIRE_BACKENDS=avx2 -- -short -exec "qemu-x86_64-static -cpu max"
		else
			skip models "needs an x86-64 machine and qemu-x86_64-static (Debian: apt-get install qemu-user-static)"
		fi ;;
	*) echo "unknown stage $stage"; exit 2 ;;
	esac
done

echo
echo "== tests by stage"
cat "$report/summary"
if [ -s "$report/native.skips" ]; then
	echo "== skipped natively (times, where, why)"
	cat "$report/native.skips"
fi
exit "$failed"
