//! `LB.PART`: the command that a gatherer sends to one part of a board.

use std::borrow::Cow;

use leaderboard_core::board::{DatedPlace, Reading};
use leaderboard_core::integer::integer;
use leaderboard_core::notation::Notation;
use leaderboard_core::schema::Ranks;
use leaderboard_core::time::Millis;
use leaderboard_core::{Board, Error, Score};

use super::rows;
use super::statistics::Ranges;
use crate::argument::Argument;
use crate::arguments::{Args, Read};
use crate::call::{Call, Handled};
use crate::host::Host;
use crate::keyspace;
use crate::options::reading::{ABOVE, BELOW, Beside, OFFSET, VIEW, WITHMETA};
use crate::options::voting::MEMBER;
use crate::options::{List, Options};
use crate::refusal::Refusal;
use crate::reply::Reply;

/// The maximum number of entries of a sample.
const MAX_SAMPLE: u64 = 1_024;

/// A call of one form of the command.
pub struct Asked<'a, H> {
    call: &'a Call<'a, H>,
    key: Argument<'a>,
    /// The arguments after the word of the form.
    args: Args<'a>,
    accepted: List,
}

/// One period of a part.
struct Period<'b> {
    board: &'b Board,
    read: Reading<'b>,
    with_meta: bool,
}

/// An element of the reply.
enum Element<'b> {
    Nil,
    Count(u64),
    /// A number that may be negative.
    Signed(i64),
    Score(Score),
    Bytes(Cow<'b, [u8]>),
    List(Vec<Element<'b>>),
}

impl<'a, H: Host> Asked<'a, H> {
    /// Returns a call of a form that accepts these options. The key and the word of the form are taken from `args`.
    pub const fn new(call: &'a Call<'a, H>, key: Argument<'a>, args: Args<'a>, accepted: List) -> Self {
        Self { call, key, args, accepted }
    }

    fn args(&self) -> Args<'a> {
        self.args.clone()
    }

    fn options(&self, args: Args<'a>) -> Read<Options<'a>> {
        Options::read(args, self.accepted)
    }

    /// Replies with the part, its period, and the elements that `answer` adds.
    fn reply<'o>(
        &self,
        options: &Options<'o>,
        answer: impl for<'b> FnOnce(&Period<'b>) -> Read<Vec<Element<'b>>>,
    ) -> Handled {
        self.reply_of_board(|board, now| {
            let when = options.period().unwrap_or_default();
            let start = board.start_of_period(options.text(&VIEW), when, now)?;
            let read = options.reading(board)?;
            let period = Period { board, read, with_meta: options.has(&WITHMETA) };
            Ok((start, read.len(), answer(&period)?))
        })
    }

    /// Replies with the part, and with what `answer` returns: the start of a period, the number of members in it, and
    /// more elements. The arguments of `answer` are the board and its time.
    fn reply_of_board(
        &self,
        answer: impl for<'b> FnOnce(&'b Board, Millis) -> Read<(Option<i64>, u64, Vec<Element<'b>>)>,
    ) -> Handled {
        keyspace::read(self.call, self.key, |board: Option<&Board>| {
            let board = board.ok_or(Error::NotAPart)?;
            let (number, parts) = board.part()?;
            let now = board.now_of(self.call.client());
            let (start, members, elements) = answer(board, now)?;
            let head = [
                Element::Count(number.into()),
                Element::Count(parts.count().into()),
                Element::Count(board.rules_hash()),
                Element::Count(now),
                start.map_or(Element::Nil, Element::Signed),
                Element::Count(members),
            ];
            let all = head.into_iter().chain(elements).collect();
            Element::List(all).write(self.call.reply(), &board.schema().notation());
            Ok(())
        })
    }
}

impl Element<'_> {
    fn write(&self, reply: Reply<impl Host>, notation: &Notation) {
        match self {
            Self::Nil => reply.nil(),
            Self::Count(count) => reply.int(*count),
            Self::Signed(number) => reply.signed(*number),
            Self::Score(score) => reply.score(*score, notation),
            Self::Bytes(bytes) => reply.bulk(bytes),
            Self::List(list) => {
                reply.array(list.len());
                list.iter().for_each(|element| element.write(reply, notation));
            }
        }
    }
}

impl<'b> Period<'b> {
    /// Returns rows as one string.
    fn rows(&self, before: u64, count: u64) -> Element<'b> {
        let rows = self.read.rows(before, count, Ranks::Ordinal);
        Element::Bytes(rows::pack(self.board, rows, self.with_meta).into())
    }

    /// Returns the rows directly before a place, and the rows after it. `own` rows at the place are left out.
    fn rows_around(&self, before: u64, own: u64, (above, below): (u64, u64)) -> [Element<'b>; 2] {
        let above = above.min(before);
        [self.rows(before.saturating_sub(above), above), self.rows(before.saturating_add(own), below)]
    }

    /// Returns the meta of a member, if the call has requested metas.
    fn meta(&self, member: &[u8]) -> Option<Element<'b>> {
        let meta =
            |board: &'b Board| board.meta(member).map_or(Element::Nil, |meta| Element::Bytes(meta.into()));
        self.with_meta.then(|| meta(self.board))
    }
}

/// Returns the place of an entry: the number of members before it, its score and its moment.
fn placed<'b>(at: &DatedPlace) -> [Element<'b>; 3] {
    [Element::Count(at.before), Element::Score(at.score), Element::Count(at.moment)]
}

/// Carries out `LB.PART key TOP count [options]`.
pub fn top(asked: &Asked<impl Host>) -> Handled {
    let mut args = asked.args();
    let count = args.count("count")?;
    let options = asked.options(args)?;
    asked.reply(&options, |part| Ok(vec![part.rows(options.get(&OFFSET).unwrap_or(0), count)]))
}

