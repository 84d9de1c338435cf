//! The elements of an answer, as replies of `LB.PART` and as parts of the string of `LB.GATHER`.

use std::borrow::Cow;

use leaderboard_core::Score;
use leaderboard_core::board::DatedPlace;
use leaderboard_core::notation::Notation;

use crate::answers::Writer;
use crate::host::Host;
use crate::reply::Reply;

/// An element of the reply.
pub enum Element<'b> {
    Nil,
    Count(u64),
    /// A number that may be negative.
    Signed(i64),
    Score(Score),
    Bytes(Cow<'b, [u8]>),
    List(Vec<Element<'b>>),
}

impl Element<'_> {
    pub fn write(&self, reply: Reply<impl Host>, notation: &Notation) {
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

    /// Writes the element into a string with the answers of several parts.
    pub fn pack(&self, writer: &mut Writer) {
        match self {
            Self::Nil => writer.nil(),
            Self::Count(count) => writer.number(i64::try_from(*count).unwrap_or(i64::MAX)),
            Self::Signed(number) => writer.number(*number),
            Self::Score(score) => writer.number(score.units()),
            Self::Bytes(bytes) => writer.bytes(bytes),
            Self::List(list) => {
                writer.list(list.len());
                list.iter().for_each(|element| element.pack(writer));
            }
        }
    }
}

/// Returns the place of an entry: the number of members before it, its score and its moment.
pub fn placed<'b>(at: &DatedPlace) -> [Element<'b>; 3] {
    [Element::Count(at.before), Element::Score(at.score), Element::Count(at.moment)]
}
