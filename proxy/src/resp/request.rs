//! Reads commands in the form in which clients of Redis send them: arrays of bulk strings, and inline commands. The
//! parser takes bytes when they arrive and reads each byte only once. So a large request costs the same in many pieces
//! as in one piece.
//!
//! Existing codecs (crate `redis-protocol` and similar crates) do not support inline commands. They read a request from
//! its beginning again with each new piece, and they have no limits. The senders are not trusted, so this parser reads
//! requests only, within limits.

use bytes::{Buf, BytesMut};

use super::inline;

/// A command: its name and its arguments.
pub type Words = Vec<Vec<u8>>;

/// The maximum number of bytes of all words of a request together.
const LARGEST_REQUEST: usize = 64 << 20;
/// The maximum number of words of a request.
const MOST_WORDS: usize = 1 << 20;
/// The maximum number of bytes of a line. A line is an inline command or a length.
const LONGEST_LINE: usize = 64 << 10;
/// The memory that is reserved for a word, and the number of words that it is reserved for, before they have arrived.
/// They are small, because a client may announce a large request and never send it.
const FIRST_BYTES: usize = 4 << 10;
const FIRST_WORDS: usize = 16;

/// The reason why a client's bytes are not a request. The connection ends with this error.
pub type Refusal = String;

/// The state of a connection within a request.
#[derive(Debug, Default)]
pub struct Parser {
    words: Words,
    /// The number of words that are missing, including the word that is being read.
    missing: usize,
    /// The number of bytes of the words so far. The word that is being read counts with its full length.
    size: usize,
    /// About how many bytes of memory the words so far use.
    held: usize,
    next: Next,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Next {
    #[default]
    Request,
    Length,
    /// The number of bytes of the last word that are still missing.
    Bytes(usize),
    /// The end of the line that follows a word.
    End,
}

impl Parser {
    /// Returns the memory, in bytes, of a request that has begun and is not whole yet.
    pub const fn held(&self) -> usize {
        self.held
    }

    /// Returns the next command, if it is whole. Removes the bytes that were read from `input`.
    ///
    /// # Errors
    /// If the bytes are not a request.
    pub fn next(&mut self, input: &mut BytesMut) -> Result<Option<Words>, Refusal> {
        loop {
            let progress = match self.next {
                Next::Request => match input.first() {
                    None => return Ok(None),
                    Some(b'*') => self.begin(input)?,
                    Some(_) => match inline_command(input)? {
                        // An empty line: people send it to check whether the server still answers.
                        Some(words) if words.is_empty() => true,
                        words => return Ok(words),
                    },
                },
                Next::Length => self.length(input)?,
                Next::Bytes(missing) => self.bytes(input, missing),
                Next::End => match end_of_word(input)? {
                    false => false,
                    true => match self.word_is_whole() {
                        Some(words) => return Ok(Some(words)),
                        None => true,
                    },
                },
            };
            if !progress {
                return Ok(None);
            }
        }
    }

    /// Reads the number of words. Zero and negative numbers are allowed, and mean no command.
    fn begin(&mut self, input: &mut BytesMut) -> Result<bool, Refusal> {
        let count = number(input, "too big mbulk count string", "invalid multibulk length")?;
        let Some(count) = count else { return Ok(false) };
        let Ok(count) = usize::try_from(count) else { return Ok(true) };
        if count > MOST_WORDS {
            return Err("Protocol error: invalid multibulk length".to_owned());
        }
        if count > 0 {
            self.words = Vec::with_capacity(count.min(FIRST_WORDS));
            (self.missing, self.size, self.next) = (count, 0, Next::Length);
        }
        Ok(true)
    }

    fn length(&mut self, input: &mut BytesMut) -> Result<bool, Refusal> {
        match input.first() {
            None => return Ok(false),
            Some(b'$') => {}
            Some(&other) => {
                let shown = [other].escape_ascii().to_string();
                return Err(format!("Protocol error: expected '$', got '{shown}'"));
            }
        }
        let announced = number(input, "too big bulk count string", "invalid bulk length")?;
        let Some(announced) = announced else { return Ok(false) };
        let bytes = usize::try_from(announced).ok().filter(|&bytes| bytes <= LARGEST_REQUEST);
        let bytes = bytes.ok_or_else(|| "Protocol error: invalid bulk length".to_owned())?;
        self.size = self.size.saturating_add(bytes);
        if self.size > LARGEST_REQUEST {
            return Err(format!("Protocol error: a request has at most {LARGEST_REQUEST} bytes"));
        }
        self.words.push(Vec::with_capacity(bytes.min(FIRST_BYTES)));
        self.held = self.held.saturating_add(size_of::<Vec<u8>>());
        self.next = Next::Bytes(bytes);
        Ok(true)
    }

