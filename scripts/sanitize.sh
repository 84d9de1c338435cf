#!/usr/bin/env bash
# Runs tests under a checker of memory or threads.
#
#   scripts/sanitize.sh address|valgrind [CALLS] [SEED]
#   scripts/sanitize.sh threads [MINUTES] [SEED]
#
# address: the tests of the core and of the commands with AddressSanitizer, then CALLS random commands in a server with a
#     module that has it. The server has the runtime from LD_PRELOAD.
# threads: the test of what threads of the server share, with ThreadSanitizer, then a soak of a gateway that has it.
# valgrind: CALLS random commands in a server under valgrind, which finds memory that the module loses, too.
#
# The server is Valkey: it takes its memory from libc, so the checker knows each allocation of the module.
set -euo pipefail
cd "$(dirname "$0")/.."

kind=${1:?usage: scripts/sanitize.sh address|threads|valgrind [CALLS|MINUTES] [SEED]}
calls=${2:-100}
minutes=${2:-2}
seed=${3:-1}
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
built=$target/$kind
host=x86_64-unknown-linux-gnu

die() { echo "sanitize: $*" >&2; exit 1; }
[ "$(uname -sm)" = "Linux x86_64" ] || die "for Linux on x86-64 only"

# The sanitizers are behind unstable flags, which the stable compiler takes under this variable.
sanitized() {
    local sanitizer=$1
    shift
    RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=$sanitizer" cargo "$@" --target "$host" --target-dir "$built"
}

# The compiler has the runtime as a static library for programs. A server needs it as a shared one. The runtime refuses to run
# beside a file named libasan.so, since that could be a second one.
make_runtime() {
    local archive objects=$built/objects
    archive=$(rustc --print sysroot)/lib/rustlib/$host/lib/librustc-stable_rt.asan.a
    [ -e "$archive" ] || archive=$(compgen -G "${archive%/*}/librustc*rt.asan.a") || die "the compiler has no AddressSanitizer"
    rm -rf "$objects"
    mkdir -p "$objects"
    (cd "$objects" && ar x "$archive" && rm -f asan_preinit*.o)
    cat >"$objects/begin.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
void __asan_init(void);
void *___interceptor_dlopen(const char *name, int flags);
__attribute__((constructor(101))) static void begin(void) { __asan_init(); }
/* Servers load a module with this flag, which would hide the runtime's functions from it. */
void *dlopen(const char *name, int flags) { return ___interceptor_dlopen(name, flags & ~RTLD_DEEPBIND); }
C
    c++ -shared -fPIC -x c "$objects/begin.c" -x none "$objects"/*.o -ldl -lm -lrt -lpthread -o "$built/runtime.so"
}

# Runs the sessions with a module, in servers that a checker runs.
play() {
    local module=$1
    shift
    LEADERBOARD_UNDER="$*" LEADERBOARD_MODULE=$module \
        cargo run --profile torture -p leaderboard-torture -- memory "$calls" --seed "$seed"
}

case "$kind" in
    address)
        sanitized address test -p leaderboard-core -p leaderboard-commands
        sanitized address build -p leaderboard
        make_runtime
        # Memory that is lost is for valgrind, which knows the module's from the server's.
        play "$built/$host/debug/libleaderboard.so" env LD_PRELOAD="$built/runtime.so" ASAN_OPTIONS=detect_leaks=0
        ;;
    threads)
        # The standard library is built with the sanitizer too, so that it knows the locks.
        sanitized thread test -Zbuild-std -p leaderboard --lib threads
        sanitized thread build -Zbuild-std -p leaderboard-gateway --no-default-features
        LEADERBOARD_GATEWAY=$built/$host/debug/leaderboard-gateway \
            TSAN_OPTIONS="suppressions=$PWD/scripts/tsan.supp" \
            cargo run --profile torture -p leaderboard-torture -- soak "$minutes" --seed "$seed"
        ;;
    valgrind)
        # An optimised build reads bytes before it knows whether they matter, which valgrind takes for errors.
        cargo build -p leaderboard
        play "$target/debug/libleaderboard.so" valgrind -q --suppressions="$PWD/scripts/valgrind.supp" \
            --child-silent-after-fork=yes --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=none \
            --error-exitcode=99
        ;;
    *) die "unknown kind: $kind" ;;
esac
