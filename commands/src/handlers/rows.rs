//! A page of a ranking as a reply: an array of rows, one flat array, or all rows in one string.

use leaderboard_core::Board;
use leaderboard_core::board::Rows;
use leaderboard_core::notation::Notation;

use crate::host::Host;
use crate::options::reading::Form;
use crate::reply::{Reply, ScoreText};

/// The length that means "no meta".
const NO_META: u16 = u16::MAX;
/// The approximate maximum number of bytes of most packed rows: the numbers, and a name of 24 bytes.
const LIKELY: usize = 44;

/// Rows of a board.
pub struct Page<'b> {
    pub board: &'b Board,
    pub rows: Rows<'b>,
    pub with_meta: bool,
}

impl Page<'_> {
    /// Replies with the rows. If there are no rows, the reply is an empty array in all forms.
    pub fn write(self, reply: Reply<impl Host>, form: Option<Form>) {
        let notation = self.board.schema().notation();
        match form {
            _ if self.rows.remaining() == 0 => reply.array(0),
            None => self.nested(reply, &notation),
            Some(Form::Flat) => self.flat(reply, &notation),
            Some(Form::Packed) => self.packed(reply),
        }
    }

    fn nested(self, reply: Reply<impl Host>, notation: &Notation) {
        let Self { board, rows, with_meta } = self;
        let mut texts = ScoreText::default();
        reply.array(length(rows.remaining()));
        rows.for_all(|row| {
            reply.array(if with_meta { 4 } else { 3 });
            reply.int(row.rank);
            reply.bulk(board.name(row.id));
            texts.write(reply, row.score, notation);
            if with_meta {
                reply.bulk_or_nil(board.meta_of(row.id));
            }
        });
    }

    fn flat(self, reply: Reply<impl Host>, notation: &Notation) {
        let Self { board, rows, with_meta } = self;
        let elements = if with_meta { 3 } else { 2 };
        reply.array(length(rows.remaining()).saturating_mul(elements).saturating_add(1));
        let mut texts = ScoreText::default();
        reply.int(rows.next_rank());
        rows.for_all_dated(|row| {
            reply.bulk(board.name(row.id));
            texts.write(reply, row.score, notation);
            if with_meta {
                reply.bulk_or_nil(board.meta_of(row.id));
            }
        });
    }

    fn packed(self, reply: Reply<impl Host>) {
        reply.array(2);
        reply.int(self.rows.next_rank());
        reply.bulk(&pack(self.board, self.rows, self.with_meta));
    }
}

/// Returns rows as one string; `docs/commands.md` describes the layout.
pub fn pack(board: &Board, rows: Rows, with_meta: bool) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(length(rows.remaining()).saturating_mul(LIKELY));
    rows.for_all_dated(|row| {
        let numbers = [row.score.units().to_le_bytes(), row.moment.to_le_bytes()];
        bytes.extend_from_slice(numbers.as_flattened());
        put_text(&mut bytes, board.name(row.id));
        if with_meta {
            match board.meta_of(row.id) {
                Some(meta) => put_text(&mut bytes, meta),
                None => bytes.extend_from_slice(&NO_META.to_le_bytes()),
            }
        }
    });
    bytes
}

/// Appends the length of a text, and then the text. Names and metas are short enough for this length.
fn put_text(bytes: &mut Vec<u8>, text: &[u8]) {
    bytes.extend_from_slice(&u16::try_from(text.len()).unwrap_or(NO_META).to_le_bytes());
    bytes.extend_from_slice(text);
}

fn length(rows: u64) -> usize {
    usize::try_from(rows).unwrap_or(usize::MAX)
}
