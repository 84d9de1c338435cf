//! The rows of `table`, which the gateway makes from the rows of the commands.

use leaderboard_commands::syntax::{self, Part, PartKind, words_of};
use leaderboard_commands::table::{self, Command, OptionDescription};

use super::table::{List, Opt, Optional, Row, Value};

/// Returns a row for each command.
pub fn rows() -> Vec<Row> {
    table::commands().map(row).collect()
}

fn row(command: &'static Command) -> Row {
    let arguments = syntax::parse(command.arguments);
    let behind_key = arguments.get(1..).unwrap_or_default();
    let (fixed, optional) = (words_of(behind_key), behind_key.iter().find(|argument| argument.optional));
    let is_listed = command.options.is_empty() && optional.is_some_and(|argument| argument.multiple);
    let (fixed, optional, list) = match optional {
        _ if is_listed => (fixed.saturating_sub(1), Optional::Nothing, List::Members),
        Some(argument) if argument.multiple => (fixed, Optional::Any, list(command)),
        Some(argument) => (fixed, Optional::Words(least_words(argument)), list(command)),
        None => (fixed, Optional::Nothing, list(command)),
    };
    let options = command.described_options().flat_map(options).collect();
    let member = behind_key.iter().take(fixed).position(|argument| argument.name == "member");
    let member = member.filter(|_| !command.only_reads());
    let by_gateway = command.described_options().filter(|option| option.by_gateway);
    let by_gateway = by_gateway.flat_map(|option| option.words.iter().copied()).collect();
    let name = command.name.to_str().unwrap_or_default();
    Row { command, name, fixed, member, optional, options, by_gateway, list }
}

/// Returns the minimum number of words of an argument in a call that contains the argument.
fn least_words(argument: &Part) -> usize {
    words_of(&[Part { optional: false, ..argument.clone() }])
}

/// Returns the constant word with which an argument begins. `None` if it begins with a value.
fn word(argument: &Part) -> Option<&str> {
    let of = match &argument.kind {
        PartKind::OneOf(inner) | PartKind::Block(inner) => inner.first(),
        _ => None,
    };
    argument.token.as_deref().or_else(|| of?.token.as_deref())
}

fn list(command: &Command) -> List {
    let several = |argument: &Part| {
        let name = &argument.name;
        if name.ends_with('s') { name.clone() } else { format!("{name}s") }
    };
    let list = syntax::parse(command.list);
    let names: Vec<_> = list.iter().filter(|argument| !argument.optional).map(several).collect();
    if names.is_empty() { List::Nothing } else { List::Pairs(names.join(" and ").leak()) }
}

/// Returns an option as several options: one for each of its words, and one for each word that belongs to it. Options
/// that only the gateway sends are left out.
fn options(option: OptionDescription) -> Vec<Opt> {
    let OptionDescription { words, value, syntax, required, repeats, hidden, by_gateway } = option;
    let is_list = value.iter().any(|argument| argument.multiple && word(argument).is_none());
    let kind = if is_list { Value::Members } else { Value::Words(words_of(&value)) };
    let own = words.iter().map(|word| Opt { word, value: kind, syntax, repeats, required, hidden });
    let inner = value.iter().filter(|argument| argument.optional).filter_map(|argument| {
        let words = least_words(argument).saturating_sub(1);
        let word = word(argument)?.to_owned().leak();
        Some(Opt {
            word,
            value: Value::Words(words),
            syntax: "",
            repeats: argument.multiple,
            required: false,
            hidden,
        })
    });
    if by_gateway { Vec::new() } else { own.chain(inner).collect() }
}
