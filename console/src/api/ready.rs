//! Whether the gateway can read whole boards: `/readyz`.

use std::time::Duration;

use leaderboard_proxy::Recent;

use crate::link::Link;

/// How long a server may take to answer. A probe usually waits for a second.
const PATIENCE: Duration = Duration::from_millis(500);
/// The number of failed reads from which on they count. A single read may have its own reason to fail.
const SEVERAL: u64 = 3;

/// Why reads of whole boards fail; empty if they do not.
pub async fn reasons(link: &Link) -> Vec<String> {
    let mut reasons = match link.silent(PATIENCE).await {
        Err(problem) => vec![problem.detail().to_owned()],
        Ok(silent) => silent.into_iter().map(|address| format!("{address} does not answer")).collect(),
    };
    reasons.extend(failing(&link.load().gathers.recent()));
    reasons
}

/// The reason, if all reads of the last seconds failed.
fn failing(recent: &Recent) -> Option<String> {
    let failed = recent.failed.values().copied().fold(0, u64::saturating_add);
    if recent.good > 0 || failed < SEVERAL {
        return None;
    }
    let codes: Vec<_> = recent.failed.iter().map(|(code, count)| format!("{count} {code}")).collect();
    Some(format!("all reads of whole boards failed in the last 10 seconds: {}", codes.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_have_to_fail_and_several() {
        let recent = |good, down, busy| Recent { good, failed: [("PARTSDOWN", down), ("BUSY", busy)].into() };
        assert_eq!(failing(&Recent::default()), None);
        assert_eq!(failing(&recent(1, 700, 9)), None);
        assert_eq!(failing(&recent(0, 1, 1)), None);
        let reason = "all reads of whole boards failed in the last 10 seconds: 1 BUSY, 2 PARTSDOWN";
        assert_eq!(failing(&recent(0, 2, 1)).as_deref(), Some(reason));
    }
}
