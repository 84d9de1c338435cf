//! Tests of the server users that docs/console.md describes. With each of them, the gateway can do everything for
//! which the user is meant, and the server refuses no command.

use super::{Route, TABLE, send, tidy};
use crate::servers::{Flavor, Server, run};
use crate::setup::say;
use crate::support::Gateway;

const DOCUMENT: &str = include_str!("../../../docs/console.md");

const PAGES: &[&str] = &[
    "//boards",
    "//boards?kind=league",
    "//boards/mine:b",
    "//boards/mine:b/rows.csv",
    "//boards/mine:b?dimension=land&segment=se",
    "//boards/mine:b/segments",
    "//boards/mine:b/members/ann",
    "//boards/mine:b/campaign",
    "//boards/mine:b/history",
    "//boards/mine:b/suspects",
    "//plots/boards/mine:b/held_back?range=week",
    "//boards/mine:b/options",
    "//boards/mine:b/voter?voter=ann",
    "//leagues/mine:l",
    "//counters/mine:c",
    "//plots/boards/mine:b/votes",
    "//health",
    "//metrics?board=mine:b",
    "//healthz",
];

const FORMS: &[(&str, &str)] = &[
    ("//boards/mine:b/members/ann/score", "how=add&value=5&id=a"),
    ("//boards/mine:b/members/ann/meta", "meta=Ann"),
    ("//boards/mine:b/members/ann/hide", "hidden=true"),
    ("//boards/mine:b/campaign/dates", "opens=&closes="),
    (
        "//boards/mine:b/options/option",
        "member=ann&weight=1&weight_before=1&initial=0&initial_before=0&meta=x&meta_before=Ann",
    ),
    ("//leagues/mine:l/add", "member=ann&points=5&id=b"),
    ("//leagues/mine:l/tier", "member=ann&tier=a"),
    ("//leagues/mine:l/meta", "member=ann&meta=Ann"),
    ("//leagues/mine:l/rules", "promote=0&demote=0&group=50&reward=0&join_until=1&idle=0&retain=1"),
    ("//leagues/mine:l/remove", "member=ann&confirm=ann"),
    ("//counters/mine:c/add", "by=5&id=c"),
    ("//counters/mine:c/rules", "samples=50"),
    ("//boards/mine:b/suspects", "action=hide&member=ann&confirmed=true"),
];

/// Returns the two ACL commands for a server: for all rights, and for reads only.
fn snippets(flavor: Flavor) -> [&'static str; 2] {
    let all: Vec<_> = DOCUMENT.lines().filter(|line| line.starts_with("ACL SETUSER console ")).collect();
    let [new, new_reader, seven, seven_reader, six, six_reader] = all[..] else { panic!("{all:?}") };
    match flavor {
        Flavor::Redis62 => [six, six_reader],
        Flavor::Redis70 => [seven, seven_reader],
        Flavor::Redis82 | Flavor::Valkey91 => [new, new_reader],
    }
}

fn api(gateway: &Gateway, route: &Route, wrong: &mut Vec<String>) {
    let came = send(gateway, &gateway.api(), None, route, "mine");
    if came != route.status {
        wrong.push(format!("{} {}: {came}, not {}", route.method, route.ask, route.status));
    }
}

fn pages(gateway: &Gateway, wrong: &mut Vec<String>) {
    for path in PAGES {
        let reply = gateway.api().send("GET", path, None);
        if reply.status != 200 {
            wrong.push(format!("GET {path}: {}", reply.status));
        }
    }
}

fn forms(gateway: &Gateway, wrong: &mut Vec<String>) {
    for (path, form) in FORMS {
        let reply = gateway.api().text("POST", path, "application/x-www-form-urlencoded", form.as_bytes());
        if reply.status != 303 {
            wrong.push(format!("POST {path}: {}: {}", reply.status, reply.text()));
        }
    }
}

#[test]
fn the_users_of_the_document_are_refused_nothing() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        for (snippet, is_reader) in snippets(flavor).into_iter().zip([false, true]) {
            say(&server, "ACL DELUSER console");
            run(&mut server.connection(), &snippet.split(' ').collect::<Vec<_>>());
            say(&server, "ACL LOG RESET");
            let url = format!("redis://console:secret@127.0.0.1:{}", server.port());
            let builder = Gateway::builder_of(&[url]);
            let gateway = if is_reader { builder.flag("--read-only").start() } else { builder.start() };
            let mut wrong = Vec::new();
            tidy(&server);
            // This gateway has no tokens, so nobody gets a ticket.
            let routes = TABLE.iter().filter(|route| !route.path.ends_with("/tickets"));
            for route in routes.filter(|route| !(is_reader && route.may.is_change())) {
                api(&gateway, route, &mut wrong);
                if route.may.is_change() {
                    tidy(&server);
                }
            }
            pages(&gateway, &mut wrong);
            if !is_reader {
                forms(&gateway, &mut wrong);
            }
            assert!(wrong.is_empty(), "{flavor:?}: {}", wrong.join("\n"));
            let log = say(&server, "ACL LOG");
            assert_eq!(log, redis::Value::Array(Vec::new()), "{flavor:?}");
        }
    }
}
