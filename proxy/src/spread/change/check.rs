//! Checks a whole list before the parts of the board get their shares of it. If each part checked only its own share,
//! one part could refuse its share after other parts have applied theirs.

use leaderboard_core::integer::natural;
use leaderboard_core::{Amount, Error, MAX_NAME};

use crate::spread::asked::Asked;
use crate::spread::root::Root;

/// Checks the numbers and the names of a list.
///
/// # Errors
/// The error that the module would return.
pub fn list(root: &Root, asked: &Asked<'_>) -> Result<(), Error> {
    asked.pairs().try_for_each(|(number, member)| {
        match asked.row.name {
            "LB.MVOTE" => votes(number)?,
            "LB.MSET" => amount(root, number, "score")?,
            _ => amount(root, number, "points")?,
        }
        if member.is_empty() || member.len() > MAX_NAME {
            Err(Error::Length("member", MAX_NAME))
        } else {
            Ok(())
        }
    })
}

fn amount(root: &Root, number: &[u8], argument: &'static str) -> Result<(), Error> {
    Amount::parse(number, argument)?.to_score(&root.schema, argument).map(|_| ())
}

fn votes(number: &[u8]) -> Result<(), Error> {
    match natural(number, "votes")? {
        0 => Err(Error::OutOfRange("votes")),
        _ => Ok(()),
    }
}
