//! Splits commands that came together, so that the replies of one piece are written before the next piece is carried
//! out. The size of most replies has a bound that follows from the command.

use super::request::Words;
use crate::asked::Row;
use crate::size::largest;

/// The maximum number of bytes of the replies to one piece, by the bounds of its commands.
const MOST: u64 = 4 << 20;
/// A command whose reply can be larger than this is a piece of its own. Memory for the reply is taken before the
/// command is carried out.
const LARGE: u64 = 1 << 20;

/// Commands that are carried out together.
#[derive(Debug, PartialEq, Eq)]
pub struct Piece {
    pub commands: Vec<Words>,
    /// The maximum number of bytes of the reply, if the piece is one command with a large reply; else 0.
    pub reserved: u64,
}

/// Splits commands. Their order stays the same.
pub fn split(commands: Vec<Words>) -> Vec<Piece> {
    let (mut pieces, mut small, mut bytes) = (Vec::new(), Vec::new(), 0_u64);
    for words in commands {
        let bound = bound(&words);
        if bound > LARGE || bytes.saturating_add(bound) > MOST {
            pieces.push(Piece { commands: std::mem::take(&mut small), reserved: 0 });
            bytes = 0;
        }
        if bound > LARGE {
            pieces.push(Piece { commands: vec![words], reserved: bound });
        } else {
            bytes = bytes.saturating_add(bound);
            small.push(words);
        }
    }
    pieces.push(Piece { commands: small, reserved: 0 });
    pieces.retain(|piece| !piece.commands.is_empty());
    pieces
}

/// Returns the maximum number of bytes of the reply to a command. It is 0 for writes, which have short replies, and for
/// commands of the server itself, whose replies have no known bound.
fn bound(words: &Words) -> u64 {
    match words.first().and_then(|name| Row::any(name)) {
        Some(row) if row.command.only_reads() => largest(words).bytes,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(lines: &[&str]) -> Vec<(Vec<String>, bool)> {
        let words = |line: &&str| line.split(' ').map(|word| word.as_bytes().to_vec()).collect();
        let line = |words: &Words| String::from_utf8(words.join(&b' ')).unwrap();
        let pieces = split(lines.iter().map(words).collect());
        pieces.iter().map(|piece| (piece.commands.iter().map(line).collect(), piece.reserved > 0)).collect()
    }

    #[test]
    fn large_replies_come_alone() {
        let lines =
            ["LB.ADD b 1 a", "LB.TOP b 10", "LB.TOP b 100000", "LB.RANGE b 1 -1", "GET x", "LB.RANK b a"];
        let of = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            shown(&lines),
            [
                (of(&lines[..2]), false),
                (of(&lines[2..3]), true),
                (of(&lines[3..4]), true),
                (of(&lines[4..]), false),
            ]
        );
        assert!(split(Vec::new()).is_empty());
    }

    #[test]
    fn many_replies_of_a_middle_size_are_split() {
        let pieces = shown(&["LB.TOP b 1000"; 10]);
        assert!(pieces.len() > 1 && pieces.iter().all(|(lines, is_large)| lines.len() > 1 && !is_large));
        assert_eq!(pieces.iter().map(|(lines, _)| lines.len()).sum::<usize>(), 10);
        assert_eq!(shown(&["LB.ADD b 1 a"; 1_024]).len(), 1);
    }
}
