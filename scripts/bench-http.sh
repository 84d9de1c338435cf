#!/usr/bin/env bash
# Measures the gateway on one core of its own: votes a second through HTTP, and listeners on one live board. The server
# and the load generator share the other core.
#
#   scripts/bench-http.sh path/to/libleaderboard.so path/to/leaderboard-gateway
set -euo pipefail
cd "$(dirname "$0")/.."

module=$(realpath "${1:?usage: scripts/bench-http.sh MODULE GATEWAY}")
gateway=$(realpath "${2:?usage: scripts/bench-http.sh MODULE GATEWAY}")
seconds=${SECONDS_EACH:-10}
connections=${CONNECTIONS:-64}
listeners=${LISTENERS:-1000}

ulimit -n 8192
dir=$(mktemp -d "${TMPDIR:-/tmp}/leaderboard-bench.XXXXXX")
processes=()
finish() {
    for process in "${processes[@]}"; do kill "$process" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$dir"
}
trap finish EXIT
trap 'exit 130' INT TERM

on_rest=()
[ "$(nproc)" -lt 2 ] || on_rest=(taskset -c 1)

"${on_rest[@]}" redis-server --port 0 --unixsocket "$dir/socket" --dir "$dir" --save "" --appendonly no \
    --loadmodule "$module" >"$dir/server.log" 2>&1 &
processes+=($!)
for ((tries = 0; tries < 200; tries++)); do
    [ "$(redis-cli -s "$dir/socket" PING 2>/dev/null)" != PONG ] || break
    sleep 0.05
done
redis-cli -s "$dir/socket" LB.CREATE songs VIEWS all,hour,day LIMIT perminute voter 1000000 minute >/dev/null

taskset -c 0 "$gateway" --redis "unix://$dir/socket" --http 127.0.0.1:0 >"$dir/gateway.log" 2>&1 &
processes+=($!)
url=
for ((tries = 0; tries < 200; tries++)); do
    url=$(sed -n 's/^leaderboard-gateway: //p' "$dir/gateway.log")
    [ -z "$url" ] || break
    sleep 0.05
done
[ -n "$url" ] || { cat "$dir/gateway.log" >&2; exit 1; }

echo "POST votes, $connections connections, $seconds s; three views, one limit"
"${on_rest[@]}" wrk -t1 -c"$connections" -d"${seconds}s" --latency -s gateway/bench/votes.lua \
    "$url/api/v1/boards/songs/votes" | grep -E '^(votes|p50|failed)'
echo "live: $listeners streams of one board"
"${on_rest[@]}" node gateway/bench/listeners.mjs "$url" live "$listeners" 10
