//! The answers of several parts in one string: the reply of `LB.GATHER`. The module writes it, the gateway reads it in
//! place. All numbers are little endian. Each part has:
//!
//! ```text
//! number of the part (2 bytes), kind (1), length of the rest (8), and the rest:
//!   kind 0, an answer:   number of the part as its board says it (2), number of parts (2), hash of the rules (8), now (8),
//!                        1 if there is a period (1), its start (8), members (8), and then the elements of the operation
//!   kind 1, not here:    nothing
//!   kind 2, an error:    its text
//! ```
//!
//! An element is its kind (1 byte) and a value: 0 is nil, 1 a number (8, signed), 2 a string (length in 8 bytes, bytes),
//! 3 a list (how many elements in 8 bytes; the elements follow). Scores are numbers of smallest units.

const ANSWER: u8 = 0;
const NOT_HERE: u8 = 1;
const ERROR: u8 = 2;

const NIL: u8 = 0;
const NUMBER: u8 = 1;
const BYTES: u8 = 2;
const LIST: u8 = 3;

/// What the answer of a part says about the part itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The number of the part, as its board says it.
    pub part: u16,
    /// The number of parts of the board.
    pub parts: u16,
    /// The hash of the rules.
    pub hash: u64,
    /// The time on the part's clock, in milliseconds.
    pub now: u64,
    /// The start of the period in milliseconds; `None` if there is no such period.
    pub start: Option<i64>,
    /// The number of visible members of the part in this period.
    pub members: u64,
}

/// What a server says about one part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartAnswer<'a> {
    /// The answer of the part.
    Answer(Head, Elements<'a>),
    /// The server does not have the key of the part at present.
    NotHere,
    /// The error of the part; it begins with its code.
    Error(&'a [u8]),
}

/// An element of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element<'a> {
    /// Nothing.
    Nil,
    /// A whole number.
    Number(i64),
    /// A string.
    Bytes(&'a [u8]),
    /// A list of this number of elements, which follow.
    List(u64),
}

/// Writes answers.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Returns the string.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes the answer of a part. `elements` writes the elements of the operation.
    pub fn answer(&mut self, part: u16, head: &Head, elements: impl FnOnce(&mut Self)) {
        self.record(part, ANSWER, |writer| {
            let bytes = &mut writer.bytes;
            bytes.extend_from_slice(&head.part.to_le_bytes());
            bytes.extend_from_slice(&head.parts.to_le_bytes());
            bytes.extend_from_slice(&head.hash.to_le_bytes());
            bytes.extend_from_slice(&head.now.to_le_bytes());
            bytes.push(head.start.is_some().into());
            bytes.extend_from_slice(&head.start.unwrap_or_default().to_le_bytes());
            bytes.extend_from_slice(&head.members.to_le_bytes());
            elements(writer);
        });
    }

    /// Writes that the server does not have this part.
    pub fn not_here(&mut self, part: u16) {
        self.record(part, NOT_HERE, |_| ());
    }

    /// Writes the error of a part.
    pub fn error(&mut self, part: u16, text: &str) {
        self.record(part, ERROR, |writer| writer.bytes.extend_from_slice(text.as_bytes()));
    }

    fn record(&mut self, part: u16, kind: u8, write: impl FnOnce(&mut Self)) {
        self.bytes.extend_from_slice(&part.to_le_bytes());
        self.bytes.push(kind);
        let at = self.bytes.len();
        self.bytes.extend_from_slice(&[0; 8]);
        let from = self.bytes.len();
        write(self);
        let length = self.bytes.len().saturating_sub(from) as u64;
        if let Some(place) = self.bytes.get_mut(at..from) {
            place.copy_from_slice(&length.to_le_bytes());
        }
    }

    /// Writes nil.
    pub fn nil(&mut self) {
        self.bytes.push(NIL);
    }

    /// Writes a number.
    pub fn number(&mut self, number: i64) {
        self.with(NUMBER, number.to_le_bytes());
    }

    /// Writes a string.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.with(BYTES, (bytes.len() as u64).to_le_bytes());
        self.bytes.extend_from_slice(bytes);
    }

    /// Begins a list of this number of elements.
    pub fn list(&mut self, elements: usize) {
        self.with(LIST, (elements as u64).to_le_bytes());
    }

    fn with(&mut self, kind: u8, value: [u8; 8]) {
        self.bytes.push(kind);
        self.bytes.extend_from_slice(&value);
    }
}

/// Reads the answers of several parts.
#[derive(Debug, Clone, Copy)]
pub struct Answers<'a> {
    left: &'a [u8],
}

