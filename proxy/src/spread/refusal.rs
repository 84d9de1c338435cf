//! Errors of the gateway itself, in the same form as errors of a server.

use std::time::Duration;

use leaderboard_commands::table::OverParts;
use redis::Value;

use crate::nodes::CommandError;
use crate::spread::asked::Row;
use crate::spread::gather::{Disagreement, Refused};
use crate::spread::layout::Layout;

/// Returns an error with this text, which begins with the code of the error.
pub fn error(text: &str) -> Value {
    let line: String = text.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    // The client library can only create an error by reading it as the answer of a server.
    redis::parse_redis_value(format!("-{line}\r\n").as_bytes()).unwrap_or_default()
}

/// Returns the error when `silent` parts of a board did not answer.
pub fn parts_down(silent: usize, parts: impl Into<Layout>) -> Value {
    error(&format!("PARTSDOWN {silent} of {} parts did not answer", parts.into().count()))
}

/// Returns the error when no server has answered whether a key has a root.
pub fn root_down() -> Value {
    error("PARTSDOWN the root of the board did not answer")
}

/// Returns the error of a command to a key that was a plain board and a root by turns, each time the other one than the
/// gateway had found.
pub fn root_changes() -> Value {
    error("PARTSDOWN the root of the board changes: repeat it")
}

/// Returns the error of a command that was not carried out because the gateway has too much to do. The client may try
/// again after this time.
pub fn busy(again: Duration) -> Value {
    error(&format!("BUSY the gateway asks as many parts as it may: try again in {} ms", again.as_millis()))
}

/// Returns the code of an error, if the error is not about the command or the board but about the gateway and the
/// servers behind it.
pub fn failure(value: &Value) -> Option<&'static str> {
    let Value::ServerError(error) = value else { return None };
    ["PARTSDOWN", "BUSY", "UNKNOWN"].into_iter().find(|code| *code == error.code())
}

/// Returns the error of a write that may have been carried out, and that cannot be repeated.
pub fn unknown() -> Value {
    error("UNKNOWN the write may have been carried out: no answer came")
}

/// Returns the error of a write with an id that may have been carried out.
pub fn unknown_with_id() -> Value {
    error("UNKNOWN the write may have been carried out: no answer came: repeat it with its ID")
}

/// These words are in each error of a write that some parts may have carried out.
pub const OTHER_PARTS: &str = "other parts may have";

/// Returns the error of a write over several parts that may have been carried out by some of them.
pub fn unknown_in_part(silent: usize, parts: Layout, advice: &str) -> Value {
    error(&format!(
        "UNKNOWN {silent} of {} parts did not answer, and {OTHER_PARTS} carried out the write: {advice}",
        parts.count()
    ))
}

/// Returns the error of a command that has begun. Every gateway can finish it. `why` is the reason why it is not
/// finished. Errors that say more than `PARTSDOWN` stay as they are.
pub fn begun(why: Value) -> Value {
    match &why {
        Value::ServerError(reason) if reason.code() == "PARTSDOWN" => {
            let reason = reason.details().unwrap_or_default();
            // The other reasons name the command that mends the board.
            let advice = if reason.ends_with("did not answer") { ": repeat it" } else { "" };
            error(&format!("UNKNOWN the command has begun and is not finished: {reason}{advice}"))
        }
        _ => why,
    }
}

/// What a command changes if it is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The command only reads.
    Nothing,
    /// The command is a write with an id.
    OnceForId,
    /// The command is another write.
    Each,
}

/// Returns the error of a command to one key that got no answer. `parts` is given if the key is a part of a board.
pub fn unanswered(failure: &CommandError, parts: Option<Layout>, effect: Effect) -> Value {
    match (failure, effect, parts) {
        (CommandError::Unknown(_), Effect::Each, _) => unknown(),
        (CommandError::Unknown(_), Effect::OnceForId, _) => unknown_with_id(),
        (_, _, Some(parts)) => parts_down(1, parts),
        (CommandError::Silent(reason) | CommandError::Unknown(reason), _, None) => {
            error(&format!("PARTSDOWN no server answered: {reason}"))
        }
    }
}

/// Returns the error of a command that does not work for spread boards, with the reason.
pub fn not_over_parts(words: &[Vec<u8>]) -> Value {
    let row = words.first().and_then(|name| Row::any(name));
    let reason = match row.map(|row| row.command.over_parts) {
        Some(OverParts::Refused(reason)) => reason,
        // A command of the server.
        _ => "the board has several keys that belong together, and the command changes one of them",
    };
    error(&format!("ERR {} does not work over parts: {reason}", name(words)))
}

/// Returns the name of a command, in capital letters.
pub fn name(words: &[Vec<u8>]) -> String {
    let name = words.first().map(|name| name.to_ascii_uppercase()).unwrap_or_default();
    String::from_utf8_lossy(&name).into_owned()
}

/// Returns the reply to the client for the result of a gather.
pub fn reply(got: Result<Value, Refused>, parts: Layout) -> Value {
    match got {
        Ok(value) | Err(Refused::Server(value)) => value,
        Err(Refused::PartsDown { silent, .. }) => parts_down(silent.into(), parts),
        Err(Refused::Busy(again)) => busy(again),
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

/// Returns whether an error with this code says that a part cannot answer at present. The sender has already tried until
/// the deadline.
pub fn is_silence(code: &str) -> bool {
    ["MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "READONLY"].contains(&code)
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
