//! The client in Python.

use minijinja::{Environment, context};
use serde::Serialize;

use crate::description::{Kind, Scalar, Shape};
use crate::model::{Call, Form, Parameter, Part, Value};
use crate::records::{Record, Records, Type, capitalized};
use crate::text::documentation;

/// Where the files are, from the root of the repository.
const FOLDER: &str = "clients/python/src/leaderboard";
const TEMPLATES: [(&str, &str); 5] = [
    ("_replies.py", include_str!("../templates/python/replies.py.jinja")),
    ("_rules.py", include_str!("../templates/python/rules.py.jinja")),
    ("requests.py", include_str!("../templates/python/requests.py.jinja")),
    ("_sync.py", include_str!("../templates/python/sync.py.jinja")),
    ("_async.py", include_str!("../templates/python/async.py.jinja")),
];
/// Words that no name may be.
const KEYWORDS: [&str; 5] = ["in", "from", "import", "is", "as"];

#[derive(Serialize)]
struct Function {
    /// Its name among all requests.
    name: String,
    /// Its name in its class.
    method: String,
    group: String,
    command: String,
    /// The parameters with their types.
    signature: Vec<String>,
    /// The parameters as a method gives them to the request.
    given: Vec<String>,
    documentation: Vec<String>,
    steps: Vec<String>,
    decoders: Vec<(Vec<String>, String)>,
    reply: String,
    is_read: bool,
}

#[derive(Serialize)]
struct Class {
    name: String,
    about: String,
    fields: Vec<ClassField>,
    steps: Vec<String>,
}

#[derive(Serialize)]
struct ClassField {
    name: String,
    kind: String,
    default: Option<&'static str>,
}

/// Returns the paths and the contents of all files.
///
/// # Errors
/// A template with an error.
pub fn files(calls: &[Call], records: &Records) -> Result<Vec<(String, String)>, minijinja::Error> {
    let functions: Vec<_> = calls.iter().map(|call| function(call, records)).collect();
    let replies: Vec<_> = records.all().iter().map(reply_class).collect();
    let mut rules: Vec<Class> = Vec::new();
    for parameter in calls.iter().flat_map(|call| &call.parameters) {
        if let Form::Rules(word, parts, _) = &parameter.form {
            let class = rule_class(word, parts);
            if !rules.iter().any(|known| known.name == class.name) {
                rules.push(class);
            }
        }
    }
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_keep_trailing_newline(true);
    let groups = [("", "BoardCommands"), ("league", "LeagueCommands"), ("counter", "CounterCommands")];
    let write = |(path, template): (&str, &str)| {
        let text = environment.render_str(template, context! { functions, replies, rules, groups })?;
        Ok((format!("{FOLDER}/{path}"), text))
    };
    TEMPLATES.into_iter().map(write).collect()
}

fn safe(name: &str) -> String {
    if KEYWORDS.contains(&name) { format!("{name}_") } else { name.to_owned() }
}

/// Returns the name of a parameter: `with_meta` for the word WITHMETA.
fn named(parameter: &Parameter) -> String {
    match (&parameter.form, parameter.name.strip_prefix("with")) {
        (Form::Flag(_), Some(what)) if !what.is_empty() => format!("with_{what}"),
        _ => safe(&parameter.name),
    }
}

fn function(call: &Call, records: &Records) -> Function {
    let place = |parameter: &Parameter| (parameter.by_name, !parameter.required);
    let mut parameters: Vec<_> = call.parameters.iter().collect();
    parameters.sort_by_key(|parameter| place(parameter));
    let (by_name, at_places): (Vec<_>, Vec<_>) =
        parameters.into_iter().partition(|parameter| parameter.by_name);
    let mut signature: Vec<_> = at_places.iter().map(|parameter| declared(parameter)).collect();
    if !by_name.is_empty() {
        signature.push("*".to_owned());
        signature.extend(by_name.iter().map(|parameter| declared(parameter)));
    }
    let given = at_places.iter().map(|parameter| named(parameter));
    let given = given.chain(by_name.iter().map(|parameter| format!("{0}={0}", named(parameter)))).collect();
    let group = call.group.clone().unwrap_or_default();
    let name = if group.is_empty() { safe(&call.method) } else { format!("{group}_{}", call.method) };
    let decoders = call
        .variants
        .iter()
        .map(|(with, shape)| (with.clone(), decoder(shape, &call.reply, records)))
        .collect();
    Function {
        name,
        method: safe(&call.method),
        group,
        command: call.name.clone(),
        signature,
        given,
        documentation: docstring(call),
        steps: call.parameters.iter().map(step).collect(),
        decoders,
        reply: type_of_reply(&call.reply),
        is_read: call.is_read,
    }
}

