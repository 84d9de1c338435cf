# For scripts that source it: a private server with the module, which ends with the script.
#
#   module=path/to/libleaderboard.so
#   . scripts/private-server.sh
#
# Set `under` to run the server under another program: an array of that program and its options.
#
# Sets $dir, a private directory that is removed in the end, and $socket, where the server listens. What a script starts
# besides belongs into the array `children`: it is ended first.
# shellcheck shell=bash

[ -e "$module" ] || { echo "$0: $module is missing: make build" >&2; exit 1; }
# The server runs in another directory.
module=$(realpath "$module")

dir=$(mktemp -d "${TMPDIR:-/tmp}/leaderboard-demo.XXXXXX")
# Not for the script itself alone: those who source this use it.
# shellcheck disable=SC2034
socket=$dir/redis.sock
children=()
server=
end_process() {
    kill "$1" 2>/dev/null || true
    wait "$1" 2>/dev/null || true
}
finish() {
    for child in "${children[@]}"; do end_process "$child"; done
    [ -z "$server" ] || end_process "$server"
    rm -rf "$dir"
}
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# A socket in a private directory and no port: nothing to clash with, nobody else to reach it, nothing on disk.
"${under[@]}" redis-server --port 0 --unixsocket "$socket" --dir "$dir" --save "" --appendonly no \
    --loadmodule "$module" >"$dir/log" 2>&1 &
server=$!

for ((tries = 0; ; tries++)); do
    [ "$(redis-cli -s "$socket" PING 2>/dev/null)" != PONG ] || break
    if ! kill -0 "$server" 2>/dev/null || [ "$tries" -ge 200 ]; then
        echo "$0: the server did not start:" >&2
        cat "$dir/log" >&2
        exit 1
    fi
    sleep 0.05
done
