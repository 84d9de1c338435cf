#!/usr/bin/env bash
# Makes everything that a release consists of, in target/dist, from the last commit, and tries it:
#
#   leaderboard-VERSION-ARCH-linux.tar.gz    the module and the gateway, for x86-64 and aarch64
#   *.deb                                    the same for Debian and Ubuntu
#   *.whl, *.tgz                             the clients for Python and Node.js, and the servers for first looks (x86-64)
#   *.crate, leaderboard-client-php-*.zip    the clients for Rust and PHP
#   leaderboard-VERSION-source.tar.gz        the sources
#   *.cdx.json                               the software bill of materials (CycloneDX)
#   LICENCES.txt, NOTES.md, SHA256SUMS       licences of dependencies, what has changed, sums
#
#   scripts/dist.sh path/to/libleaderboard.so path/to/leaderboard-gateway
set -euo pipefail
cd "$(dirname "$0")/.."

die() { echo "dist: $*" >&2; exit 1; }
usage='usage: scripts/dist.sh MODULE GATEWAY'
module=${1:?$usage}
gateway=${2:?$usage}
target=$(realpath "${CARGO_TARGET_DIR:-target}")
cross=aarch64-unknown-linux-gnu
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
out=$target/dist
work=$target/dist-work

[ "$(uname -sm)" = "Linux x86_64" ] || die "runs on Linux on x86-64 only"
[ -z "$(git status --porcelain --untracked-files=no)" ] || die "there are changes that are not committed: a release is a commit"
# The same commit gives archives with the same bytes.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# The versions of the clients and packages are the module's.
check_versions() {
    local file
    for file in clients/python/pyproject.toml packages/python/pyproject.toml clients/node/package.json packages/node/package.json \
        clients/php/composer.json; do
        grep -qE "^ *\"?version\"?( =|:) \"$version\"" "$file" || die "$file has another version than Cargo.toml: $version"
    done
}

build_for_aarch64() {
    echo "dist: building for aarch64"
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    export CC_aarch64_unknown_linux_gnu=aarch64-linux-gnu-gcc
    export BINDGEN_EXTRA_CLANG_ARGS_aarch64_unknown_linux_gnu="--sysroot=/usr/aarch64-linux-gnu -I/usr/aarch64-linux-gnu/include"
    cargo build --quiet --release --target "$cross" -p leaderboard
    cargo build --quiet --profile gateway --target "$cross" -p leaderboard-gateway
    install -C "$target/$cross/gateway/leaderboard-gateway" "$target/$cross/release/leaderboard-gateway"
}

# The same files always give the same archive.
archive() {
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$work" -c "$1" | gzip -9n >"$out/$1.tar.gz"
}

pack_binaries() {
    local name=leaderboard-$version-$1-linux strip=$2 files=$work/leaderboard-$version-$1-linux
    mkdir "$files"
    install --strip --strip-program="$strip" "$3" "$files/libleaderboard.so"
    install --strip --strip-program="$strip" "$4" "$files/leaderboard-gateway"
    install -m 644 README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT redis.conf "$out/LICENCES.txt" "$files"
    archive "$name"
}

pack_debian() {
    echo "dist: packages for Debian"
    local package
    for package in leaderboard leaderboard-gateway; do
        cargo deb --quiet --no-build --no-dbgsym --strip --package "$package" --output "$out/"
        cargo deb --quiet --no-build --no-dbgsym --strip --package "$package" --target "$cross" --output "$out/"
    done
}

pack_clients() {
    scripts/packages.sh "$module" "$gateway" build
    cp "$target"/packages/*.whl "$target"/packages/*.tgz "$out"
    cargo package --quiet --no-verify -p leaderboard-client
    cp "$target/package/leaderboard-client-$version.crate" "$out"
    # Composer installs it from a directory with such files: a repository of the type "artifact".
    git archive --format=zip --add-file=LICENSE-MIT --add-file=LICENSE-APACHE \
        --output "$out/leaderboard-client-php-$version.zip" HEAD:clients/php
}

# Cargo-cyclonedx writes its files beside the manifests, so it works on the unpacked sources.
describe() {
    echo "dist: bill of materials, licences, notes"
    local source=$work/leaderboard-$version-source package
    mkdir "$source"
    git archive HEAD | tar -x -C "$source"
    archive "leaderboard-$version-source"
    (cd "$source" && cargo cyclonedx --quiet --format json --spec-version 1.5 --no-build-deps --target x86_64-unknown-linux-gnu)
    for package in leaderboard gateway/leaderboard-gateway; do
        # The references of packages of this workspace name the directory of the sources.
        sed "s|file://$source|file:///leaderboard|g" "$source/$package.cdx.json" >"$out/$(basename "$package").cdx.json"
    done
    for package in libleaderboard.so:Cargo.toml leaderboard-gateway:gateway/Cargo.toml; do
        echo "# Licences of the Rust packages in ${package%:*}"
        # Only from the sources at hand, so that the same sources give the same file.
        cargo about generate --frozen --fail --manifest-path "${package#*:}" --config packages/dist/about.toml \
            packages/dist/licences.hbs
    done >"$out/LICENCES.txt"
    # The section of this version, or of what is to be released.
    awk -v version="$version" '/^## /{ on = index($0, version) || /Unreleased/ && !done; done = done || on; next } on' CHANGELOG.md \
        >"$out/NOTES.md"
    [ -s "$out/NOTES.md" ] || die "CHANGELOG.md has no section for $version"
}

check_versions
rm -rf "$out" "$work"
mkdir -p "$out" "$work"
build_for_aarch64
describe
pack_binaries x86_64 strip "$module" "$gateway"
pack_binaries aarch64 aarch64-linux-gnu-strip "$target/$cross/release/libleaderboard.so" "$target/$cross/release/leaderboard-gateway"
pack_debian
pack_clients
(cd "$out" && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS)
packages/dist/check.sh "$out" "$version"
