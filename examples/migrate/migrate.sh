#!/usr/bin/env bash
# Moves a sorted set to a board while it is in use: imports it in steps, and compares the two.
#
#   examples/migrate/migrate.sh SORTED_SET BOARD [options of redis-cli]
#
# From before this begins until readers have been switched, applications write with write.lua, which keeps the two
# equal: see docs/migrating.md. The board is made beforehand (LB.CREATE), or has the default rules.
# STEP: members of a step (1000). Ends with an error if the two differ.
set -euo pipefail
here=$(dirname "$0")
if [ $# -lt 2 ]; then
  sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
set_key=$1 board=$2 step=${STEP:-1000}
shift 2
cli=(redis-cli "$@" --raw -e)

cursor=0 imported=0
while :; do
  { read -r cursor; read -r count; } < <("${cli[@]}" LB.IMPORT "$board" "$set_key" NX ROUND CURSOR "$cursor" COUNT "$step")
  imported=$((imported + count))
  [ "$cursor" = 0 ] && break
done
echo "imported $imported members; the others had been written already"

decimals=$("${cli[@]}" LB.INFO "$board" | awk 'last == "decimals" { print; exit } { last = $0 }')
compared=0 differing=0
while :; do
  { read -r rows; read -r wrong; read -r missing; } < <("${cli[@]}" EVAL "$(cat "$here/compare.lua")" 2 \
    "$set_key" "$board" "$compared" $((compared + step - 1)) "$decimals")
  compared=$((compared + rows)) differing=$((differing + wrong))
  [ "$rows" -lt "$step" ] && break
done
echo "compared $compared members: $differing differ, the sorted set has $missing more"
[ "$differing" = 0 ] && [ "$missing" = 0 ]
