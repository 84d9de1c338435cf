//! Tests of the exact replies of LB.PART.

use leaderboard_testkit::session::say;
use leaderboard_testkit::{Flavor, Server, query};
use redis::Value::{Int, Nil};

use super::*;

/// Runs the test on every server, in both protocols.
fn on_five(test: impl Fn(&mut Connection)) {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        five(&mut server.connection());
        test(&mut server.connection());
        if flavor != Flavor::Redis62 {
            test(&mut server.connection_resp3());
        }
    }
}

#[test]
fn the_head_tells_the_part_and_its_period() {
    on_five(|con| {
        let hash: Vec<Value> = query(con, &["LB.INFO", "part"]);
        let schema = text("schema");
        let hash = hash.iter().position(|value| *value == schema).map(|at| hash[at + 1].clone());
        for question in ["part TOP 0", "part STATS", "part SAMPLE 1 0 0", "part MNEAR PLACES 1 1 1 BEFORE"] {
            let head = ask(con, question);
            assert_eq!(head[..2], [Int(0), Int(2)]);
            assert!(hash.is_none() || hash.as_ref() == Some(&head[2]), "{head:?}");
            assert_eq!(head[4..6], [Int(0), Int(5)]);
        }
        let now = |head: &[Value]| if let Int(now) = head[3] { now } else { panic!("{head:?}") };
        let head = ask(con, "part TOP 0 VIEW day");
        assert_eq!(head[4], Int(now(&head).div_euclid(86_400_000) * 86_400_000));
        // A period that is not stored has a start. A period that never existed has none.
        assert_eq!(ask(con, "part TOP 0 VIEW day AT 86400001")[4..], [Int(86_400_000), Int(0), text("")]);
        assert_eq!(ask(con, "part TOP 0 VIEW day PERIOD 2001-02-03")[4], Int(981_158_400_000));
        let back = ask(con, "part TOP 0 VIEW day PERIOD -1000");
        assert_eq!(back[4], Int((now(&back).div_euclid(86_400_000) - 1_000) * 86_400_000));
        assert_eq!(ask(con, "part TOP 9 PERIOD -1")[4..], [Nil, Int(0), text("")]);
        assert_eq!(ask(con, "part TOP 0 AT 5")[4..6], [Int(0), Int(5)]);
    });
}

#[test]
fn a_part_without_writes_has_periods() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "LB.CREATE empty VIEWS day PART 1 OF 2");
    let head = ask(&mut con, "empty TOP 5");
    let Int(now) = head[3] else { panic!("{head:?}") };
    assert_eq!(head[4..], [Int(now.div_euclid(86_400_000) * 86_400_000), Int(0), text("")]);
    assert_eq!(answer(&mut con, "empty SAMPLE 9 0 -1"), [list([])]);
    assert_eq!(answer(&mut con, "empty STATS"), [text("0")]);
    assert_eq!(answer(&mut con, "empty OF bob WITHMETA"), [Nil, Nil]);
}

#[test]
fn top() {
    on_five(|con| {
        assert_eq!(answer(con, "part TOP 2"), [rows(&[JON, ANN])]);
        assert_eq!(answer(con, "part top 2 offset 3"), [rows(&[LEO, MAX])]);
        assert_eq!(answer(con, "part TOP 3 REV"), [rows(&[MAX, LEO, CAT])]);
        assert_eq!(answer(con, "part TOP 0"), [rows(&[])]);
    });
}

#[test]
fn of_a_member() {
    on_five(|con| {
        assert_eq!(answer(con, "part OF cat"), [Int(2), Int(5), Int(2_000), Int(0), text(""), text("")]);
        let around = [rows(&[JON, ANN]), rows(&[LEO])];
        assert_eq!(answer(con, "part OF cat ABOVE 9 BELOW 1")[4..], around);
        let around = [Int(2), Int(5), Int(2_000), Int(0), rows(&[LEO]), rows(&[ANN, JON])];
        assert_eq!(answer(con, "part OF cat ABOVE 1 BELOW 2 REV"), around);
        assert_eq!(answer(con, "part OF ned"), [Nil]);
        assert_eq!(answer(con, "part OF ned WITHMETA"), [Nil, Nil]);
    });
}

