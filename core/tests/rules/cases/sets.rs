//! Writes that set many scores at once.

use leaderboard_core::board::Condition;
use leaderboard_core::schema::Aggregate;

use super::{DAY, Desk, MIDNIGHT, desk, pairs_of, plain, viewed, with};
use leaderboard_testkit::board::{Op, Rules, Sent};

fn request(id: &[u8], op: Op) -> Sent {
    Sent { op, id: Some(id.to_vec()), view: 0, meta: None }
}

#[test]
fn scores_are_set_in_the_order_of_the_list() {
    let mut desk = with(plain(), &[("ann", 3)]);
    assert_eq!(desk.set_many(&[(5, "bob"), (7, "ann"), (6, "bob")]), "2 6, 1 7, 2 6");
    assert_eq!(desk.top(), "1 ann 7, 2 bob 6");
}

#[test]
fn the_last_change_of_a_member_gives_it_its_place_among_equals() {
    let mut desk = desk(plain());
    // Ann gets the score 5 after bob and before cid.
    desk.set_many(&[(4, "ann"), (5, "bob"), (5, "ann"), (5, "cid")]);
    assert_eq!(desk.top(), "1 bob 5, 2 ann 5, 3 cid 5");
    // A score that is set to its old value keeps its place.
    desk.set_many(&[(5, "cid"), (5, "bob")]);
    assert_eq!(desk.top(), "1 bob 5, 2 ann 5, 3 cid 5");
    // A score that changes and changes back is a new score.
    desk.now += 1;
    desk.set_many(&[(9, "bob"), (5, "bob")]);
    assert_eq!(desk.top(), "1 ann 5, 2 cid 5, 3 bob 5");
}

#[test]
fn the_differences_go_to_all_views() {
    let mut desk = with(viewed(&["day", "all", "day:2"]), &[("ann", 3)]);
    desk.go_to_day(1);
    assert_eq!(desk.set_many(&[(5, "ann"), (1, "bob"), (2, "ann")]), "1 2, 2 1, 1 2");
    assert_eq!(desk.see("all").rows(), "1 ann 5, 2 bob 1");
    assert_eq!(desk.see("day:2").rows(), "1 ann 5, 2 bob 1");
}

#[test]
fn a_worse_score_is_set_too() {
    let mut desk = with(Rules { aggregate: Aggregate::Max, ..viewed(&["all", "day:2"]) }, &[("ann", 9)]);
    desk.go_to_day(1);
    assert_eq!(desk.set_many(&[(4, "ann"), (5, "bob")]), "2 4, 1 5");
    assert_eq!(desk.see("day:2").rows(), "1 bob 5, 2 ann 4");
}

#[test]
fn a_repeat_changes_nothing_and_another_command_is_refused() {
    let mut desk = desk(plain());
    let pairs = || pairs_of(&[(1, "ann"), (2, "bob")]);
    assert_eq!(desk.send(&request(b"q", Op::SetMany(pairs())), None), "2 1, 1 2");
    desk.add("ann", [5]);
    assert_eq!(desk.send(&request(b"q", Op::SetMany(pairs())), None), "1 6, 2 2 repeated");
    let reused = "request id was used for a different write";
    assert_eq!(desk.send(&request(b"q", Op::Many(pairs())), None), reused);
    let mut turned = pairs();
    turned.reverse();
    assert_eq!(desk.send(&request(b"q", Op::SetMany(turned)), None), reused);
    assert_eq!(desk.send(&request(b"q", Op::SetMany(pairs_of(&[(1, "ann")]))), None), reused);
    assert_eq!(desk.top(), "1 ann 6, 2 bob 2");
}

#[test]
fn one_score_set_and_a_list_of_one_are_two_commands() {
    let mut desk = desk(plain());
    assert_eq!(desk.send(&request(b"q", Op::SetMany(pairs_of(&[(1, "ann")]))), None), "1 1");
    let set = Op::Set(vec![1], b"ann".to_vec(), Condition::default());
    assert_eq!(desk.send(&request(b"q", set), None), "request id was used for a different write");
}

