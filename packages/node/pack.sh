#!/usr/bin/env bash
# Makes the packages for Node.js: the client, and the server for this machine's processor. Then installs them into an empty
# directory as a user would, and tests them there.
#
#   packages/node/pack.sh path/to/libleaderboard.so path/to/leaderboard-gateway DIRECTORY [build]
#
# With `build`, the packages are only made, in DIRECTORY.
set -euo pipefail

module=$(realpath "${1:?usage: pack.sh MODULE GATEWAY DIRECTORY [build]}")
gateway=$(realpath "${2:?usage: pack.sh MODULE GATEWAY DIRECTORY [build]}")
out=$(realpath "${3:?usage: pack.sh MODULE GATEWAY DIRECTORY [build]}")
cd "$(dirname "$0")"

dependencies() {
    [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --silent --ignore-scripts --no-audit --no-fund
}

echo "packages: building for Node.js"
rm -f "$out"/*.tgz
(cd ../../clients/node && dependencies && npm pack --silent --pack-destination "$out")
dependencies
npm run --silent build
stage=$out/node-stage
rm -rf "$stage"
mkdir -p "$stage/files"
cp -r package.json README.md ../../LICENSE-APACHE ../../LICENSE-MIT dist "$stage"
install --strip "$module" "$stage/files/libleaderboard.so"
install --strip "$gateway" "$stage/files/leaderboard-gateway"
install -m 644 ../../examples/data/flights-2013-01.csv.gz "$stage/files"
(cd "$stage" && npm pkg set "cpu[]=$(node -p process.arch)" && npm pack --silent --pack-destination "$out")
[ "${4:-}" != build ] || exit 0

echo "packages: testing those for Node.js as they are installed"
npx tsc -p tests
npm run --silent lint
user=$out/node-user
rm -rf "$user"
mkdir "$user"
echo '{ "private": true, "type": "module" }' >"$user/package.json"
(cd "$user" && npm install --silent --no-audit --no-fund "$out"/*.tgz "redis@$(npm --prefix "$OLDPWD" pkg get devDependencies.redis | tr -d '"')")
cp -r dist/tests "$user"
cd "$user"
# A killed server leaves its logs.
mkdir tmp
TMPDIR=$PWD/tmp node --test tests/*.test.*js >tests.log 2>&1 || { grep -B 2 -A 40 '^ *not ok' tests.log >&2 || cat tests.log >&2; exit 1; }
grep -E '^# (pass|skipped)' tests.log