fn docstring(call: &Call) -> Vec<String> {
    let mut lines = documentation(call, 100);
    if let Some(first) = lines.first_mut() {
        first.insert_str(0, "\"\"\"");
    }
    lines.push("\"\"\"".to_owned());
    lines
}

fn declared(parameter: &Parameter) -> String {
    let name = named(parameter);
    let (kind, default) = match &parameter.form {
        Form::Flag(_) => return format!("{name}: bool = False"),
        Form::RequestId(_) => return format!("{name}: RequestId = NEW"),
        Form::One(value) => (type_of(value), "None"),
        Form::Option(_, values) => (row(values), "None"),
        Form::Many(value) | Form::Counted(_, value) | Form::OptionOfMany(_, value) => {
            (format!("Iterable[{}]", type_of(value)), "None")
        }
        Form::Rows(values) if parameter.by_name => (row(values), "None"),
        Form::Rows(values) => (format!("Iterable[{}]", row(values)), "None"),
        Form::Repeated(_, values) if values.len() == 2 => (pairs(values), "None"),
        Form::Repeated(_, values) => (format!("Iterable[{}]", row(values)), "None"),
        Form::Rules(word, _, true) => (format!("Iterable[{}]", capitalized(word)), "None"),
        Form::Rules(word, _, false) => (capitalized(word), "None"),
    };
    if parameter.required { format!("{name}: {kind}") } else { format!("{name}: {kind} | None = {default}") }
}

fn row(values: &[Value]) -> String {
    match values {
        [one] => type_of(one),
        _ => format!("tuple[{}]", values.iter().map(type_of).collect::<Vec<_>>().join(", ")),
    }
}

fn pairs(values: &[Value]) -> String {
    let types = values.iter().map(type_of).collect::<Vec<_>>().join(", ");
    format!("Mapping[{types}]")
}

fn type_of(value: &Value) -> String {
    match value.kind {
        Kind::Key => "Key".to_owned(),
        Kind::Integer => "int".to_owned(),
        Kind::Number => "Number".to_owned(),
        Kind::Time => "Time".to_owned(),
        Kind::OneOf => {
            let words = value.words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>();
            format!("Literal[{}]", words.join(", "))
        }
        Kind::Text | Kind::Token | Kind::Block => "Text".to_owned(),
    }
}

/// Returns the line that appends a parameter to the words.
fn step(parameter: &Parameter) -> String {
    let name = named(parameter);
    match &parameter.form {
        Form::One(_) if parameter.required => format!("words.add({name})"),
        Form::One(_) | Form::Rows(_) if parameter.by_name => format!("words.add_if({name})"),
        Form::One(_) => format!("words.add_if({name})"),
        Form::Many(_) => format!("words.many({name})"),
        Form::Counted(None, _) => format!("words.counted({name})"),
        Form::Counted(Some(word), _) => format!("words.counted({name}, \"{word}\")"),
        Form::Rows(_) => format!("words.rows({name})"),
        Form::Flag(word) => format!("words.flag(\"{word}\", {name})"),
        Form::Option(word, _) => format!("words.option(\"{word}\", {name})"),
        Form::OptionOfMany(word, _) => format!("words.option_of_many(\"{word}\", {name})"),
        Form::Repeated(word, _) | Form::Rules(word, _, true) => {
            format!("words.repeated(\"{word}\", {name})")
        }
        Form::Rules(word, _, false) => format!("words.option(\"{word}\", {name})"),
        Form::RequestId(word) => format!("words.request_id(\"{word}\", {name})"),
    }
}

fn type_of_reply(kind: &Type) -> String {
    match kind {
        Type::Scalar(Scalar::Ok) => "None".to_owned(),
        Type::Scalar(Scalar::Flag) => "bool".to_owned(),
        Type::Scalar(Scalar::Int | Scalar::Big | Scalar::Ms | Scalar::Rank) => "int".to_owned(),
        Type::Scalar(Scalar::Text | Scalar::Rows) => "str".to_owned(),
        Type::Scalar(Scalar::Decimal) => "Decimal".to_owned(),
        Type::Scalar(Scalar::Score) => "Score".to_owned(),
        Type::Optional(inner) => format!("{} | None", type_of_reply(inner)),
        Type::List(inner) => format!("list[{}]", type_of_reply(inner)),
        Type::MapOf(inner) => format!("dict[str, {}]", type_of_reply(inner)),
        Type::Record(name) => name.clone(),
        Type::Either(all) => all.iter().map(type_of_reply).collect::<Vec<_>>().join(" | "),
    }
}

