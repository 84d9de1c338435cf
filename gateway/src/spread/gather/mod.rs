//! Gathering: asking the parts of a board, and making one answer of theirs.

use redis::Value;
use tokio::time::Instant;

use super::asked::Asked;
use super::root::Root;
use crate::nodes::{Sender, Transport};

/// Why a read has no answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Refused {
    /// So many of the parts did not answer.
    PartsDown { silent: u16, parts: u16 },
    /// A part is not what the root says. Who asks the root again may try once more.
    Disagree(Disagreement),
    /// The error of a part, as it is.
    Server(Value),
    /// The text of an error, its code in front.
    Invalid(String),
}

/// How a part differs from what the root says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disagreement {
    /// The key of this part is absent, or no part of this board.
    Gone(u16),
    /// It is a part of a board of another number of parts, or has another number.
    Other(u16),
    /// Its rules are others.
    Rules(u16),
}

/// Carries out a read over all parts of a board.
///
/// # Errors
/// See [`Refused`].
pub async fn read<T: Transport>(
    _sender: &Sender<T>,
    _root: &Root,
    asked: &Asked<'_>,
    _deadline: Instant,
) -> Result<Value, Refused> {
    Err(Refused::Invalid(format!("ERR {} is not gathered", asked.row.name)))
}
