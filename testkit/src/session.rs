//! Commands and their replies as lines of text: `LB.ADD board 5 ann => [5 1 1]`.
//!
//! In a command, `<300>` stands for a word of 300 bytes (`<0>` for the empty word). `\x` with two digits is a byte.
//! In a reply, arrays are in brackets, maps in braces, and bulk strings in quotes. Errors and statuses have no marks.

use redis::{Connection, Value};

use super::client::try_run;

/// Runs each line. If the line has an arrow, the reply must be equal to the text behind the arrow. Otherwise, the
/// reply must not be an error.
#[track_caller]
pub fn play(con: &mut Connection, session: &str) {
    for line in session.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (command, expected) = match line.split_once(" => ") {
            Some((command, expected)) => (command.trim(), Some(expected.trim())),
            None => (line, None),
        };
        let reply = try_run(con, &words(command));
        match expected {
            Some(expected) => assert_eq!(shown(&reply), expected, "{command}"),
            None => assert!(reply.is_ok(), "{command}: {reply:?}"),
        }
    }
}

/// Sends one command, and returns the reply as text.
pub fn say(con: &mut Connection, command: &str) -> String {
    shown(&try_run(con, &words(command)))
}

/// Returns an error as the server sends it: with its own code, or with the code `ERR`.
pub fn coded(error: &str) -> String {
    let has_code =
        ["BOARDEXISTS ", "NOBOARD ", "IDREUSED ", "NOPART "].iter().any(|code| error.starts_with(code));
    if has_code { error.to_owned() } else { format!("ERR {error}") }
}

/// Returns the words of a line as bytes.
pub fn words(line: &str) -> Vec<Vec<u8>> {
    line.split(' ').filter(|word| !word.is_empty()).map(word).collect()
}

fn word(text: &str) -> Vec<u8> {
    let length = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')?.parse().ok());
    if let Some(length) = length {
        return vec![b'm'; length];
    }
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).expect("two hexadecimal digits"));
        bytes.extend(rest.as_bytes());
    }
    bytes
}

/// Returns a reply as text.
pub fn shown(reply: &Result<Value, String>) -> String {
    match reply {
        Ok(value) => value_shown(value),
        Err(error) => error.clone(),
    }
}

fn value_shown(value: &Value) -> String {
    let list = |values: &[Value]| values.iter().map(value_shown).collect::<Vec<_>>().join(" ");
    match value {
        Value::Nil => "nil".to_owned(),
        Value::Int(number) => number.to_string(),
        Value::BulkString(bytes) => format!("\"{}\"", bytes.escape_ascii()),
        Value::SimpleString(text) => text.clone(),
        Value::Okay => "OK".to_owned(),
        Value::Array(values) => format!("[{}]", list(values)),
        Value::Map(pairs) => {
            let pairs =
                pairs.iter().map(|(name, value)| format!("{}: {}", value_shown(name), value_shown(value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
        Value::ServerError(error) => format!("{} {}", error.code(), error.details().unwrap_or_default()),
        other => format!("{other:?}"),
    }
}
