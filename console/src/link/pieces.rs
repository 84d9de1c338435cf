//! Large replies are asked for in pieces, so that the server never builds more than one piece for a request at a time.
//! For rows with texts, the first piece is the rows, which all come from one moment; the next pieces are the texts, a
//! number of members at a time. For commands with independent members, each piece is a number of members. Several
//! commands are split into groups that are sent one after the other.

use redis::{Arg, Cmd, Value};

use crate::link::Words;
use crate::share::ROOM;
use leaderboard_proxy::asked::{Asked, Row};
use leaderboard_proxy::size::{Size, TEXT, largest};

/// The number of texts in one piece.
const TEXTS: usize = (ROOM / TEXT) as usize;

/// The words of a command.
pub fn words(command: &Cmd) -> Words {
    let word = |word: Arg<&[u8]>| match word {
        Arg::Simple(word) => word.to_vec(),
        _ => Vec::new(),
    };
    command.args_iter().map(word).collect()
}

/// How a command is asked.
#[derive(Debug, PartialEq)]
pub enum Plan {
    /// The command is sent unchanged.
    Whole,
    /// The rows are asked for first, and their texts later.
    TextsLater { rows: Words },
    /// Each piece asks for a part of the members, one piece after the other.
    Members { pieces: Vec<Words> },
}

impl Plan {
    /// The plan for a command whose reply has at most this size.
    pub fn of(words: &[Vec<u8>], size: Size) -> Self {
        let row = words.first().and_then(|name| Row::of(name));
        let asked = row.filter(|_| size.bytes > ROOM).and_then(|row| Asked::read(row, words).ok());
        let Some(asked) = asked else { return Self::Whole };
        match asked.row.name {
            "LB.TOP" | "LB.RANGE" | "LB.RANGEBYSCORE" | "LB.AROUND" | "LB.AMONG" if asked.has("WITHMETA") => {
                Self::TextsLater { rows: rebuilt(&asked, asked.members(), false) }
            }
            "LB.MSCORE" | "LB.MSTANDING" => {
                let each = size.bytes.checked_div(size.rows).unwrap_or(size.bytes).max(1);
                let count = usize::try_from(ROOM.checked_div(each).unwrap_or(1)).unwrap_or(usize::MAX).max(1);
                let piece = |members: &[Vec<u8>]| rebuilt(&asked, members, true);
                Self::Members { pieces: asked.members().chunks(count).map(piece).collect() }
            }
            _ => Self::Whole,
        }
    }
}

/// The command with these members, either with texts or without texts.
fn rebuilt(asked: &Asked<'_>, members: &[Vec<u8>], has_texts: bool) -> Words {
    let mut words = vec![asked.row.name.as_bytes().to_vec(), asked.key.to_vec()];
    words.extend_from_slice(asked.fixed);
    for given in &asked.options {
        match given.word() {
            "WITHMETA" if !has_texts => {}
            "MEMBERS" => words.extend(listed(members)),
            word => {
                words.push(word.as_bytes().to_vec());
                words.extend_from_slice(given.values);
            }
        }
    }
    words
}

fn listed(members: &[Vec<u8>]) -> Words {
    let mut words = vec![b"MEMBERS".to_vec(), members.len().to_string().into_bytes()];
    words.extend_from_slice(members);
    words
}

/// The commands that ask for the texts of the members of these rows, in pieces. The rows are the reply to `command`.
pub fn texts_of(command: &[Vec<u8>], rows: &Value) -> Vec<Words> {
    let names = names(rows);
    let key = command.get(1).cloned().unwrap_or_default();
    let ask = |names: &[Vec<u8>]| {
        let mut words = vec![b"LB.MGETMETA".to_vec(), key.clone()];
        words.extend(listed(names));
        words
    };
    names.chunks(TEXTS).map(ask).collect()
}

/// The names of the members of rows: the value after the rank in each row.
fn names(rows: &Value) -> Words {
    let Value::Array(rows) = rows else { return Vec::new() };
    let name = |row: &Value| match row {
        Value::Array(row) => row.get(1).and_then(|name| redis::from_redis_value_ref(name).ok()),
        _ => None,
    };
    rows.iter().map(|row| name(row).unwrap_or_default()).collect()
}

/// The rows, each followed by its text.
pub fn with_texts(rows: Value, texts: Value) -> Value {
    let (Value::Array(mut rows), Value::Array(texts)) = (rows, texts) else { return Value::Nil };
    for (row, text) in rows.iter_mut().zip(texts) {
        if let Value::Array(row) = row {
            row.push(text);
        }
    }
    Value::Array(rows)
}

/// The approximate size of a reply in bytes.
pub fn weight(reply: &Value) -> u64 {
    match reply {
        Value::BulkString(bytes) => u64::try_from(bytes.len()).unwrap_or(u64::MAX).saturating_add(16),
        Value::Array(items) => items.iter().map(weight).fold(16, u64::saturating_add),
        _ => 16,
    }
}

