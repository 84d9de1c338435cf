//! How much the requests of one token, or of one session without a token, may ask for.

use std::num::NonZeroU32;

use clap::Args;
use serde::{Deserialize, Serialize};

/// The limits of a token. An absent one is that of all tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[group(skip)]
pub struct Limits {
    /// How many requests the token may send in a second.
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<NonZeroU32>,

    /// How many live streams the token can have open at once.
    #[arg(long, value_name = "N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub streams: Option<u32>,
}

impl Limits {
    /// Whether the token has no limits of its own.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// These limits, and those of `others` that are absent here.
    pub fn or(self, others: Self) -> Self {
        Self { rate: self.rate.or(others.rate), streams: self.streams.or(others.streams) }
    }
}
