#!/usr/bin/env bash
# Installs what the project needs and the machine lacks, with apt. Takes a few milliseconds when all is there.
#
#   scripts/deps.sh [build|redis|lint|python|api|fuzz|browser|pictures|load|instructions|threads|php|deb|dist|mutants]...     default: build redis
#
# A redis-server that is already installed is never replaced, and no server is started or stopped.
set -euo pipefail

die() { echo "deps: $*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
matches() { compgen -G "$1" >/dev/null; }

packages=()
need() { packages+=("$@"); }

check_build() {
    have cargo || die "Rust is missing: see https://rustup.rs"
    # The linker and the C headers; bindgen reads the headers through libclang, which needs its own as well.
    have cc && [ -e /usr/include/stdio.h ] || need gcc libc6-dev
    if [ -z "${LIBCLANG_PATH:-}" ] && ! { matches '/usr/lib/llvm-*/lib/libclang[.-]*so*' \
        && matches '/usr/lib/llvm-*/lib/clang/*/include/stddef.h'; }; then
        need libclang-dev
    fi
}

check_redis() {
    have redis-server || need redis-server
    have redis-cli && have redis-benchmark || need redis-tools
}

# No package: rustup's minimal profile goes without them.
check_lint() {
    cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 \
        || rustup component add rustfmt clippy
}

check_python() {
    python3 -c 'import pip, zipfile' 2>/dev/null || need python3 python3-pip
}

check_api() {
    python3 -c 'import ensurepip, venv' 2>/dev/null || need python3-venv
}

check_fuzz() {
    have c++ || need g++
}

# The console's pages are tested in Chromium, in Chinese too.
check_browser() {
    have chromium || need chromium
    have node || need nodejs
    have npm || need npm
    matches '/usr/share/fonts/opentype/noto/NotoSansCJK*' || need fonts-noto-cjk
}

check_pictures() {
    have pngquant || need pngquant
}

check_load() {
    have wrk || need wrk
    have node || need nodejs
}

check_instructions() {
    have valgrind || need valgrind
    have addr2line || need binutils
}

check_threads() {
    [ -e "$(rustc --print sysroot)/lib/rustlib/src/rust/library/Cargo.lock" ] || rustup component add rust-src
}

check_php() {
    have php || need php-cli
    php -r 'exit((int) !extension_loaded("redis"));' 2>/dev/null || need php-redis
    [ -e /usr/share/php/Predis/Autoloader.php ] || need php-predis
    have phpunit || need phpunit
    have phpcs || need php-codesniffer
}

# Programs from crates.io. Their versions are fixed, because the project's configuration is written for these versions.
crate() {
    have "$1" || cargo install --quiet --locked "$@"
}

check_deb() {
    crate cargo-deb --version 3.8.0
}

check_dist() {
    check_deb
    crate cargo-cyclonedx --version 0.5.9
    crate cargo-about --version 0.9.3 --features cli
    rustup target list --installed 2>/dev/null | grep -qx aarch64-unknown-linux-gnu \
        || rustup target add aarch64-unknown-linux-gnu || die "needs rustup for the target aarch64-unknown-linux-gnu"
    have aarch64-linux-gnu-gcc || need gcc-aarch64-linux-gnu
    [ -e /usr/aarch64-linux-gnu/include/stdio.h ] || need libc6-dev-arm64-cross
    have qemu-aarch64-static || need qemu-user-static
}

check_mutants() {
    crate cargo-mutants --version 27.1.0
    crate cargo-nextest --version 0.9.143
    have patch || need patch
}

as_root() {
    if [ "$EUID" -eq 0 ]; then "$@"; elif have sudo; then sudo "$@"; else die "needs root to run: $*"; fi
}

# Debian starts a service when it installs one. The policy file is Debian's own way to say no.
policy=/usr/sbin/policy-rc.d
forbid_services() {
    [ ! -e "$policy" ] || return 0
    trap 'as_root rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod 755 "$policy"
}

install() {
    forbid_services
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
    as_root "${apt[@]}" update
    as_root "${apt[@]}" install -y --no-install-recommends "$@"
    if [[ " $* " == *" redis-server "* ]] && [ -d /run/systemd/system ]; then
        as_root systemctl disable redis-server
    fi
}

[ $# -gt 0 ] || set -- build redis
for group in "$@"; do
    case "$group" in
        build | redis | lint | python | api | fuzz | browser | pictures | load | instructions | threads | php | deb | dist | mutants) "check_$group" ;;
        *) die "unknown group: $group" ;;
    esac
done
[ ${#packages[@]} -gt 0 ] || exit 0

have apt-get || die "please install: ${packages[*]} (named as in Debian)"
echo "deps: installing ${packages[*]}"
install "${packages[@]}"
