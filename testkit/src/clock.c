/* The clock of a server under test: it runs as many milliseconds ahead of the system's clock as the file says that
 * $LEADERBOARD_CLOCK names. The file is mapped, so a change counts at once. Clocks that measure how long something takes stay as
 * they are. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *ahead;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("LEADERBOARD_CLOCK");
    int file = path ? open(path, O_RDONLY) : -1;
    void *map = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
    if (map != MAP_FAILED) ahead = map;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    long failed = syscall(SYS_clock_gettime, clock, now);
    if (!failed && ahead && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        int64_t millis = now->tv_nsec / 1000000 + *ahead % 1000 + 1000;
        now->tv_sec += *ahead / 1000 + millis / 1000 - 1;
        now->tv_nsec = millis % 1000 * 1000000 + now->tv_nsec % 1000000;
    }
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec exact;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &exact)) return -1;
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}
