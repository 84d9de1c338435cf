//! `LB.AROUND`: a member with the members above and below it.

use leaderboard_core::integer::natural;
use leaderboard_core::{Error, Score};
use redis::Value;

use super::super::asked::Asked;
use super::answer::{Answer, Take};
use super::member::Found;
use super::merge::Merge;
use super::operation::{Operation, Point};
use super::options::Form;
use super::page::{Entry, Line, Page, share, too_many_rows};
use super::round::{Gather, Stop};
use super::rows::{Packed, Row};
use super::{MOST_ROWS, options, reply};
use crate::nodes::Transport;

/// The number of rows to show on each side.
#[derive(Debug, Clone, Copy)]
struct Sides {
    above: u64,
    below: u64,
    fill: bool,
}

/// The rows of a part next to the member.
struct Piece {
    part: u16,
    /// How many rows the part has on each side.
    has: [u64; 2],
    above: Packed,
    below: Packed,
}

/// Replies to `LB.AROUND key member [count]`.
pub async fn around<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let asked = gather.call.asked;
    let (sides, form) = (Sides::read(asked)?, Form::of(asked)?);
    let with_meta = asked.has("WITHMETA");
    let member = options::fixed(asked, 0);
    let most = sides.most();
    let Some(found) = gather.find(member, most[0], most[1], with_meta).await? else {
        return Ok(Value::Array(Vec::new()));
    };
    let Entry { score, moment, .. } = found.entry;
    let own = Line::of(Row { score, moment, name: member, meta: found.meta.as_deref() });
    let Around { before, mut above, below } = gather.around(&found, sides, with_meta).await?;
    let ahead = before.saturating_sub(u64::try_from(above.len()).unwrap_or(u64::MAX));
    let place = above.len();
    if !found.is_hidden {
        above.push(own.clone());
    }
    above.extend(below);
    tie(&mut above);
    let page = Page { ahead, skipped: 0, lines: above, is_cut: true };
    let mut numbers = gather.ranks_of(&page, form.ranks()).await?;
    let mut lines = page.lines;
    if found.is_hidden {
        // Only the hidden member itself may see its own line, so the other lines are numbered as if it were absent.
        let rank =
            gather.positions(&[found.entry], form.ranks()).await?.first().map_or(0, |position| position.rank);
        lines.insert(place, own);
        numbers.insert(place, rank);
    }
    let notation = gather.call.root.schema.notation();
    Ok(reply::lines(form, lines, &numbers, with_meta, &notation))
}

/// The rows around a member, and how many entries are ahead of it.
struct Around {
    before: u64,
    above: Vec<Line>,
    below: Vec<Line>,
}

impl Sides {
    fn read(asked: &Asked) -> Result<Self, Error> {
        let number = |word| asked.value(word).map(|value| natural(value, word)).transpose();
        let count = asked.fixed.get(1).map(|count| natural(count, "count")).transpose()?;
        let fill = asked.has("FILL");
        match (count, number("ABOVE")?, number("BELOW")?) {
            (Some(count), None, None) => Ok(Self { above: count, below: count, fill }),
            (Some(_), Some(_), _) => Err(Error::Conflict("count", "ABOVE")),
            (Some(_), None, Some(_)) => Err(Error::Conflict("count", "BELOW")),
            (None, None, None) => Err(Error::MissingOption("count")),
            (None, above, below) => Ok(Self { above: above.unwrap_or(0), below: below.unwrap_or(0), fill }),
        }
    }

    /// Returns the maximum number of rows that can be shown on each side.
    fn most(self) -> [u64; 2] {
        let Self { above, below, fill } = self;
        let both = above.saturating_add(below);
        if fill { [both; 2] } else { [above, below] }.map(|rows| rows.min(MOST_ROWS))
    }

    /// Returns how many rows of each side are shown, if the ranking has `ahead` rows above the member and `behind` rows
    /// below the member.
    fn shown(self, [ahead, behind]: [u64; 2]) -> [u64; 2] {
        let Self { mut above, mut below, fill } = self;
        if fill {
            let (up, down) = (above.saturating_sub(ahead), below.saturating_sub(behind));
            (above, below) = (above.saturating_add(down), below.saturating_add(up));
        }
        [above.min(ahead), below.min(behind)]
    }
}

