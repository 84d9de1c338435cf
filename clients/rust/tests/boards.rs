//! Tests that make, change and describe boards.

use leaderboard_client::{
    Created, InfoValue, Kind, Name, add, alter, create, info, kind, periods, standing, top,
};
use leaderboard_testkit::Flavor;

use crate::client::{on, with_each};

/// Noon of 17 March 2019, in UTC.
const NOON: i64 = 1_552_824_000_000;

#[test]
fn a_board_is_made_and_changed() {
    with_each(|client| {
        let board = create("game").views("all,day").decimals(1).clock("EVENT").retain("2");
        assert_eq!(client.get(board.clone()), Created(true));
        assert_eq!(client.get(board.clone().nx()), Created(false));
        assert_eq!(client.ask(&board).map_err(|error| kind(&error)), Err(Kind::BoardExists));
        client.get(alter("game").views("+week").keep(7));
        client.get(create("copy").like("game").keep(0));
        let [game, copy] = ["game", "copy"].map(|key| client.get(info(key)).expect("a board"));
        assert_eq!((game.text("views"), game.number("keep")), (Some("all,day,week"), Some(7)));
        assert_eq!((copy.text("views"), copy.number("keep")), (Some("all,day,week"), Some(0)));
        assert_eq!(client.get(info("absent")), None);
    });
}

#[test]
fn info_tells_rules_and_size() {
    with_each(|client| {
        let daily = ["daily", "voter+ip", "8", "day", "BONUS", "channel", "acme", "4"];
        client
            .get(create("poll").shown().limit(&daily).limit(&["flood", "member", "40", "second"]).closes(1));
        let vote = leaderboard_client::vote("poll", 1, "ann").by("v").tag("ip", "x");
        client.get(vote);
        let info = client.get(info("poll")).expect("a board");
        assert_eq!(info.iter().next(), Some(("views", &InfoValue::Text("all".to_owned()))));
        assert_eq!(
            (info.number("shown"), info.number("closes"), info.text("tz")),
            (Some(1), Some(1), Some("UTC"))
        );
        let limits: Vec<String> = info.limits().iter().map(leaderboard_client::LimitRule::line).collect();
        assert_eq!(limits, [daily.join(" "), "flood member 40 second".to_owned()]);
        let held_back = [("closed", 1), ("daily", 0), ("flood", 0)];
        assert_eq!(info.held_back(), held_back.map(|(rule, count)| (rule.to_owned(), count)));
        assert_eq!((info.text("members"), info.number("views"), info.get("none")), (None, None, None));
    });
}

#[test]
fn a_board_without_rules_has_no_limits() {
    with_each(|client| {
        client.get(create("game"));
        let info = client.get(info("game")).expect("a board");
        assert_eq!(info.get("limit"), Some(&InfoValue::Texts(Vec::new())));
        assert_eq!(info.get("held_back"), Some(&InfoValue::Counts(Vec::new())));
    });
}

#[test]
fn a_root_tells_its_parts_and_their_keys() {
    with_each(|client| {
        client.get(create(b"ga\xffme").views("all,day").parts(2));
        let root = client.get(info(b"ga\xffme")).expect("a root");
        let keys = root.part_keys();
        assert_eq!((root.parts(), root.part(), keys.len()), (Some(2), None, 2));
        assert!(keys.iter().all(|key| key.starts_with(b"ga\xffme:{")), "{keys:?}");
        for (part, key) in (0..).zip(&keys) {
            client.get(create(key).views("all,day").part_of(part, 2));
            let info = client.get(info(key)).expect("a part");
            assert_eq!((info.parts(), info.part()), (Some(2), Some(part)));
            assert_eq!(info.rules_hash(), root.rules_hash());
            assert!(info.part_keys().is_empty());
        }
        client.get(create("large").parts(64));
        assert_eq!(client.get(info("large")).expect("a root").part_keys().len(), 64);
        client.get(create("game"));
        let info = client.get(info("game")).expect("a board");
        assert_eq!((info.parts(), info.part(), info.part_keys().len()), (None, None, 0));
        assert!(info.rules_hash().is_some() && info.rules_hash() != root.rules_hash());
        let answers = [0, 1].map(|at| client.ask(&add(&keys[at], 5, "ann").parts(64)));
        assert!(answers.iter().all(|answer| kind(answer.as_ref().expect_err("no part")) == Kind::NoPart));
    });
}

#[test]
fn periods_have_labels_and_ends() {
    with_each(|client| {
        client.get(create("game").views("all,day").clock("EVENT"));
        client.get(add("game", 5, "ann").at(NOON));
        client.get(add("game", 5, "bob").at(NOON + 86_400_000));
        let all = client.get(periods("game", "all"));
        assert_eq!((all[0].label.as_str(), all[0].start, all[0].end, all[0].members), ("all", None, None, 2));
        let days = client.get(periods("game", "day"));
        let labels: Vec<_> = days.iter().map(|day| (day.label.as_str(), day.members)).collect();
        assert_eq!(labels, [("2019-03-18", 1), ("2019-03-17", 1)]);
        assert_eq!((days[1].start, days[1].end), (Some(NOON - 43_200_000), Some(NOON + 43_200_000)));
    });
}

#[test]
fn servers_without_maps_tell_the_same() {
    on(Flavor::Redis62, |client| {
        client.get(create("game"));
        client.get(add("game", 5, "ann"));
        assert_eq!(client.get(info("game")).expect("a board").number("members"), Some(1));
        assert_eq!(client.get(standing("game", "ann")).expect("a member").rank, 1);
        assert_eq!(client.get(top("game", 3))[0].member, Name::from("ann"));
    });
}
