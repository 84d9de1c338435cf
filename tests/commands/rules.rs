//! Tests of equal scores and of time: the order of equal members, and the effect of a late write.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, query};

use super::plays;

#[test]
fn the_first_of_equals_ranks_higher() {
    plays(
        r#"LB.CREATE board CLOCK EVENT
           LB.ADD board 5 bob AT 2000 => [5 1 1]
           LB.ADD board 5 ann AT 1000 => [5 1 1]
           LB.ADD board 5 dan AT 2000 => [5 3 1]
           LB.ADD board 5 cat AT 2000 => [5 4 1]
           LB.TOP board 5 => [[1 "ann" 5] [2 "bob" 5] [3 "dan" 5] [4 "cat" 5]]
           LB.ADD board 1 ann AT 3000 => [6 1 1]
           LB.ADD board -1 ann AT 4000 => [5 4 1]"#,
    );
}

#[test]
fn the_last_of_equals_ranks_higher_where_the_board_says_so() {
    plays(
        r#"LB.CREATE board CLOCK EVENT TIES LAST
           LB.ADD board 5 bob AT 2000 => [5 1 1]
           LB.ADD board 5 ann AT 1000 => [5 2 1]
           LB.ADD board 5 dan AT 2000 => [5 1 1]
           LB.ADD board 5 cat AT 3000 => [5 1 1]
           LB.TOP board 5 => [[1 "cat" 5] [2 "dan" 5] [3 "bob" 5] [4 "ann" 5]]"#,
    );
}

#[test]
fn names_order_equals_where_the_board_says_so() {
    plays(
        r#"LB.CREATE board TIES LEX
           LB.ADD board 5 b => [5 1 1]
           LB.ADD board 5 a => [5 1 1]
           LB.ADD board 5 ab => [5 2 1]
           LB.ADD board 5 B => [5 1 1]
           LB.ADD board 5 \xff => [5 5 1]
           LB.ADD board 5 \x00 => [5 1 1]
           LB.TOP board 9 => [[1 "\x00" 5] [2 "B" 5] [3 "a" 5] [4 "ab" 5] [5 "b" 5] [6 "\xff" 5]]"#,
    );
}

#[test]
fn ties_go_by_time_in_either_order_of_scores() {
    plays(
        r#"LB.CREATE board CLOCK EVENT ORDER ASC
           LB.ADD board 5 bob AT 2000 => [5 1 1]
           LB.ADD board 5 ann AT 1000 => [5 1 1]
           LB.ADD board 4 cat AT 3000 => [4 1 1]
           LB.TOP board 5 => [[1 "cat" 4] [2 "ann" 5] [3 "bob" 5]]"#,
    );
}

#[test]
fn a_write_that_leaves_a_score_as_it_is_keeps_its_moment() {
    for (aggregate, line) in [
        ("SUM", "LB.ADD board 0 ann AT 3000"),
        ("SUM", "LB.SET board 5 ann AT 3000"),
        ("MAX", "LB.ADD board 5 ann AT 3000"),
        ("MAX", "LB.ADD board 4 ann AT 3000"),
        ("MAX", "LB.SET board 5 ann AT 3000"),
        ("MIN", "LB.ADD board 6 ann AT 3000"),
        ("LAST", "LB.ADD board 5 ann AT 3000"),
        ("LAST", "LB.SET board 5 ann AT 3000"),
        ("SUM", "LB.MADD board AT 3000 0 ann"),
    ] {
        moment(aggregate, line, 1000);
    }
    moment("SUM", "LB.ADD board 1 ann AT 3000", 3000);
    moment("SUM", "LB.SET board 1 ann AT 3000", 3000);
    moment("MAX", "LB.ADD board 6 ann AT 3000", 3000);
    moment("MIN", "LB.ADD board 4 ann AT 3000", 3000);
    moment("MAX", "LB.SET board 4 ann AT 3000", 3000);
    moment("LAST", "LB.ADD board 4 ann AT 3000", 3000);
    moment("SUM", "LB.MADD board AT 3000 1 ann -1 ann", 3000);
}

#[test]
fn a_late_write_moves_nobody_back_in_time() {
    moment("SUM", "LB.ADD board 1 ann AT 500", 1000);
    moment("SUM", "LB.SET board 7 ann AT 500", 1000);
    moment("SUM", "LB.MADD board AT 500 7 ann", 1000);
}

/// Runs this write on a board where ann got 5 at the moment 1000, and checks the moment of her score after it.
#[track_caller]
fn moment(aggregate: &str, line: &str, expected: u64) {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, &format!("LB.CREATE board CLOCK EVENT AGGREGATE {aggregate}"));
    play(&mut con, "LB.ADD board 5 ann AT 1000");
    play(&mut con, line);
    let reply = say(&mut con, "LB.STANDING board ann");
    assert!(reply.ends_with(&format!("\"at\" {expected}]")), "{aggregate}: {line}: {reply}");
}

#[test]
fn on_a_board_of_the_last_the_latest_event_wins() {
    plays(
        "LB.CREATE board CLOCK EVENT AGGREGATE LAST
         LB.ADD board 5 ann AT 2000 => [5 1 1]
         LB.ADD board 9 ann AT 1000 => [5 1 1]
         LB.SET board 9 ann AT 1999 => [5 1 1]
         LB.ADD board 7 ann AT 2000 => [7 1 1]
         LB.ADD board 7 ann AT 3000 => [7 1 1]
         LB.ADD board 1 ann AT 2500 => [7 1 1]
         LB.MADD board AT 2999 1 ann 2 bob => [[7 1 1] [2 2 1]]
         LB.SET board 3 ann AT 3001 => [3 1 1]",
    );
}

#[test]
fn an_event_board_lives_by_the_greatest_time_it_has_seen() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let mut now = |line: &str| {
        play(&mut con, line);
        say(&mut con, "LB.INFO board")
            .split(' ')
            .skip_while(|word| *word != "\"now\"")
            .nth(1)
            .map(str::to_owned)
    };
    let mut is = |line: &str, expected: &str| assert_eq!(now(line).as_deref(), Some(expected), "{line}");
    is("LB.CREATE board CLOCK EVENT", "0");
    is("LB.ADD board 5 ann AT 2000", "2000");
    is("LB.ADD board 5 ann AT 1000", "2000");
    is("LB.SET board 5 ann AT 3000 XX", "3000");
    is("LB.SET board 5 bob AT 4000 XX", "3000");
    is("LB.MADD board AT 253402300799999 5 ann", "253402300799999");
}

#[test]
fn a_time_a_little_ahead_counts_as_now() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let [seconds, _]: [u64; 2] = query(&mut con, &["TIME"]);
    let ahead = seconds * 1000 + 50_000;
    play(&mut con, &format!("LB.ADD board 5 ann AT {ahead} => [5 1 1]"));
    play(&mut con, "LB.ADD board 5 bob => [5 2 1]");
    let reply = say(&mut con, "LB.STANDING board ann");
    let at: u64 = reply.rsplit(' ').next().unwrap().trim_end_matches(']').parse().unwrap();
    assert!((seconds * 1000..ahead - 10_000).contains(&at), "{at} for {ahead}");
    let error = "ERR AT is too far in the future (max-future-ms)";
    play(&mut con, &format!("LB.ADD board 5 cat AT {} => {error}", ahead + 30_000));
}