#[test]
fn near_a_place() {
    on_five(|con| {
        assert_eq!(answer(con, "part NEAR 5 2000 BEFORE 1 1"), [Int(2), rows(&[ANN]), rows(&[CAT])]);
        assert_eq!(answer(con, "part NEAR 5 2000 AFTER 2 9"), [Int(4), rows(&[CAT, LEO]), rows(&[MAX])]);
        assert_eq!(answer(con, "part NEAR 5 2000 BEFORE 1 2 REV"), [Int(1), rows(&[MAX]), rows(&[LEO, CAT])]);
        assert_eq!(answer(con, "part NEAR 6 0 AFTER 0 0"), [Int(1), rows(&[]), rows(&[])]);
        let places = "PLACES 4 5 0 BEFORE 5 9223372036854775807 AFTER -8 0 after 9 0 before";
        assert_eq!(answer(con, &format!("part MNEAR {places}")), [ints(&[1, 4, 5, 0])]);
        assert_eq!(answer(con, &format!("part MNEAR REV {places} VIEW all")), [ints(&[4, 1, 0, 5])]);
    });
}

#[test]
fn samples() {
    on_five(|con| {
        let [jon, cat, max] = [ints(&[0, 7, 3_000]), ints(&[2, 5, 2_000]), ints(&[4, 3, 500])];
        assert_eq!(answer(con, "part SAMPLE 3 0 -1"), [list([jon.clone(), cat.clone(), max.clone()])]);
        assert_eq!(answer(con, "part SAMPLE 2 0 2"), [list([jon.clone(), cat.clone()])]);
        assert_eq!(answer(con, "part SAMPLE 1 -1 -1"), [list([max])]);
        assert_eq!(answer(con, "part SAMPLE 1024 -9 0"), [list([jon])]);
        assert_eq!(answer(con, "part SAMPLE 9 1 1 REV"), [list([ints(&[1, 5, 2_000])])]);
        assert_eq!(answer(con, "part SAMPLE 9 3 1"), [list([])]);
        assert_eq!(answer(con, "part SAMPLE 9 5 9"), [list([])]);
    });
}

#[test]
fn ranges_and_sums() {
    on_five(|con| {
        assert_eq!(answer(con, "part BETWEEN 5 +inf 2"), [Int(0), Int(4), rows(&[JON, ANN])]);
        assert_eq!(answer(con, "part BETWEEN -inf (7 9 OFFSET 2"), [Int(1), Int(4), rows(&[LEO, MAX])]);
        assert_eq!(answer(con, "part BETWEEN 5 5 9 OFFSET 1 REV"), [Int(1), Int(3), rows(&[CAT, ANN])]);
        assert_eq!(answer(con, "part BETWEEN 6 (5 9"), [Int(0), Int(0), rows(&[])]);
        assert_eq!(answer(con, "part STATS"), [text("25")]);
        assert_eq!(answer(con, "part HISTOGRAM 3 7 2"), [ints(&[1, 4])]);
        assert_eq!(answer(con, "part HISTOGRAM 3 7 4 REV"), [ints(&[1, 0, 3, 1])]);
    });
}

#[test]
fn several_members() {
    on_five(|con| {
        let cat = ints(&[2, 5, 2_000, 0]);
        assert_eq!(answer(con, "part MOF MEMBERS 3 cat ned cat"), [list([cat.clone(), Nil, cat.clone()])]);
        let with_meta = list([list([cat, Nil]), list([Nil, Nil])]);
        assert_eq!(answer(con, "part MOF WITHMETA VIEW all MEMBERS 2 cat ned"), [with_meta]);
        assert_eq!(answer(con, "part MOF MEMBERS 1 cat REV"), [list([ints(&[2, 5, 2_000, 0])])]);
    });
}

#[test]
fn metas_stand_in_rows_and_behind_members() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    five(&mut con);
    play(&mut con, "LB.SETMETA part ann text\nLB.SETMETA part ned <4096>");
    let con = &mut con;
    let [jon, ann, cat] = [(JON, None), (ANN, Some("text")), (CAT, None)];
    assert_eq!(answer(con, "part TOP 3 WITHMETA"), [rows_with_meta(&[jon, ann, cat])]);
    let near = [Int(2), rows_with_meta(&[jon, ann]), rows_with_meta(&[cat])];
    assert_eq!(answer(con, "part NEAR 5 2000 BEFORE 5 1 WITHMETA"), near);
    let of =
        [Int(1), Int(5), Int(1_000), Int(0), rows_with_meta(&[jon]), rows_with_meta(&[cat]), text("text")];
    assert_eq!(answer(con, "part OF ann ABOVE 1 BELOW 1 WITHMETA"), of);
    let long = "m".repeat(4_096);
    assert_eq!(answer(con, "part OF ned WITHMETA"), [Nil, text(&long)]);
    assert_eq!(answer(con, "part MOF MEMBERS 1 ned WITHMETA"), [list([list([Nil, text(&long)])])]);
    assert_eq!(answer(con, "part BETWEEN 7 7 1 WITHMETA"), [Int(0), Int(1), rows_with_meta(&[jon])]);
    play(con, "LB.ADD part 9 ned AT 1");
    assert_eq!(answer(con, "part TOP 1 WITHMETA"), [rows_with_meta(&[(("ned", 9, 1), Some(&long))])]);
}

