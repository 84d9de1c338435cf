//! What a write makes of a member's entry: the rules of `AGGREGATE` and of moments, apart from where
//! entries are kept.

use crate::Error;
use crate::schema::Aggregate;
use crate::score::Score;
use crate::time::{Millis, Stamp};

/// An entry on its way in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) score: Score,
    pub(super) moment: Millis,
    /// On a board of the last score, an event later than the moment.
    pub(super) event: Option<Millis>,
}

/// The entry that points added to an old one make, or points alone.
///
/// # Errors
/// [`Error::Overflow`].
pub(super) fn added(
    aggregate: Aggregate,
    old: Option<Entry>,
    points: Score,
    stamp: Stamp,
) -> Result<Entry, Error> {
    let fresh = Entry { score: points, moment: stamp.at, event: None };
    let Some(old) = old else { return Ok(fresh) };
    Ok(match aggregate {
        Aggregate::Sum if points == Score::ZERO => old,
        Aggregate::Sum => {
            Entry { score: old.score.plus(points)?, moment: later(old.moment, stamp), event: None }
        }
        Aggregate::Max if points > old.score => fresh,
        Aggregate::Min if points < old.score => fresh,
        Aggregate::Last => latest(old, fresh, stamp),
        Aggregate::Max | Aggregate::Min => old,
    })
}

/// The entry of a member that is given a score.
pub(super) fn put(aggregate: Aggregate, old: Option<Entry>, score: Score, stamp: Stamp) -> Entry {
    let fresh = Entry { score, moment: stamp.at, event: None };
    let Some(old) = old else { return fresh };
    match aggregate {
        Aggregate::Last => latest(old, fresh, stamp),
        _ if score == old.score => old,
        // The difference that is added may be twice as great as a score can be.
        Aggregate::Sum => Entry { moment: later(old.moment, stamp), ..fresh },
        Aggregate::Max | Aggregate::Min => fresh,
    }
}

/// The later of a moment and a write's event. A moment after now comes from a clock that was wrong
/// and has been put right: it must not stand in the way of what happens since.
const fn later(moment: Millis, stamp: Stamp) -> Millis {
    if moment > stamp.now || moment < stamp.at { stamp.at } else { moment }
}

/// What is left of two events when the later one wins, whatever their order of arrival. A score
/// that stays keeps its moment, so the time of the event is kept beside it.
fn latest(old: Entry, new: Entry, stamp: Stamp) -> Entry {
    if later(old.event.unwrap_or(old.moment), stamp) != new.moment {
        return old;
    }
    if new.score == old.score && old.moment <= stamp.now {
        return Entry { event: (new.moment > old.moment).then_some(new.moment), ..old };
    }
    new
}