#[test]
fn an_error_sets_nothing_at_all() {
    let mut desk = with(viewed(&["day", "all"]), &[("ann", 1)]);
    desk.now = MIDNIGHT + DAY;
    let sent = request(b"q", Op::SetMany(pairs_of(&[(5, "bob"), (6, "ann")])));
    let told = desk.send(&sent, Some(MIDNIGHT + DAY - 1));
    assert_eq!(told, "AT lies before the period in which the score is set");
    assert_eq!(desk.see("all").rows(), "1 ann 1");
    assert_eq!(desk.send(&sent, None), "2 5, 1 6");
    assert_eq!(desk.see("all").rows(), "1 ann 7, 2 bob 5");
}

#[test]
fn of_the_last_scores_the_latest_event_wins() {
    let mut desk = desk(Rules { aggregate: Aggregate::Last, ..plain() });
    desk.now += 100;
    desk.set_many(&[(5, "ann"), (6, "ann")]);
    assert_eq!(desk.top(), "1 ann 6");
    let late = Sent { op: Op::SetMany(pairs_of(&[(9, "ann"), (2, "bob")])), id: None, view: 0, meta: None };
    assert_eq!(desk.send(&late, Some(MIDNIGHT + 50)), "1 6, 2 2");
}

const HOUR: u64 = 3_600_000;

/// Returns a board of the lowest scores of the last three hours, on a clock of events.
fn lowest() -> Desk {
    let rules = Rules { aggregate: Aggregate::Min, ascending: true, is_event: true, ..viewed(&["hour:3"]) };
    desk(rules)
}

fn set_at(desk: &mut Desk, score: i64, at: u64) {
    let op = Op::Set(vec![score], b"x".to_vec(), Condition::default());
    desk.send(&Sent { op, id: None, view: 0, meta: None }, Some(MIDNIGHT + at));
}

#[test]
fn a_late_score_hides_what_the_other_periods_have_whether_it_is_the_members_own_or_not() {
    for late in [-7, -2] {
        let mut desk = lowest();
        desk.add_at("x", -2, 3 * HOUR);
        desk.add_at("x", 5, 5 * HOUR);
        set_at(&mut desk, late, 4 * HOUR + 1);
        assert_eq!(desk.top(), format!("1 x {late}"));
        desk.add_at("y", 9, 6 * HOUR);
        assert_eq!(desk.top(), format!("1 x {late}, 2 y 9"));
        desk.add_at("y", 9, 7 * HOUR);
        assert_eq!(desk.top(), "1 y 9");
    }
}

#[test]
fn a_late_score_counts_from_its_own_period_on_whether_it_is_the_members_own_or_not() {
    for late in [-7, -2] {
        let mut desk = lowest();
        desk.add_at("x", -2, 4 * HOUR);
        set_at(&mut desk, late, 4 * HOUR - 1);
        let standing = desk.see("hour:3").read().standing(b"x").unwrap().0;
        assert_eq!(standing.at, MIDNIGHT + 4 * HOUR - 1);
        desk.add_at("y", 9, 6 * HOUR);
        assert_eq!(desk.top(), "1 y 9");
    }
}

#[test]
fn a_members_own_score_keeps_its_moment_while_the_older_write_counts() {
    let mut desk = lowest();
    desk.add_at("x", -2, 3 * HOUR);
    desk.add_at("y", -2, 4 * HOUR);
    set_at(&mut desk, -2, 5 * HOUR);
    assert_eq!(desk.top(), "1 x -2, 2 y -2");
    desk.add_at("y", 9, 6 * HOUR);
    assert_eq!(desk.top(), "1 y -2, 2 x -2");
    desk.add_at("y", 9, 7 * HOUR);
    assert_eq!(desk.top(), "1 x -2, 2 y 9");
}
