//! Texts of members that are set together with a write.

use leaderboard_core::board::Condition;

use super::{Desk, desk, keeping, plain};
use leaderboard_testkit::board::{Op, Sent};

fn add(desk: &mut Desk, points: i64, meta: &str, id: Option<&[u8]>) -> String {
    let op = Op::Add(vec![points], b"ann".to_vec());
    desk.send(&Sent { op, id: id.map(<[u8]>::to_vec), view: 0, meta: Some(meta.into()) }, None)
}

#[test]
fn a_text_is_set_in_the_same_step_and_an_empty_one_deletes_it() {
    let mut desk = desk(plain());
    add(&mut desk, 1, "one", None);
    assert_eq!(desk.meta("ann"), Some(&b"one"[..]));
    add(&mut desk, 0, "two", None);
    assert_eq!(desk.meta("ann"), Some(&b"two"[..]));
    desk.add("ann", [1]);
    assert_eq!(desk.meta("ann"), Some(&b"two"[..]));
    add(&mut desk, 1, "", None);
    assert_eq!((desk.meta("ann"), desk.top().as_str()), (None, "1 ann 3"));
}

#[test]
fn a_repeat_sets_no_text_and_the_text_is_not_part_of_the_request() {
    let mut desk = desk(plain());
    add(&mut desk, 1, "one", Some(b"q"));
    assert_eq!(add(&mut desk, 1, "two", Some(b"q")), "1 1 repeated");
    assert_eq!(desk.meta("ann"), Some(&b"one"[..]));
}

#[test]
fn what_is_held_back_or_refused_sets_no_text() {
    let mut desk = desk(plain());
    add(&mut desk, 5, "one", None);
    let condition = Condition { present: Some(false), compared: None };
    let op = Op::Set(vec![9], b"ann".to_vec(), condition);
    let sent = Sent { op, id: None, view: 0, meta: Some(b"two".to_vec()) };
    assert_eq!(desk.send(&sent, None), "1 5 held back");
    assert_eq!(desk.meta("ann"), Some(&b"one"[..]));
    let text = add(&mut desk, i64::MAX, "three", None);
    assert_eq!(text, "the score would be out of range");
    assert_eq!(desk.meta("ann"), Some(&b"one"[..]));
}

#[test]
fn a_text_may_have_4096_bytes() {
    let mut desk = desk(plain());
    add(&mut desk, 1, &"x".repeat(4_096), None);
    assert_eq!(desk.meta("ann").map(<[u8]>::len), Some(4_096));
}

#[test]
fn a_text_stays_with_a_hidden_member() {
    let mut desk = desk(keeping(1, &["all"]));
    desk.hide("ann");
    add(&mut desk, 1, "one", None);
    desk.unhide("ann");
    assert_eq!(desk.meta("ann"), Some(&b"one"[..]));
}
