#!/usr/bin/env bash
# Tests the console's pages in Chromium, or takes their pictures.
#
#   LEADERBOARD_MODULE=... LEADERBOARD_GATEWAY=... scripts/pages.sh test|pictures
#
# Tests are skipped, loudly, where there is no browser: `make browser` installs one.
set -euo pipefail
cd "$(dirname "$0")/../gateway/browser"

missing=
for program in chromium node npm; do
    command -v "$program" >/dev/null || missing+=" $program"
done
if [ -n "$missing" ]; then
    echo "pages: SKIPPED, because these are missing:$missing (make browser installs them)" >&2
    [ "$1" = test ]
    exit
fi

# What npm installed is newer than what was asked for.
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --ignore-scripts --no-audit --no-fund

case "$1" in
    test) exec node --test tests.js ;;
    pictures) exec node pictures.js ;;
    *) echo "usage: scripts/pages.sh test|pictures" >&2; exit 2 ;;
esac
