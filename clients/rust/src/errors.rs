//! The kinds of errors that a program handles in different ways.

use std::time::Duration;

use redis::{ErrorKind, RedisError};

/// The kind of an error. Each kind needs a different reaction of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The board exists already.
    BoardExists,
    /// The command needs a board, and the key is absent.
    NoBoard,
    /// The key holds a value of another type.
    WrongType,
    /// The request id was used before, for a different write that was applied. This write was not applied.
    RequestReused,
    /// A rule of the board holds the write back. [`held_back`] is which one. The write was not applied.
    HeldBack,
    /// The key is not the part of a board that the option `PARTS` of the write names.
    NoPart,
    /// The command is wrong, or the rules of the board refuse it. The same command will fail again.
    Refused,
    /// The server runs a script, or the gateway has too much to do. The command was not carried out: try again later.
    /// [`retry_after`] is when.
    Busy,
    /// No reply came, or the server cannot run the request now. If no reply came, the write may have been applied:
    /// send it again with its request id.
    Unavailable,
    /// The user does not have the right to do this, or did not log in.
    Denied,
    /// Any other error, such as a reply of an unexpected form.
    Other,
}

/// Returns the kind of an error. For the error of a pipeline, this is the kind of the first error among its commands.
pub fn kind(error: &RedisError) -> Kind {
    match error.kind() {
        ErrorKind::Io
        | ErrorKind::ClusterConnectionNotFound
        | ErrorKind::MasterNameNotFoundBySentinel
        | ErrorKind::NoValidReplicasFoundBySentinel => Kind::Unavailable,
        ErrorKind::AuthenticationFailed => Kind::Denied,
        _ => first_code(error).map_or(Kind::Other, |code| of_code(&code)),
    }
}

/// Returns after which time the gateway wants a command to be tried again, if this is its error
/// `BUSY … try again in N ms`.
pub fn retry_after(error: &RedisError) -> Option<Duration> {
    let errors = error.clone().into_server_errors()?;
    let (_, first) = errors.first().filter(|(_, error)| error.code() == "BUSY")?;
    let (_, wait) = first.details()?.rsplit_once("try again in ")?;
    wait.strip_suffix(" ms")?.parse().ok().map(Duration::from_millis)
}

/// The rule that holds a write of scores back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldBack {
    /// `closed`, `joined`, `bounds`, `full` or `attempts`.
    pub rule: String,
    /// After which time the write can pass; `None` if waiting does not help.
    pub wait: Option<Duration>,
}

/// Returns the rule that holds a write back, if this is the error `HELDBACK rule ms`.
pub fn held_back(error: &RedisError) -> Option<HeldBack> {
    let errors = error.clone().into_server_errors()?;
    let (_, first) = errors.first().filter(|(_, error)| error.code() == "HELDBACK")?;
    let (rule, wait) = first.details()?.split_once(' ')?;
    Some(HeldBack { rule: rule.to_owned(), wait: wait.parse().ok().map(Duration::from_millis) })
}

fn first_code(error: &RedisError) -> Option<String> {
    let errors = error.clone().into_server_errors()?;
    errors.first().map(|(_, error)| error.code().to_owned())
}

fn of_code(code: &str) -> Kind {
    match code {
        "BOARDEXISTS" => Kind::BoardExists,
        "NOBOARD" => Kind::NoBoard,
        "WRONGTYPE" => Kind::WrongType,
        "IDREUSED" => Kind::RequestReused,
        "HELDBACK" => Kind::HeldBack,
        "NOPART" => Kind::NoPart,
        "BUSY" => Kind::Busy,
        "ERR" => Kind::Refused,
        "MOVED" | "ASK" | "LOADING" | "CLUSTERDOWN" | "MASTERDOWN" | "READONLY" | "TRYAGAIN" | "OOM"
        | "MISCONF" | "NOREPLICAS" | "PARTSDOWN" | "UNKNOWN" => Kind::Unavailable,
        "NOAUTH" | "NOPERM" | "WRONGPASS" => Kind::Denied,
        _ => Kind::Other,
    }
}

#[cfg(test)]
mod tests {
    use redis::{Value, make_extension_error};

    use super::*;

    #[test]
    fn a_busy_gateway_says_when_to_try_again() {
        let error = |code: &str, text: &str| {
            let error = make_extension_error(code.to_owned(), Some(text.to_owned()));
            Value::ServerError(error.try_into().expect("an error of a server"))
                .extract_error()
                .expect_err("an error")
        };
        let busy = error("BUSY", "the gateway asks as many parts as it may: try again in 40 ms");
        assert_eq!((kind(&busy), retry_after(&busy)), (Kind::Busy, Some(Duration::from_millis(40))));
        let script = error("BUSY", "Redis is busy running a script.");
        assert_eq!((kind(&script), retry_after(&script)), (Kind::Busy, None));
        let held = error("HELDBACK", "attempts 1500");
        let wait = Some(Duration::from_millis(1_500));
        assert_eq!(
            (kind(&held), held_back(&held)),
            (Kind::HeldBack, Some(HeldBack { rule: "attempts".into(), wait }))
        );
        assert_eq!(held_back(&error("HELDBACK", "joined -1")).and_then(|held| held.wait), None);
        assert_eq!(held_back(&busy), None);
        let other = error("ERR", "try again in 40 ms");
        assert_eq!((kind(&other), retry_after(&other)), (Kind::Refused, None));
    }
}
