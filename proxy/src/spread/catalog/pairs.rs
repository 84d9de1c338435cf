//! Which parts of a board that grows or shrinks are halves, and what the attempts that broke off have left to do.
//!
//! While a board grows from `n` to `2n` parts, or shrinks from `2n` to `n` parts, each share of the members is in part `i`
//! of `n`, or in parts `2i` and `2i + 1` of `2n`. Part `2i` has the key of part `i`.
//!
//! To split part `i`, its value is copied to the key of part `2i + 1`. Then the part in the old key removes the half that
//! the copy has, and becomes part `2i`. Only after that, the copy takes writes. So a copy that takes writes proves that the
//! old part was split, even if a server that took over has lost this.
//!
//! To merge two parts, part `2i + 1` is given away: it takes no writes. Then part `2i` gets its members, becomes part `i`,
//! and notes that it was merged. So a part with this note proves that the part that was given away is not needed, even if
//! a server that took over has lost that it was given away.

use leaderboard_core::catalog::{Hold, State};
use leaderboard_core::parts::Parts;

use super::survey::{Found, Held};
use crate::spread::layout::Layout;

/// What is to be done with a part or its halves.
pub enum Todo {
    /// The copy has to become its half, if it is not yet, and then takes writes.
    Open { token: u64, is_half: bool },
    /// The old part has still all of its members, although it was split: a server that took over has lost that.
    Split,
    /// The second half is given away, and the first one has not got its members yet.
    TakeBack { token: u64 },
    /// The second half is given away, and the first one has its members.
    Drop { token: Option<u64> },
}

/// What the key of part `i` of `n` and part `2i` of `2n` holds.
#[derive(Clone, Copy)]
enum Lower<'a> {
    /// The first half.
    Half(&'a Found),
    /// The whole part, which was not merged of two halves since the board shrinks.
    Whole(&'a Found),
    /// The whole part, which was merged.
    Merged,
    Other,
}

/// The values of the keys of both halves of a part.
struct Pair<'a> {
    lower: Lower<'a>,
    /// The value in the key of the second half, if it belongs to the board.
    upper: Option<&'a Found>,
    /// Whether this value is the second half.
    is_half: bool,
}

impl<'a> Pair<'a> {
    fn new((root, target): (&Found, Parts), number: u16, [lower, upper]: [&'a Held; 2]) -> Self {
        let even = number.saturating_mul(2);
        let is_own = |part: &&Found| part.entry.incarnation == root.entry.incarnation;
        let whole = lower.part_of(root.parts, number);
        let lower = match (lower.part_of(target, even).filter(is_own), whole) {
            (Some(half), _) => Lower::Half(half),
            (None, Some(whole)) if is_own(&whole) && whole.entry.target == Some(target) => Lower::Merged,
            (None, Some(whole)) => Lower::Whole(whole),
            (None, None) => Lower::Other,
        };
        let is_half = upper.part_of(target, even | 1).is_some();
        let upper = match upper {
            Held::Part(part) if is_own(&part) => Some(part),
            _ => None,
        };
        Self { lower, upper, is_half }
    }

    /// Returns the second half, if it takes writes. A half that is being split itself took writes before that.
    fn open_half(&self) -> Option<&'a Found> {
        self.upper.filter(|part| self.is_half && !matches!(part.entry.hold, Some(Hold::Copy { .. })))
    }

    /// Returns whether the second half is left over from before the board shrank the last time.
    fn is_left_over(&self, half: &Found) -> bool {
        match self.lower {
            Lower::Merged => true,
            Lower::Whole(whole) => {
                whole.entry.incarnation == half.entry.incarnation
                    && half.entry.revision < whole.entry.revision
            }
            Lower::Half(_) | Lower::Other => false,
        }
    }

    fn is_split(&self) -> bool {
        matches!(self.lower, Lower::Half(_)) || self.open_half().is_some_and(|half| !self.is_left_over(half))
    }

    fn todo(&self, state: State) -> Option<Todo> {
        let upper = self.upper?;
        let token = upper.entry.hold.map(Hold::token);
        match (self.lower, self.open_half()) {
            (Lower::Merged, _) => Some(Todo::Drop { token }),
            (Lower::Whole(_), Some(half)) if self.is_left_over(half) => Some(Todo::Drop { token }),
            (Lower::Whole(_), Some(_)) => Some(Todo::Split),
            (Lower::Whole(_), None) => (token.is_some() && state != State::Growing).then_some(Todo::Split),
            (Lower::Half(_), Some(_)) | (Lower::Other, _) => None,
            (Lower::Half(half), None) => token.map(|token| match half.entry.hold {
                Some(Hold::Split { token: present, .. }) if present == token => Todo::TakeBack { token },
                _ => Todo::Open { token, is_half: self.is_half },
            }),
        }
    }
}

/// Returns the layout of a board that grows or shrinks. `root` has the smaller number of parts, and `held` is what the keys
/// of twice this number of parts, `target`, hold.
pub fn layout(root: &Found, target: Parts, held: &[Held]) -> Layout {
    assess(root, target, held).0
}

/// Returns this layout, and what is to be done with parts, by their numbers.
pub fn assess(root: &Found, target: Parts, held: &[Held]) -> (Layout, Vec<(u16, Todo)>) {
    let (mut halved, mut todo) = (Vec::new(), Vec::new());
    for (number, pair) in (0_u16..).zip(held.chunks(2)) {
        let [lower, upper] = pair else { continue };
        let pair = Pair::new((root, target), number, [lower, upper]);
        if pair.is_split() {
            halved.push(number);
        }
        todo.extend(pair.todo(root.entry.state).map(|todo| (number, todo)));
    }
    (Layout::split(root.parts, halved), todo)
}
