//! `LB.STANDING` and `LB.MSTANDING`: all data about the standing of members: rank, score, neighbours, previous rank.

use std::sync::Arc;

use leaderboard_core::Score;
use leaderboard_core::board::hundredths;
use leaderboard_core::notation::Notation;
use leaderboard_core::schema::Ranks;
use redis::Value;

use super::answer::Known;
use super::ask::Question;
use super::member::Found;
use super::operation::{Operation, Point};
use super::order::{Place, is_known};
use super::page::{Entry, Line};
use super::ranks::Position;
use super::round::{Gather, Stop};
use super::rows::Packed;
use super::{options, reply};
use crate::nodes::Transport;

/// The maximum number of commands in one round of a read of several members.
const MOST_COMMANDS: usize = 16_384;

/// Replies to `LB.STANDING key member`.
pub async fn one<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let member = options::fixed(gather.call.asked, 0).to_vec();
    Ok(standings(gather, &[member]).await?.pop().unwrap_or(Value::Nil))
}

/// Replies to `LB.MSTANDING key MEMBERS n member [member ...]`.
pub async fn many<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let at_once = MOST_COMMANDS.checked_div(gather.parts().len()).unwrap_or(1).max(1);
    let mut all = Vec::new();
    for members in gather.call.asked.members().chunks(at_once) {
        all.extend(standings(gather, members).await?);
    }
    Ok(Value::Array(all))
}

async fn standings<T: Transport>(gather: &Gather<'_, T>, members: &[Vec<u8>]) -> Result<Vec<Value>, Stop> {
    let asked = gather.call.asked;
    let (ranks, with_meta) = (options::ranks(asked)?, asked.has("WITHMETA"));
    let before = gather.scope.before(gather.start()).map(|scope| Gather::new(gather.call, scope, None));
    let (found, before_found) =
        tokio::try_join!(gather.find_each(members, with_meta), find_before(before.as_ref(), members))?;
    let has_before = before_found.iter().any(|(_, known)| known.spot.is_some());
    let start = before.as_ref().and_then(Gather::start);
    if has_before && !gather.scope.precedes(start, gather.start()) {
        return Err(Stop::Apart(1));
    }
    let entries: Vec<_> = found.iter().flatten().map(|found| found.entry.clone()).collect();
    let (neighbours, positions, previous) = tokio::try_join!(
        gather.neighbours(&found),
        positions(gather, &entries, ranks),
        positions_before(before.as_ref(), &before_found, ranks)
    )?;
    let (mut neighbours, mut positions) = (neighbours.into_iter(), positions.into_iter());
    let notation = gather.call.root.schema.notation();
    let standing = |((found, (_, known)), previous): ((Option<Found>, (_, Known)), Option<Position>)| {
        let Some((found, beside)) = found.and_then(|found| Some((found, neighbours.next()?))) else {
            return Value::Nil;
        };
        let position = positions.next().unwrap_or_else(|| Position::ordinal(beside.before));
        let previous = previous.zip(known.spot).map(|(at, spot)| (at.rank, spot.score));
        let at = found.entry.moment;
        let at = (found.is_running && is_known(&gather.call.root.schema, at)).then_some(at);
        Standing { found, beside, position, previous, at }.reply(with_meta, &notation)
    };
    Ok(found.into_iter().zip(before_found).zip(previous).map(standing).collect())
}

/// Returns the positions of entries, or an empty list for ordinal ranks: there, the neighbours already give the number
/// of entries ahead.
async fn positions<T: Transport>(
    gather: &Gather<'_, T>,
    entries: &[Entry],
    ranks: Ranks,
) -> Result<Vec<Position>, Stop> {
    if ranks == Ranks::Ordinal || entries.is_empty() {
        return Ok(Vec::new());
    }
    gather.positions(entries, ranks).await
}

/// Returns the entries that members had in the previous period.
async fn find_before<T: Transport>(
    before: Option<&Gather<'_, T>>,
    members: &[Vec<u8>],
) -> Result<Vec<(u16, Known)>, Stop> {
    match before {
        Some(before) => before.find_all(members, false).await.map_err(wait),
        None => Ok(vec![(0, Known::default()); members.len()]),
    }
}

async fn positions_before<T: Transport>(
    before: Option<&Gather<'_, T>>,
    found: &[(u16, Known)],
    ranks: Ranks,
) -> Result<Vec<Option<Position>>, Stop> {
    match before {
        Some(before) => before.positions_of(found, ranks).await.map_err(wait),
        None => Ok(vec![None; found.len()]),
    }
}

/// Makes the read wait so that it does not go back to an earlier period: the start of the previous period must not
/// become the start of the period that is read.
fn wait(stop: Stop) -> Stop {
    match stop {
        Stop::Behind(_) => Stop::Apart(1),
        other => other,
    }
}

