//! `LB.PART`, the command that a gatherer sends to one part of a board, and `LB.GATHER`, which asks several parts at once.
//! This file has their operations. `asked` finds the parts and replies, `element` writes the elements of the reply.

mod asked;
mod element;

use leaderboard_core::Error;
use leaderboard_core::integer::integer;
use leaderboard_core::notation::Notation;

pub use self::asked::{Asked, Target};
use self::asked::{Period, Said};
use self::element::{Element, placed};
use super::statistics::Ranges;
use crate::arguments::Read;
use crate::call::Handled;
use crate::host::Host;
use crate::options::reading::{ABOVE, BELOW, Beside, OFFSET, VIEW};
use crate::options::voting::MEMBER;
use crate::refusal::Refusal;

/// The maximum number of entries of a sample.
const MAX_SAMPLE: u64 = 1_024;

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

/// Carries out `LB.PART key NEAR score moment side above below [options]`.
pub fn near(asked: &Asked<impl Host>) -> Handled {
    let mut args = asked.args();
    let beside = Beside::read(|| args.next())?;
    let sides = (args.count("above")?, args.count("below")?);
    let options = asked.options(args)?;
    asked.reply(&options, |part| {
        let before = before(part, beside)?;
        Ok([Element::Count(before)].into_iter().chain(part.rows_around(before, 0, sides)).collect())
    })
}

fn before(part: &Period, Beside { score, moment, side }: Beside) -> Result<u64, Refusal> {
    let side = side.in_part(part.number, part.is_reversed);
    Ok(part.read.before_point(part.read.point(score, moment, side)?))
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
    let members = options.members();
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
        Ok(vec![Element::List(members.iter().map(entry).collect::<Read<_>>()?)])
    })
}

/// Carries out `LB.PART key MNEAR [options] PLACES n score moment side ...`.
pub fn places(asked: &Asked<impl Host>) -> Handled {
    let options = asked.options(asked.args())?;
    let places = options.places()?;
    asked.reply(&options, |part| {
        let counts = places.iter().map(|beside| before(part, *beside).map(Element::Count));
        Ok(vec![Element::List(counts.collect::<Read<_>>()?)])
    })
}

/// Carries out `LB.PART key MAYWIN [options] MEMBERS n member [member ...]`.
pub fn may_win(asked: &Asked<impl Host>) -> Handled {
    let options = asked.options(asked.args())?;
    let (members, view) = (options.members(), options.text(&VIEW));
    let when = options.period().unwrap_or_default();
    asked.reply_of_board(|board, now| {
        let start = board.start_of_period(view, when, now)?;
        let may_claim = start.map(|start| board.claimants(view, start));
        let may_win = |member: &&[u8]| {
            board.schema().role.check(member)?;
            Ok(Element::Count(may_claim.as_ref().is_some_and(|may_claim| may_claim(member)).into()))
        };
        let elements = members.iter().map(may_win).collect::<Read<_>>()?;
        Ok(Said { start, members: 0, elements: vec![Element::List(elements)] })
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
        Ok(Said { start, members: 0, elements: vec![Element::Bytes(sketch.into())] })
    })
}
