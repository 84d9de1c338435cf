//! A counter that reaches the value of a model in another way: all counts are written at one moment, one precision
//! after the other.

use leaderboard_core::Event;
use leaderboard_core::board::Edit;
use leaderboard_core::counter::{Alter, Counter, Rules};
use leaderboard_core::time::TimeSource;

use crate::model::{Model, kept, length, slice};

/// A precision that no game uses. The new counter has it before the first precision is added.
const SCAFFOLD: u32 = 123_456_789;

/// The counts that one precision still needs, in addition to its counts from the precisions that are filled after it:
/// starts of slices in milliseconds, and counts.
type Share = Vec<(u64, i128)>;

/// Returns the counter, or nothing if a number on the way is out of range.
pub fn rebuilt(model: &Model) -> Option<Counter> {
    let precisions = &model.rules.precisions;
    let shares = shares(model);
    let given: i128 = shares.iter().flatten().map(|(_, by)| by).sum();
    let mut counter = Counter::new(Rules { precisions: vec![SCAFFOLD], ..model.rules.clone() }).unwrap();
    requests(&mut counter, model)?;
    write(&mut counter, model.last, model.last, model.total - given)?;
    for (number, (precision, share)) in precisions.iter().zip(&shares).enumerate() {
        let mut edits = vec![(*precision, Edit::Add)];
        edits.extend((number + 1 == precisions.len()).then_some((SCAFFOLD, Edit::Drop)));
        counter.alter(&Alter { precisions: edits, ..Alter::default() }, model.last).unwrap();
        for (start, by) in share {
            write(&mut counter, model.last, *start, *by)?;
        }
    }
    Some(counter)
}

fn write(counter: &mut Counter, now: u64, at: u64, by: i128) -> Option<()> {
    let by = i64::try_from(by).ok().filter(|by| *by > i64::MIN)?;
    let event = Event { at: Some(at), request: None, origin: TimeSource::Decided { now: Some(now) } };
    counter.increase(&event, by).ok().map(drop)
}

/// Sends all requests that are remembered, and then takes their counts back.
fn requests(counter: &mut Counter, model: &Model) -> Option<()> {
    for request in model.remembered() {
        let now = u64::try_from(request.time).ok()?;
        let origin = TimeSource::Decided { now: Some(now) };
        let event = Event { at: Some(now), request: Some(&request.id), origin };
        counter.increase(&event, request.by).ok()?;
        write(counter, now, now, -i128::from(request.by))?;
    }
    Some(())
}

/// Returns the counts that each precision needs. It begins with the last precision, because counts of a later
/// precision are also counted in the earlier ones.
fn shares(model: &Model) -> Vec<Share> {
    let mut shares: Vec<Share> = Vec::new();
    for precision in model.rules.precisions.iter().rev() {
        let kept = kept(*precision, model.rules.samples, model.last);
        let later: Vec<_> = shares.iter().flatten().copied().collect();
        let mut numbers = model.filled(*precision);
        numbers.extend(later.iter().map(|(start, _)| slice(*precision, *start)));
        numbers.sort_unstable();
        numbers.dedup();
        let due = |number: &i128| {
            let own = later.iter().filter(|(start, _)| slice(*precision, *start) == *number);
            model.count_of(*precision, *number) - own.map(|(_, by)| by).sum::<i128>()
        };
        let share = numbers.iter().filter(|number| kept.contains(number));
        let share = share.map(|number| ((number * length(*precision)) as u64, due(number)));
        shares.push(share.filter(|(_, by)| *by != 0).collect());
    }
    shares.reverse();
    shares
}
