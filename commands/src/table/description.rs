//! The description of all commands for programs, in `docs/commands.json`. Clients and gateways are generated from this
//! file. It is made from the table, and `make docs` updates it.

use std::ffi::CStr;
use std::fs;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::*;
use crate::keys::{KeyArgument, Place};
use crate::options::List;
use crate::refusal::Code;
use crate::shape::{Field, Scalar, Shape};
use crate::syntax::{self, Part, PartKind};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/commands.json");

#[derive(Serialize)]
struct Description {
    /// The version of the module.
    version: &'static str,
    errors: Vec<ErrorDescription>,
    commands: Vec<CommandDescription>,
}

/// An error that programs can distinguish from other errors.
#[derive(Serialize)]
struct ErrorDescription {
    code: &'static str,
    meaning: &'static str,
}

#[derive(Serialize)]
struct CommandDescription {
    name: String,
    summary: &'static str,
    complexity: &'static str,
    since: &'static str,
    /// Whether only servers and gateways send the command.
    #[serde(skip_serializing_if = "is_false")]
    internal: bool,
    /// `read` or `write`.
    access: &'static str,
    fast: bool,
    /// The minimum number of words, including the name. It is negative if a call may have more words.
    arity: i32,
    keys: Vec<KeyDescription>,
    syntax: Vec<String>,
    /// The arguments before the options.
    arguments: Vec<ArgumentDescription>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forms: Vec<FormDescription>,
    options: Vec<OptionDescription>,
    /// The arguments after the options.
    list: Vec<ArgumentDescription>,
    over_parts: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_over_parts_because: Option<&'static str>,
    /// The value that the command makes in an absent key.
    #[serde(skip_serializing_if = "str::is_empty")]
    makes: &'static str,
    /// The shapes of the reply.
    shapes: Vec<ShapeDescription>,
    /// The codes of its errors.
    errors: Vec<&'static str>,
    reply: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    notes: &'static str,
}

/// The places of keys. Words are counted from 0, which is the name of the command.
#[derive(Serialize)]
struct KeyDescription {
    access: String,
    /// The place of the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<u8>,
    /// The place of the number of keys. The keys follow it.
    #[serde(skip_serializing_if = "Option::is_none")]
    counted_at: Option<u8>,
    /// The option that the keys follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    behind: Option<String>,
    /// The word that the number of keys follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    counted_behind: Option<String>,
}

/// The shape of the reply to calls that contain all these words. If several shapes fit, the last one is used.
#[derive(Serialize)]
struct ShapeDescription {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    with: Vec<&'static str>,
    is: Value,
}

#[derive(Serialize)]
struct FormDescription {
    word: &'static str,
    arguments: Vec<ArgumentDescription>,
    options: Vec<OptionDescription>,
}

#[derive(Serialize)]
struct ArgumentDescription {
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    /// The word before the value, or the word itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    optional: bool,
    /// Whether the argument may repeat.
    #[serde(skip_serializing_if = "is_false")]
    multiple: bool,
    /// The choices, or the arguments in a row.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    of: Vec<ArgumentDescription>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
const fn is_false(value: &bool) -> bool {
    !*value
}

fn describe_arguments(syntax: &str) -> Vec<ArgumentDescription> {
    syntax::parse(syntax).iter().map(describe_argument).collect()
}

fn describe_argument(part: &Part) -> ArgumentDescription {
    let (kind, of) = match &part.kind {
        PartKind::Key => ("key", &[][..]),
        PartKind::Text => ("text", &[][..]),
        PartKind::Integer => ("integer", &[][..]),
        PartKind::Number => ("number", &[][..]),
        PartKind::Time => ("time", &[][..]),
        PartKind::Token => ("token", &[][..]),
        PartKind::OneOf(choices) => ("one-of", &choices[..]),
        PartKind::Block(parts) => ("block", &parts[..]),
    };
    ArgumentDescription {
        name: part.name.clone(),
        kind,
        token: part.token.clone(),
        optional: part.optional,
        multiple: part.multiple,
        of: of.iter().map(describe_argument).collect(),
    }
}

fn describe_options(options: List) -> Vec<OptionDescription> {
    OptionDescription::all(options).collect()
}

impl Serialize for OptionDescription {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("words", self.words)?;
        map.serialize_entry("value", &self.value.iter().map(describe_argument).collect::<Vec<_>>())?;
        let marks = [
            ("required", self.required),
            ("repeats", self.repeats),
            ("hidden", self.hidden),
            ("by_gateway", self.by_gateway),
        ];
        let mut given = marks.iter().filter(|(_, is)| *is);
        given.try_for_each(|(name, is)| map.serialize_entry(name, is))?;
        map.end()
    }
}