impl<'a> Answers<'a> {
    /// Returns a reader of the whole string.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes }
    }

    /// Returns whether nothing is left to read.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.left.is_empty()
    }

    /// Returns the number of the next part, and what the server says about it. `None` if the rest is not an answer.
    pub fn next_part(&mut self) -> Option<(u16, PartAnswer<'a>)> {
        let part = u16::from_le_bytes(take(&mut self.left)?);
        let [kind] = take(&mut self.left)?;
        let rest = split(&mut self.left)?;
        let answer = match kind {
            ANSWER => read_answer(rest)?,
            NOT_HERE if rest.is_empty() => PartAnswer::NotHere,
            ERROR => PartAnswer::Error(rest),
            _ => return None,
        };
        Some((part, answer))
    }
}

fn read_answer(mut left: &[u8]) -> Option<PartAnswer<'_>> {
    let left = &mut left;
    let (part, parts) = (u16::from_le_bytes(take(left)?), u16::from_le_bytes(take(left)?));
    let (hash, now) = (u64::from_le_bytes(take(left)?), u64::from_le_bytes(take(left)?));
    let ([has_start], start) = (take(left)?, i64::from_le_bytes(take(left)?));
    let start = match has_start {
        0 => None,
        1 => Some(start),
        _ => return None,
    };
    let members = u64::from_le_bytes(take(left)?);
    Some(PartAnswer::Answer(Head { part, parts, hash, now, start, members }, Elements { left }))
}

/// Reads the elements of an answer, one after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elements<'a> {
    left: &'a [u8],
}

impl<'a> Elements<'a> {
    /// Returns a reader of elements that [`Writer`] has written.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes }
    }

    /// Returns the bytes of the elements that have not been read.
    #[must_use]
    pub const fn rest(&self) -> &'a [u8] {
        self.left
    }

    /// Returns the next element. `None` if there is none, or if it is not whole.
    pub fn next_element(&mut self) -> Option<Element<'a>> {
        let [kind] = take(&mut self.left)?;
        match kind {
            NIL => Some(Element::Nil),
            NUMBER => Some(Element::Number(i64::from_le_bytes(take(&mut self.left)?))),
            BYTES => Some(Element::Bytes(split(&mut self.left)?)),
            LIST => Some(Element::List(u64::from_le_bytes(take(&mut self.left)?))),
            _ => None,
        }
    }
}

fn take<const N: usize>(left: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = left.split_first_chunk()?;
    *left = rest;
    Some(*taken)
}

/// Takes a length, and then this number of bytes.
fn split<'a>(left: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(u64::from_le_bytes(take(left)?)).ok()?;
    let (taken, rest) = left.split_at_checked(length)?;
    *left = rest;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: Head = Head { part: 7, parts: 8, hash: u64::MAX, now: 5, start: Some(-9), members: 3 };

    fn written() -> Vec<u8> {
        let mut writer = Writer::default();
        writer.answer(7, &HEAD, |writer| {
            writer.nil();
            writer.number(i64::MIN);
            writer.bytes(b"");
            writer.list(2);
            writer.bytes(b"rows");
            writer.number(i64::MAX);
        });
        writer.not_here(9);
        writer.error(10, "ERR no");
        writer.answer(1_023, &Head { start: None, ..HEAD }, |_| ());
        writer.into_bytes()
    }

    #[test]
    fn answers_lead_back() {
        let bytes = written();
        let mut answers = Answers::new(&bytes);
        let Some((7, PartAnswer::Answer(head, mut elements))) = answers.next_part() else { panic!() };
        assert_eq!(head, HEAD);
        let expected = [
            Element::Nil,
            Element::Number(i64::MIN),
            Element::Bytes(b""),
            Element::List(2),
            Element::Bytes(b"rows"),
            Element::Number(i64::MAX),
        ];
        assert_eq!(expected.map(|_| elements.next_element().unwrap()), expected);
        assert_eq!((elements.next_element(), elements.rest()), (None, &b""[..]));
        assert_eq!(answers.next_part(), Some((9, PartAnswer::NotHere)));
        assert_eq!(answers.next_part(), Some((10, PartAnswer::Error(b"ERR no"))));
        let last = PartAnswer::Answer(Head { start: None, ..HEAD }, Elements::new(b""));
        assert_eq!(answers.next_part(), Some((1_023, last)));
        assert!(answers.is_over() && answers.next_part().is_none());
    }

    /// Tests that a string that was cut off has fewer answers, and that no byte of it makes the reader fail.
    #[test]
    fn what_is_cut_off_or_wrong_is_refused() {
        let bytes = written();
        let count = |bytes: &[u8]| {
            let mut answers = Answers::new(bytes);
            std::iter::from_fn(|| answers.next_part()).count()
        };
        for length in 0..bytes.len() {
            assert!(count(&bytes[..length]) < 4, "{length}");
        }
        for at in 0..bytes.len() {
            let mut wrong = bytes.clone();
            wrong[at] ^= 0xff;
            assert!(count(&wrong) <= 4);
        }
    }
}
