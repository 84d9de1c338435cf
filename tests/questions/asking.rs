//! Tests of the arguments of LB.PART, the rights that it needs, and the starts of periods.

use leaderboard_testkit::session::{play, say, words};
use leaderboard_testkit::slots::members_of;
use leaderboard_testkit::{Flavor, Server, query, run};
use redis::Value;

use super::ranking::told;

#[test]
fn periods_begin_where_they_do_whether_or_not_anybody_wrote() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "LB.CREATE part VIEWS all,day,day:3,60s,hour TZ +08:00 ORIGIN 7 PART 0 OF 2");
    const DAY: i64 = 86_400_000;
    let zone = 8 * 3_600_000;
    let ann = members_of(0, 2, 1).remove(0);
    for round in 0..2 {
        for (view, unit, shift) in
            [("day", DAY, -zone), ("day:3", DAY, -zone), ("60s", 60_000, 7), ("hour", 3_600_000, 0)]
        {
            let of = |moment: i64| (moment - shift).div_euclid(unit) * unit + shift;
            let mut ask = |options: &str| {
                told(run(&mut con, &words(&format!("LB.PART part TOP 1 VIEW {view} {options}"))))
            };
            let reply = ask("");
            assert_eq!(reply.start, Some(of(reply.now)), "{view} {round}");
            let reply = ask("PERIOD -1");
            assert_eq!(reply.start, Some(of(reply.now) - unit), "{view} {round}");
            let reply = ask("AT 1000000000000");
            assert_eq!((reply.start, reply.members), (Some(of(1_000_000_000_000)), 0), "{view} {round}");
        }
        let label = told(run(&mut con, &words("LB.PART part TOP 1 VIEW day PERIOD 2019-03-17")));
        assert_eq!(label.start, Some(1_552_780_800_000 - zone));
        play(&mut con, &format!("LB.ADD part 5 {ann} PARTS 2"));
    }
}

#[test]
fn what_is_no_part_or_no_question_is_an_error() {
    // Redis 7.0 does not include a module's commands in the category of reads.
    let server = Server::start(Flavor::Redis82);
    let mut con = server.connection();
    play(
        &mut con,
        "LB.CREATE part PART 0 OF 2
        LB.CREATE plain
        LB.CREATE root PARTS 2
        SET text x",
    );
    for key in ["absent", "plain"] {
        let error = say(&mut con, &format!("LB.PART {key} TOP 1"));
        assert!(error.starts_with("NOPART "), "{key}: {error}");
    }
    assert!(say(&mut con, "LB.PART text TOP 1").starts_with("WRONGTYPE "));
    assert!(say(&mut con, "LB.PART root TOP 1").contains("spread over 2 parts"), "root");
    for wrong in [
        "",
        "TOP",
        "TOP -1",
        "TOP x",
        "TOP 1 OFFSET",
        "TOP 1 OFFSET -1",
        "TOP 1 REV REV",
        "TOP 1 VIEW week",
        "TOP 1 ABOVE 1",
        "TOP 1 PERIOD 0 AT 5",
        "OF",
        "NEAR 1 5",
        "NEAR 1 5 BESIDE 1 1",
        "NEAR 1 -5 AFTER 1 1",
        "NEAR x 5 AFTER 1 1",
        "NEAR 1 9223372036854775808 AFTER 1 1",
        "SAMPLE 0 0 -1",
        "SAMPLE 1025 0 -1",
        "SAMPLE 5 0",
        "BETWEEN 1 2",
        "BETWEEN x 2 1",
        "HISTOGRAM 1 2",
        "HISTOGRAM 1 2 0",
        "STATS 1",
        "MOF",
        "MOF MEMBERS 2 a",
        "MNEAR PLACES 1 5",
        "MNEAR PLACES 2 5 5 AFTER",
        "LEAST",
    ] {
        let error = say(&mut con, &format!("LB.PART part {wrong}"));
        assert!(error.starts_with("ERR "), "{wrong}: {error}");
    }
    play(&mut con, "ACL SETUSER reader on nopass ~* -@all +@read");
    let kinds: Vec<Vec<Value>> = query(&mut con, &["COMMAND", "INFO", "LB.PART"]);
    assert!(format!("{kinds:?}").contains("readonly"), "{kinds:?}");
    assert_eq!(say(&mut con, "COMMAND GETKEYS LB.PART part TOP 1"), "[\"part\"]");
    play(&mut con, "AUTH reader any => OK");
    let reply = say(&mut con, "LB.PART part TOP 1");
    assert!(reply.starts_with("[0 2 "), "{reply}");
}
