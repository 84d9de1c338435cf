//! All rules of a board as one value, for another board to begin with.

use super::Board;
use crate::campaign::{Campaign, VotingChanges};
use crate::schema::Schema;
use crate::view::{Kind, Spec};

/// The rules of a board, whole: its members and candidates are no part of them.
#[derive(Debug, Clone)]
pub struct Rules {
    /// How scores change and are ordered.
    pub schema: Schema,
    /// Its views, the default one first.
    pub specs: Vec<Spec>,
    /// The rules of votes, as changes of a board that has none.
    pub voting: VotingChanges,
}

impl Default for Rules {
    fn default() -> Self {
        let specs = vec![Spec::new(Kind::All)];
        Self { schema: Schema::default(), specs, voting: VotingChanges::default() }
    }
}

impl Board {
    /// All its rules.
    #[must_use]
    pub fn rules(&self) -> Rules {
        Rules {
            schema: self.schema.clone(),
            specs: self.specs().copied().collect(),
            voting: self.campaign().map(Campaign::rules).unwrap_or_default(),
        }
    }
}
