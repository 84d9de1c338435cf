//! Ids of requests that the console makes by itself.

use crate::problem::Problem;

/// Returns an id that nobody has used: 32 hexadecimal digits.
///
/// # Errors
/// 500 if the system has no random bytes.
pub fn fresh_id() -> Result<String, Problem> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Problem::internal(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
