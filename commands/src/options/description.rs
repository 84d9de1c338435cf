//! What programs outside this crate read of an option.

use super::{Declared, List};
use crate::syntax::{self, Part};

/// An option of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionDescription {
    /// Its word, or the words that exclude each other.
    pub words: &'static [&'static str],
    /// Its value; empty for a flag.
    pub value: Vec<Part>,
    /// Whether the command fails without it.
    pub required: bool,
    /// Whether the option may come more than once in a call.
    pub repeats: bool,
    /// Whether it is accepted without an effect for clients.
    pub hidden: bool,
    /// Whether it is for one server alone.
    pub local: bool,
}

impl OptionDescription {
    fn of(option: &dyn Declared) -> Self {
        Self {
            words: option.words(),
            value: syntax::parse(option.value()),
            required: option.is_required(),
            repeats: option.repeats().is_some(),
            hidden: option.syntax().is_none(),
            local: option.is_local(),
        }
    }

    /// The options of a list.
    pub fn all(options: List) -> impl Iterator<Item = Self> {
        options.iter().map(|option| Self::of(*option))
    }
}
