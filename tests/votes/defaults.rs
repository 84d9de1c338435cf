//! Tests of boards that a first vote or a first option makes, on the server's time.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server};

#[test]
fn a_first_vote_or_option_makes_a_board() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(
            &mut con,
            r#"LB.VOTE one 2 ann => [1 [[2 1 1]]]
               LB.MVOTE many BY v TAG ip x ID q 2 ann 3 bob => [1 [[2 2 1] [3 1 1]]]
               LB.MVOTE many BY v TAG ip x ID q 2 ann 3 bob => [1 [[2 2 0] [3 1 0]]]
               LB.OPTION options ann => OK
               LB.TOP one 9 VIEW month => [[1 "ann" 2]]
               LB.TOP many 9 VIEW hour => [[1 "bob" 3] [2 "ann" 2]]
               LB.VOTERS many => 1
               LB.VOTERS many VIEW day => 1
               LB.QUOTA many BY v => []
               LB.COUNT options => 0
               LB.VOTE options 1 other => [1 [[1 1 1]]]"#,
        );
        for key in ["one", "many", "options"] {
            let info = say(&mut con, &format!("LB.INFO {key}"));
            assert!(info.starts_with(r#"["views" "all,hour,day,week,month" "order" "DESC""#), "{info}");
            assert!(
                info.contains(r#""shown" 0 "declared" 0 "keep" 0 "opens" 0 "closes" 0"#)
                    && info.contains(r#""limit" [] "prizes" [] "writes" "#),
                "{info}"
            );
        }
    }
}

#[test]
fn reads_of_an_absent_key_make_none() {
    let server = Server::start(Flavor::Redis70);
    play(
        &mut server.connection(),
        r#"LB.QUOTA absent BY v MEMBER ann TAG a b AT 5 => []
           LB.VOTERS absent => 0
           LB.OPTIONS absent 0 => ["0" []]
           EXISTS absent => 0"#,
    );
}

#[test]
fn info_tells_the_rules_of_voting() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection_resp3();
    play(
        &mut con,
        "LB.CREATE poll SHOWN DECLARED OPENS 5 CLOSES 7 LIMIT a VOTER+ip 5 Minute LIMIT b member 1 all BONUS ip x 2 BONUS ip \\xff 3",
    );
    let info = say(&mut con, "LB.INFO poll");
    assert!(info.contains(r#""shown": 1, "declared": 1, "keep": 0, "opens": 5, "closes": 7,"#), "{info}");
    let limits = r#""limit": ["a voter+ip 5 minute" "b member 1 all BONUS ip x 2 BONUS ip \"\\xff\" 3"], "prizes": [], "writes": 0, "#;
    // A quote or a backslash in the text is shown with a backslash before it.
    assert!(info.contains(limits), "{info}");
}

#[test]
fn votes_of_the_servers_clock() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(
        &mut con,
        r#"LB.CREATE poll LIMIT few voter 2 all LIMIT year voter 100 year
           LB.VOTE poll 1 ann BY v => [1 [[1 1 1]]]
           LB.VOTE poll 1 ann BY v AT 1000 => [1 [[2 1 1]]]
           LB.VOTE poll 1 ann BY v => [0 "few" -1]
           LB.VOTE poll 1 ann BY w AT 253402300799999 => ERR AT is too far in the future (max-future-ms)
           LB.QUOTA poll BY w AT 253402300799999 => ERR AT is too far in the future (max-future-ms)"#,
    );
    let quota = say(&mut con, "LB.QUOTA poll BY v");
    assert!(quota.starts_with(r#"[["few" 2 2 -1] ["year" 2 100 "#), "{quota}");
    let wait = quota.trim_end_matches(']').rsplit(' ').next().and_then(|wait| wait.parse::<u64>().ok());
    assert!(wait.is_some_and(|wait| (1..=366 * 86_400_000).contains(&wait)), "{quota}");
    play(&mut con, "LB.CREATE soon OPENS 4102444800000");
    let held = say(&mut con, "LB.VOTE soon 1 ann");
    assert!(held.starts_with(r#"[0 "closed" "#) && !held.contains("-1"), "{held}");
}
