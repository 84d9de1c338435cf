//! The two reports for listeners: a period has ended, and the members at the top have changed.

use super::*;

fn watched(places: u32, views: &[&str]) -> Board {
    viewed(Schema { notify_top: places, ..plain() }, views)
}

/// Returns the end of a period that ends this number of milliseconds after `MONDAY`.
const fn after(moment: u64) -> i64 {
    (MONDAY + moment) as i64
}

#[test]
fn periods_end_from_the_first_write_on() {
    let mut board = viewed(plain(), &["all", "day", "hour:3"]);
    assert_eq!((NativeType::first_end(&board), NativeType::end_after(&board, MONDAY)), (i64::MAX, i64::MAX));
    add(&mut board, &at(HOUR + 5), 1, b"ann").unwrap();
    assert_eq!(NativeType::first_end(&board), after(2 * HOUR));
    for (moment, end) in [
        (0, HOUR),
        (HOUR - 1, HOUR),
        (HOUR, 2 * HOUR),
        (2 * HOUR, 3 * HOUR),
        (DAY - 1, DAY),
        (DAY, DAY + HOUR),
    ] {
        assert_eq!(NativeType::end_after(&board, MONDAY + moment), after(end), "{moment}");
    }
    // A view that is added begins at its first write.
    alter_views(&mut board, "60s", Edit::Add);
    assert_eq!(NativeType::end_after(&board, MONDAY + HOUR), after(2 * HOUR));
    add(&mut board, &at(HOUR + 6), 1, b"ann").unwrap();
    assert_eq!(NativeType::end_after(&board, MONDAY + HOUR), after(HOUR + 60_000));
    alter_views(&mut board, "60s", Edit::Drop);
    assert_eq!(NativeType::first_end(&board), after(2 * HOUR));
}

#[test]
fn time_ends_no_period_of_a_clock_of_events_or_of_all_times() {
    assert!(viewed(plain(), &["day"]).is_ended_by_time());
    assert!(!viewed(on_events(Aggregate::Sum), &["day"]).is_ended_by_time());
    let mut board = new(plain());
    add(&mut board, &at(5), 1, b"ann").unwrap();
    assert_eq!((NativeType::first_end(&board), NativeType::end_after(&board, MONDAY)), (i64::MAX, i64::MAX));
}

#[test]
fn others_at_the_top_are_news() {
    let mut board = watched(2, &["all"]);
    for (points, name, is_new) in [
        (5, b"ann", true),
        (3, b"bob", true),
        (1, b"cat", false),
        // The same members in the same places.
        (2, b"ann", false),
        (3, b"cat", true),
        (9, b"bob", true),
        (2, b"ann", false),
        (1, b"dan", false),
    ] {
        add(&mut board, &at(5), points, name).unwrap();
        assert_eq!(board.has_new_top(), is_new, "{points} {}", name.escape_ascii());
        assert!(!board.has_new_top());
    }
    for (name, is_new) in [(b"cat", false), (b"dan", false), (b"ann", true), (b"bob", true)] {
        board.remove(name);
        assert_eq!(board.has_new_top(), is_new, "without {}", name.escape_ascii());
    }
}

#[test]
fn a_boundary_and_another_default_view_are_news_too() {
    let mut board = watched(3, &["hour", "all"]);
    add(&mut board, &at(5), 1, b"ann").unwrap();
    assert!(board.has_new_top());
    board.advance(MONDAY + HOUR);
    assert!(board.has_new_top());
    board.advance(MONDAY + 2 * HOUR);
    assert!(!board.has_new_top());
    alter_views(&mut board, "hour", Edit::Drop);
    assert!(board.has_new_top());
}

#[test]
fn nothing_is_news_of_a_board_whose_top_nobody_watches_or_that_is_watched_from_now_on() {
    let mut board = watched(0, &["all"]);
    add(&mut board, &at(5), 1, b"ann").unwrap();
    assert!(!board.has_new_top());
    board.alter(&Alter { notify_top: Some(1), ..Alter::default() }).unwrap();
    assert!(!board.has_new_top());
    let mut again = loaded(&saved(&board));
    for board in [&mut board, &mut again] {
        assert!(!board.has_new_top());
        add(board, &at(5), 9, b"bob").unwrap();
        assert!(board.has_new_top());
    }
    let too_many = Alter { notify_top: Some(1_001), ..Alter::default() };
    assert_eq!(board.alter(&too_many), Err(Error::OutOfRange("NOTIFYTOP")));
}
