//! Inline commands: a line of words, some of them in quotes, as a person types it in telnet. The rules are the same as
//! in servers.

use std::iter::Peekable;
use std::slice::Iter;

use super::request::Words;

type Rest<'a> = Peekable<Iter<'a, u8>>;

/// Returns the words of a line. `None` if a quote is not closed, or if something else than a space follows the closing
/// quote.
pub fn split(line: &[u8]) -> Option<Words> {
    let mut rest = line.iter().peekable();
    let mut words = Vec::new();
    loop {
        while rest.next_if(|byte| is_space(**byte)).is_some() {}
        if rest.peek().is_none() {
            return Some(words);
        }
        words.push(word(&mut rest)?);
    }
}

fn word(rest: &mut Rest<'_>) -> Option<Vec<u8>> {
    let mut word = Vec::new();
    while let Some(&byte) = rest.next_if(|byte| !is_space(**byte)) {
        match byte {
            b'"' => return quoted(rest, b'"', word),
            b'\'' => return quoted(rest, b'\'', word),
            _ => word.push(byte),
        }
    }
    Some(word)
}

/// Returns the rest of a word, which follows an opening quote. The word ends with the closing quote.
fn quoted(rest: &mut Rest<'_>, quote: u8, mut word: Vec<u8>) -> Option<Vec<u8>> {
    loop {
        match *rest.next()? {
            byte if byte == quote => break,
            b'\\' if quote == b'"' => word.push(escaped(rest)?),
            b'\\' if rest.next_if(|next| **next == quote).is_some() => word.push(quote),
            byte => word.push(byte),
        }
    }
    rest.peek().is_none_or(|next| is_space(**next)).then_some(word)
}

/// Returns the byte that an escape sequence means: a backslash and the character after it, within double quotes.
fn escaped(rest: &mut Rest<'_>) -> Option<u8> {
    let byte = *rest.next()?;
    Some(match byte {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'b' => 8,
        b'a' => 7,
        b'x' => return Some(hexadecimal(rest).unwrap_or(byte)),
        _ => byte,
    })
}

/// Returns the byte of two hexadecimal digits, or `None` if there are not two digits.
fn hexadecimal(rest: &mut Rest<'_>) -> Option<u8> {
    let mut ahead = rest.clone();
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let (high, low) = (digit(ahead.next()?)?, digit(ahead.next()?)?);
    *rest = ahead;
    u8::try_from(high.checked_shl(4)? | low).ok()
}

/// Returns whether C counts a byte as a space, or the byte is 0. Words end at these bytes.
const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r' | 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &[u8]) -> Option<Vec<String>> {
        let words = split(line)?;
        Some(words.iter().map(|word| word.escape_ascii().to_string()).collect())
    }

    #[test]
    fn words_are_split_as_servers_split_them() {
        for (line, expected) in [
            (&b""[..], &[][..]),
            (b" \t\r ", &[]),
            (b"PING", &["PING"]),
            (b"  lb.top  game\t10 ", &["lb.top", "game", "10"]),
            (br#"SET "a b" 'c d'"#, &["SET", "a b", "c d"]),
            (br#"SET "" ''"#, &["SET", "", ""]),
            (br#""\x41\xfF\n\r\t\b\a\"\q\\""#, &["A\\xff\\n\\r\\t\\x08\\x07\\\"q\\\\"]),
            (br#""\xZ1\x4""#, &["xZ1x4"]),
            (br#"'\x41\'\n'"#, &["\\\\x41\\'\\\\n"]),
            (br#"name:"two words" x"#, &["name:two words", "x"]),
        ] {
            assert_eq!(
                words(line).as_deref(),
                Some(expected.iter().map(ToString::to_string).collect::<Vec<_>>().as_slice()),
                "{}",
                line.escape_ascii()
            );
        }
    }

    #[test]
    fn quotes_are_closed_at_the_end_of_a_word() {
        for line in
            [&br#"SET "a"#[..], b"SET 'a", br#"SET "a"b"#, br"SET 'a'b", br#"""""#, br#""\"#, br#"a"b"c"#]
        {
            assert_eq!(words(line), None, "{}", line.escape_ascii());
        }
    }
}
