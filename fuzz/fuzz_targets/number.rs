//! Any bytes are a number or an error, and a number survives the way to text and back.
#![no_main]

use leaderboard_core::Decimal;
use leaderboard_core::score::{Bound, MAX_DECIMALS, Score, score_range};
use libfuzzer_sys::fuzz_target;

fn score(text: &[u8], decimals: u8) -> Option<Score> {
    Decimal::parse(text, "points").ok()?.to_score(decimals, "points").ok()
}

fuzz_target!(|texts: (&[u8], &[u8])| {
    let (min, max) = texts;
    for decimals in 0..=MAX_DECIMALS {
        if let Some(read) = score(min, decimals) {
            let text = read.display(decimals).to_string();
            assert_eq!(score(text.as_bytes(), decimals), Some(read), "{text}");
        }
        if let (Ok(min), Ok(max)) = (Bound::parse(min, "min"), Bound::parse(max, "max"))
            && let Ok(Some((low, high))) = score_range(min, max, decimals)
        {
            assert!(Score::MIN <= low && low <= high && high <= Score::MAX);
        }
    }
});
