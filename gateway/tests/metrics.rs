//! What monitoring reads.

use serde_json::json;

use crate::servers::Flavor;
use crate::support::{Pair, encoded};

#[test]
fn metrics_are_what_prometheus_reads() {
    let pair = Pair::start(Flavor::Redis70);
    let api = pair.api();
    let hostile = "so\"ngs\\\n{}=,é";
    for key in ["songs", hostile] {
        api.post(&format!("/boards/{}/votes", encoded(key)), json!({"votes": [{"member": "tide"}]}))
            .status(200);
    }
    let plain = api.get("//metrics").status(200);
    assert!(
        plain.header("content-type").is_some_and(|kind| kind.starts_with("text/plain")),
        "{:?}",
        plain.header("content-type")
    );
    for line in plain.text().lines() {
        assert!(is_sample(line), "{line:?}");
    }
    assert!(plain.text().contains("leaderboard_"), "{}", plain.text());
    assert!(!plain.text().contains("songs"), "boards come on request: {}", plain.text());
    let with_boards = api.get(&format!("//metrics?board=songs&board={}", encoded(hostile))).status(200);
    for line in with_boards.text().lines() {
        assert!(is_sample(line), "{line:?}");
    }
    assert!(with_boards.text().contains("=\"songs\""), "{}", with_boards.text());
    assert!(with_boards.text().contains("\"so\\\"ngs\\\\\\n{}=,é\""), "{}", with_boards.text());
    // A board that is not there is no reason to lose the others.
    let with_absent = api.get("//metrics?board=songs&board=absent").status(200);
    assert!(with_absent.text().contains("=\"songs\""));
}

/// `# …`, or `name{label="value"} number`.
fn is_sample(line: &str) -> bool {
    if line.is_empty() || line.starts_with("# HELP ") || line.starts_with("# TYPE ") || line == "# EOF" {
        return true;
    }
    let Some((series, value)) = line.rsplit_once(' ') else { return false };
    let name = series.split('{').next().unwrap_or_default();
    let plain = |sign: char| sign.is_ascii_alphanumeric() || sign == '_' || sign == ':';
    let labels = &series[name.len()..];
    !name.is_empty()
        && name.chars().all(plain)
        && value.parse::<f64>().is_ok()
        && (labels.is_empty() || (labels.starts_with('{') && labels.ends_with('}')))
}
