//! How long the machine's memory takes to answer. Most of a command on a big board is spent waiting for it, so figures of
//! two machines compare only with this beside them.

use std::hint::black_box;
use std::time::Instant;

use crate::contest::median;
use crate::fill::Random;

/// 64 MB: more than most caches hold.
const LINES: usize = 1 << 20;
const STEPS: u32 = 2_000_000;
const TRIES: usize = 3;

/// A line of the cache.
#[repr(align(64))]
struct Line(u32);

/// Nanoseconds to read a line whose address was in the line before: the median of some tries.
pub fn nanoseconds() -> f64 {
    let lines = cycle();
    let tries: Vec<f64> = (0..TRIES).map(|_| chase(&lines)).collect();
    median(&tries)
}

/// Lines of which each names the next, in random order, and the last one the first. Sattolo's shuffle makes one cycle of
/// all of them.
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
