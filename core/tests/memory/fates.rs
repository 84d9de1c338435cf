//! Changes of a board after it was made.

use leaderboard_core::Board;
use leaderboard_core::NativeType;
use leaderboard_core::board::{Alter, Edit, Write};
use leaderboard_core::view::Kind;

use crate::kinds::{BEGIN, MOST, at, mixed, name, points};

/// Removes about 1/`every` of the members, in a shuffled order. If `every` is 1, removes all members.
pub fn remove(board: &mut Board, every: usize) {
    (0..MOST).step_by(every).for_each(|number| _ = board.remove(&name(mixed(number) % MOST)));
    if every == 1 {
        (0..MOST).for_each(|number| _ = board.remove(&name(number)));
    }
}

/// Moves the clock on by a day, and then a little further. Each time, does this number of pieces of work, and writes.
pub fn go_on(board: &mut Board, steps: usize) {
    let now = board.last() + 86_400_000 - 1;
    for now in [now, now + 5] {
        board.advance(now);
        (0..steps).for_each(|_| _ = board.work(now));
        let _ = board.add(&Write { at: Some(now), ..at(0) }, points(1), &name(1));
    }
}

/// Adds a view. The records of members have no room for its number, so they have to grow.
pub fn add_view(board: &mut Board) {
    let views = vec![(kind("week:2"), Edit::Add)];
    board.alter(&Alter { views, ..Alter::default() }).unwrap();
    let now = board.last().saturating_sub(BEGIN);
    (0..MOST).for_each(|number| _ = board.add(&at(now), points(number), &name(mixed(number) % MOST)));
}

/// Drops all views except the last one.
pub fn drop_views(board: &mut Board) {
    let kinds: Vec<_> = board.specs().map(|spec| (spec.kind, Edit::Drop)).collect();
    let views = kinds[..kinds.len() - 1].to_vec();
    board.alter(&Alter { views, ..Alter::default() }).unwrap();
    (0..20).for_each(|_| _ = board.work(board.last()));
}

fn kind(name: &str) -> Kind {
    Kind::parse(name.as_bytes()).unwrap()
}