fn describe_shape((with, shape): &(&'static str, &str)) -> ShapeDescription {
    let shape = Shape::parse(shape).unwrap_or_else(|wrong| panic!("{shape}: {wrong}"));
    ShapeDescription { with: with.split_whitespace().collect(), is: shape_value(&shape) }
}

/// Returns the description of a shape. A scalar is its word. Every other shape is an object with one name: `or_nil`,
/// `array` (with `rest` for the elements that repeat), `map`, `map_of`, `one_of`.
fn shape_value(shape: &Shape) -> Value {
    let fields = |fields: &[Field]| -> Value {
        let field = |field: &Field| json!({ "name": field.name, "is": shape_value(&field.shape) });
        fields.iter().map(field).collect()
    };
    match shape {
        Shape::Scalar(scalar) => {
            Scalar::ALL.iter().find(|(_, other)| other == scalar).expect("its word").0.into()
        }
        Shape::OrNil(inner) => json!({ "or_nil": shape_value(inner) }),
        Shape::Array(head, rest) if rest.is_empty() => json!({ "array": fields(head) }),
        Shape::Array(head, rest) => json!({ "array": fields(head), "rest": fields(rest) }),
        Shape::Map(head) => json!({ "map": fields(head) }),
        Shape::MapOf(inner) => json!({ "map_of": shape_value(inner) }),
        Shape::OneOf(all) => json!({ "one_of": all.iter().map(shape_value).collect::<Value>() }),
    }
}

fn describe_key(key: &KeyArgument) -> KeyDescription {
    let word = |word: &CStr| Some(word.to_string_lossy().into_owned());
    let (at, counted_at, behind, counted_behind) = match key.place {
        Place::At(place) => (Some(place), None, None, None),
        Place::CountedAt(place) => (None, Some(place), None, None),
        Place::Behind(option, _) => (None, None, word(option), None),
        Place::CountedBehind(option, _) => (None, None, None, word(option)),
    };
    let access = format!("{:?}", key.access).to_ascii_lowercase();
    KeyDescription { access, at, counted_at, behind, counted_behind }
}

/// Gatherers send the commands with several forms, and servers write the commands that restore a value in pieces.
fn is_internal(command: &Command) -> bool {
    !command.operations.is_empty() || command.arguments.split(' ').any(|argument| argument == "chunk")
}

fn describe(command: &Command) -> CommandDescription {
    let form = |form: &Operation| FormDescription {
        word: form.word,
        arguments: describe_arguments(form.arguments),
        options: describe_options(form.options),
    };
    let (over_parts, not_over_parts_because) = match command.over_parts {
        OverParts::Gathered => ("gathered", None),
        OverParts::GatheredOrEstimated => ("gathered-or-estimated", None),
        OverParts::Written => ("written", None),
        OverParts::Changed => ("changed", None),
        OverParts::InRoot => ("in-root", None),
        OverParts::Listed => ("listed", None),
        OverParts::Exported => ("exported", None),
        OverParts::Imported => ("imported", None),
        OverParts::AsItIs => ("as-it-is", None),
        OverParts::ByGateway => ("by-gateway", None),
        OverParts::Refused(reason) => ("refused", Some(reason)),
    };
    CommandDescription {
        name: command.name.to_string_lossy().into_owned(),
        summary: command.summary,
        complexity: command.complexity,
        since: command.since,
        internal: is_internal(command),
        access: if command.only_reads() { "read" } else { "write" },
        fast: command.fast,
        arity: command.arity(),
        keys: command.keys.iter().map(describe_key).collect(),
        syntax: command.lines(),
        arguments: describe_arguments(command.arguments),
        forms: command.operations.iter().map(form).collect(),
        options: describe_options(command.options),
        list: describe_arguments(command.list),
        over_parts,
        not_over_parts_because,
        makes: command.makes,
        shapes: command.shapes.iter().map(describe_shape).collect(),
        errors: command.codes().map(Code::word).collect(),
        reply: command.reply,
        notes: command.notes,
    }
}

#[test]
fn the_reference_for_programs_is_that_of_the_table() {
    let error = |code: Code| ErrorDescription { code: code.word(), meaning: code.meaning() };
    let description = Description {
        version: env!("CARGO_PKG_VERSION"),
        errors: Code::ALL.map(error).into(),
        commands: commands().map(describe).collect(),
    };
    let text = serde_json::to_string_pretty(&description).expect("JSON") + "\n";
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(DOCUMENT, text).expect("the description written");
        return;
    }
    assert_eq!(fs::read_to_string(DOCUMENT).expect("docs/commands.json"), text, "run `make docs`");
}