/// Carries out `LB.PART key OF member [options]`.
pub fn of(asked: &Asked<impl Host>) -> Handled {
    let mut args = asked.args();
    let member = args.member()?;
    let options = asked.options(args)?;
    let sides = (options.get(&ABOVE).unwrap_or(0), options.get(&BELOW).unwrap_or(0));
    asked.reply(&options, |part| {
        part.board.schema().role.check(member)?;
        let elements = part.read.dated_place(member).map_or_else(
            || vec![Element::Nil],
            |at| {
                let rows = part.rows_around(at.before, u64::from(!at.is_hidden), sides);
                let hidden = Element::Count(at.is_hidden.into());
                placed(&at).into_iter().chain([hidden]).chain(rows).collect()
            },
        );
        Ok(elements.into_iter().chain(part.meta(member)).collect())
    })
}

/// Carries out `LB.PART key NEAR score moment BEFORE|AFTER above below [options]`.
pub fn near(asked: &Asked<impl Host>) -> Handled {
    let mut args = asked.args();
    let beside = Beside::read(|| args.next())?;
    let sides = (args.count("above")?, args.count("below")?);
    let options = asked.options(args)?;
    asked.reply(&options, |part| {
        let before = before(&part.read, beside)?;
        Ok([Element::Count(before)].into_iter().chain(part.rows_around(before, 0, sides)).collect())
    })
}

fn before(read: &Reading, Beside { score, moment, side }: Beside) -> Result<u64, Refusal> {
    Ok(read.before_point(read.point(score, moment, side)?))
}

/// Carries out `LB.PART key SAMPLE m first last [options]`.
pub fn sample(asked: &Asked<impl Host>) -> Handled {
    let mut args = asked.args();
    let most = args.count("m")?;
    if !(1..=MAX_SAMPLE).contains(&most) {
        return Err(Error::OutOfRange("m").into());
    }
    let (first, last) = (integer(args.next()?, "first")?, integer(args.next()?, "last")?);
    let options = asked.options(args)?;
    asked.reply(&options, |part| {
        let sample = part.read.sample(most, first, last);
        Ok(vec![Element::List(sample.map(|at| Element::List(placed(&at).into())).collect())])
    })
}

/// Carries out `LB.PART key BETWEEN min max count [options]`.
pub fn between(asked: &Asked<impl Host>) -> Handled {
    let mut args = asked.args();
    let (min, max) = (args.bound("min")?, args.bound("max")?);
    let count = args.count("count")?;
    let options = asked.options(args)?;
    let offset = options.get(&OFFSET).unwrap_or(0);
    asked.reply(&options, |part| {
        let range = part.board.schema().score_range(min, max)?;
        let (before, within) = range.map_or((0, 0), |(low, high)| part.read.span(low, high));
        let rows = part.rows(before.saturating_add(offset), count.min(within.saturating_sub(offset)));
        Ok(vec![Element::Count(before), Element::Count(within), rows])
    })
}

/// Carries out `LB.PART key STATS [options]`.
pub fn stats(asked: &Asked<impl Host>) -> Handled {
    let options = asked.options(asked.args())?;
    asked.reply(&options, |part| {
        Ok(vec![match part.board.schema().notation() {
            Notation::Decimals(_) => Element::Bytes(part.read.sum().to_string().into_bytes().into()),
            Notation::Levels(_) => Element::Nil,
        }])
    })
}

/// Carries out `LB.PART key HISTOGRAM min max buckets [options]`.
pub fn histogram(asked: &Asked<impl Host>) -> Handled {
    let mut args = asked.args();
    let ranges = Ranges::read(&mut args)?;
    let options = asked.options(args)?;
    asked.reply(&options, |part| {
        let counts = ranges.count(part.board, &part.read)?.into_iter();
        Ok(vec![Element::List(counts.map(|bucket| Element::Count(bucket.members)).collect())])
    })
}

/// Carries out `LB.PART key MOF [options] MEMBERS n member [member ...]`.
pub fn members(asked: &Asked<impl Host>) -> Handled {
    let options = asked.options(asked.args())?;
    asked.reply(&options, |part| {
        let entry = |member: &&[u8]| {
            part.board.schema().role.check(member)?;
            let entry = part.read.dated_place(member).map_or(Element::Nil, |at| {
                let hidden = Element::Count(at.is_hidden.into());
                Element::List(placed(&at).into_iter().chain([hidden]).collect())
            });
            Ok(match part.meta(member) {
                Some(meta) => Element::List(vec![entry, meta]),
                None => entry,
            })
        };
        Ok(vec![Element::List(options.members().iter().map(entry).collect::<Read<_>>()?)])
    })
}

/// Carries out `LB.PART key MNEAR [options] PLACES n score moment BEFORE|AFTER ...`.
pub fn places(asked: &Asked<impl Host>) -> Handled {
    let options = asked.options(asked.args())?;
    let places = options.places()?;
    asked.reply(&options, |part| {
        let counts = places.iter().map(|beside| before(&part.read, *beside).map(Element::Count));
        Ok(vec![Element::List(counts.collect::<Read<_>>()?)])
    })
}

/// Carries out `LB.PART key VOTERS [options]`.
pub fn voters(asked: &Asked<impl Host>) -> Handled {
    let options = asked.options(asked.args())?;
    let (member, view, when) = (options.text(&MEMBER), options.text(&VIEW), options.period());
    asked.reply_of_board(|board, now| {
        member.map_or(Ok(()), |member| board.schema().role.check(member))?;
        let start = board.start_of_voters(view, when, now)?;
        let mut sketch = Vec::new();
        board.voters_sketch(member, view, when)?.save(&mut sketch);
        Ok((start, 0, vec![Element::Bytes(sketch.into())]))
    })
}
