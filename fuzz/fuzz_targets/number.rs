//! Any bytes are a number or an error, and a number survives the way to text and back.
#![no_main]

use leaderboard_core::amount::Bound;
use leaderboard_core::levels::Levels;
use leaderboard_core::score::{MAX_DECIMALS, Score};
use leaderboard_core::{Amount, Decimal, Schema};
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
        let schema = Schema { decimals, ..Schema::default() };
        if let (Ok(min), Ok(max)) = (Bound::parse(min, "min"), Bound::parse(max, "max"))
            && let Ok(Some((low, high))) = schema.score_range(min, max)
        {
            assert!(Score::MIN <= low && low <= high && high <= Score::MAX);
        }
    }
    let _ = Amount::parse(min, "points");
    if let Ok(levels) = Levels::parse(min) {
        assert_eq!(Levels::parse(levels.to_string().as_bytes()), Ok(levels.clone()));
        let schema = Schema { levels: Some(levels), ..Schema::default() };
        let _ = Bound::parse(max, "max").map(|max| schema.score_range(Bound::Lowest, max));
    }
});
