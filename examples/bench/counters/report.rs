//! The tables of counters, and a calculation of the memory that another type would use.

use std::fmt::Write;

use indicatif::HumanCount;

use super::memory::{Fate, Memory};
use super::{PRECISIONS, SAMPLES};
use crate::report::{Row, section};

/// The calculated bytes of a time series with one sample. A series has at least one chunk, of 4,096 bytes by default,
/// allocated at once. The other parts are counted by the fields of the structures, 8 bytes each: the series (128), the
/// chunk's head (80), the tree of chunks (72), the key's entry, name, object and value (24, 24, 16 and 16), and the
/// name again, with its object, in the series (40). Labels, compaction rules and the rounding of the allocator are not
/// included.
const SERIES: usize = CHUNK + 128 + 80 + 72 + 24 + 24 + 16 + 16 + 40;
const CHUNK: usize = 4_096;
/// The bytes of a compaction rule: seven fields, its context (16), and the name of the other series (40).
const RULE: usize = 7 * 8 + 16 + 40;
/// The bytes of one sample: a time and a value, uncompressed.
const SAMPLE: usize = 16;

/// Writes the table of the counters' memory.
pub fn write(text: &mut String, memory: &Memory) {
    let headings = [
        "bytes a counter",
        "counter",
        "hashes, cleaned",
        "hashes, as left",
        "counter, MEMORY USAGE",
        "hashes, cleaned, MEMORY USAGE",
        "hashes, as left, MEMORY USAGE",
    ];
    section(text, "Memory of counters", &headings, memory.fates.iter().map(row));
    let _ = writeln!(
        text,
        "Seven precisions. By used_memory, so with the keys and their names, unless it says otherwise. Hashes: one for each \
         precision, and their names in a sorted set. Cleaned: never more than the latest {SAMPLES} slices. All of a kind \
         are copies of one.\n"
    );
    write_paper(text);
}

fn row(fate: &Fate) -> Row {
    let Fate { counter, cleaned, left, .. } = fate;
    let all = [counter.used, cleaned.used, left.used, counter.usage, cleaned.usage, left.usage];
    let whole = |bytes: f64| HumanCount(bytes.round() as u64).to_string();
    [fate.what.to_owned()].into_iter().chain(all.map(whole)).collect()
}

fn write_paper(text: &mut String) {
    let count = |bytes: usize| HumanCount(bytes as u64).to_string();
    let series = PRECISIONS.len();
    let plain = series.saturating_mul(SERIES);
    let ruled = plain.saturating_add(series.saturating_sub(1).saturating_mul(RULE));
    let samples = SAMPLES.saturating_mul(SAMPLE);
    let _ = writeln!(
        text,
        "On paper, not measured: RedisTimeSeries with its default chunks of {} bytes would take {} bytes for seven series, \
         and {} for one series with six compaction rules. {} samples of {} bytes, uncompressed, are {} bytes: they fit in \
         the chunk, so this is about the same from the first event on.\n",
        count(CHUNK),
        count(plain),
        count(ruled),
        SAMPLES,
        SAMPLE,
        count(samples)
    );
}

/// Writes the text that explains what the runs compare.
pub fn write_speed(text: &mut String) {
    let _ = writeln!(
        text,
        "14 commands are one event. Pages are drawn at random, the n-th about 1/n as often as the first. New pages begin \
         without a slice, old ones with {SAMPLES} of each precision. HGETALL is in no order: the client has to sort. \
         Counters and hashes are asked by this program.\n"
    );
}
