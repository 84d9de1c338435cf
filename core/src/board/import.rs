//! Writes many members at once: from a sorted set, or from rows that are already in order.

use super::effect::Effect;
use super::points::Import;
use super::{Board, Write};
use crate::Error;
use crate::index::{Key, MemberId};
use crate::schema::Schema;
use crate::score::Score;
use crate::time::{Millis, TimeSource};
use crate::view::{Kind, Spec};

/// The number of members in one step of an import. During the write, each member takes some hundred bytes.
pub const PIECE: usize = 512;

/// What an import does with members that are on the board already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Present {
    /// The board must have no members.
    #[default]
    Refused,
    /// Points are added to their scores.
    Added,
    /// The members stay as they are.
    Left,
}

/// A row of a board that is to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewRow<'a> {
    /// The member.
    pub name: &'a [u8],
    /// The member's score.
    pub score: Score,
    /// When the member got this score.
    pub moment: Millis,
}

impl Board {
    /// Removes from `pairs` the members that the import must not write.
    ///
    /// # Errors
    /// [`Error::NotEmpty`] if the board must have no members; the errors of the clock.
    pub fn choose(
        &self,
        write: &Write,
        present: Present,
        pairs: &mut Vec<(Score, &[u8])>,
    ) -> Result<(), Error> {
        let now = self.schema.clock.stamp(self.last, write.at, write.origin)?.now;
        // Members are counted if they are in a view at the time of the import, not now: the import moves an event
        // clock forward to that time.
        match present {
            Present::Refused if self.has_members_at(now) => return Err(Error::NotEmpty),
            Present::Left => pairs.retain(|(_, name)| !self.is_ranked_at(self.members.find(name), now)),
            Present::Refused | Present::Added => {}
        }
        Ok(())
    }

    fn has_members_at(&self, now: Millis) -> bool {
        let mut entries = self.views.iter().flat_map(|view| view.index.iter_from(0));
        entries.any(|(_, id)| self.is_ranked_at(Some(id), now))
    }

    /// Returns whether a member is in the current period of any view at a moment.
    fn is_ranked_at(&self, id: Option<MemberId>, now: Millis) -> bool {
        (0..self.views.len()).any(|view| self.score_at(view, id, now).is_some())
    }

    /// Adds points to many distinct members, in this order: to all of them, or to none. The effect is the same as
    /// the effect of [`Board::add_many`] for each [`PIECE`] members, all at the same time.
    ///
    /// # Errors
    /// The errors of [`Board::add_many`]; [`Error::NotWithLevels`].
    pub fn import(&mut self, write: &Write, pairs: &[(Score, &[u8])]) -> Result<Effect, Error> {
        self.schema.needs_decimals("an import")?;
        self.check_own(pairs.iter().map(|(_, member)| *member))?;
        let stamp = self.schema.clock.stamp(self.last, write.at, write.origin)?;
        let bytes = pairs.iter().map(|(_, member)| member.len()).sum();
        if !self.members.has_room_for(pairs.len(), bytes) {
            return Err(Error::Full);
        }
        self.judge_distinct(pairs, stamp)?;
        let origin = TimeSource::Decided { now: Some(stamp.now) };
        let decided = Write { at: Some(stamp.at), origin, ..*write };
        let (mut left, writes) = (pairs.len(), self.figures.writes);
        for piece in pairs.chunks(PIECE) {
            let targets = piece.iter().map(|(points, member)| self.target(*points, member));
            let mut targets: Vec<_> = targets.collect();
            self.write(&decided, 0, &mut Import { members: left }, &mut targets)?;
            left = left.saturating_sub(piece.len());
        }
        self.figures.writes = writes.saturating_add(1);
        Ok(Effect::Applied(stamp))
    }