    fn bytes(&mut self, input: &mut BytesMut, missing: usize) -> bool {
        let here = missing.min(input.len());
        if let (Some(word), Some(bytes)) = (self.words.last_mut(), input.get(..here)) {
            word.extend_from_slice(bytes);
        }
        input.advance(here);
        self.held = self.held.saturating_add(here);
        let missing = missing.saturating_sub(here);
        self.next = if missing == 0 { Next::End } else { Next::Bytes(missing) };
        missing == 0
    }

    fn word_is_whole(&mut self) -> Option<Words> {
        self.missing = self.missing.saturating_sub(1);
        if self.missing > 0 {
            self.next = Next::Length;
            return None;
        }
        (self.next, self.held) = (Next::Request, 0);
        Some(std::mem::take(&mut self.words))
    }
}

/// Reads the end of the line that follows a word. Servers do not check these two bytes. But if there are other bytes,
/// client and gateway disagree about the length, and data could be taken for commands.
fn end_of_word(input: &mut BytesMut) -> Result<bool, Refusal> {
    match input.get(..2) {
        None => Ok(false),
        Some(b"\r\n") => {
            input.advance(2);
            Ok(true)
        }
        Some(_) => Err("Protocol error: expected the end of a line behind a bulk string".to_owned()),
    }
}

fn inline_command(input: &mut BytesMut) -> Result<Option<Words>, Refusal> {
    let Some(line) = line(input, "too big inline request")? else { return Ok(None) };
    let end = line.len().saturating_add(1);
    let words = inline::split(line).ok_or("Protocol error: unbalanced quotes in request")?;
    input.advance(end);
    Ok(Some(words))
}

/// Returns the number in a line, which follows the first byte of the line.
fn number(input: &mut BytesMut, too_long: &str, invalid: &str) -> Result<Option<i64>, Refusal> {
    let Some(line) = line(input, too_long)? else { return Ok(None) };
    let end = line.len().saturating_add(1);
    let digits = line.get(1..).and_then(|rest| rest.strip_suffix(b"\r"));
    let number = digits.and_then(whole).ok_or_else(|| format!("Protocol error: {invalid}"))?;
    input.advance(end);
    Ok(Some(number))
}

/// Reads a number without a plus sign and without leading zeros, as servers require.
fn whole(digits: &[u8]) -> Option<i64> {
    let unsigned = digits.strip_prefix(b"-").unwrap_or(digits);
    let is_plain = matches!(unsigned.first(), Some(b'1'..=b'9')) || digits == b"0";
    std::str::from_utf8(digits).ok()?.parse().ok().filter(|_| is_plain)
}

/// Returns the next line, with its line feed removed. `None` if the line has not arrived completely.
fn line<'a>(input: &'a BytesMut, too_long: &str) -> Result<Option<&'a [u8]>, Refusal> {
    let end = memchr::memchr(b'\n', input);
    if end.unwrap_or(input.len()) > LONGEST_LINE {
        return Err(format!("Protocol error: {too_long}"));
    }
    Ok(end.and_then(|end| input.get(..end)))
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Returns the commands and the refusal, when bytes arrive in these pieces.
    fn read<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Words>, Option<Refusal>) {
        let (mut parser, mut input, mut commands) = (Parser::default(), BytesMut::new(), Vec::new());
        for piece in pieces {
            input.extend_from_slice(piece);
            loop {
                match parser.next(&mut input) {
                    Ok(Some(words)) => commands.push(words),
                    Ok(None) => break,
                    Err(refusal) => return (commands, Some(refusal)),
                }
            }
        }
        (commands, None)
    }

    fn refusal(bytes: &[u8]) -> String {
        let (commands, refusal) = read([bytes]);
        assert_eq!(commands, Vec::<Words>::new(), "{}", bytes.escape_ascii());
        refusal.unwrap_or_else(|| panic!("{} is taken", bytes.escape_ascii()))
    }

    fn encoded(words: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = format!("*{}\r\n", words.len()).into_bytes();
        for word in words {
            bytes.extend(format!("${}\r\n", word.len()).bytes());
            bytes.extend_from_slice(word);
            bytes.extend_from_slice(b"\r\n");
        }
        bytes
    }

    fn words(text: &[&str]) -> Words {
        text.iter().map(|word| word.as_bytes().to_vec()).collect()
    }

    const MIXED: &[u8] =
        b"*2\r\n$4\r\nECHO\r\n$4\r\n\r\n$1\r\nPING\r\n\r\n*0\r\n*-1\r\n \r\nset \"a b\" c\n*1\r\n$0\r\n\r\n";

    fn mixed() -> Vec<Words> {
        vec![words(&["ECHO", "\r\n$1"]), words(&["PING"]), words(&["set", "a b", "c"]), words(&[""])]
    }

    #[test]
    fn commands_may_come_in_any_pieces() {
        assert_eq!(read([MIXED]), (mixed(), None));
        assert_eq!(read(MIXED.chunks(1)), (mixed(), None));
        for first in 0..MIXED.len() {
            for second in first..MIXED.len() {
                let pieces = [&MIXED[..first], &MIXED[first..second], &MIXED[second..]];
                assert_eq!(read(pieces), (mixed(), None), "{first} {second}");
            }
        }
    }

    #[test]
    fn half_a_command_is_none() {
        let whole = encoded(&words(&["LB.ADD", "game", "5", "ann"]));
        for end in 0..whole.len() {
            assert_eq!(read([&whole[..end]]), (Vec::new(), None), "{end}");
        }
    }

    #[test]
    fn refusals_are_those_of_servers() {
        for (bytes, expected) in [
            (&b"*x\r\n"[..], "invalid multibulk length"),
            (b"*1\n$4\r\nPING\r\n", "invalid multibulk length"),
            (b"*+1\r\n", "invalid multibulk length"),
            (b"*01\r\n", "invalid multibulk length"),
            (b"*\r\n", "invalid multibulk length"),
            (b"*1048577\r\n", "invalid multibulk length"),
            (b"*99999999999999999999\r\n", "invalid multibulk length"),
            (b"*1\r\n:1\r\n", "expected '$', got ':'"),
            (b"*1\r\n*1\r\n", "expected '$', got '*'"),
            (b"*1\r\n\n", r"expected '$', got '\n'"),
            (b"*1\r\n$-1\r\n", "invalid bulk length"),
            (b"*1\r\n$ 1\r\n", "invalid bulk length"),
            (b"*1\r\n$67108865\r\n", "invalid bulk length"),
            (b"*1\r\n$1\r\nab\r\n", "expected the end of a line behind a bulk string"),
            (b"say \"hello\r\n", "unbalanced quotes in request"),
        ] {
            assert_eq!(refusal(bytes), format!("Protocol error: {expected}"), "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn lines_have_a_limit() {
        let long = vec![b'1'; LONGEST_LINE + 1];
        for (before, expected) in [
            (&b""[..], "too big inline request"),
            (b"*", "too big mbulk count string"),
            (b"*1\r\n$", "too big bulk count string"),
        ] {
            let expected = format!("Protocol error: {expected}");
            assert_eq!(refusal(&[before, &long].concat()), expected);
            assert_eq!(refusal(&[before, &long, b"\r\n"].concat()), expected);
        }
        let longest = [&long[1..], b"\n"].concat();
        assert_eq!(read([&longest[..]]).0, [[longest[..LONGEST_LINE].to_vec()]]);
    }

    #[test]
    fn all_words_of_a_request_have_a_limit_together() {
        let word = vec![b'x'; LARGEST_REQUEST / 2 - 10];
        let head = format!("*4\r\n$20\r\n{:20}\r\n", "").into_bytes();
        let size = format!("${}\r\n", word.len()).into_bytes();
        let two = [&head[..], &size, &word, b"\r\n", &size, &word, b"\r\n"].concat();
        assert_eq!(read([&two[..]]), (Vec::new(), None));
        assert!(refusal(&[&two[..], b"$1\r\n"].concat()).contains("at most 67108864 bytes"));
        // The size of the next request is counted from zero again.
        assert_eq!(read([&two[..], b"$0\r\n\r\n", &encoded(&words(&["PING"]))]).0[1], words(&["PING"]));
    }

    #[test]
    fn what_is_only_announced_takes_no_memory() {
        let (mut parser, mut input) =
            (Parser::default(), BytesMut::from(&b"*1048576\r\n$60000000\r\nabc"[..]));
        assert_eq!(parser.next(&mut input), Ok(None));
        assert!(parser.words.capacity() <= FIRST_WORDS && parser.words[0].capacity() <= FIRST_BYTES);
    }

    proptest! {
        #[test]
        fn what_is_encoded_comes_back(
            commands in vec(vec(vec(any::<u8>(), 0..40), 1..8), 0..20),
            size in 1_usize..64,
        ) {
            let bytes = commands.iter().flat_map(|words| encoded(words)).collect::<Vec<_>>();
            prop_assert_eq!(read(bytes.chunks(size)), (commands, None));
        }

        #[test]
        fn pieces_change_nothing(
            bytes in vec(prop_oneof![Just(b'*'), Just(b'$'), Just(b'\r'), Just(b'\n'), Just(b'1'), Just(b'"'), any::<u8>()], 0..200),
            size in 1_usize..64,
        ) {
            prop_assert_eq!(read(bytes.chunks(size)), read([&bytes[..]]));
        }
    }
}
