//! Errors of the gateway itself, in the same form as errors of a server.

use leaderboard_core::parts::Parts;
use redis::Value;

use crate::nodes::CommandError;
use crate::spread::gather::{Disagreement, Refused};

/// Returns an error with this text, which begins with the code of the error.
pub fn error(text: &str) -> Value {
    let line: String = text.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    // The client library can only create an error by reading it as the answer of a server.
    redis::parse_redis_value(format!("-{line}\r\n").as_bytes()).unwrap_or_default()
}

/// Returns the error when `silent` parts of a board did not answer.
pub fn parts_down(silent: usize, parts: Parts) -> Value {
    error(&format!("PARTSDOWN {silent} of {} parts did not answer", parts.count()))
}

/// Returns the error when no server has answered whether a key has a root.
pub fn root_down() -> Value {
    error("PARTSDOWN the root of the board did not answer")
}

/// Returns the error of a write that was sent and not answered, and that cannot be repeated.
pub fn unknown() -> Value {
    error("UNKNOWN the write may have been carried out: no answer came")
}

/// Returns the error of a command to one key that got no answer. `parts` is given if the key is a part of a board.
pub fn unanswered(failure: &CommandError, parts: Option<Parts>) -> Value {
    match (failure, parts) {
        (CommandError::Unknown(_), _) => unknown(),
        (CommandError::Silent(_), Some(parts)) => parts_down(1, parts),
        (CommandError::Silent(reason), None) => error(&format!("PARTSDOWN no server answered: {reason}")),
    }
}

/// Returns the error of a command that does not work for spread boards.
pub fn not_over_parts(words: &[Vec<u8>]) -> Value {
    error(&format!("ERR {} does not work over parts", name(words)))
}

/// Returns the name of a command, in capital letters.
pub fn name(words: &[Vec<u8>]) -> String {
    let name = words.first().map(|name| name.to_ascii_uppercase()).unwrap_or_default();
    String::from_utf8_lossy(&name).into_owned()
}

/// Returns the reply to the client for the result of a gather.
pub fn reply(got: Result<Value, Refused>, parts: Parts) -> Value {
    match got {
        Ok(value) | Err(Refused::Server(value)) => value,
        Err(Refused::PartsDown { silent, .. }) => parts_down(silent.into(), parts),
        Err(Refused::Invalid(text)) => error(&text),
        Err(Refused::Disagree(Disagreement::Gone(_))) => parts_down(1, parts),
        Err(Refused::Disagree(how)) => error(&format!("ERR the parts do not agree: {how}")),
    }
}

/// Returns the text of an error: its code and its message.
pub fn text(value: &Value) -> Option<String> {
    let Value::ServerError(error) = value else { return None };
    Some(format!("{} {}", error.code(), error.details().unwrap_or_default()))
}

/// Returns whether a command did nothing because its key has the rules of a spread board.
pub fn is_spread(value: &Value) -> bool {
    matches!(value, Value::ServerError(error)
        if error.details().is_some_and(says_spread))
}

/// Returns whether an error says that the board of the key is spread. `text` is the error without its code.
pub fn says_spread(text: &str) -> bool {
    text.starts_with("spread over ")
}

/// Returns whether a command did nothing because its key does not hold the part that the gateway expected. The key may
/// hold a value of another type.
pub fn is_no_part(value: &Value) -> bool {
    has_code(value, "NOPART") || is_wrong_type(value)
}

/// Returns whether a command did nothing because its member belongs to another part: the board has other parts than the
/// gateway assumed.
pub fn is_of_other_part(value: &Value) -> bool {
    matches!(value, Value::ServerError(error)
        if error.details().is_some_and(|text| text.starts_with("member belongs to part ")))
}

/// Returns whether a command did nothing because another gateway has changed the root or part before.
pub fn is_stale(value: &Value) -> bool {
    has_code(value, "STALE")
}

/// Returns whether a command did nothing because its key has no root any more: another client has deleted the board, and
/// a plain board followed.
pub fn is_no_root(value: &Value) -> bool {
    matches!(value, Value::ServerError(error)
        if error.details().is_some_and(|text| text.starts_with("the key is not the root of a board")))
}

/// Returns whether a key holds a value of another type.
pub fn is_wrong_type(value: &Value) -> bool {
    has_code(value, "WRONGTYPE")
}

/// Returns whether a command did nothing because its key is absent.
pub fn is_no_board(value: &Value) -> bool {
    has_code(value, "NOBOARD")
}

/// Returns whether a part does not have the view of a command.
pub fn is_no_view(value: &Value) -> bool {
    matches!(value, Value::ServerError(error)
        if error.details().is_some_and(|text| text.ends_with("is not a view of this board")))
}

/// Returns whether no server has answered whether a key has a root.
pub fn is_root_down(value: &Value) -> bool {
    *value == root_down()
}

/// Returns whether the user of a command may not use the command or the key.
pub fn is_forbidden(value: &Value) -> bool {
    has_code(value, "NOPERM")
}

fn has_code(value: &Value, code: &str) -> bool {
    matches!(value, Value::ServerError(error) if error.code() == code)
}

/// Returns whether an error shows that the key has no board: the key holds another type, or the server does not know
/// the commands of boards.
pub fn has_no_boards(value: &Value) -> bool {
    matches!(value, Value::ServerError(error) if error.code() == "WRONGTYPE"
        || error.details().is_some_and(|text| text.starts_with("unknown command")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_keep_their_codes_and_one_line() {
        assert_eq!(text(&error("NOPART the key\r\nis no part")).unwrap(), "NOPART the key??is no part");
        assert_eq!(text(&error("ERR no")).unwrap(), "ERR no");
        assert!(is_no_part(&error("NOPART the key is no part of 64")));
        assert!(is_spread(&error("ERR spread over 64 parts: use a gateway or LB.INFO")));
        assert!(!is_spread(&error("ERR the board does not exist")) && !is_spread(&Value::Nil));
    }
}
