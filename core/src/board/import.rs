//! Many members at once: from a sorted set, or from rows that are in order already.

use super::effect::Effect;
use super::points::Import;
use super::{Board, Write};
use crate::Error;
use crate::index::Key;
use crate::schema::Schema;
use crate::score::Score;
use crate::time::{Millis, TimeSource};
use crate::view::{Kind, Spec};

/// Members of one step of an import. What is known of them while they are written takes some hundred bytes each.
pub const PIECE: usize = 512;

/// A row of a board to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewRow<'a> {
    /// The member.
    pub name: &'a [u8],
    /// Its score.
    pub score: Score,
    /// When it got this score.
    pub moment: Millis,
}

impl Board {
    /// Adds points to many distinct members, in this order: all or nothing. It does what [`Board::add_many`] does
    /// with [`PIECE`] members after another, at the same time.
    ///
    /// # Errors
    /// As [`Board::add_many`].
    pub fn import(&mut self, write: &Write, pairs: &[(Score, &[u8])]) -> Result<Effect, Error> {
        let stamp = self.schema.clock.stamp(self.last, write.at, write.origin)?;
        let bytes = pairs.iter().map(|(_, member)| member.len()).sum();
        if !self.members.has_room_for(pairs.len(), bytes) {
            return Err(Error::Full);
        }
        self.judge_distinct(pairs, stamp)?;
        let origin = TimeSource::Decided { now: Some(stamp.now) };
        let decided = Write { at: Some(stamp.at), origin, ..*write };
        let mut left = pairs.len();
        for piece in pairs.chunks(PIECE) {
            let targets = piece.iter().map(|(points, member)| self.target(*points, member));
            let mut targets: Vec<_> = targets.collect();
            self.write(&decided, 0, &mut Import { members: left }, &mut targets)?;
            left = left.saturating_sub(piece.len());
        }
        Ok(Effect::Applied(stamp))
    }

    /// A board with the view `all` and these rows, best first. Equals of one moment stand in this order.
    ///
    /// # Errors
    /// Those of the schema; [`Error::Full`]; [`Error::Corrupt`] for rows that are out of order.
    pub fn of_rows<'a>(
        schema: Schema,
        last: Millis,
        rows: impl ExactSizeIterator<Item = NewRow<'a>>,
    ) -> Result<Self, Error> {
        let mut board = Self::new(schema, &[Spec::new(Kind::All)])?;
        board.last = last;
        board.make_room(rows.len())?;
        for NewRow { name, score, moment } in rows {
            let id = board.enter_member(name)?;
            let key = Key { rank_key: schema.rank_key(score), moment };
            let Self { views, members, .. } = &mut board;
            if let Some(view) = views.first_mut() {
                view.index.append(key, id, &mut members.index_members_mut(view.leaf, None))?;
            }
            board.sequences = board.sequences.saturating_add(1);
        }
        Ok(board)
    }
}
