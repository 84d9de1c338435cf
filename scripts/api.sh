#!/usr/bin/env bash
# Tests the description of the HTTP API against a running gateway: Schemathesis sends valid and wrong requests made from
# it, and clients generated from it in Python and TypeScript are used.
#
#   scripts/api.sh path/to/libleaderboard.so path/to/leaderboard-gateway
#
# The part in TypeScript is skipped, loudly, where there is no Node.js: `make browser` installs it.
set -euo pipefail
cd "$(dirname "$0")/.."

module=${1:?usage: scripts/api.sh path/to/libleaderboard.so path/to/leaderboard-gateway}
gateway=${2:?usage: scripts/api.sh path/to/libleaderboard.so path/to/leaderboard-gateway}
here=gateway/api
work=${CARGO_TARGET_DIR:-target}/api
mkdir -p "$work"
work=$(realpath "$work")
# The generator of the client formats what it writes with ruff.
export PATH=$work/venv/bin:$PATH

scripts/python-tools.sh "$here/requirements.txt" "$work/venv"

. scripts/private-server.sh
redis-cli -s "$socket" <"$here/seed.txt" >"$dir/seeded"
! grep '^ERR' "$dir/seeded" || exit 1

token=$("$gateway" token new "$dir/tokens" --name api --role admin)
"$gateway" --redis "unix://$socket" --http 127.0.0.1:0 --tokens "$dir/tokens" >"$dir/gateway" 2>&1 &
children+=($!)
address=
for ((tries = 0; tries < 200; tries++)); do
    address=$(grep -om1 'http://[^ ]*' "$dir/gateway" || true)
    [ -z "$address" ] || break
    sleep 0.05
done
[ -n "$address" ] || { cat "$dir/gateway" >&2; exit 1; }

echo "api: Schemathesis"
# It keeps a cache where it runs.
description=$PWD/docs/openapi.json config=$PWD/$here/schemathesis.toml
(cd "$work" && exec st --config-file "$config" run "$description" --url "$address/api/v1" \
    -H "Authorization: Bearer $token" --workers 2 --no-color) >"$dir/schemathesis" 2>&1 \
    || { cat "$dir/schemathesis" >&2; exit 1; }
tail -n 3 "$dir/schemathesis"

rm -rf "$work/gateway_client"
"$work/venv/bin/openapi-python-client" generate --path docs/openapi.json --meta none \
    --output-path "$work/gateway_client" >"$dir/generated" 2>&1 || { cat "$dir/generated" >&2; exit 1; }
PYTHONPATH=$work "$work/venv/bin/python" "$here/client.py" "$address" "$token"

if ! command -v npm >/dev/null; then
    echo "api: SKIPPED the TypeScript client, because npm is missing (make browser installs it)" >&2
    exit
fi
cd "$here"
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --ignore-scripts --no-audit --no-fund
npx openapi-typescript ../../docs/openapi.json --output schema.ts >"$dir/typed" 2>&1 || { cat "$dir/typed" >&2; exit 1; }
npx tsc
node made/client.js "$address" "$token"
