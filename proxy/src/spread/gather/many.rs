//! `LB.MSCORE` and `LB.AMONG`: ranks and scores of several members.

use std::collections::HashSet;

use leaderboard_core::Score;
use leaderboard_core::schema::Ranks;
use redis::Value;

use super::answer::Known;
use super::page::Entry;
use super::ranks::Position;
use super::round::{Gather, Stop};
use super::{options, reply};
use crate::nodes::Transport;

/// Replies to `LB.MSCORE key MEMBERS n member [member ...]`.
pub async fn scores<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let asked = gather.call.asked;
    let (ranks, with_meta) = (options::ranks(asked)?, asked.has("WITHMETA"));
    let found = gather.find_all(asked.members(), with_meta).await?;
    let positions = gather.positions_of(&found, ranks).await?;
    let notation = gather.call.root.schema.notation();
    let row = |((_, known), position): ((u16, Known), Option<Position>)| {
        let Some((spot, position)) = known.spot.zip(position) else { return Value::Nil };
        let mut row = vec![reply::int(position.rank), reply::score(spot.score, &notation)];
        if with_meta {
            row.push(reply::bulk(known.meta));
        }
        Value::Array(row)
    };
    Ok(Value::Array(found.into_iter().zip(positions).map(row).collect()))
}

/// Replies to `LB.AMONG key MEMBERS n member [member ...]`.
pub async fn among<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let asked = gather.call.asked;
    let (ranks, with_meta) = (options::ranks(asked)?, asked.has("WITHMETA"));
    let mut seen = HashSet::new();
    let members: Vec<_> = asked.members().iter().filter(|member| seen.insert(*member)).cloned().collect();
    let mut found = gather.find_all(&members, with_meta).await?;
    for (_, known) in &mut found {
        known.spot = known.spot.filter(|spot| !spot.is_hidden);
    }
    let positions = gather.positions_of(&found, ranks).await?;
    let mut rows: Vec<_> = members
        .into_iter()
        .zip(found.into_iter().zip(positions))
        .filter_map(|(name, ((part, known), position))| {
            let entry = Entry::new(part, known.spot?);
            let at = (entry.place(gather.order), entry.before);
            Some((at, name, entry.score, position?, known.meta))
        })
        .collect();
    rows.sort_unstable_by_key(|(at, ..)| *at);
    let notation = gather.call.root.schema.notation();
    let mut places = Places::new(ranks);
    let row = |(_, name, score, position, meta): (_, Vec<u8>, Score, Position, Option<Vec<u8>>)| {
        let place = reply::int(places.next(score));
        let mut row =
            vec![place, Value::BulkString(name), reply::score(score, &notation), reply::int(position.rank)];
        if with_meta {
            row.push(reply::bulk(meta));
        }
        Value::Array(row)
    };
    Ok(Value::Array(rows.into_iter().map(row).collect()))
}

/// Counts the places of some members in the ranking of only these members, beginning with the best member.
struct Places {
    ranks: Ranks,
    number: u64,
    last: Option<(Score, u64)>,
}

impl Places {
    const fn new(ranks: Ranks) -> Self {
        Self { ranks, number: 0, last: None }
    }

    /// Returns the place of the next member.
    fn next(&mut self, score: Score) -> u64 {
        self.number = self.number.saturating_add(1);
        let place = match (self.ranks, self.last) {
            (Ranks::Competition | Ranks::Dense, Some((last, place))) if last == score => place,
            (Ranks::Dense, last) => last.map_or(1, |(_, place)| place.saturating_add(1)),
            _ => self.number,
        };
        self.last = Some((score, place));
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scores_share_places() {
        let places = |ranks| {
            let mut places = Places::new(ranks);
            [9, 7, 7, 5].map(|units| places.next(Score::from_units(units).unwrap()))
        };
        assert_eq!(places(Ranks::Ordinal), [1, 2, 3, 4]);
        assert_eq!(places(Ranks::Competition), [1, 2, 2, 4]);
        assert_eq!(places(Ranks::Dense), [1, 2, 2, 3]);
    }
}
