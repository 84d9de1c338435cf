//! Roles. Each role may do everything that the roles before it may do.

use serde::{Deserialize, Serialize};

/// What a caller may do, from the least to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Read.
    Viewer,
    /// Vote, in addition.
    Voter,
    /// Write scores, texts and options, hide members, play in leagues, count events, and change dates and limits of a
    /// campaign.
    Editor,
    /// Make, change and delete boards, remove members, and read the audit log.
    Admin,
}

impl Role {
    /// Its name in tokens files and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Voter => "voter",
            Self::Editor => "editor",
            Self::Admin => "admin",
        }
    }
}
