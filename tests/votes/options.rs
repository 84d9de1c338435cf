//! Tests of declared options: the members that can get votes, and their list.

use std::collections::HashMap;

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server, query};
use redis::{Connection, Value};

use super::plays;

#[test]
fn only_declared_members_can_be_voted_for() {
    plays(
        r#"LB.CREATE poll CLOCK EVENT DECLARED
           LB.VOTE poll 1 ann AT 1000 => ERR member is not an option of this board (DECLARED)
           LB.OPTION poll ann => OK
           LB.OPTION poll ann => OK
           LB.VOTE poll 1 ann AT 1000 => [1 [[1 1 1]]]
           LB.ADD poll 5 bob AT 1000 => HELDBACK joined -1
           LB.ADD poll 5 bob AT 1000 FORCE => [5 1 1]
           LB.VOTE poll 1 bob AT 1000 => ERR member is not an option of this board (DECLARED)
           LB.MVOTE poll AT 1000 1 ann 1 bob => ERR member is not an option of this board (DECLARED)
           LB.SCORE poll ann => 1
           LB.REM poll ann => 1
           LB.VOTE poll 1 ann AT 1000 => ERR member is not an option of this board (DECLARED)
           LB.OPTIONS poll 0 => ["0" []]
           LB.OPTION poll bob => OK
           LB.VOTE poll 1 bob AT 1000 => [1 [[6 1 1]]]
           LB.OPTION poll none => OK
           LB.REM poll none => 1
           LB.OPTIONS poll 0 => ["0" [["member" "bob" "weight" 1 "initial" 0 "meta" nil "real" 6 "shown" 6 "voters" 0]]]"#,
    );
}

#[test]
fn what_is_not_said_of_an_option_stays() {
    plays(
        r#"LB.CREATE poll CLOCK EVENT SHOWN
           LB.OPTION poll ann WEIGHT 2 INITIAL 5 => OK
           LB.OPTION poll ann => OK
           LB.OPTION poll ann WEIGHT 3 => OK
           LB.OPTIONS poll 0 => ["0" [["member" "ann" "weight" 3 "initial" 5 "meta" nil "real" 0 "shown" 5 "voters" 0]]]
           LB.OPTION poll ann INITIAL 6 => OK
           LB.OPTIONS poll 0 COUNT 5 => ["0" [["member" "ann" "weight" 3 "initial" 6 "meta" nil "real" 0 "shown" 6 "voters" 0]]]
           LB.OPTIONS absent 0 => ["0" []]
           LB.OPTIONS poll 99 => ["0" []]
           LB.OPTIONS poll 9223372036854775807 => ["0" []]"#,
    );
}

#[test]
fn the_list_has_maps_where_there_are_any() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        play(&mut server.connection(), "LB.CREATE poll SHOWN\nLB.OPTION poll ann WEIGHT 2 INITIAL 5");
        play(
            &mut server.connection(),
            r#"LB.OPTIONS poll 0 => ["0" [["member" "ann" "weight" 2 "initial" 5 "meta" nil "real" 0 "shown" 5 "voters" 0]]]"#,
        );
        if flavor != Flavor::Redis62 {
            play(
                &mut server.connection_resp3(),
                r#"LB.OPTIONS poll 0 => ["0" [{"member": "ann", "weight": 2, "initial": 5, "meta": nil, "real": 0, "shown": 5, "voters": 0}]]"#,
            );
        }
    }
}

fn page(con: &mut Connection, cursor: &str, count: &str) -> (String, Vec<String>) {
    let (cursor, page): (String, Vec<HashMap<String, Value>>) =
        query(con, &["LB.OPTIONS", "poll", cursor, "COUNT", count]);
    let member = |option: &HashMap<String, Value>| match &option["member"] {
        Value::BulkString(member) => String::from_utf8_lossy(member).into_owned(),
        other => panic!("no member but {other:?}"),
    };
    (cursor, page.iter().map(member).collect())
}

#[test]
fn pages_hold_each_option_that_is_there_all_the_time_once() {
    let server = Server::start(Flavor::Redis70);
    for count in [1, 2, 3, 7, 10, 100] {
        let mut con = server.connection_resp3();
        play(&mut con, "FLUSHALL");
        (0..20).for_each(|n| play(&mut con, &format!("LB.OPTION poll o{n:02}")));
        let (mut cursor, mut seen, mut round) = ("0".to_owned(), Vec::new(), 0);
        loop {
            let (next, page) = page(&mut con, &cursor, &count.to_string());
            assert!(page.len() <= count, "{page:?}");
            seen.extend(page);
            if next == "0" {
                break;
            }
            cursor = next;
            // The options with even numbers are removed, from both ends, and new options are added.
            let (front, back) = (round * 2, 18 - round * 2);
            for gone in [front, back] {
                play(&mut con, &format!("LB.REM poll o{:02}", gone.clamp(0, 18)));
            }
            if round < 7 {
                play(&mut con, &format!("LB.OPTION poll new{round}"));
            }
            play(&mut con, "LB.VOTE poll 1 o03\nLB.OPTION poll o05");
            round += 1;
            assert!(round < 200, "it does not end");
        }
        let odd: Vec<String> = (1..20).step_by(2).map(|n| format!("o{n:02}")).collect();
        let mut stayed = seen.clone();
        stayed.retain(|member| odd.contains(member));
        assert_eq!(stayed, odd, "pages of {count}");
        seen.sort();
        seen.dedup();
        let (_, all) = page(&mut con, "0", "1000");
        assert!(odd.iter().all(|member| all.contains(member)));
    }
}

#[test]
fn a_page_has_ten_options_unless_it_is_said_otherwise() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    (0..25).for_each(|n| play(&mut con, &format!("LB.OPTION poll o{n:02}")));
    let (mut cursor, mut sizes, mut members) = ("0".to_owned(), Vec::new(), Vec::new());
    loop {
        let (next, page): (String, Vec<HashMap<String, Value>>) =
            query(&mut con, &["LB.OPTIONS", "poll", &cursor]);
        sizes.push(page.len());
        members.extend(page.iter().map(|option| format!("{:?}", option["member"])));
        if next == "0" {
            break;
        }
        cursor = next;
    }
    assert_eq!(sizes, [10, 10, 5]);
    assert!(members.is_sorted(), "{members:?}");
}
