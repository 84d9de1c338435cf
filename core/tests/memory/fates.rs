//! What may become of a board.

use leaderboard_core::Board;
use leaderboard_core::NativeType;
use leaderboard_core::board::{Alter, Edit, Write};
use leaderboard_core::view::Kind;

use crate::kinds::{BEGIN, MOST, at, mixed, name, points};

/// Forgets every so many members, in no order.
pub fn remove(board: &mut Board, every: usize) {
    (0..MOST).step_by(every).for_each(|number| _ = board.remove(&name(mixed(number) % MOST)));
    if every == 1 {
        (0..MOST).for_each(|number| _ = board.remove(&name(number)));
    }
}

/// Goes over a boundary of all views, writes, and goes so many steps into what there is to do before and
/// after.
pub fn go_on(board: &mut Board, steps: usize) {
    let now = board.last() + 86_400_000 - 1;
    for now in [now, now + 5] {
        board.advance(now);
        (0..steps).for_each(|_| _ = board.work(now));
        let _ = board.add(&Write { at: Some(now), ..at(0) }, points(1), &name(1));
    }
}

/// Adds views, whose numbers records that are there have no room for.
pub fn add_view(board: &mut Board) {
    let views = vec![(kind("week:2"), Edit::Add)];
    board.alter(&Alter { views, ..Alter::default() }).unwrap();
    let now = board.last().saturating_sub(BEGIN);
    (0..MOST).for_each(|number| _ = board.add(&at(now), points(number), &name(mixed(number) % MOST)));
}

/// Drops all views but the last.
pub fn drop_views(board: &mut Board) {
    let kinds: Vec<_> = board.specs().map(|spec| (spec.kind, Edit::Drop)).collect();
    let views = kinds[..kinds.len() - 1].to_vec();
    board.alter(&Alter { views, ..Alter::default() }).unwrap();
    (0..20).for_each(|_| _ = board.work(board.last()));
}

fn kind(name: &str) -> Kind {
    Kind::parse(name.as_bytes()).unwrap()
}
