//! The latency of the machine's memory. A command on a big board mostly waits for memory, so figures of two machines
//! can be compared only together with this value.

use std::hint::black_box;
use std::time::Instant;

use crate::contest::median;
use crate::fill::Random;

/// The number of cache lines. They use 64 MB, more than most caches hold.
const LINES: usize = 1 << 20;
const STEPS: u32 = 2_000_000;
const TRIES: usize = 3;

/// A cache line, which contains the number of another line.
#[repr(align(64))]
struct Line(u32);

/// Returns the nanoseconds to read a line whose address is in the line before: the median of several tries.
pub fn nanoseconds() -> f64 {
    let lines = cycle();
    let tries: Vec<f64> = (0..TRIES).map(|_| chase(&lines)).collect();
    median(&tries)
}

/// Returns lines in which each line contains the number of the next one, in random order, and the last line contains
/// the number of the first one. Sattolo's shuffle makes one cycle of all lines.
fn cycle() -> Vec<Line> {
    let mut random = Random::new();
    let mut order: Vec<u32> = (0..).take(LINES).collect();
    for last in (1..LINES).rev() {
        let other = random.draw().checked_rem(last as u64).unwrap_or(0);
        order.swap(last, usize::try_from(other).unwrap_or(0));
    }
    order.into_iter().map(Line).collect()
}

fn chase(lines: &[Line]) -> f64 {
    let started = Instant::now();
    let mut at = 0;
    for _ in 0..STEPS {
        at = lines.get(at as usize).map_or(0, |line| line.0);
    }
    black_box(at);
    started.elapsed().as_secs_f64() * 1e9 / f64::from(STEPS)
}
