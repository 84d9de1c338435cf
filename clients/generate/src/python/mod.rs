//! The client in Python.

mod replies;

use minijinja::context;
use serde::Serialize;

use crate::description::Kind;
use crate::model::{Call, Form, Parameter, Part, Value};
use crate::records::{Records, capitalized};
use crate::shared::{environment, listed, placed_and_named, rules};
use crate::text::documentation;
use replies::{decoder, reply_class, type_of_reply};

/// Where the files are, from the root of the repository.
const FOLDER: &str = "clients/python/src/leaderboard";
const TEMPLATES: [(&str, &str); 5] = [
    ("_replies.py", include_str!("../../templates/python/replies.py.jinja")),
    ("_rules.py", include_str!("../../templates/python/rules.py.jinja")),
    ("requests.py", include_str!("../../templates/python/requests.py.jinja")),
    ("_sync.py", include_str!("../../templates/python/sync.py.jinja")),
    ("_async.py", include_str!("../../templates/python/async.py.jinja")),
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
    let rules: Vec<_> = rules(calls).into_iter().map(|(word, parts)| rule_class(word, parts)).collect();
    let environment = environment();
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
    let (at_places, by_name) = placed_and_named(call);
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
        Form::Flag(_) | Form::Word(_) => return format!("{name}: bool = False"),
        Form::RequestId(_) => return format!("{name}: RequestId = NEW"),
        Form::One(value) => (type_of(value), "None"),
        Form::Option(_, values) => (row(values), "None"),
        Form::Many(value) | Form::Counted(_, value) | Form::OptionOfMany(_, value) => {
            (format!("Iterable[{}]", type_of(value)), "None")
        }
        Form::Rows(values) if parameter.by_name => (row(values), "None"),
        Form::Rows(values) => (format!("Iterable[{}]", row(values)), "None"),
        Form::Repeated(_, values) if values.len() == 2 => ("Pairs".to_owned(), "None"),
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
        Form::Word(word) => format!("words.flag(\"{word}\", True)"),
        Form::Option(word, _) => format!("words.option(\"{word}\", {name})"),
        Form::OptionOfMany(word, _) => format!("words.option_of_many(\"{word}\", {name})"),
        Form::Repeated(word, _) | Form::Rules(word, _, true) => {
            format!("words.repeated(\"{word}\", {name})")
        }
        Form::Rules(word, _, false) => format!("words.option(\"{word}\", {name})"),
        Form::RequestId(word) => format!("words.request_id(\"{word}\", {name})"),
    }
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
        about: format!("The option {word}: {}.", listed(parts.iter().map(|part| part.name.as_str()))),
        fields: parts.iter().map(field).collect(),
        steps: parts.iter().map(step).collect(),
    }
}
