//! Why a command is refused: errors of the core, and errors that only the server can see.

use leaderboard_core::Error;

/// Why a command is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The arguments are wrong, or the board refuses them.
    Invalid(Error),
    /// Too few or too many arguments.
    Arity,
    /// The key holds another type.
    WrongType,
    /// The result would take more memory than the server may use.
    OutOfMemory,
}

impl Refusal {
    /// The text of an error that the module tells itself, behind its code.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Invalid(error) => Some(format!("{} {error}", code(error))),
            Self::WrongType => {
                Some("WRONGTYPE Operation against a key holding the wrong kind of value".to_owned())
            }
            Self::OutOfMemory => Some("OOM command not allowed when used memory > 'maxmemory'.".to_owned()),
            Self::Arity => None,
        }
    }
}

/// The code of an error: one of its own where programs go on in another way.
const fn code(error: &Error) -> &'static str {
    match error {
        Error::BoardExists => "BOARDEXISTS",
        Error::NoSuchBoard => "NOBOARD",
        Error::RequestReused => "IDREUSED",
        Error::NoPart(_) | Error::NotAPart => "NOPART",
        Error::Loading => "LOADING",
        _ => "ERR",
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Invalid(error)
    }
}
