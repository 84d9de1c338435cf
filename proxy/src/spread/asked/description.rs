//! The description of all commands, which comes from the module's table, and the rows that the gateway makes of it.

use serde::Deserialize;

use super::table::{FirstKey, List, Opt, Optional, Row, Value};

const COMMANDS: &str = include_str!("../../../../docs/commands.json");

/// A row for each command that is described. None if it is no description, which a test of the module excludes.
pub fn rows() -> Vec<Row> {
    let description: Description = serde_json::from_str(COMMANDS).unwrap_or_default();
    description.commands.into_iter().map(Row::from).collect()
}

/// How a command works over parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OverParts {
    Gathered,
    GatheredOrEstimated,
    Written,
    Changed,
    Listed,
    AsItIs,
    Refused,
}

/// What the gateway needs of it.
#[derive(Default, Deserialize)]
struct Description {
    commands: Vec<CommandDescription>,
}

#[derive(Deserialize)]
struct CommandDescription {
    name: String,
    access: String,
    keys: Vec<KeyDescription>,
    arguments: Vec<Argument>,
    options: Vec<OptionDescription>,
    list: Vec<Argument>,
    over_parts: OverParts,
}

#[derive(Deserialize)]
struct KeyDescription {
    at: Option<usize>,
    counted_behind: Option<String>,
}

#[derive(Deserialize)]
struct OptionDescription {
    words: Vec<String>,
    value: Vec<Argument>,
    #[serde(default)]
    required: bool,
    #[serde(default)]
    repeats: bool,
    #[serde(default)]
    local: bool,
}

#[derive(Deserialize)]
struct Argument {
    name: String,
    token: Option<String>,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    optional: bool,
    #[serde(default)]
    multiple: bool,
    #[serde(default)]
    of: Vec<Argument>,
}

impl Argument {
    /// The word that it begins with, if it does.
    fn word(&self) -> Option<&str> {
        self.token.as_deref().or_else(|| self.of.first()?.token.as_deref())
    }

    /// The fewest words that it takes.
    fn words(&self) -> usize {
        let value = match self.kind.as_str() {
            "token" => 0,
            "one-of" => self.of.iter().map(Self::words).min().unwrap_or(0),
            "block" => self.of.iter().map(Self::words).sum(),
            _ => 1,
        };
        value.saturating_add(usize::from(self.token.is_some()))
    }
}

/// How many words arguments take that need to be there.
fn words_of(arguments: &[Argument]) -> usize {
    arguments.iter().filter(|argument| !argument.optional).map(Argument::words).sum()
}

impl From<CommandDescription> for Row {
    fn from(command: CommandDescription) -> Self {
        let behind_key = command.arguments.get(1..).unwrap_or_default();
        let (fixed, optional) = (words_of(behind_key), behind_key.iter().find(|argument| argument.optional));
        let is_listed = command.options.is_empty() && optional.is_some_and(|argument| argument.multiple);
        let (fixed, optional, list) = match optional {
            _ if is_listed => (fixed.saturating_sub(1), Optional::Nothing, List::Members),
            Some(argument) if argument.multiple => (fixed, Optional::Any, list_of(&command.list)),
            Some(argument) => (fixed, Optional::Words(argument.words()), list_of(&command.list)),
            None => (fixed, Optional::Nothing, list_of(&command.list)),
        };
        Self {
            fixed,
            optional,
            list,
            options: command.options.into_iter().flat_map(options_of).collect(),
            over_parts: command.over_parts,
            only_reads: command.access == "read",
            key: first_key(&command.keys),
            name: command.name.leak(),
        }
    }
}

fn first_key(keys: &[KeyDescription]) -> FirstKey {
    let counted = keys.iter().find_map(|key| key.counted_behind.clone());
    let at = keys.iter().filter_map(|key| key.at).min();
    match (at, counted) {
        (None, Some(word)) => FirstKey::CountedBehind(word),
        (at, _) => FirstKey::At(at.unwrap_or(1)),
    }
}

fn list_of(list: &[Argument]) -> List {
    let several = |argument: &Argument| {
        let name = &argument.name;
        if name.ends_with('s') { name.clone() } else { format!("{name}s") }
    };
    let names: Vec<_> = list.iter().filter(|argument| !argument.optional).map(several).collect();
    if names.is_empty() { List::Nothing } else { List::Pairs(names.join(" and ").leak()) }
}

/// An option, as one for each of its words, and those that belong to it. What is for one server alone is left out: the
/// gateway adds it.
fn options_of(option: OptionDescription) -> Vec<Opt> {
    let OptionDescription { words, value, required, repeats, local } = option;
    let is_list = value.iter().any(|argument| argument.multiple && argument.word().is_none());
    let kind = if is_list { Value::Members } else { Value::Words(words_of(&value)) };
    let own = words.into_iter().map(|word| Opt { word: word.leak(), value: kind, repeats, required });
    let inner = value.iter().filter(|argument| argument.optional).filter_map(|argument| {
        let words = argument.words().saturating_sub(1);
        let word = argument.word()?.to_owned().leak();
        Some(Opt { word, value: Value::Words(words), repeats: argument.multiple, required: false })
    });
    if local { Vec::new() } else { own.chain(inner).collect() }
}
