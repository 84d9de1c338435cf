//! The reasons why a command is refused: errors of the core, and errors that only the server can find.

use leaderboard_core::Error;

/// The reason why a command is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The arguments are wrong, or the board refuses them.
    Invalid(Error),
    /// Too few or too many arguments.
    Arity,
    /// The key holds a value of another type.
    WrongType,
    /// The result would take more memory than the server may use.
    OutOfMemory,
    /// The server itself refuses the command, with this error, which begins with its code.
    OfServer(&'static str),
}

impl Refusal {
    /// Returns the text of the error after its code; `None` for the server's own error.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Invalid(error) => Some(format!("{} {error}", Code::of(error).word())),
            Self::WrongType => {
                Some("WRONGTYPE Operation against a key holding the wrong kind of value".to_owned())
            }
            Self::OutOfMemory => Some("OOM command not allowed when used memory > 'maxmemory'.".to_owned()),
            Self::OfServer(text) => Some((*text).to_owned()),
            Self::Arity => None,
        }
    }
}

/// The code of an error: the first word of its text. Programs use it to distinguish errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// Any error that has no other code.
    Err,
    /// [`Refusal::WrongType`].
    WrongType,
    /// [`Refusal::OutOfMemory`].
    OutOfMemory,
    /// [`Error::Loading`].
    Loading,
    /// [`Error::BoardExists`].
    BoardExists,
    /// [`Error::NoSuchBoard`].
    NoBoard,
    /// [`Error::RequestReused`].
    IdReused,
    /// [`Error::NoPart`] or [`Error::NotAPart`].
    NoPart,
    /// [`Error::Stale`].
    Stale,
    /// [`Error::Held`].
    TryAgain,
    /// [`Error::HeldBack`].
    HeldBack,
}

impl Code {
    /// All codes.
    pub const ALL: [Self; 11] = [
        Self::Err,
        Self::WrongType,
        Self::OutOfMemory,
        Self::Loading,
        Self::BoardExists,
        Self::NoBoard,
        Self::IdReused,
        Self::NoPart,
        Self::Stale,
        Self::TryAgain,
        Self::HeldBack,
    ];

    /// Returns the word of the code.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Err => "ERR",
            Self::WrongType => "WRONGTYPE",
            Self::OutOfMemory => "OOM",
            Self::Loading => "LOADING",
            Self::BoardExists => "BOARDEXISTS",
            Self::NoBoard => "NOBOARD",
            Self::IdReused => "IDREUSED",
            Self::NoPart => "NOPART",
            Self::Stale => "STALE",
            Self::TryAgain => "TRYAGAIN",
            Self::HeldBack => "HELDBACK",
        }
    }

    /// Returns a description of the code for programs.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Err => "The command is wrong. The text names the argument. Nothing has changed.",
            Self::WrongType => "The key holds a value of another type.",
            Self::OutOfMemory => "The server may use no more memory. Nothing has changed.",
            Self::Loading => "The server, or this key, is being loaded. Try again.",
            Self::BoardExists => "The key holds a board already.",
            Self::NoBoard => "The key holds no board, and the command makes none.",
            Self::IdReused => "The request id belongs to a request with other contents. Nothing has changed.",
            Self::NoPart => "The key does not hold the part of a board that was asked for.",
            Self::Stale => "Another gateway has changed the board since this one read its root.",
            Self::TryAgain => {
                "The part of a board is being split or merged, and takes writes again soon. Try again."
            }
            Self::HeldBack => {
                "A rule of the board holds the write back: its name, and the ms after which the write can pass (-1: waiting does not \
                 help). Nothing has changed."
            }
        }
    }

    const fn of(error: &Error) -> Self {
        match error {
            Error::BoardExists => Self::BoardExists,
            Error::NoSuchBoard => Self::NoBoard,
            Error::RequestReused => Self::IdReused,
            Error::NoPart(_) | Error::NotAPart => Self::NoPart,
            Error::Stale(_) => Self::Stale,
            Error::Held => Self::TryAgain,
            Error::HeldBack(..) => Self::HeldBack,
            Error::Loading => Self::Loading,
            _ => Self::Err,
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Invalid(error)
    }
}
