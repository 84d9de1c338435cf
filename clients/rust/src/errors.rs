//! The kinds of errors that a program handles in different ways.

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
    /// The key is not the part of a board that the option `PARTS` of the write names.
    NoPart,
    /// The command is wrong, or the rules of the board refuse it. The same command will fail again.
    Refused,
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