/// Splits commands into pieces. The replies of one piece together are small enough to be sent together.
pub fn in_turn(commands: Vec<Words>) -> Vec<Vec<(Words, Size)>> {
    let (mut pieces, mut bytes) = (Vec::<Vec<_>>::new(), u64::MAX);
    for command in commands {
        let size = largest(&command);
        bytes = bytes.saturating_add(size.bytes);
        match pieces.last_mut() {
            Some(piece) if bytes <= ROOM => piece.push((command, size)),
            _ => {
                pieces.push(vec![(command, size)]);
                bytes = size.bytes;
            }
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use leaderboard_commands::table::{Command, commands};
    use leaderboard_testkit::calls::shortest;

    use super::*;

    fn split(text: &str) -> Words {
        text.split(' ').map(|word| word.as_bytes().to_vec()).collect()
    }

    fn text(words: &Words) -> String {
        words.iter().map(|word| String::from_utf8_lossy(word)).collect::<Vec<_>>().join(" ")
    }

    fn plan(command: &str) -> Plan {
        let words = split(command);
        Plan::of(&words, largest(&words))
    }

    #[test]
    fn small_replies_come_whole() {
        for command in ["LB.TOP b 100 WITHMETA", "LB.TOP b 1000", "LB.MSCORE b MEMBERS 1 a WITHMETA", "GET a"]
        {
            assert_eq!(plan(command), Plan::Whole, "{command}");
        }
    }

    #[test]
    fn every_list_with_texts_can_come_in_pieces() {
        let has_texts = |(with, shape): &(&str, &str)| *with == "WITHMETA" && shape.contains("...");
        let all = commands().filter(|command: &&Command| command.shapes.iter().any(has_texts));
        // The console asks for the texts of members that it has found by LB.MGETMETA.
        for command in all.filter(|command| command.name != c"LB.FIND") {
            let words = [shortest(command, "b"), split("WITHMETA")].concat();
            let size = Size { rows: 1, bytes: ROOM + 1 };
            assert_ne!(Plan::of(&words, size), Plan::Whole, "{}", text(&words));
        }
    }

    #[test]
    fn texts_of_many_rows_come_later() {
        for (command, without) in [
            ("LB.TOP b 1000 OFFSET 7 WITHMETA VIEW day", "LB.TOP b 1000 OFFSET 7 VIEW day"),
            ("LB.RANGE b 1 900 WITHMETA", "LB.RANGE b 1 900"),
            ("LB.AROUND b ann 400 WITHMETA", "LB.AROUND b ann 400"),
        ] {
            assert_eq!(plan(command), Plan::TextsLater { rows: split(without) });
        }
    }

    #[test]
    fn many_members_come_some_after_the_other() {
        let names: Vec<_> = (0..1_000).map(|number| format!("m{number}")).collect();
        let all = names.join(" ");
        let Plan::Members { pieces } = plan(&format!("LB.MSCORE b REAL MEMBERS 1000 {all} WITHMETA")) else {
            panic!("it is too large for one piece");
        };
        assert!(pieces.len() > 1);
        assert!(pieces.iter().all(|piece| largest(piece).bytes <= ROOM));
        let read: Vec<_> =
            pieces.iter().flat_map(|piece| piece[5..piece.len() - 1].iter().cloned()).collect();
        assert_eq!(text(&read), all);
        assert!(text(&pieces[0]).starts_with("LB.MSCORE b REAL MEMBERS 120 m0 m1 "), "{}", text(&pieces[0]));
    }

    #[test]
    fn commands_that_go_together_fit_a_piece() {
        let commands = |count: usize, of: &str| vec![split(of); count];
        let pieces = in_turn(commands(100, "LB.TOP b 100 WITHMETA"));
        assert!(pieces.len() > 10);
        assert_eq!(pieces.iter().map(Vec::len).sum::<usize>(), 100);
        assert_eq!(in_turn(commands(100, "LB.ADD b 1 a")).len(), 1);
        assert_eq!(in_turn(commands(2, "LB.TOP b 1000 WITHMETA")).len(), 2, "one that is larger goes alone");
    }

    #[test]
    fn rows_get_their_texts() {
        let bulk = |text: &str| Value::BulkString(text.into());
        let row = |name: &str| vec![Value::Int(1), bulk(name), Value::Int(5)];
        let rows = Value::Array(vec![Value::Array(row("ann")), Value::Array(row("bob"))]);
        let asked = |rows| texts_of(&split("LB.TOP b 2 WITHMETA"), rows);
        assert_eq!(asked(&rows), [split("LB.MGETMETA b MEMBERS 2 ann bob")]);
        assert!(asked(&Value::Array(Vec::new())).is_empty());
        let whole = with_texts(rows, Value::Array(vec![bulk("A"), Value::Nil]));
        let with = |name, text| Value::Array([row(name), vec![text]].concat());
        assert_eq!(whole, Value::Array(vec![with("ann", bulk("A")), with("bob", Value::Nil)]));
    }
}