/// The neighbours of an entry, over all parts.
struct Beside {
    before: u64,
    /// How many members are not hidden.
    members: u64,
    ahead: Option<(Place, Line)>,
    behind: Option<(Place, Line)>,
}

impl<T: Transport> Gather<'_, T> {
    /// Returns the neighbours of the members that were found.
    async fn neighbours(&self, found: &[Option<Found>]) -> Result<Vec<Beside>, Stop> {
        let found: Vec<_> = found.iter().flatten().collect();
        let notation = self.call.root.schema.notation();
        let near = |found: &&Found| Arc::new(Operation::near(&Point::of(&notation, &found.entry), 1, 1));
        let operations: Vec<_> = found.iter().map(near).collect();
        let others = |part: u16| {
            let each = found.iter().zip(&operations).filter(move |(found, _)| found.entry.part != part);
            each.map(move |(_, operation)| Question::new(part, operation))
        };
        let mut answers = self.ask(self.parts().flat_map(others).collect()).await?.into_iter().peekable();
        let mut all: Vec<_> = found.iter().map(|found| self.beside_in_part(found)).collect();
        for part in self.parts() {
            for (beside, _) in all.iter_mut().zip(&found).filter(|(_, found)| found.entry.part != part) {
                let Some(mut answer) = answers.next_if(|answer| answer.part == part) else { break };
                beside.before = beside.before.saturating_add(answer.number()?);
                beside.members = beside.members.saturating_add(answer.members);
                self.nearer(beside, part, &answer.rows(false)?, &answer.rows(false)?);
            }
        }
        Ok(all)
    }

    /// Returns the neighbours of an entry within its own part.
    fn beside_in_part(&self, found: &Found) -> Beside {
        let (before, members) = (found.entry.before, found.members);
        let mut beside = Beside { before, members, ahead: None, behind: None };
        self.nearer(&mut beside, found.entry.part, &found.above, &found.below);
        beside
    }

    /// Takes rows of a part as neighbours if they are nearer than the neighbours so far.
    fn nearer(&self, beside: &mut Beside, part: u16, above: &Packed, below: &Packed) {
        let place = |row: super::rows::Row| (self.order.place(row.score, row.moment, part), Line::of(row));
        let ahead = above.rows().last().map(place);
        if ahead.as_ref().map(|(place, _)| *place) > beside.ahead.as_ref().map(|(place, _)| *place) {
            beside.ahead = ahead;
        }
        if let Some(behind) = below.rows().next().map(place)
            && beside.behind.as_ref().is_none_or(|(place, _)| behind.0 < *place)
        {
            beside.behind = Some(behind);
        }
    }
}

/// The part of the reply about one member.
struct Standing {
    found: Found,
    beside: Beside,
    position: Position,
    previous: Option<(u64, Score)>,
    at: Option<u64>,
}

impl Standing {
    fn reply(self, with_meta: bool, notation: &Notation) -> Value {
        let Self { found, beside, position, previous, at } = self;
        let members = beside.members.saturating_add(found.is_hidden.into());
        let score = found.entry.score;
        let neighbour = |line: Option<(Place, Line)>| match line {
            Some((_, line)) => {
                let gap = reply::gap(line.score, score, notation);
                Value::Array(vec![Value::BulkString(line.name), reply::score(line.score, notation), gap])
            }
            None => Value::Nil,
        };
        let change = |(rank, _): (u64, Score)| rank.cast_signed().saturating_sub(position.rank.cast_signed());
        let before = |(rank, score)| Value::Array(vec![reply::int(rank), reply::score(score, notation)]);
        let mut fields = reply::map([
            ("rank", reply::int(position.rank)),
            ("score", reply::score(score, notation)),
            ("members", reply::int(members)),
            ("percentile", percent(hundredths(members.saturating_sub(position.better), members))),
            ("ahead", neighbour(beside.ahead)),
            ("behind", neighbour(beside.behind)),
            ("previous", previous.map_or(Value::Nil, before)),
            ("change", previous.map_or(Value::Nil, |previous| Value::Int(change(previous)))),
            ("at", at.map_or(Value::Nil, reply::int)),
        ]);
        if with_meta {
            fields.extend(reply::map([("meta", reply::bulk(found.meta))]));
        }
        Value::Map(fields)
    }
}

/// Returns a percentage with two decimals, from hundredths of a percent.
fn percent(hundredths: u64) -> Value {
    reply::text(format!("{}.{:02}", hundredths / 100, hundredths % 100))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_have_two_decimals() {
        assert_eq!([10_000, 5, 1_234].map(percent), ["100.00", "0.05", "12.34"].map(reply::text));
    }
}
