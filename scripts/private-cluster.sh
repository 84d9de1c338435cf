# For scripts that source it: a private cluster with the module and a gateway before it, which end with the script.
#
#   module=path/to/libleaderboard.so gateway=path/to/leaderboard-gateway
#   . scripts/private-cluster.sh
#   start_cluster PRIMARIES REPLICAS_OF_EACH
#   start_gateway [flag of the gateway]...
#
# Sets $dir, a private directory that is removed in the end; $nodes, the ports of the nodes, primaries first; $servers,
# their processes by port; $door, the port of the gateway's door. `on` may hold a command before each server, and
# `on_gateway` one before the gateway, such as `taskset -c 1`. What a script starts besides belongs into `children`.
# shellcheck shell=bash

for file in "$module" "$gateway"; do
    [ -e "$file" ] || { echo "$0: $file is missing: make build" >&2; exit 1; }
done
# The servers run in other directories.
module=$(realpath "$module")
gateway=$(realpath "$gateway")

dir=$(mktemp -d "${TMPDIR:-/tmp}/leaderboard-cluster.XXXXXX")
declare -A servers=()
nodes=()
children=()
on=()
on_gateway=()
door=

finish() {
    # A server that was stopped does not hear of its end before it goes on.
    for process in "${children[@]}" "${servers[@]}"; do
        kill "$process" 2>/dev/null || true
        kill -CONT "$process" 2>/dev/null || true
    done
    wait 2>/dev/null || true
    rm -rf "$dir"
}
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Waits until a command succeeds, for 20 seconds at most.
wait_for() {
    for ((tries = 0; tries < 200; tries++)); do
        ! "$@" 2>/dev/null || return 0
        sleep 0.1
    done
    echo "$0: waited for too long: $*" >&2
    tail -n 3 "$dir"/*/log "$dir"/*.log >&2 || true
    exit 1
}

is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

free_port() {
    local port
    while :; do
        port=$((RANDOM % 12000 + 20000))
        # Nodes talk to each other on the port that is 10,000 above.
        ! { is_free "$port" && is_free $((port + 10000)); } || { echo "$port"; return; }
    done
}

answers() { [ "$(redis-cli -p "$1" PING)" = PONG ]; }

start_node() {
    local port=$1
    mkdir -p "$dir/$port"
    "${on[@]}" redis-server --port "$port" --bind 127.0.0.1 --dir "$dir/$port" --save "" --appendonly no \
        --cluster-enabled yes --cluster-node-timeout 2000 --repl-diskless-sync yes --repl-diskless-sync-delay 0 \
        --loadmodule "$module" >>"$dir/$port/log" 2>&1 &
    servers[$port]=$!
}

knows_all() { [ "$(redis-cli -p "$1" CLUSTER INFO | grep -c -E '^cluster_(state:ok|slots_ok:16384)')" = 2 ]; }

start_cluster() {
    local count=$(($1 * ($2 + 1))) port
    while [ "${#nodes[@]}" -lt "$count" ]; do
        port=$(free_port)
        [ -z "${servers[$port]:-}" ] || continue
        start_node "$port"
        nodes+=("$port")
    done
    for port in "${nodes[@]}"; do wait_for answers "$port"; done
    redis-cli --cluster create "${nodes[@]/#/127.0.0.1:}" --cluster-replicas "$2" --cluster-yes >"$dir/create.log" \
        || { cat "$dir/create.log" >&2; exit 1; }
    for port in "${nodes[@]}"; do wait_for knows_all "$port"; done
}

start_gateway() {
    door=$(free_port)
    "${on_gateway[@]}" "$gateway" "${nodes[@]/#/--redis=redis://127.0.0.1:}" --http 127.0.0.1:0 \
        --resp "127.0.0.1:$door" "$@" >"$dir/gateway.log" 2>&1 &
    children+=($!)
    wait_for answers "$door"
}
