//! The effect of a write on a member's entry: the rules of `AGGREGATE` and of moments. This module does not handle
//! where entries are stored.

use crate::Error;
use crate::schema::Aggregate;
use crate::score::Score;
use crate::time::{Millis, Stamp};

/// An entry that a write will set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) score: Score,
    pub(crate) moment: Millis,
    /// On a board with `AGGREGATE LAST`: the moment of a later event that did not change the score.
    pub(crate) event: Option<Millis>,
}

/// Returns the entry after points were added to an old entry, or the first entry of a member. The points may be the
/// difference of two scores, so they may be twice as large as a score.
///
/// # Errors
/// [`Error::Overflow`].
pub(crate) fn sum(old: Option<Entry>, points: i128, stamp: Stamp) -> Result<Entry, Error> {
    let base = old.map_or(0, |old| i128::from(old.score.units()));
    let score = score_of(base.saturating_add(points))?;
    Ok(match old {
        Some(old) if points == 0 => old,
        Some(old) => Entry { score, moment: later(old.moment, stamp), event: None },
        None => Entry { score, moment: stamp.at, event: None },
    })
}

/// Returns the score of a number of units.
///
/// # Errors
/// [`Error::Overflow`].
pub(crate) fn score_of(units: i128) -> Result<Score, Error> {
    i64::try_from(units).ok().and_then(Score::from_units).ok_or(Error::Overflow)
}

/// Returns the entry after a score was offered, on a board whose scores are not sums.
pub(crate) fn best(aggregate: Aggregate, old: Option<Entry>, score: Score, stamp: Stamp) -> Entry {
    let fresh = Entry { score, moment: stamp.at, event: None };
    match (aggregate, old) {
        (_, None) => fresh,
        (Aggregate::Last, Some(old)) => latest(old, fresh, stamp),
        (Aggregate::Min, Some(old)) if score < old.score => fresh,
        (Aggregate::Max, Some(old)) if score > old.score => fresh,
        (_, Some(old)) => old,
    }
}

/// Returns the entry after a score was set, on a board whose scores are not sums.
pub(crate) fn put(aggregate: Aggregate, old: Option<Entry>, score: Score, stamp: Stamp) -> Entry {
    let fresh = Entry { score, moment: stamp.at, event: None };
    match old {
        Some(old) if aggregate == Aggregate::Last => latest(old, fresh, stamp),
        Some(old) if score == old.score => old,
        _ => fresh,
    }
}

/// Returns the later of a moment and the moment of a write's event. If the first moment is after the present time,
/// it comes from a clock that was ahead and was put back. It is ignored, so that it is not preferred to later
/// writes.
pub(crate) const fn later(moment: Millis, stamp: Stamp) -> Millis {
    if moment > stamp.now || moment < stamp.at { stamp.at } else { moment }
}

/// Returns the one of two entries that has the later event; the order of writing is ignored. If both entries have
/// the same score, the old entry keeps its moment, and the moment of the new event is stored in addition.
fn latest(old: Entry, new: Entry, stamp: Stamp) -> Entry {
    if later(old.event.unwrap_or(old.moment), stamp) != new.moment {
        return old;
    }
    if new.score == old.score && old.moment <= stamp.now {
        return Entry { event: (new.moment > old.moment).then_some(new.moment), ..old };
    }
    new
}
