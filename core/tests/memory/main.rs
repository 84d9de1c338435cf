//! Compares the memory that boards report with the bytes that the allocator has given them. The numbers have to be
//! equal, whatever was done to a board.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that is wrong about a number or a place is meant to panic"
)]

mod allocator;
mod counters;
mod fates;
mod kinds;
mod leagues;
mod segments;

use leaderboard_core::Board;
use leaderboard_core::NativeType;

use allocator::given;

/// Makes a board of each kind, changes it, and compares the memory that it reports then.
fn each_kind(fate: impl Fn(&mut Board)) {
    for (name, make) in kinds::all() {
        let before = given();
        let mut board = Box::new(make());
        fate(&mut board);
        assert_eq!(board.memory(), given() - before, "bytes of {name}");
    }
}

#[test]
fn boards_as_they_were_made() {
    each_kind(|_| {});
}

#[test]
fn boards_that_are_copied() {
    each_kind(|board| *board = board.clone());
}

#[test]
fn boards_that_are_loaded() {
    each_kind(|board| *board = leaderboard_testkit::twin::loaded(&leaderboard_testkit::twin::saved(board)));
}

#[test]
fn boards_that_lose_members() {
    each_kind(|board| fates::remove(board, 3));
    each_kind(|board| fates::remove(board, 1));
}

#[test]
fn boards_behind_a_boundary() {
    for steps in [0, 1, 2, 5, 10, 30, 100] {
        each_kind(|board| fates::go_on(board, steps));
    }
}

#[test]
fn boards_with_a_view_more_or_less() {
    each_kind(fates::add_view);
    each_kind(|board| {
        fates::add_view(board);
        fates::drop_views(board);
    });
}
