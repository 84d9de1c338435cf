//! Why a command is refused: what the core says, and what only the shell can know.

use leaderboard_core::Error;

/// Why a command was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Something is wrong with it, or with what it asks of the board.
    Invalid(Error),
    /// Too few arguments, or too many.
    Arity,
    /// The key holds another type.
    WrongType,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Invalid(error)
    }
}
