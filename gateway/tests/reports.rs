//! Tests of the report of a campaign, and of what pages show of the past.

use std::thread;
use std::time::Duration;

use crate::servers::{Flavor, Server, wait_until};
use crate::setup::say;
use crate::support::Gateway;

/// Returns the part of a page between two marks.
#[track_caller]
fn part<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let rest = page.split(from).nth(1).unwrap_or_else(|| panic!("no {from}: {page}"));
    rest.split(to).next().unwrap_or_default()
}

/// LB.INFO counts from zero after a restart of the server. The report has the totals of the history.
#[test]
fn totals_of_a_report_outlive_a_restart_of_the_server() {
    let mut server = Server::start(Flavor::Redis70);
    say(&server, "LB.CREATE songs LIMIT daily voter 9 day");
    // As gateways note it.
    for (figure, count) in
        [("votes", 1_234), ("repeated", 77), ("held_back:daily", 88), ("held_back:closed", 11)]
    {
        let key = format!("lb:history:board:songs:{figure}");
        say(&server, &format!("LB.COUNTER.CREATE {key} PRECISIONS 60,300,3600,21600,86400 SAMPLES 400"));
        say(&server, &format!("LB.COUNTER.INCR {key} BY {count}"));
    }
    say(&server, "LB.VOTE songs 1 tide BY ann");
    server.restart();
    let kept = Gateway::builder(&[&server]).arg("--history", "lb:history").start();
    let api = kept.api();
    let page = || api.get("//boards/songs/campaign/report").status(200).text().to_owned();
    let report = page();
    let figures = part(&report, "<dl class=\"figures\">", "</dl>");
    for figure in ["1,234", "99", "77"] {
        assert!(figures.contains(&format!("<dd>{figure}</dd>")), "{figure}: {figures}");
    }
    assert!(report.contains("goes back 400 days"), "{report}");
    let held = part(&report, "id=\"held\"", "</table>");
    for (rule, count) in [("daily</bdi>", 88), ("closed", 11)] {
        assert!(held.contains(&format!("{rule}</th><td class=\"number\">{count}</td>")), "{held}");
    }
    let days = part(&report, "id=\"days\"", "</table>");
    assert!(days.contains(">1,234</td>") && days.contains(">99</td>"), "{days}");
    let campaign = api.get("//boards/songs/campaign").status(200).text().to_owned();
    assert!(part(&campaign, "<dl class=\"figures\">", "</dl>").contains("<dd>1,234 "), "{campaign}");
    // Without a history, the figures are those of the server, and the page says so.
    let other = Gateway::beside(&server);
    let report = other.api().get("//boards/songs/campaign/report").status(200).text().to_owned();
    assert!(report.contains("since the board was made or loaded") && !report.contains("1,234"), "{report}");
}

#[test]
fn a_report_lists_options_that_nobody_declared() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::beside(&server);
    for line in [
        "LB.CREATE songs",
        "LB.OPTION songs none META Quiet",
        "LB.OPTION songs reef",
        "LB.VOTE songs 1 reef BY ann",
        "LB.VOTE songs 5 tide BY ann",
        "LB.VOTE songs 2 tide BY bob",
    ] {
        say(&server, line);
    }
    let page = gateway.api().get("//boards/songs/campaign/report").status(200).text().to_owned();
    let rows: Vec<_> = part(&page, "id=\"options\"", "</table>").split("<tr>").skip(2).collect();
    let expected = [("tide", 7, 2), ("reef", 1, 1), ("none", 0, 0)];
    assert_eq!(rows.len(), expected.len(), "{page}");
    for (row, (name, votes, voters)) in rows.iter().zip(expected) {
        assert!(row.contains(&format!("<bdi>{name}</bdi>")), "{row}");
        let numbers = format!("<td class=\"number\">{votes}</td><td class=\"number\">{voters}</td>");
        assert!(row.contains(&numbers), "{row}");
    }
    assert!(rows[2].contains("Quiet"), "{page}");
}

/// Plots of the last hour and gains by the minute begin with the first visit of the board's own page.
#[test]
fn a_board_is_followed_from_the_visit_of_its_ranking() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::beside(&server);
    let api = gateway.api();
    say(&server, "LB.ADD songs 5 tide");
    say(&server, "LB.ADD other 5 tide");
    api.get("//boards/songs").status(200);
    thread::sleep(Duration::from_millis(2_500));
    let values = |key: &str| {
        let plot = api.get(&format!("//plots/boards/{key}/members?range=hour")).value(200);
        plot["times"].as_array().map_or(0, Vec::len)
    };
    assert!(values("songs") > 0);
    assert_eq!(values("other"), 0, "nobody has visited it before");
    wait_until(|| values("other") > 0);
}
