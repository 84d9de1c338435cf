//! Tests of the maximum number of hidden members, on boards of thousands of members, while the module prepares rolling
//! views.

use std::thread::sleep;
use std::time::Duration;

use leaderboard_testkit::random::{Random, seed};
use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server};
use redis::Connection;

use super::twins::{all_well, line, questions, same};

const MEMBERS: u64 = 3_000;
const HIDDEN: u64 = 1_000;
const DAY: u64 = 86_400_000;
const BEGIN: u64 = 1_700_000_000_000 / DAY * DAY;

/// Checks whether a member is in the group that is hidden: every third member.
fn is_hidden(member: u64) -> bool {
    member.is_multiple_of(3)
}

fn write(con: &mut Connection, at: u64, random: &mut Random) {
    let mut points = |n: u64| n * 31 % 97 + random.below(3);
    let pairs: Vec<(u64, u64)> = (0..MEMBERS).map(|n| (n * 7919 % MEMBERS, points(n))).collect();
    let pairs: Vec<(u64, u64)> = pairs.into_iter().filter(|_| random.percent(70)).collect();
    for (key, hidden) in [("board", true), ("twin", false)] {
        let pairs = pairs.iter().filter(|(member, _)| hidden || !is_hidden(*member));
        let words: String = pairs.map(|(member, points)| format!(" {points} m{member}")).collect();
        play(con, &format!("LB.MADD {key} AT {at}{words}"));
    }
}

fn hide(con: &mut Connection, command: &str, from: u64, to: u64) {
    let names: String = (from..to).map(|number| format!(" m{}", number * 3)).collect();
    play(con, &format!("LB.{command} board{names} => {}", to - from));
}

#[track_caller]
fn compare(con: &mut Connection, random: &mut Random) {
    let names = ["m1", "m2", "m4", "m1000", "m1001", "m2998", "m2999"];
    let members = format!("MEMBERS {} {}", names.len(), names.join(" "));
    for period in
        ["VIEW day", "VIEW all", "VIEW day:3", "VIEW day PERIOD -1", "VIEW day:3 PERIOD -1", "PERIOD -2"]
    {
        for question in questions(random, &members, &names) {
            let question = question.replace("TOP * 99", "TOP * 9999");
            same(con, ["board", "twin"], &format!("{question} {period}"));
        }
    }
}

#[test]
fn a_thousand_hidden_members_of_three_thousand_are_not_there() {
    for rules in
        ["AGGREGATE SUM", "AGGREGATE MAX TIES LAST", "AGGREGATE SUM ORDER ASC TIES LEX CARRY day=0.5"]
    {
        println!("{rules}");
        let server = Server::start(Flavor::Redis70);
        let mut con = server.connection();
        let mut random = Random::new(seed() + 4);
        for key in ["board", "twin"] {
            play(&mut con, &format!("LB.CREATE {key} VIEWS day,all,day:3 CLOCK EVENT RETAIN 3 {rules}"));
        }
        write(&mut con, BEGIN, &mut random);
        hide(&mut con, "HIDE", 0, HIDDEN / 2);
        for day in 1..6 {
            // Early in a day, late in the day, and 10 ms before its end.
            for at in [1_000, DAY / 2, DAY - 10] {
                write(&mut con, BEGIN + day * DAY + at, &mut random);
            }
            sleep(Duration::from_millis(50));
            match day {
                2 => hide(&mut con, "HIDE", HIDDEN / 2, HIDDEN),
                3 => {
                    hide(&mut con, "UNHIDE", 100, 900);
                    sleep(Duration::from_millis(20));
                    hide(&mut con, "HIDE", 100, 900);
                }
                _ => {}
            }
            write(&mut con, BEGIN + (day + 1) * DAY, &mut random);
            // The members change while the module packs the last day.
            hide(&mut con, "UNHIDE", 40, 80);
            hide(&mut con, "HIDE", 40, 80);
            if day > 1 {
                compare(&mut con, &mut random);
            }
        }
        all_well(&mut con, &[line("DEBUG RELOAD")]);
        compare(&mut con, &mut random);
    }
}
