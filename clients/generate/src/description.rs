//! The description of all commands, as `docs/commands.json` has it.

use serde::Deserialize;

/// All commands and codes of errors.
#[derive(Debug, Deserialize)]
pub struct Description {
    /// The version of the module.
    pub version: String,
    /// The codes of errors.
    pub errors: Vec<ErrorCode>,
    /// The commands.
    pub commands: Vec<Command>,
}

/// A code of errors.
#[derive(Debug, Deserialize)]
pub struct ErrorCode {
    /// The first word of the error.
    pub code: String,
}

/// A command.
#[derive(Debug, Deserialize)]
pub struct Command {
    /// The name.
    pub name: String,
    /// What it does, in one sentence.
    pub summary: String,
    /// Its cost.
    pub complexity: String,
    /// `read` or `write`.
    pub access: String,
    /// How it works on a board over many nodes. `by-gateway`: a server refuses it.
    pub over_parts: String,
    /// Whether only servers and gateways send it.
    #[serde(default)]
    pub internal: bool,
    /// The arguments before the options.
    pub arguments: Vec<Argument>,
    /// The options.
    pub options: Vec<Choice>,
    /// The arguments after the options.
    pub list: Vec<Argument>,
    /// The shapes of its reply.
    pub shapes: Vec<Variant>,
    /// What it replies, in words.
    pub reply: String,
    /// Details, in words.
    #[serde(default)]
    pub notes: String,
}

/// The type of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A key.
    Key,
    /// Any string.
    Text,
    /// A whole number.
    Integer,
    /// A decimal number.
    Number,
    /// A moment in milliseconds.
    Time,
    /// A word without a value.
    Token,
    /// One of several arguments.
    OneOf,
    /// Several arguments in a row.
    Block,
}

/// An argument, or a value of an option.
#[derive(Debug, Clone, Deserialize)]
pub struct Argument {
    /// The name.
    pub name: String,
    /// The type.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// The word before it.
    pub token: Option<String>,
    /// Whether a call may omit it.
    #[serde(default)]
    pub optional: bool,
    /// Whether it may repeat.
    #[serde(default)]
    pub multiple: bool,
    /// The choices, or the arguments in a row.
    #[serde(default)]
    pub of: Vec<Self>,
}

/// An option.
#[derive(Debug, Deserialize)]
pub struct Choice {
    /// Its word, or words that exclude each other.
    pub words: Vec<String>,
    /// Its values; empty for a flag.
    pub value: Vec<Argument>,
    /// Whether each call has it.
    #[serde(default)]
    pub required: bool,
    /// Whether a call may have it several times.
    #[serde(default)]
    pub repeats: bool,
    /// Whether it has no effect.
    #[serde(default)]
    pub hidden: bool,
    /// Whether only gateways send it.
    #[serde(default)]
    pub by_gateway: bool,
}

/// The shape of the reply to calls with these options.
#[derive(Debug, Deserialize)]
pub struct Variant {
    /// The words of the options.
    #[serde(default)]
    pub with: Vec<String>,
    /// The shape.
    pub is: Shape,
}

/// The shape of a reply.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Shape {
    /// A single value.
    Scalar(Scalar),
    /// This shape or nil.
    OrNil {
        /// The shape.
        or_nil: Box<Self>,
    },
    /// An array of these elements, and then of others that repeat.
    Array {
        /// The elements.
        array: Vec<Field>,
        /// The elements that repeat.
        #[serde(default)]
        rest: Vec<Field>,
    },
    /// A map with these names.
    Map {
        /// The names and the shapes of their values.
        map: Vec<Field>,
    },
    /// A map with any names.
    MapOf {
        /// The shape of the values.
        map_of: Box<Self>,
    },
    /// One of several shapes.
    OneOf {
        /// The shapes.
        one_of: Vec<Self>,
    },
}

/// A single value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scalar {
    /// The text OK.
    Ok,
    /// A whole number below 2^53.
    Int,
    /// A whole number of up to 64 bits.
    Big,
    /// 0 or 1.
    Flag,
    /// A moment or a time in milliseconds.
    Ms,
    /// From 1.
    Rank,
    /// Any string.
    Text,
    /// A decimal number in a string.
    Decimal,
    /// Rows in one string.
    Rows,
    /// A whole number, or a string.
    Score,
}

/// An element of an array or a map.
#[derive(Debug, Clone, Deserialize)]
pub struct Field {
    /// The name; empty for the only element that repeats.
    pub name: String,
    /// The shape of the value.
    pub is: Shape,
}
