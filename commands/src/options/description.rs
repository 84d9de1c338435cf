//! The data of an option that programs outside this crate read.

use super::{Declared, List};
use crate::syntax::{self, Part};

/// An option of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionDescription {
    /// The option's word, or the words that exclude each other.
    pub words: &'static [&'static str],
    /// The option's value; empty for a flag.
    pub value: Vec<Part>,
    /// The same as the syntax that errors show.
    pub syntax: &'static str,
    /// Whether the command fails without the option.
    pub required: bool,
    /// Whether the option may come more than once in a call.
    pub repeats: bool,
    /// Whether clients may send the option without an effect.
    pub hidden: bool,
    /// Whether only the gateway sends the option.
    pub by_gateway: bool,
}

impl OptionDescription {
    fn of(option: &dyn Declared) -> Self {
        Self {
            words: option.words(),
            value: syntax::parse(option.value()),
            syntax: option.value(),
            required: option.is_required(),
            repeats: option.repeats().is_some(),
            hidden: option.syntax().is_none(),
            by_gateway: option.is_by_gateway(),
        }
    }

    /// Returns the options of a list.
    pub fn all(options: List) -> impl Iterator<Item = Self> {
        options.iter().map(|option| Self::of(*option))
    }
}
