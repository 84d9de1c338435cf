//! Tests of the number of different voters: on the whole board, for a member, and in periods of a view.

use leaderboard_testkit::session::shown;
use leaderboard_testkit::{Flavor, Server, Words, pipeline, query, words};

use super::{play_dated, plays};

#[test]
fn voters_are_counted_once_each_wherever_they_count() {
    plays(
        r#"LB.CREATE poll VIEWS all,day,day:2 CLOCK EVENT RETAIN 2
           LB.VOTERS poll => 0
           LB.VOTERS poll VIEW day => 0
           LB.VOTE poll 1 ann BY v1 AT @2019-03-18T01:00
           LB.VOTE poll 1 ann BY v1 AT @2019-03-18T02:00
           LB.VOTE poll 1 bob BY v1 AT @2019-03-18T02:00
           LB.VOTE poll 1 bob BY v2 AT @2019-03-18T03:00
           LB.VOTE poll 1 bob AT @2019-03-18T03:00
           LB.VOTERS poll => 2
           LB.VOTERS poll VIEW all => 2
           LB.VOTERS poll MEMBER ann => 1
           LB.VOTERS poll MEMBER bob => 2
           LB.VOTERS poll MEMBER cat => 0
           LB.VOTERS poll VIEW day => 2
           LB.VOTERS poll VIEW day MEMBER ann => 1
           LB.MVOTE poll BY v3 AT @2019-03-19 1 ann 1 ann 1 cat
           LB.VOTERS poll => 3
           LB.VOTERS poll VIEW day => 1
           LB.VOTERS poll VIEW day PERIOD -1 => 2
           LB.VOTERS poll VIEW day PERIOD 2019-03-18 => 2
           LB.VOTERS poll VIEW day AT @2019-03-18T23:00 => 2
           LB.VOTERS poll VIEW day:2 => 3
           LB.VOTERS poll VIEW day:2 MEMBER ann => 2
           LB.VOTERS poll VIEW day:2 PERIOD -1 => 2
           LB.VOTE poll 1 ann BY v2 AT @2019-03-20
           LB.VOTERS poll VIEW day:2 => 2
           LB.VOTERS poll VIEW day:2 PERIOD -2 => 2
           LB.VOTERS poll VIEW day PERIOD -2 => 2
           LB.VOTERS poll VIEW day PERIOD -3 => 0
           LB.VOTE poll 1 ann BY v2 AT @2019-03-22
           LB.VOTERS poll VIEW day PERIOD -1 => 0
           LB.VOTERS poll VIEW day PERIOD -2 => 1
           LB.VOTERS poll VIEW day PERIOD -3 => 0
           LB.VOTERS poll VIEW day:2 => 1
           LB.VOTERS poll VIEW day:2 PERIOD -1 => 1
           LB.VOTERS poll VIEW day:2 PERIOD -2 => 2
           LB.REM poll ann => 1
           LB.VOTERS poll MEMBER ann => 0
           LB.VOTERS poll => 3
           LB.VOTERS absent => 0
           LB.VOTERS absent VIEW day PERIOD -1 MEMBER ann => 0"#,
    );
}

#[test]
fn a_late_voter_counts_where_the_vote_does() {
    plays(
        r#"LB.CREATE poll VIEWS all,day,day:3 CLOCK EVENT RETAIN 2
           LB.VOTE poll 1 ann BY v1 AT @2019-03-20
           LB.VOTE poll 1 ann BY v2 AT @2019-03-19
           LB.VOTE poll 1 ann BY v3 AT @2019-03-10
           LB.VOTERS poll => 3
           LB.VOTERS poll VIEW day => 1
           LB.VOTERS poll VIEW day:3 => 2
           LB.VOTERS poll VIEW day:3 PERIOD -1 => 0
           LB.VOTERS poll VIEW day:3 AT @2019-03-10 => 0"#,
    );
}

#[test]
fn a_late_vote_changes_no_number_of_voters_of_a_period_that_has_ended() {
    plays(
        r#"LB.CREATE poll VIEWS day:2 CLOCK EVENT
           LB.VOTE poll 1 x BY a AT 86400000
           LB.VOTE poll 1 x BY b AT 172800000
           LB.VOTERS poll PERIOD -1 => 1
           LB.VOTE poll 1 x BY c AT 86400000
           LB.VOTERS poll PERIOD -1 => 1
           LB.VOTERS poll PERIOD -1 MEMBER x => 1
           LB.VOTERS poll VIEW day:2 => 3
           LB.VOTERS poll VIEW day:2 MEMBER x => 3
           LB.VOTE poll 1 x BY b AT 259200000
           LB.VOTERS poll PERIOD -1 => 3
           LB.VOTERS poll VIEW day:2 => 1
           LB.VOTERS poll => 3"#,
    );
}

#[test]
fn voters_of_a_rule_by_voter_and_of_none_are_the_same() {
    plays(
        r#"LB.CREATE poll CLOCK EVENT LIMIT r voter 2 day
           LB.VOTE poll 1 ann BY v1 AT 0
           LB.ALTER poll UNLIMIT r
           LB.VOTE poll 1 ann BY v1 AT 0
           LB.ALTER poll LIMIT s voter+ip 2 day
           LB.VOTE poll 1 ann BY v1 TAG ip x AT 0
           LB.VOTERS poll => 1"#,
    );
}

#[test]
fn many_voters_are_estimated_well_and_held_back_ones_not_counted() {
    const VOTERS: usize = 20_000;
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play_dated(&mut con, "LB.CREATE poll VIEWS all,day CLOCK EVENT LIMIT once voter 1 day");
    let vote = |n: usize| -> Words {
        let (member, voter) = (format!("m{}", n % 4), format!("voter{}", n % VOTERS));
        words(&["LB.VOTE", "poll", "1", &member, "BY", &voter, "AT", "1552867200000"])
    };
    let replies = pipeline(&mut con, &(0..VOTERS * 3 / 2).map(vote).collect::<Vec<_>>());
    let accepted = replies.iter().filter(|reply| shown(reply).starts_with("[1 ")).count();
    assert_eq!(accepted, VOTERS);
    for view in ["all", "day"] {
        let voters: f64 = query(&mut con, &["LB.VOTERS", "poll", "VIEW", view]);
        assert!((voters / VOTERS as f64 - 1.0).abs() < 0.03, "{voters} in {view}");
    }
    let of_one: f64 = query(&mut con, &["LB.VOTERS", "poll", "MEMBER", "m1"]);
    assert!((of_one / (VOTERS / 4) as f64 - 1.0).abs() < 0.03, "{of_one}");
}
