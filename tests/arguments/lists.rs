//! Tests of lists that are longer than the number of items that can be valid. Such a list is refused at the first item
//! beyond this number, and that item is not read. So the cost of a list has a limit.

use leaderboard_testkit::session::{play, say};

use super::Guarded;

/// Returns a list of `count` items, followed by an item that is not valid.
fn list(count: usize, item: impl Fn(usize) -> String, bad: &str) -> String {
    (1..=count).map(item).chain([bad.to_owned()]).collect::<Vec<_>>().join(",")
}

#[test]
fn a_list_of_views_ends_with_the_first_item_too_many() {
    let mut guarded = Guarded::start();
    for (command, option, item, bad, error, most) in [
        ("CREATE absent", "VIEWS", "#s", "x", "VIEWS 'x' is not a view", 16),
        ("CREATE absent", "RETAIN", "#s=5", "x", "RETAIN 'x' must be view=value", 16),
        ("CREATE absent", "CARRY", "#s=0.5", "x", "CARRY 'x' must be view=value", 16),
        ("CREATE absent", "DECAY", "#s=0.5", "x", "DECAY 'x' must be view=value", 16),
        ("ALTER board", "VIEWS", "+#s", "x", "VIEWS 'x' must begin with + or -", 32),
        ("ALTER board", "RETAIN", "#s=5", "x", "RETAIN 'x' must be view=value", 16),
        ("ALTER board", "CARRY", "#s=0.5", "x", "CARRY 'x' must be view=value", 16),
        ("ALTER board", "DECAY", "#s=0.5", "x", "DECAY 'x' must be view=value", 16),
    ] {
        let line = |count| {
            let items = list(count, |number| item.replace('#', &number.to_string()), bad);
            format!("LB.{command} {option} {items}")
        };
        let last = say(&mut guarded.con, &line(most - 1));
        assert!(last.starts_with(&format!("ERR {error}")), "{last}");
        guarded.refuses(&format!("{} => {option} names more than {most} views", line(most)));
    }
}

#[test]
fn all_views_can_give_way_to_as_many_others() {
    let mut guarded = Guarded::start();
    let views = |sign: &str, from: usize| {
        (from..from + 16).map(|number| format!("{sign}{number}s")).collect::<Vec<_>>().join(",")
    };
    let con = &mut guarded.con;
    play(con, &format!("LB.CREATE new VIEWS {}", views("", 1)));
    play(con, &format!("LB.ALTER new VIEWS {},{} => OK", views("-", 1), views("+", 21)));
    let retain = (21..37).map(|number| format!("{number}s={number}")).collect::<Vec<_>>().join(",");
    play(con, &format!("LB.ALTER new RETAIN {retain} CARRY {} => OK", retain.replace('=', "=0.")));
}

#[test]
fn limits_end_with_the_first_one_too_many() {
    let mut guarded = Guarded::start();
    for command in ["CREATE absent", "ALTER board"] {
        let limits = |count| (0..count).map(|n| format!(" LIMIT r{n} voter 5 day")).collect::<String>();
        guarded.refuses(&format!(
            "LB.{command}{} LIMIT r15 voter 5 x => LIMIT 'r15': unit must be one of second, minute, hour, day, week, month, year, all
             LB.{command}{} LIMIT r16 voter 5 x => LIMIT leaves the board with more than 16 rules",
            limits(15),
            limits(16)
        ));
    }
    let lifted = |count| (0..count).map(|n| format!(" UNLIMIT r{n}")).collect::<String>();
    guarded.refuses(&format!(
        "LB.ALTER board{} UNLIMIT => option UNLIMIT needs a value
         LB.ALTER board{} UNLIMIT => UNLIMIT names more than 16 rules",
        lifted(15),
        lifted(16)
    ));
}

#[test]
fn bonuses_and_tags_end_with_the_first_one_too_many() {
    let mut guarded = Guarded::start();
    let bonuses = |count| (0..count).map(|n| format!(" BONUS t{n} x 5")).collect::<String>();
    let tags = |count| (0..count).map(|n| format!(" TAG t{n} x")).collect::<String>();
    guarded.refuses(&format!(
        "LB.CREATE absent LIMIT a voter 5 day{} BONUS t64 x 5 BONUS => LIMIT 'a' has more than 64 bonuses
         LB.VOTE board 1 ann{} TAG t16 x TAG => the number of TAGs is out of range",
        bonuses(64),
        tags(16)
    ));
}