/// Returns the expression that makes the decoder of a shape, as a value of this type.
fn decoder(shape: &Shape, kind: &Type, records: &Records) -> String {
    if let Type::Optional(inner) = kind {
        return match shape {
            Shape::OrNil { or_nil } => format!("d.optional({})", decoder(or_nil, inner, records)),
            _ => decoder(shape, inner, records),
        };
    }
    if let Type::Either(all) = kind {
        let fits = |kind: &&Type| {
            matches!((kind, shape), (Type::Scalar(one), Shape::Scalar(other)) if one == other)
                || matches!((kind, shape), (Type::Record(_), Shape::Array { .. }))
        };
        return all.iter().find(fits).map_or_else(String::new, |kind| decoder(shape, kind, records));
    }
    match (shape, kind) {
        (Shape::Scalar(Scalar::Ok), Type::Scalar(Scalar::Flag)) => "d.yes".to_owned(),
        (Shape::Scalar(scalar), _) => match scalar {
            Scalar::Ok => "d.ok",
            Scalar::Flag => "d.flag",
            Scalar::Int | Scalar::Big | Scalar::Ms | Scalar::Rank => "d.whole",
            Scalar::Text | Scalar::Rows => "d.text",
            Scalar::Decimal => "d.decimal",
            Scalar::Score => "d.score",
        }
        .to_owned(),
        (Shape::OrNil { or_nil }, _) => format!("d.optional({})", decoder(or_nil, kind, records)),
        (Shape::MapOf { map_of }, Type::MapOf(inner)) => {
            format!("d.map_of({})", decoder(map_of, inner, records))
        }
        (Shape::Array { rest, .. }, Type::List(inner)) => {
            let one = rest.first().map_or_else(String::new, |field| decoder(&field.is, inner, records));
            format!("d.list_of({one})")
        }
        (Shape::OneOf { one_of }, _) => {
            let all = one_of.iter().map(|shape| decoder(shape, kind, records)).collect::<Vec<_>>();
            format!("d.one_of({})", all.join(", "))
        }
        (Shape::Array { array: fields, .. } | Shape::Map { map: fields }, Type::Record(name)) => {
            let record = records.all().iter().find(|record| record.name == *name);
            let of = |field: &str| {
                let fields = record.iter().flat_map(|record| &record.fields);
                fields.filter(|(name, _)| name == field).map(|(_, kind)| kind).next()
            };
            let decoders = fields.iter().filter_map(|field| {
                Some(format!(
                    "(\"{}\", {})",
                    safe(&field.name),
                    decoder(&field.is, of(&field.name)?, records)
                ))
            });
            let form = if matches!(shape, Shape::Map { .. }) { "mapping" } else { "array" };
            format!("d.{form}({name}, {})", decoders.collect::<Vec<_>>().join(", "))
        }
        (Shape::Array { .. } | Shape::Map { .. } | Shape::MapOf { .. }, _) => String::new(),
    }
}

fn reply_class(record: &Record) -> Class {
    let mut must_follow = false;
    let mut fields: Vec<_> = record
        .fields
        .iter()
        .rev()
        .map(|(name, kind)| {
            // A field with a default cannot come before one without.
            must_follow |= !matches!(kind, Type::Optional(_));
            let default = (!must_follow).then_some("None");
            ClassField { name: safe(name), kind: type_of_reply(kind), default }
        })
        .collect();
    fields.reverse();
    let about = format!("Fields: {}.", names(record.fields.iter().map(|(name, _)| name.as_str())));
    Class { name: record.name.clone(), about, fields, steps: Vec::new() }
}

fn names<'a>(all: impl Iterator<Item = &'a str>) -> String {
    all.collect::<Vec<_>>().join(", ")
}

fn rule_class(word: &str, parts: &[Part]) -> Class {
    let field = |part: &Part| {
        let (kind, default) = match (part.optional, part.multiple) {
            (_, true) => (format!("Iterable[{}]", row(&part.values)), Some("()")),
            (true, false) => (format!("{} | None", row(&part.values)), Some("None")),
            (false, false) => (row(&part.values), None),
        };
        ClassField { name: safe(&part.name), kind, default }
    };
    let step = |part: &Part| {
        let name = format!("self.{}", safe(&part.name));
        match (&part.token, part.multiple) {
            (Some(token), true) => format!("words.repeated(\"{token}\", {name})"),
            (Some(token), false) => format!("words.option(\"{token}\", {name})"),
            (None, _) => format!("words.add({name})"),
        }
    };
    Class {
        name: capitalized(word),
        about: format!("The option {word}: {}.", names(parts.iter().map(|part| part.name.as_str()))),
        fields: parts.iter().map(field).collect(),
        steps: parts.iter().map(step).collect(),
    }
}
