//! Tests of the data for monitoring.

use std::collections::BTreeSet;

use serde_json::json;

use crate::servers::{Flavor, Server, wait_until};
use crate::setup::say;
use crate::support::{Gateway, Pair, encoded};
use crate::tokens::Tokens;

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
    // A board that does not exist does not remove the figures of the other boards.
    let with_absent = api.get("//metrics?board=songs&board=absent").status(200);
    assert!(with_absent.text().contains("=\"songs\""));
}

#[test]
fn totals_are_for_those_who_see_all_keys() {
    let server = Server::start(Flavor::Redis70);
    let file = Tokens::new();
    let (all, some) = (file.make("all", "viewer", &["x", "*"]), file.make("some", "admin", &["mine:*", "?"]));
    let gateway = Gateway::builder(&[&server]).arg("--tokens", file.path()).start();
    say(&server, "LB.ADD secret 1 tide");
    say(&server, "LB.ADD mine:b 1 tide");
    let (all, some) = (gateway.api().bearer(&all), gateway.api().bearer(&some));
    let metrics = all.get("//metrics?board=mine:b").status(200);
    assert!(metrics.text().contains("leaderboard_boards{"), "{}", metrics.text());
    let metrics = some.get("//metrics?board=mine:b").status(200);
    let names: BTreeSet<_> = metrics
        .text()
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('{').next().unwrap_or_default())
        .filter(|name| !name.starts_with("leaderboard_board_"))
        .collect();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["leaderboard_up"], "{}", metrics.text());
    assert!(metrics.text().contains("leaderboard_board_members{board=\"mine:b\"} 1"), "{}", metrics.text());
    // The page shows the list of servers, but no figures of a server.
    let (whole, part) = (all.get("//health").status(200), some.get("//health").status(200));
    let address = format!("127.0.0.1:{}", server.port());
    for figure in
        ["Connected clients", "Leaderboard module", "Boards", "Repeated", "Memory in use", "/plots/"]
    {
        let place = |page: &str| page.split_once("<main").map(|(_, main)| main.contains(figure));
        assert_eq!(place(whole.text()), Some(true), "{figure}");
        assert_eq!(place(part.text()), Some(false), "{figure}");
    }
    assert!(part.text().contains(&address), "{}", part.text());
    for figure in ["ops", "memory", "clients", "writes"] {
        all.get(&format!("//plots/server/{figure}")).status(200);
        some.get(&format!("//plots/server/{figure}")).problem(403);
    }
}

/// Checks that a line is a comment or has the form `name{label="value"} number`.
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

/// Each metric that the alert rules and the dashboard name is one that the gateway or the module has.
#[test]
fn alerts_and_the_dashboard_name_metrics_that_there_are() {
    let sources = [
        include_str!("../../console/src/api/metrics.rs"),
        include_str!("../../console/src/api/load.rs"),
        include_str!("../../console/src/api/replicas.rs"),
        include_str!("../../docs/operations.md"),
    ]
    .concat();
    let dashboard = include_str!("../../docs/grafana.json");
    let whole: serde_json::Value = serde_json::from_str(dashboard).expect("JSON");
    assert!(whole["panels"].as_array().expect("panels").len() > 10);
    let text = [include_str!("../../docs/alerts.yml"), dashboard].concat();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let names: BTreeSet<&str> = words.filter(|word| word.starts_with("leaderboard_")).collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        let name = name.strip_suffix("_bucket").unwrap_or(name);
        // The suffix of counters is added to fields of INFO.
        let is_there = [name, name.strip_suffix("_total").unwrap_or(name)]
            .iter()
            .flat_map(|name| [format!("\"{name}\""), format!("`{name}`")])
            .any(|quoted| sources.contains(&quoted));
        assert!(is_there, "{name} is no metric");
    }
}

#[test]
fn replicas_are_shown_with_their_lag() {
    let (server, replica) = (Server::start(Flavor::Redis70), Server::start(Flavor::Redis70));
    say(&replica, &format!("REPLICAOF 127.0.0.1 {}", server.port()));
    let gateway = Gateway::beside(&server);
    let labels = format!("{{node=\"127.0.0.1:{}\",replica=\"127.0.0.1:{}\"}}", server.port(), replica.port());
    wait_until(|| {
        let text = gateway.api().get("//metrics").status(200).text().to_owned();
        let is_there = |name: &str, value: &str| text.contains(&format!("{name}{labels} {value}"));
        is_there("leaderboard_replica_lag_bytes", "0\n") && is_there("leaderboard_replica_lag_seconds", "")
    });
}

#[test]
fn requests_and_tokens_are_counted() {
    let server = Server::start(Flavor::Redis70);
    let file = Tokens::new();
    let (admin, voter) = (file.make("ann", "admin", &["*"]), file.make("bob", "voter", &["songs"]));
    let gateway = Gateway::builder(&[&server]).arg("--tokens", file.path()).start();
    let (api, other) = (gateway.api().bearer(&admin), gateway.api().bearer(&voter));
    say(&server, "LB.CREATE songs CLOSES 1");
    say(&server, "LB.CREATE open OPENS 1");
    other.get("/boards/songs").status(200);
    other.delete("/boards/songs?confirm=songs").problem(403);
    gateway.api().get("/boards/songs").problem(401);
    let text = api.get("//metrics?board=songs&board=open").status(200).text().to_owned();
    for line in [
        "leaderboard_gateway_http_requests_total{door=\"api\",status=\"200\"} 1",
        "leaderboard_gateway_http_requests_total{door=\"api\",status=\"401\"} 1",
        "leaderboard_gateway_http_requests_total{door=\"api\",status=\"403\"} 1",
        "leaderboard_gateway_http_seconds_count{door=\"api\"} 3",
        "leaderboard_gateway_token_requests_total{token=\"bob\"} 2",
        "leaderboard_gateway_token_refused_total{token=\"bob\"} 1",
        "leaderboard_board_open{board=\"songs\"} 0",
        "leaderboard_board_open{board=\"open\"} 1",
    ] {
        assert!(text.lines().any(|given| given == line), "{line}\n{text}");
    }
    let page = api.get("//tokens").status(200).text().to_owned();
    assert!(page.contains("<bdi>bob</bdi>") && page.contains("voter") && !page.contains(&voter), "{page}");
    other.get("//tokens").status(403);
    Gateway::beside(&server).api().get("//tokens").status(404);
}
