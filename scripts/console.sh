#!/usr/bin/env bash
# Runs a private server with the demo's data, votes that keep coming, and the console, until Ctrl-C.
#
#   scripts/console.sh path/to/libleaderboard.so path/to/leaderboard-gateway [flag of the gateway]...
set -euo pipefail
cd "$(dirname "$0")/.."

module=${1:?usage: scripts/console.sh path/to/libleaderboard.so path/to/leaderboard-gateway [flag]...}
gateway=${2:?usage: scripts/console.sh path/to/libleaderboard.so path/to/leaderboard-gateway [flag]...}
shift 2

cargo build --quiet --profile demo --bin replay --bin campaign --bin league
. scripts/private-server.sh

echo "console: filling the boards"
for example in replay campaign league; do
    cargo run --quiet --profile demo --bin "$example" -- --url "unix://$socket" >/dev/null 2>"$dir/failure" \
        || { cat "$dir/failure" >&2; exit 1; }
done

songs=("Harbour Lights" "月亮代表我的心" "Paper Boats" "茉莉花" "Northern Rain" "平凡之路" "Slow Train Home" "夜空中最亮的星"
    "Glass Mountain" "海阔天空" "Late Summer" "小幸运")

declare_songs() {
    echo "LB.CREATE songs VIEWS all,minute,hour,day TZ Asia/Shanghai RETAIN minute=60,hour=24,day=7 SHOWN DECLARED" \
        "LIMIT perminute voter 5 minute BONUS channel radio 5 LIMIT flood member 400 minute"
    for song in "${songs[@]}"; do echo "LB.OPTION songs \"$song\" WEIGHT $((RANDOM % 2 + 1))"; done
    echo "LB.COUNTER.CREATE visits"
}

# One song is the favourite for a while, then another: ranks change while one looks on.
vote() {
    local favourite=$1 song=$((RANDOM % ${#songs[@]}))
    [ $((RANDOM % 3)) -ne 0 ] || song=$favourite
    echo "LB.VOTE songs $((RANDOM % 3 + 1)) \"${songs[song]}\" BY user:$((RANDOM % 300)) TAG channel $2"
}

go_on() {
    local turn
    for ((turn = 0; ; turn++)); do
        for ((votes = RANDOM % 8; votes > 0; votes--)); do
            vote $((turn / 40 % ${#songs[@]})) "$([ $((RANDOM % 4)) -eq 0 ] && echo radio || echo web)"
        done
        echo "LB.COUNTER.INCR visits BY $((RANDOM % 20 + 10))"
        sleep 0.5
    done
}

declare_songs | redis-cli -s "$socket" >/dev/null
for ((turn = 0; turn < 300; turn++)); do
    vote $((turn / 60)) web
    echo "LB.COUNTER.INCR visits BY $((RANDOM % 60)) AT $(((${EPOCHSECONDS} - turn * 60) * 1000))"
done | redis-cli -s "$socket" >/dev/null
go_on > >(exec redis-cli -s "$socket" >/dev/null) &
children+=($!)

"$gateway" --redis "unix://$socket" "$@" &
children+=($!)
echo "console: Ctrl-C ends it; redis-cli -s $socket"
wait "$!"
