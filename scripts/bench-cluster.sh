#!/usr/bin/env bash
# Measures a spread board: three nodes, 8 parts, a gateway. The gateway has one core, the nodes and the load generator
# share the rest, so on a machine of two cores those are the limit; the gateway's processor time tells the rest.
#
#   scripts/bench-cluster.sh path/to/libleaderboard.so path/to/leaderboard-gateway
#   PARTS="8 64 1024" scripts/bench-cluster.sh ...      reads of boards with these numbers of parts; writes of the first
#   RIGHTS=-lb.gather scripts/bench-cluster.sh ...      as a user who lacks a right: without LB.GATHER, each part is asked
set -euo pipefail
cd "$(dirname "$0")/.."

module=${1:?usage: scripts/bench-cluster.sh MODULE GATEWAY}
gateway=${2:?usage: scripts/bench-cluster.sh MODULE GATEWAY}
members=${MEMBERS:-300000}
read -ra counts <<<"${PARTS:-8}"
. scripts/private-cluster.sh
if [ "$(nproc)" -ge 2 ]; then
    on=(taskset -c 1)
    on_gateway=(taskset -c 0)
fi

start_cluster 3 0
start_gateway --cache-ms 0
for port in "${nodes[@]}"; do
    redis-cli -p "$port" ACL SETUSER bench on '>bench' '~*' +@all ${RIGHTS:+"$RIGHTS"} >/dev/null
done
export REDISCLI_AUTH=bench

as_user() { redis-cli --user bench -p "$door" "$@"; }

for parts in "${counts[@]}"; do
    as_user LB.CREATE "game$parts" PARTS "$parts" VIEWS all >/dev/null
    awk -v members="$members" -v key="game$parts" 'BEGIN {
        srand(1)
        for (i = 0; i < members; i++) printf "LB.ADD %s %d m%012d\n", key, rand() * 1000000, i
    }' | as_user --pipe >/dev/null
done

# Processor time of the gateway in microseconds.
used() { awk -v tick="$(getconf CLK_TCK)" '{ print ($14 + $15) * 1000000 / tick }' "/proc/${children[0]}/stat"; }

# measure NAME REQUESTS FLAGS-OF-REDIS-BENCHMARK... -- COMMAND...
measure() {
    local name=$1 requests=$2 flags=() before after
    shift 2
    while [ "$1" != -- ]; do flags+=("$1"); shift; done
    shift
    before=$(used)
    "${on[@]}" redis-benchmark --user bench -a bench -p "$door" -n "$requests" -r "$members" --csv "${flags[@]}" "$@" 2>/dev/null >"$dir/result"
    after=$(used)
    # test, rps, avg, min, p50, p95, p99, max
    tail -1 "$dir/result" | tr -d '"' | awk -F, -v name="$name" -v used="$((${after%.*} - ${before%.*}))" \
        -v requests="$requests" '{
            n = NF; printf "%-38s %9.0f %9.2f %9.2f %9.1f\n", name, $(n-6), $(n-3), $(n-1), used / requests
        }'
}

for parts in "${counts[@]}"; do
    game=game$parts
    # A gather of many parts takes longer, so there are fewer of them.
    times=$((64 / parts > 0 ? 10 : 640 / parts + 1))
    printf '%-38s %9s %9s %9s %9s\n' "$members members, $parts parts, 3 nodes" "per s" "p50 ms" "p99 ms" "µs each"
    measure "LB.RANK, one caller" $((500 * times)) -c 1 -- LB.RANK "$game" m__rand_int__
    measure "LB.RANK, 16 callers" $((5000 * times)) -c 16 -- LB.RANK "$game" m__rand_int__
    measure "LB.RANK ESTIMATE, 16 callers" 50000 -c 16 -- LB.RANK "$game" m__rand_int__ ESTIMATE
    measure "LB.TOP 100, one caller" $((300 * times)) -c 1 -- LB.TOP "$game" 100
    measure "LB.TOP 100, 16 callers" $((2000 * times)) -c 16 -- LB.TOP "$game" 100
    measure "LB.STANDING, 16 callers" $((2000 * times)) -c 16 -- LB.STANDING "$game" m__rand_int__
    # Deep pages of more parts take so long that 16 callers get BUSY.
    [ "$parts" -gt 256 ] || measure "LB.TOP 100 OFFSET $((members / 2)), 16 callers" $((200 * times)) -c 16 -- LB.TOP "$game" 100 OFFSET $((members / 2))
done
game=game${counts[0]}
measure "LB.ADD, 16 callers" 100000 -c 16 -- LB.ADD "$game" 1 m__rand_int__
measure "LB.ADD, pipelined by 100" 500000 -c 16 -P 100 -- LB.ADD "$game" 1 m__rand_int__
