#!/usr/bin/env bash
# Tries the files of a release: the sums, the archives of both processors in servers for them, and that each server reads what
# the other one saved.
#
#   packages/dist/check.sh DIRECTORY VERSION
set -euo pipefail

die() { echo "dist: $*" >&2; exit 1; }
dist=$(realpath "${1:?usage: check.sh DIRECTORY VERSION}")
version=${2:?usage: check.sh DIRECTORY VERSION}
cd "$(dirname "$0")/../.."
servers=$(realpath target/servers)
tmp=$(mktemp -d)
server=
stop() { [ -z "$server" ] || { kill "$server" && wait "$server" || true; } 2>/dev/null; server=; }
trap 'stop; rm -rf "$tmp"' EXIT

emulator=(qemu-aarch64-static -L /usr/aarch64-linux-gnu)
# A server without a TCP port.
start() {
    local run=("$servers/valkey-9.1/server")
    [ "$1" = x86_64 ] || run=("${emulator[@]}" "$servers/valkey-9.1-aarch64/server")
    "${run[@]}" --port 0 --unixsocket "$tmp/socket" --dir "$tmp" --save "" --daemonize no \
        --loadmodule "$tmp/leaderboard-$version-$1-linux/libleaderboard.so" >"$tmp/log" 2>&1 &
    server=$!
    for _ in {1..300}; do
        [ "$(ask PING 2>/dev/null)" != PONG ] || return 0
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    cat "$tmp/log" >&2
    die "the server for $1 does not start"
}
ask() { redis-cli -s "$tmp/socket" "$@"; }
expect() {
    local expected=$1 got
    shift
    got=$(ask "$@" | tr '\n' ' ')
    [ "$got" = "$expected " ] || die "$*: $got, expected $expected"
}

(cd "$dist" && sha256sum --quiet -c SHA256SUMS) || die "the sums are wrong"
for arch in x86_64 aarch64; do
    tar -xzf "$dist/leaderboard-$version-$arch-linux.tar.gz" -C "$tmp"
    run=()
    [ "$arch" = x86_64 ] || run=("${emulator[@]}")
    "${run[@]}" "$tmp/leaderboard-$version-$arch-linux/leaderboard-gateway" --version | grep -qF "$version" \
        || die "the gateway for $arch does not run"
done

start x86_64
expect OK LB.CREATE season DECIMALS 1 VIEWS all,day:7 SEGMENTS country
for member in {1..400}; do echo "LB.ADD season $((member * 37 % 101)).5 player$member ID first$member SEGMENT country c$((member % 7))"; done \
    | ask >"$tmp/added"
expect 400 LB.COUNT season
rows=$(ask LB.TOP season 400 | tr '\n' ' ')
segments=$(ask LB.SEGMENTS season country | tr '\n' ' ')
for arch in aarch64 x86_64; do
    expect OK SAVE
    stop
    start "$arch"
    expect "${rows% }" LB.TOP season 400
    expect "${segments% }" LB.SEGMENTS season country
    # A retry counts once, whichever processor counted it first.
    retry=$(ask LB.ADD season 37.5 player1 ID first1 SEGMENT country c1)
    [ "$(ask LB.TOP season 400 | tr '\n' ' ')" = "$rows" ] || die "a retry counted on $arch: $retry"
done
stop
echo "dist: both processors load the module and read what the other one saved"
(cd "$dist" && ls -l | awk 'NR > 1 { printf "dist: %s, %.1f MB\n", $NF, $5 / 1e6 }')