impl<T: Transport> Gather<'_, T> {
    /// Returns the rows on both sides of a member. The member's own part has already given as many rows as could be
    /// shown.
    async fn around(&self, found: &Found, sides: Sides, with_meta: bool) -> Result<Around, Stop> {
        let others = self.parts().filter(|part| *part != found.entry.part).collect();
        let parts = self.parts().end;
        let likely = sides.most().map(|rows| share(rows, parts));
        let mut pieces = self.beside(found, others, likely, with_meta).await?;
        pieces.push(Piece::of(found));
        loop {
            pieces.sort_by_key(|piece| piece.part);
            let sum = |side: fn(&Piece) -> u64| pieces.iter().map(side).fold(0, u64::saturating_add);
            let has =
                [sum(|Piece { has: [above, _], .. }| *above), sum(|Piece { has: [_, below], .. }| *below)];
            let [above, below] = sides.shown(has);
            if above.saturating_add(below) >= MOST_ROWS {
                return Err(too_many_rows().into());
            }
            let (above_lines, mut exhausted) = self.nearest(&pieces, above, true);
            let (below_lines, others) = self.nearest(&pieces, below, false);
            exhausted.extend(others);
            if exhausted.is_empty() {
                return Ok(Around { before: has[0], above: above_lines, below: below_lines });
            }
            exhausted.sort_unstable();
            exhausted.dedup();
            pieces.retain(|piece| !exhausted.contains(&piece.part));
            pieces.extend(self.beside(found, exhausted, [above, below], with_meta).await?);
        }
    }

    /// Asks other parts for rows next to a member.
    async fn beside(
        &self,
        found: &Found,
        parts: Vec<u16>,
        [above, below]: [u64; 2],
        with_meta: bool,
    ) -> Result<Vec<Piece>, Stop> {
        let point = Point::of(&self.call.root.schema.notation(), &found.entry);
        let operation = Operation::near(&point, above, below).with_meta(with_meta);
        let answers = self.ask_each(parts, operation).await?.into_iter();
        let piece = |mut answer: Answer| {
            let before = answer.number()?;
            let has = [before, answer.members.saturating_sub(before)];
            Ok(Piece {
                part: answer.part,
                has,
                above: answer.rows(with_meta)?,
                below: answer.rows(with_meta)?,
            })
        };
        Ok(answers.map(piece).collect::<Take<_>>()?)
    }

    /// Returns the nearest rows on one side, and the parts that may have more of these rows.
    fn nearest(&self, pieces: &[Piece], count: u64, is_above: bool) -> (Vec<Line>, Vec<u16>) {
        let sides = pieces.iter().map(|piece| side_of(piece, is_above));
        let merged: Vec<_> = Merge::new(self.order, sides).collect();
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let from = if is_above { merged.len().saturating_sub(count) } else { 0 };
        let shown: Vec<_> = merged.into_iter().skip(from).take(count).collect();
        let mut used = vec![0_u64; pieces.len()];
        for row in &shown {
            if let Some(used) = used.get_mut(row.source) {
                *used = used.saturating_add(1);
            }
        }
        let is_exhausted = |(piece, used): &(&Piece, u64)| {
            let [above, below] = piece.has;
            let has = if is_above { above } else { below };
            *used == side_of(piece, is_above).1.count()
                && has > *used
                && usize::try_from(*used).is_ok_and(|used| used < count)
        };
        let exhausted = pieces.iter().zip(used).filter(is_exhausted).map(|(piece, _)| piece.part).collect();
        (shown.into_iter().map(|merged| Line::of(merged.row)).collect(), exhausted)
    }
}

fn side_of(piece: &Piece, is_above: bool) -> (u16, &Packed) {
    (piece.part, if is_above { &piece.above } else { &piece.below })
}

impl Piece {
    /// Returns the rows of the member's own part.
    fn of(found: &Found) -> Self {
        let before = found.entry.before;
        let own = u64::from(!found.is_hidden);
        let behind = found.members.saturating_sub(before).saturating_sub(own);
        Self {
            part: found.entry.part,
            has: [before, behind],
            above: found.above.clone(),
            below: found.below.clone(),
        }
    }
}

/// Notes which lines have equal scores, and how many different scores are ahead of each.
fn tie(lines: &mut [Line]) {
    let mut last: Option<(Score, u64, u64)> = None;
    for (number, line) in (0_u64..).zip(lines) {
        let (from, scores) = match last {
            Some((score, from, scores)) if score == line.score => (from, scores),
            Some((_, _, scores)) => (number, scores.saturating_add(1)),
            None => (number, 0),
        };
        (line.tied_from, line.scores_ahead) = (from, scores);
        last = Some((line.score, from, scores));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_at_one_end_comes_from_the_other() {
        let sides = |above, below, fill| Sides { above, below, fill };
        assert_eq!(sides(3, 3, false).shown([1, 9]), [1, 3]);
        assert_eq!(sides(3, 3, true).shown([1, 9]), [1, 5]);
        assert_eq!(sides(3, 3, true).shown([9, 0]), [6, 0]);
        assert_eq!(sides(3, 3, true).shown([1, 1]), [1, 1]);
        assert_eq!(sides(0, 4, true).shown([5, 2]), [2, 2]);
    }
}