#[test]
fn hidden_members_are_seen_by_name_alone() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    five(&mut con);
    play(&mut con, "LB.HIDE part ann jon");
    let con = &mut con;
    assert_eq!(ask(con, "part TOP 9")[5..], [Int(3), rows(&[CAT, LEO, MAX])]);
    let of = [Int(0), Int(5), Int(1_000), Int(1), rows(&[]), rows(&[CAT])];
    assert_eq!(answer(con, "part OF ann ABOVE 5 BELOW 1"), of);
    let of = [Int(3), Int(7), Int(3_000), Int(1), rows(&[CAT]), rows(&[])];
    assert_eq!(answer(con, "part OF jon ABOVE 1 BELOW 5 REV"), of);
    assert_eq!(answer(con, "part NEAR 5 2000 BEFORE 9 1"), [Int(0), rows(&[]), rows(&[CAT])]);
    assert_eq!(answer(con, "part SAMPLE 2 0 -1"), [list([ints(&[0, 5, 2_000]), ints(&[2, 3, 500])])]);
    assert_eq!(answer(con, "part STATS"), [text("13")]);
    assert_eq!(answer(con, "part BETWEEN 5 9 9"), [Int(0), Int(2), rows(&[CAT, LEO])]);
    let both = list([ints(&[0, 5, 1_000, 1]), ints(&[0, 5, 2_000, 0])]);
    assert_eq!(answer(con, "part MOF MEMBERS 2 ann cat"), [both]);
}

#[test]
fn the_last_one_is_before_its_equals_with_ties_last() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, &FIVE.replace("VIEWS", "TIES LAST ORDER ASC VIEWS"));
    let con = &mut con;
    assert_eq!(answer(con, "part TOP 9"), [rows(&[MAX, LEO, CAT, ANN, JON])]);
    let near = [ints(&[1, 3, 3, 4, 1, 4])];
    let places = "5 2000 BEFORE 5 2000 AFTER 5 1000 BEFORE 5 0 AFTER 5 9223372036854775807 AFTER 6 1 BEFORE";
    assert_eq!(answer(con, &format!("part MNEAR PLACES 6 {places}")), near);
    assert_eq!(answer(con, "part BETWEEN 4 9 9"), [Int(1), Int(4), rows(&[LEO, CAT, ANN, JON])]);
}

#[test]
fn scores_are_written_as_the_board_writes_them() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(
        &mut con,
        "LB.CREATE fine DECIMALS 2 PART 0 OF 2
         LB.ADD fine 1.5 ann AT 7
         LB.ADD fine -0.25 cat AT 8
         LB.CREATE medals LEVELS gold:DESC:20,silver:DESC:20 PART 0 OF 2
         LB.ADD medals 1/2 ann AT 7",
    );
    let con = &mut con;
    assert_eq!(answer(con, "fine TOP 9"), [rows(&[("ann", 150, 7), ("cat", -25, 8)])]);
    assert_eq!(answer(con, "fine SAMPLE 1 0 0"), [list([list([Int(0), text("1.5"), Int(7)])])]);
    assert_eq!(answer(con, "fine NEAR 1.5 7 AFTER 0 0")[0], Int(1));
    assert_eq!(answer(con, "fine STATS"), [text("125")]);
    assert_eq!(answer(con, "medals TOP 9"), [rows(&[("ann", 43, 7)])]);
    assert_eq!(answer(con, "medals OF ann")[..3], [Int(0), text("1/2"), Int(7)]);
    assert_eq!(answer(con, "medals MNEAR PLACES 2 1/2 7 BEFORE 1/1 0 BEFORE"), [ints(&[0, 1])]);
    assert_eq!(answer(con, "medals STATS"), [Nil]);
    assert_eq!(
        say(con, "LB.PART medals NEAR 1 0 BEFORE 0 0"),
        "ERR score must be 2 whole numbers joined by / (LEVELS)"
    );
    assert_eq!(
        say(con, "LB.PART fine NEAR 1.234 0 BEFORE 0 0"),
        "ERR score has more digits than are kept (DECIMALS 2)"
    );
}

#[test]
fn a_sum_may_exceed_64_bits() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let most = i64::MAX;
    play(&mut con, &format!("LB.CREATE part PART 0 OF 2\nLB.MADD part {most} ann {most} cat"));
    assert_eq!(answer(&mut con, "part STATS"), [text("18446744073709551614")]);
}
