//! Finds the parts that a call asks, reads the period of each, and replies.

use leaderboard_core::board::Reading;
use leaderboard_core::part_list::PartList;
use leaderboard_core::parts::Parts;
use leaderboard_core::schema::Ranks;
use leaderboard_core::time::Millis;
use leaderboard_core::{Board, Error};

use super::super::rows;
use super::element::Element;
use crate::answers::{Head, Writer};
use crate::argument::Argument;
use crate::arguments::{Args, Read};
use crate::call::{Call, Handled};
use crate::host::Host;
use crate::keyspace;
use crate::options::reading::{REV, VIEW, WITHMETA};
use crate::options::{List, Options};
use crate::refusal::Refusal;

/// A client needs the right to run this command with the key of each part that it asks.
const LIKE: [&[u8]; 2] = [b"LB.PART", b"STATS"];

/// The parts that a call asks.
pub enum Target<'a> {
    /// The part in a key. The reply is an array.
    Key(Argument<'a>),
    /// Parts of the board with this name. The reply is one string.
    Parts { name: &'a [u8], parts: Parts, which: PartList },
}

/// What an operation says of a part.
pub struct Said<'b> {
    /// The start of the period that was read, in ms. `None` if there is no such period.
    pub start: Option<i64>,
    /// The number of members in this period, without hidden members.
    pub members: u64,
    /// The result of the operation.
    pub elements: Vec<Element<'b>>,
}

/// A call of one form of the command.
pub struct Asked<'a, H> {
    call: &'a Call<'a, H>,
    target: Target<'a>,
    /// The arguments after the word of the form.
    args: Args<'a>,
    accepted: List,
}

/// One period of a part.
pub struct Period<'b> {
    pub board: &'b Board,
    pub read: Reading<'b>,
    /// The number of the part.
    pub number: u16,
    /// Whether places count from the other end.
    pub is_reversed: bool,
    with_meta: bool,
}

impl<'a, H: Host> Asked<'a, H> {
    /// Returns a call of a form that accepts these options. The parts and the word of the form are taken from `args`.
    pub const fn new(call: &'a Call<'a, H>, target: Target<'a>, args: Args<'a>, accepted: List) -> Self {
        Self { call, target, args, accepted }
    }

    pub fn args(&self) -> Args<'a> {
        self.args.clone()
    }

    pub fn options(&self, args: Args<'a>) -> Read<Options<'a>> {
        Options::read(args, self.accepted)
    }

    /// Replies with each part, its period, and the elements that `answer` adds.
    pub fn reply<'o>(
        &self,
        options: &Options<'o>,
        answer: impl for<'b> Fn(&Period<'b>) -> Read<Vec<Element<'b>>>,
    ) -> Handled {
        let (is_reversed, with_meta) = (options.has(&REV), options.has(&WITHMETA));
        self.reply_of_board(|board, now| {
            let when = options.period().unwrap_or_default();
            let start = board.start_of_period(options.text(&VIEW), when, now)?;
            let read = options.reading(board)?;
            let (members, (number, _)) = (read.len(), board.part()?);
            let elements = answer(&Period { board, read, number, is_reversed, with_meta })?;
            Ok(Said { start, members, elements })
        })
    }

    /// Replies with each part, and with what `answer` says of the board of the part at its time.
    pub fn reply_of_board(&self, answer: impl for<'b> Fn(&'b Board, Millis) -> Read<Said<'b>>) -> Handled {
        match &self.target {
            Target::Key(key) => self.reply_array(*key, answer),
            Target::Parts { name, parts, which } => {
                let mut writer = Writer::default();
                for part in which.iter() {
                    self.pack(part, &parts.key(name, part), &answer, &mut writer)?;
                }
                self.call.reply().bulk(&writer.into_bytes());
                Ok(())
            }
        }
    }

    fn reply_array(
        &self,
        key: Argument,
        answer: impl for<'b> Fn(&'b Board, Millis) -> Read<Said<'b>>,
    ) -> Handled {
        keyspace::read(self.call, key, |board: Option<&Board>| {
            let board = board.ok_or(Error::NotAPart)?;
            let (head, elements) = self.look(board, &answer)?;
            let Head { part, parts, hash, now, start, members } = head;
            let head = [
                Element::Count(part.into()),
                Element::Count(parts.into()),
                Element::Count(hash),
                Element::Count(now),
                start.map_or(Element::Nil, Element::Signed),
                Element::Count(members),
            ];
            let all = head.into_iter().chain(elements).collect();
            Element::List(all).write(self.call.reply(), &board.schema().notation());
            Ok(())
        })
    }

    /// Writes the answer of one part into the string.
    ///
    /// # Errors
    /// If the client may not read the key, or the server cannot answer at all. An error of the part is its answer.
    fn pack(
        &self,
        part: u16,
        key: &[u8],
        answer: &impl for<'b> Fn(&'b Board, Millis) -> Read<Said<'b>>,
        writer: &mut Writer,
    ) -> Result<(), Refusal> {
        let told = keyspace::read_unnamed(self.call, key, LIKE, |board: Option<&Board>| {
            let Some(board) = board else {
                writer.not_here(part);
                return Ok(());
            };
            let (head, elements) = self.look(board, answer)?;
            writer.answer(part, &head, |writer| elements.iter().for_each(|element| element.pack(writer)));
            Ok(())
        })?;
        if let Err(refusal) = told {
            let text = refusal.text().ok_or(refusal)?;
            writer.error(part, &text);
        }
        Ok(())
    }

    fn look<'b>(
        &self,
        board: &'b Board,
        answer: &impl for<'x> Fn(&'x Board, Millis) -> Read<Said<'x>>,
    ) -> Read<(Head, Vec<Element<'b>>)> {
        let (number, parts) = board.part()?;
        let now = board.now_of(self.call.client());
        let Said { start, members, elements } = answer(board, now)?;
        let head = Head { part: number, parts: parts.count(), hash: board.rules_hash(), now, start, members };
        Ok((head, elements))
    }
}

impl<'b> Period<'b> {
    /// Returns rows as one string.
    pub fn rows(&self, before: u64, count: u64) -> Element<'b> {
        let rows = self.read.rows(before, count, Ranks::Ordinal);
        Element::Bytes(rows::pack(self.board, rows, self.with_meta).into())
    }

    /// Returns the rows directly before a place, and the rows after it. `own` rows at the place are left out.
    pub fn rows_around(&self, before: u64, own: u64, (above, below): (u64, u64)) -> [Element<'b>; 2] {
        let above = above.min(before);
        [self.rows(before.saturating_sub(above), above), self.rows(before.saturating_add(own), below)]
    }

    /// Returns the meta of a member, if the call has requested metas.
    pub fn meta(&self, member: &[u8]) -> Option<Element<'b>> {
        let meta =
            |board: &'b Board| board.meta(member).map_or(Element::Nil, |meta| Element::Bytes(meta.into()));
        self.with_meta.then(|| meta(self.board))
    }
}
