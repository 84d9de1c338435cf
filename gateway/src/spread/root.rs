//! What is known of a spread board: its root's rules.

use leaderboard_core::Schema;
use leaderboard_core::parts::Parts;
use leaderboard_core::view::Spec;

/// A spread board, as its root tells.
#[derive(Debug, Clone)]
pub struct Root {
    /// Its name: the key of the root.
    pub name: Vec<u8>,
    /// How many parts it has.
    pub parts: Parts,
    /// The hash of its rules, which all parts must have.
    pub hash: u64,
    /// How scores change, are ordered and written, and where periods begin.
    pub schema: Schema,
    /// Its views, the default one first.
    pub specs: Vec<Spec>,
}
