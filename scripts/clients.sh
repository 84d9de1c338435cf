#!/usr/bin/env bash
# Tests the clients in Python, PHP and TypeScript as packages: offline with the vectors, and with all servers, a cluster and
# the gateway.
#
#   scripts/clients.sh path/to/libleaderboard.so path/to/leaderboard-gateway
#
# The client in PHP is skipped, loudly, where there is no PHP: `scripts/deps.sh php` installs it. The one in TypeScript is
# skipped where there is no Node.js: `make browser` installs it.
set -euo pipefail
cd "$(dirname "$0")/.."

module=${1:?usage: scripts/clients.sh MODULE GATEWAY}
gateway=${2:?usage: scripts/clients.sh MODULE GATEWAY}
work=${CARGO_TARGET_DIR:-target}/clients
mkdir -p "$work"
work=$(realpath "$work")

scripts/python-tools.sh clients/python/requirements.txt "$work/venv"

. scripts/private-cluster.sh
start_cluster 3 0
start_gateway

# Starts a server of its own for the clients, and adds it to the list.
listed=()
start_server() {
    local name=$1 binary=$2 port
    port=$(free_port)
    mkdir -p "$dir/$name"
    "$binary" --port "$port" --bind 127.0.0.1 --dir "$dir/$name" --save "" --appendonly no \
        --loadmodule "$module" >"$dir/$name/log" 2>&1 &
    children+=($!)
    wait_for answers "$port"
    listed+=("\"$name\": $port")
}
start_server redis-7.0 redis-server
for name in redis-6.2 redis-8.2 valkey-9.1; do
    [ ! -e "target/servers/$name/server" ] || start_server "$name" "$PWD/target/servers/$name/server"
done
join() { local IFS=,; echo "$*"; }
export LEADERBOARD_TEST_SERVERS="{\"servers\": {$(join "${listed[@]}")}, \"cluster\": [$(join "${nodes[@]}")], \"gateway\": $door}"

echo "clients: Python"
(
    cd clients/python
    PATH=$work/venv/bin:$PATH
    mypy
    ruff check --quiet
    ruff format --quiet --check
    # The tests use the package as it is installed, not its sources.
    rm -rf "$work/wheel"
    python -m build --no-isolation --wheel --outdir "$work/wheel" . >"$dir/built" 2>&1 || { cat "$dir/built" >&2; exit 1; }
    pip -q --disable-pip-version-check install --force-reinstall --no-deps "$work"/wheel/*.whl
    pytest -q
)

if command -v php >/dev/null && command -v phpunit >/dev/null && command -v phpcs >/dev/null; then
    echo "clients: PHP"
    (
        cd clients/php
        phpcs -qn
        phpunit >"$dir/phpunit" || { cat "$dir/phpunit" >&2; exit 1; }
        grep -E '^(OK|Tests:)' "$dir/phpunit"
    )
else
    echo "clients: SKIPPED the client in PHP, because php, phpunit or phpcs is missing (scripts/deps.sh php)" >&2
fi

if ! command -v npm >/dev/null; then
    echo "clients: SKIPPED the client in TypeScript, because npm is missing (make browser installs it)" >&2
    exit
fi
echo "clients: TypeScript"
cd clients/node
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --ignore-scripts --no-audit --no-fund
npm run --silent build
npm run --silent lint
npm test --silent >"$dir/tests" 2>&1 || { grep -B 2 -A 40 '^ *not ok' "$dir/tests" >&2 || cat "$dir/tests" >&2; exit 1; }
grep -E '^# (pass|skipped)' "$dir/tests"