    /// Returns a board with the view `all` and these rows, best first. Rows with equal scores and moments keep this
    /// order.
    ///
    /// # Errors
    /// The errors of the schema; [`Error::Full`]; [`Error::Corrupt`] for rows that are not in order.
    pub fn of_rows<'a>(
        schema: Schema,
        last: Millis,
        rows: impl ExactSizeIterator<Item = NewRow<'a>> + Clone,
    ) -> Result<Self, Error> {
        let mut board = Self::new(schema, &[Spec::new(Kind::All)])?;
        board.last = last;
        let bytes = rows.clone().map(|row| row.name.len()).fold(0, usize::saturating_add);
        // The numbers of members change when the board gets the form for many members.
        if board.members.outgrown_by(rows.len(), bytes) {
            board.enlarge()?;
            board.members.reserve(rows.len());
        }
        board.sequences = rows.len() as u64;
        let mut entries = Vec::with_capacity(rows.len());
        for NewRow { name, score, moment } in rows {
            let id = board.enter_member(name)?;
            entries.push((Key { rank_key: board.schema.rank_key(score), moment }, id));
        }
        let Self { views, members, .. } = &mut board;
        if let Some(view) = views.first_mut() {
            view.index.append_checked(&entries, &mut members.index_members_mut(view.leaf, None))?;
        }
        Ok(board)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

    use super::*;
    use crate::board::parse_views;
    use crate::native::NativeType;
    use crate::schema::{Aggregate, Order, Ties};
    use crate::score::Decimal;
    use crate::time::Clock;
    use proptest::prelude::*;

    const NOW: Millis = 1_773_835_200_000;

    fn saved(board: &Board) -> Vec<Vec<u8>> {
        let mut chunks = Vec::new();
        NativeType::save(board, |chunk| chunks.push(chunk.to_vec()));
        chunks
    }

    fn write(at: Option<Millis>, now: Millis) -> Write<'static> {
        let origin = TimeSource::Client { wall: now, max_future: 60_000 };
        Write { at, ..Write::new(origin) }
    }

    fn names(count: usize, step: usize) -> Vec<String> {
        (0..count).map(|number| format!("member {}", number * step % 10_007)).collect()
    }

    fn schema() -> impl Strategy<Value = Schema> {
        let aggregate = prop_oneof![
            Just(Aggregate::Sum),
            Just(Aggregate::Max),
            Just(Aggregate::Min),
            Just(Aggregate::Last)
        ];
        let ties = prop_oneof![Just(Ties::First), Just(Ties::Last), Just(Ties::Lex), Just(Ties::RevLex)];
        let order = prop_oneof![Just(Order::Desc), Just(Order::Asc)];
        (aggregate, ties, order).prop_map(|(aggregate, ties, order)| Schema {
            aggregate,
            ties,
            order,
            ..Schema::default()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn an_import_is_many_adds(
            schema in schema(),
            views in prop_oneof![Just("all"), Just("day:3,all"), Just("week,day,60s:4"), Just("all,minute")],
            before in prop_oneof![Just(0_usize), 1..40_usize, 200..300_usize],
            count in prop_oneof![0..40_usize, 100..200_usize, 500..1_600_usize],
            step in 1..9_000_usize,
            points in proptest::collection::vec(-20..20_i64, 7),
            late in prop_oneof![Just(0_u64), Just(30_000), Just(3_600_000), Just(400_000_000)],
        ) {
            let mut board = Board::new(schema, &parse_views(views.as_bytes()).unwrap()).unwrap();
            let old = names(before, 1);
            for (at, name) in old.iter().enumerate() {
                let at = NOW - 100_000_000 + at as u64;
                board.add(&write(None, at), Decimal::whole(points[at as usize % 7]), name.as_bytes()).unwrap();
            }
            let mut other = board.clone();
            let new = names(count, step);
            let units = |at: usize| Score::from_units(points[at * at % 7]).unwrap();
            let pairs: Vec<_> = new.iter().enumerate().map(|(at, name)| (units(at), name.as_bytes())).collect();
            let at = (late > 0).then_some(NOW - late);
            let effect = board.import(&write(at, NOW), &pairs).unwrap();
            let Effect::Applied(stamp) = effect else { panic!("{effect:?}") };
            for piece in pairs.chunks(PIECE) {
                let origin = TimeSource::Decided { now: Some(stamp.now) };
                let write = Write { at: Some(stamp.at), origin, ..write(None, NOW) };
                let adds: Vec<_> = piece.iter().map(|(score, name)| (Decimal::whole(score.units()), *name)).collect();
                other.add_many(&write, &adds).unwrap();
            }
            prop_assert_eq!(saved(&board), saved(&other));
        }
    }

    #[test]
    fn an_import_that_is_refused_changes_nothing() {
        let mut board = Board::new(Schema::default(), &parse_views(b"all,day").unwrap()).unwrap();
        let most = Decimal::whole(i64::MAX);
        board.add(&write(None, NOW), most, b"member 600").unwrap();
        let before = saved(&board);
        let names: Vec<_> = (0..601).map(|number| format!("member {number}")).collect();
        let one = Score::from_units(1).unwrap();
        let pairs: Vec<_> = names.iter().map(|name| (one, name.as_bytes())).collect();
        assert_eq!(board.import(&write(None, NOW), &pairs), Err(Error::Overflow));
        assert_eq!(board.import(&write(Some(NOW + 70_000), NOW), &pairs), Err(Error::AtInFuture));
        assert_eq!(saved(&board), before);
        assert!(board.import(&write(None, NOW), &pairs[..600]).is_ok());
    }

    #[test]
    fn a_member_of_any_view_is_one_that_the_board_has() {
        const DAY: u64 = 86_400_000;
        let schema = Schema { clock: Clock::Event, ..Schema::default() };
        let mut board = Board::new(schema, &parse_views(b"day,all").unwrap()).unwrap();
        board.add(&write(Some(DAY), 0), Decimal::whole(5), b"b").unwrap();
        let late = write(Some(2 * DAY + 2), 0);
        let units = Score::from_units(7).unwrap();
        let pairs = vec![(units, &b"b"[..]), (units, b"c")];
        let mut left = pairs.clone();
        board.choose(&late, Present::Left, &mut left).unwrap();
        assert_eq!(left, [(units, &b"c"[..])]);
        let mut refused = pairs.clone();
        assert_eq!(board.choose(&late, Present::Refused, &mut refused), Err(Error::NotEmpty));
        let mut added = pairs.clone();
        board.choose(&late, Present::Added, &mut added).unwrap();
        assert_eq!(added, pairs);
    }

    #[test]
    fn rows_make_a_board_in_their_order() {
        let row = |name, units, moment| NewRow { name, score: Score::from_units(units).unwrap(), moment };
        let rows = [row(b"c", 5, 10), row(b"a", 5, 10), row(b"b", 5, 11), row(b"d", -1, 3)];
        let board = Board::of_rows(Schema::default(), 11, rows.into_iter()).unwrap();
        let chunks = saved(&board);
        let mut loaded = Board::load(&chunks[0]).unwrap();
        chunks[1..].iter().for_each(|chunk| _ = loaded.load_chunk(chunk).unwrap());
        assert_eq!(saved(&loaded), chunks);
        let order: Vec<_> =
            loaded.views[0].index.iter_from(0).map(|(_, id)| loaded.name(id).to_vec()).collect();
        assert_eq!(order, [b"c", b"a", b"b", b"d"]);
        let wrong = Board::of_rows(Schema::default(), 11, rows.into_iter().rev());
        assert!(wrong.is_err());
    }

    #[test]
    fn rows_with_names_of_any_length_make_a_board() {
        for (members, length) in
            [(1_024_i32, 10), (1_024, 24), (1_025, 8), (380, 300), (348, 500), (40, 512), (60, 512)]
        {
            let names: Vec<_> =
                (0..members).map(|number| format!("{number:0>length$}").into_bytes()).collect();
            let score = |number: i32| Score::from_units((-number).into()).unwrap();
            let rows = names.iter().zip(0..members).map(|(name, number)| NewRow {
                name,
                score: score(number),
                moment: 5,
            });
            let board = Board::of_rows(Schema::default(), 11, rows).unwrap();
            board.check();
            let order: Vec<_> =
                board.views[0].index.iter_from(0).map(|(_, id)| board.name(id).to_vec()).collect();
            assert!(order == names, "{members} names of {length} bytes");
        }
    }
}
