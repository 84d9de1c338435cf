#!/usr/bin/env bash
# Runs the web game of examples/games, in Python or in TypeScript, with a private server until Ctrl-C; or tests both in Chromium.
#
#   LEADERBOARD_MODULE=... LEADERBOARD_GATEWAY=... scripts/games.sh python|typescript [--port PORT] [--seconds SECONDS]
#   LEADERBOARD_MODULE=... LEADERBOARD_GATEWAY=... scripts/games.sh test
#
# Tests are skipped, loudly, where there is no browser: `make browser` installs one.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() { echo "usage: scripts/games.sh python|typescript|test [--port PORT] [--seconds SECONDS]" >&2; exit 2; }
[ $# -gt 0 ] || usage
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
export LEADERBOARD_MODULE=$(realpath "${LEADERBOARD_MODULE:-$target/release/libleaderboard.so}")
export LEADERBOARD_GATEWAY=$(realpath "${LEADERBOARD_GATEWAY:-$target/release/leaderboard-gateway}")
work=$target/games
mkdir -p "$work"

missing_of() {
    local program
    for program in "$@"; do
        command -v "$program" >/dev/null || echo -n " $program"
    done
}

has_node() {
    [ -z "$(missing_of node npm)" ]
}

# Whether a file is there, and newer than all that is named after it.
is_newer() {
    local file=$1
    shift
    [ -e "$file" ] && [ -z "$(find "$@" -name node_modules -prune -o -type f -newer "$file" -print -quit)" ]
}

# Installs npm's packages of a directory, unless they are newer than what was asked for.
install_node() {
    (cd "$1" && { [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --ignore-scripts --no-audit --no-fund --silent; })
}

# Builds the packages of this repository unless those given are newer than their sources, which follow `--`.
build_packages() {
    local package packages=()
    for package in "$@"; do
        [ "$package" != -- ] || break
        packages+=("$package")
    done
    shift $((${#packages[@]} + 1))
    for package in "${packages[@]}"; do
        is_newer "$package" "$LEADERBOARD_MODULE" "$@" && continue
        scripts/packages.sh "$LEADERBOARD_MODULE" "$LEADERBOARD_GATEWAY" build >&2
        return
    done
}

prepare_python() {
    local packages=("$target"/packages/leaderboard_{client,server}-0.1.0-*.whl)
    build_packages "${packages[@]}" -- {clients,packages}/python/{src/*/*.py,pyproject.toml}
    packages=("$target"/packages/leaderboard_{client,server}-0.1.0-*.whl)
    scripts/python-tools.sh examples/games/python/requirements.txt "$work/venv"
    is_newer "$work/venv/packages" "${packages[@]}" && return
    "$work/venv/bin/pip" -q --disable-pip-version-check install --no-deps --force-reinstall "${packages[@]}"
    touch "$work/venv/packages"
}

check_python() {
    cd examples/games/python
    "$work/venv/bin/mypy" --cache-dir "$work/mypy"
    "$work/venv/bin/ruff" check --quiet --no-cache
    "$work/venv/bin/ruff" format --quiet --check --no-cache
}

prepare_typescript() {
    local packages=("$target"/packages/leaderboard-{client,server}-0.1.0.tgz) stamp=node_modules/leaderboard-server/.installed
    build_packages "${packages[@]}" -- {clients,packages}/node/{src,package.json,tsconfig.json}
    cd examples/games/typescript
    install_node .
    if ! is_newer "$stamp" "${packages[@]}"; then
        npm install --no-save --no-package-lock --ignore-scripts --no-audit --no-fund --silent "${packages[@]}"
        touch "$stamp"
    fi
    cd ../../..
}

run_typescript() {
    cd examples/games/typescript
    exec node --import tsx src/app.ts "$@"
}

case "$1" in
    python)
        prepare_python
        exec "$work/venv/bin/python" -B examples/games/python/app.py "${@:2}"
        ;;
    typescript)
        has_node || { echo "games: Node.js 20 or later is missing" >&2; exit 1; }
        prepare_typescript
        run_typescript "${@:2}"
        ;;
    test)
        missing=$(missing_of chromium node npm)
        if [ -n "$missing" ]; then
            echo "games: SKIPPED, because these are missing:$missing (make browser installs them)" >&2
            exit
        fi
        prepare_python
        (check_python)
        if has_node; then
            prepare_typescript
            (cd examples/games/typescript && npm run --silent check)
        else
            echo "games: SKIPPED the game in TypeScript, because Node.js 20 or later is missing" >&2
            export GAMES=python
        fi
        install_node gateway/browser
        cd gateway/browser
        exec node --test games.js
        ;;
    *) usage ;;
esac
