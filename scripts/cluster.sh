#!/usr/bin/env bash
# Spreads a board over a private cluster of three primaries with a replica each, replays real flights into it through
# the gateway, asks it, kills a primary, and shows what clients see. With `stay` as the third argument, goes on until
# Ctrl-C.
#
#   scripts/cluster.sh path/to/libleaderboard.so path/to/leaderboard-gateway [stay]
set -euo pipefail
cd "$(dirname "$0")/.."

module=${1:?usage: scripts/cluster.sh MODULE GATEWAY [stay]}
gateway=${2:?usage: scripts/cluster.sh MODULE GATEWAY [stay]}
. scripts/private-cluster.sh

ask() {
    echo "> $*"
    redis-cli -p "$door" "$@"
}

echo "cluster: starting three primaries with a replica each, and the gateway"
start_cluster 3 1
start_gateway

ask LB.CREATE flights PARTS 64 VIEWS all,day DEDUP 3600
echo "> LB.ADD flights 1400 N14228 ID UA1545-2013-01-01-EWR    and 26,482 other flights, each fifth one sent twice"
zcat examples/data/flights-2013-01.csv.gz | awk -F, 'NR > 1 {
    line = "LB.ADD flights " $6 " " $3 " ID " $2
    print line
    if (NR % 5 == 0) print line
}' >"$dir/flights"
began=$EPOCHREALTIME
redis-cli -p "$door" --pipe <"$dir/flights" | tail -1
awk -v from="$began" -v to="$EPOCHREALTIME" 'BEGIN { printf "in %.2f s\n", to - from }'

ask LB.TOP flights 5
ask LB.RANK flights N14228
ask LB.STANDING flights N14228
ask LB.RANK flights N14228 ESTIMATE
ask LB.COUNT flights

echo
echo "cluster: a primary is killed; its replica takes over after about three seconds"
kill -KILL "${servers[${nodes[1]}]}"
wait "${servers[${nodes[1]}]}" 2>/dev/null || true
ask LB.TOP flights 2 TIMEOUT 300
ask LB.TOP flights 2 TIMEOUT 300 PARTIAL
ask LB.ADD flights 10 N14228 ID after-1 TIMEOUT 10000
has_all() { redis-cli -p "$door" LB.COUNT flights | grep -q -x -E '[0-9]+'; }
wait_for has_all
echo "cluster: all parts answer again"
ask LB.TOP flights 2
ask LB.COUNT flights

if [ "${3:-}" = stay ]; then
    echo "cluster: redis-cli -p $door; the nodes are ${nodes[*]}; Ctrl-C ends it"
    wait "${children[0]}"
fi
