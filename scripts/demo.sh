#!/usr/bin/env bash
# Replays real flights into a board of a private server, runs a voting campaign on another board, plays three weeks of a
# league and a cup with prizes, shows the results, and ends the server.
#
#   scripts/demo.sh path/to/target/demo
set -euo pipefail
cd "$(dirname "$0")/.."

target=${1:?usage: scripts/demo.sh path/to/target/demo}

echo "demo: building the module and the demo's programs (one to two minutes)"
cargo build --profile demo -p leaderboard -p leaderboard-examples --lib --bin replay --bin campaign --bin league --bin cup
module=$target/libleaderboard.so
echo "demo: starting a private server"

. scripts/private-server.sh

"$target/replay" --url "unix://$socket"

printf '\nA voting campaign of one weekend, with made-up voters\n'
"$target/campaign" --url "unix://$socket"

printf '\nA weekly league of three tiers, with made-up players\n'
"$target/league" --url "unix://$socket"

printf '\nA cup of one weekend with made-up players, and its prizes\n'
"$target/cup" --url "unix://$socket"

cat <<'TEXT'

The demo's server ends now. To go on by hand, start one that stays, in a terminal of its own:

  make run

then load the flights into it and ask:

  cargo run --profile demo --bin replay
  redis-cli LB.TOP flights:miles 10 OFFSET 10
  redis-cli LB.AROUND flights:miles N14228 2
  redis-cli LB.STANDING flights:miles N14228 VIEW day:7 PERIOD 2013-01-27
  redis-cli LB.RANK flights:miles N14228 VIEW week PERIOD 2013-W02
  redis-cli LB.PERIODS flights:miles day:7
  redis-cli LB.SEGMENTS flights:miles carrier VIEW week
  redis-cli LB.RANK flights:miles N14228 WITHIN carrier
  redis-cli LB.ROLLADD steps 8000 alice          # her last seven days, moving on at each midnight
  redis-cli LB.ADD game 100 alice ID battle-1    # score, rank, 1: applied
  redis-cli LB.ADD game 100 alice ID battle-1    # the same again, as a retry: 0, nothing changed

or run the campaign and ask:

  cargo run --profile demo --bin campaign
  redis-cli LB.TOP finals 8 REAL
  redis-cli LB.PERIODS finals day
  redis-cli LB.OPTIONS finals 0
  redis-cli LB.VOTE mine 1 ada BY zoe            # a board made by its first vote: all, hour, day, week, month
  redis-cli LB.ALTER mine LIMIT once voter 1 all # one vote each, from now on
  redis-cli LB.VOTE mine 1 bela BY zoe           # counts: 1
  redis-cli LB.VOTE mine 1 bela BY zoe           # 0 once -1: held back by the rule once, for good

or play the league and ask:

  cargo run --profile demo --bin league
  redis-cli LB.LEAGUE.TOP words p1144            # her group of this week
  redis-cli LB.LEAGUE.STANDING words p1144 PERIOD 2026-W20
  redis-cli LB.LEAGUE.GROUP words silver 3 COUNT 5
  redis-cli LB.LEAGUE.CREATE duel TIERS low,high PROMOTE 1,0 DEMOTE 0,1 CYCLE minute REWARD 1
  redis-cli LB.LEAGUE.ADD duel 10 ann            # joins; score, rank, 1: applied
  redis-cli LB.LEAGUE.ADD duel 5 bob
  redis-cli LB.LEAGUE.STANDING duel ann          # zone: promote
  redis-cli LB.LEAGUE.JOIN duel ann              # in the next minute: in high; last: promoted, reward 1

or play the cup and ask:

  cargo run --profile demo --bin cup
  redis-cli LB.PRIZES cup 0                      # who has won, and when it was claimed
  redis-cli LB.INFO cup                          # the rules, and how many writes each held back
  redis-cli LB.CREATE sprint VIEWS minute PRIZES minute 1=gold,2-3=silver
  redis-cli LB.ADD sprint 10 ann
  redis-cli LB.CLAIM sprint ann ID payment-1     # in the next minute: gold, rank 1, 1: pay
  redis-cli LB.CLAIM sprint ann ID payment-2     # gold, rank 1, 0: claimed before
TEXT
