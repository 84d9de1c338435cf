//! What went wrong, as far as a program goes on in another way.

use redis::{ErrorKind, RedisError};

/// The kinds of errors between which a program distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The board exists already.
    BoardExists,
    /// The command needs a board, and there is none.
    NoBoard,
    /// The key holds another type.
    WrongType,
    /// The request id was used before, for a different write that was applied. The present write was not applied.
    RequestReused,
    /// The key is not the part of a board that the write asks for with `PARTS`.
    NoPart,
    /// The command is wrong, or the rules of the board refuse it. The same command fails again.
    Refused,
    /// No answer came, or the server cannot do the request now. If no answer came, a write may have been applied:
    /// send it again with its request id.
    Unavailable,
    /// The user may not do this, or did not log in.
    Denied,
    /// Anything else, such as a reply of another form.
    Other,
}

/// The kind of an error. The error of a pipeline has the kind of the first error among its commands.
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
        "NOPART" => Kind::NoPart,
        "ERR" => Kind::Refused,
        "MOVED" | "ASK" | "LOADING" | "CLUSTERDOWN" | "MASTERDOWN" | "READONLY" | "TRYAGAIN" | "BUSY"
        | "OOM" | "MISCONF" | "NOREPLICAS" | "PARTSDOWN" | "UNKNOWN" => Kind::Unavailable,
        "NOAUTH" | "NOPERM" | "WRONGPASS" => Kind::Denied,
        _ => Kind::Other,
    }
}
