#!/usr/bin/env bash
# Builds the packages with the module and the gateway, installs them into empty environments as a user would, and tests them.
# Checks the files for containers.
#
#   scripts/packages.sh path/to/libleaderboard.so path/to/leaderboard-gateway [build]
#
# With `build`, the packages are only made: in target/packages, wheels for Python and archives for Node.js. The latter are
# skipped, loudly, where there is no npm: `make browser` installs it.
set -euo pipefail
cd "$(dirname "$0")/.."

module=${1:?usage: scripts/packages.sh MODULE GATEWAY [build]}
gateway=${2:?usage: scripts/packages.sh MODULE GATEWAY [build]}
work=${CARGO_TARGET_DIR:-target}/packages
mkdir -p "$work"
work=$(realpath "$work")

scripts/python-tools.sh packages/python/requirements.txt "$work/tools"

echo "packages: building the wheels"
files=packages/python/src/leaderboard_server/files
mkdir -p "$files"
install --strip "$module" "$files/libleaderboard.so"
install --strip "$gateway" "$files/leaderboard-gateway"
install -m 644 examples/data/flights-2013-01.csv.gz "$files"
rm -f "$work"/*.whl
for package in clients/python packages/python; do
    "$work/tools/bin/python" -m build --no-isolation --wheel --outdir "$work" "$package" >"$work/built" 2>&1 \
        || { cat "$work/built" >&2; exit 1; }
done
ls -l "$work"/*.whl | awk '{ printf "packages: %s, %.1f MB\n", $NF, $5 / 1e6 }'

for_node() {
    if command -v npm >/dev/null; then
        packages/node/pack.sh "$module" "$gateway" "$work" "$@"
    else
        echo "packages: SKIPPED those for Node.js, because npm is missing (make browser installs it)" >&2
    fi
}
if [ "${3:-}" = build ]; then
    for_node build
    exit
fi

echo "packages: testing them as they are installed"
rm -rf "$work/user"
python3 -m venv "$work/user"
"$work/user/bin/pip" -q --disable-pip-version-check install "$work"/*.whl pytest==9.2.0
(
    cd packages/python
    "$work/tools/bin/mypy" --python-executable "$work/user/bin/python"
    "$work/tools/bin/ruff" check --quiet
    "$work/tools/bin/ruff" format --quiet --check
    "$work/user/bin/pytest" -q
)
for_node
packages/docker/check.sh "$work/container-tools"
