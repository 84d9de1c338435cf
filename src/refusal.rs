//! Why a command is refused: errors of the core, and errors that only the shell can see.

use leaderboard_core::Error;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The arguments are wrong, or the board refuses them.
    Invalid(Error),
    /// Too few or too many arguments.
    Arity,
    /// The key holds another type.
    WrongType,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Invalid(error)
    }
}
