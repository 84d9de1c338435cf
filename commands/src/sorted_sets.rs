//! Sorted sets of the server: reads them page by page, and stores new ones.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use leaderboard_core::Board;

use crate::argument::Argument;
use crate::call::Call;
use crate::host::{Direction, Host};
use crate::keyspace;
use crate::refusal::Refusal;

/// The number of rows that are read with one command.
const PAGE: u64 = 1_000;

/// A sorted set. An absent key is an empty sorted set.
pub struct SortedSet<'a, H> {
    host: &'a H,
    key: Argument<'a>,
    direction: Direction,
    len: u64,
}

impl<'a, H: Host> SortedSet<'a, H> {
    /// Returns the sorted set of a key.
    ///
    /// # Errors
    /// [`Refusal::WrongType`].
    pub fn open(call: &Call<'a, H>, key: Argument<'a>, direction: Direction) -> Result<Self, Refusal> {
        let len = keyspace::sorted_set_len(call, key)?;
        Ok(Self { host: call.host(), key, direction, len })
    }

    /// Calls `each` with members and their scores, beginning at a place, until `each` returns a break. Returns whether
    /// the end was reached.
    pub fn walk(&self, from: u64, mut each: impl FnMut(&[u8], f64) -> ControlFlow<()>) -> bool {
        let mut from = from;
        loop {
            match self.host.sorted_set_page(self.key, self.direction, from, PAGE, &mut each) {
                ControlFlow::Break(()) => return false,
                ControlFlow::Continue(rows) if rows < PAGE => return true,
                ControlFlow::Continue(_) => from = from.saturating_add(PAGE),
            }
        }
    }

    /// Returns how many members are before or at the place that a member with this score has or would have.
    pub fn up_to(&self, member: &[u8], score: f64) -> u64 {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low.midpoint(high);
            let is_before = self.is_before(middle, member, score);
            (low, high) = if is_before { (middle.saturating_add(1), high) } else { (low, middle) };
        }
        low
    }

    /// Returns whether the member at a place is this member, or is before this member.
    fn is_before(&self, place: u64, member: &[u8], score: f64) -> bool {
        let page = self.host.sorted_set_page(self.key, self.direction, place, 1, |other, found| {
            let order = found.partial_cmp(&score).unwrap_or(Ordering::Equal).then_with(|| other.cmp(member));
            let is_before = match self.direction {
                Direction::Up => order.is_le(),
                Direction::Down => order.is_ge(),
            };
            if is_before { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        page.is_break()
    }
}

/// Stores these rows in a key and replaces its value. Everything takes effect at once, in commands of some hundred
/// rows. Returns the number of rows.
///
/// # Errors
/// The errors of [`keyspace::may_replace`].
pub fn store<'r>(
    call: &Call<impl Host>,
    key: Argument,
    mut rows: impl Iterator<Item = (f64, &'r [u8])>,
) -> Result<u64, Refusal> {
    keyspace::may_replace::<Board>(call, key)?;
    let mut stored = 0_u64;
    call.host().delete(key);
    loop {
        let piece: Vec<_> = rows.by_ref().take(PAGE as usize).collect();
        if piece.is_empty() {
            return Ok(stored);
        }
        stored = stored.saturating_add(piece.len() as u64);
        call.host().add_to_sorted_set(key, &piece);
    }
}
