//! The client in PHP.

mod options;
mod replies;

use minijinja::context;
use serde::Serialize;

use crate::model::{Call, Form, Parameter};
use crate::records::{Record, Records, Type, capitalized};
use crate::shared::{environment, placed_and_named, rules};
use crate::text::documentation;
use options::{Enums, are_pairs, type_of_parameter};
use replies::{decoder, type_of_reply};

/// Where the files are, from the root of the repository.
const FOLDER: &str = "clients/php/src";
const COMMANDS: &str = include_str!("../../templates/php/commands.php.jinja");
const REQUESTS: &str = include_str!("../../templates/php/requests.php.jinja");
const REPLY: &str = include_str!("../../templates/php/reply.php.jinja");
const RULE: &str = include_str!("../../templates/php/rule.php.jinja");
const ENUM: &str = include_str!("../../templates/php/enum.php.jinja");
/// The groups of commands, what they are about, and the names of their classes.
const GROUPS: [(&str, &str, &str, &str); 3] = [
    ("", "boards", "BoardCommands", "Requests"),
    ("league", "leagues", "LeagueCommands", "LeagueRequests"),
    ("counter", "counters", "CounterCommands", "CounterRequests"),
];

/// A type: as PHP checks it, and as tools read it in a comment.
#[derive(Serialize)]
struct Kind {
    native: String,
    comment: String,
}

impl Kind {
    /// Returns a type that is the same for PHP and for tools.
    fn plain(name: &str) -> Self {
        Self { native: name.to_owned(), comment: name.to_owned() }
    }

    /// Returns this type or null.
    fn or_null(self) -> Self {
        let native =
            if self.native.contains('|') { self.native + "|null" } else { format!("?{}", self.native) };
        Self { native, comment: self.comment + "|null" }
    }

    /// Whether the comment says more than the type.
    fn is_commented(&self) -> bool {
        self.comment.trim_end_matches("|null")
            != self.native.trim_start_matches('?').trim_end_matches("|null")
    }
}

#[derive(Serialize)]
struct Function {
    name: String,
    group: String,
    command: String,
    parameters: Vec<Variable>,
    documentation: Vec<String>,
    steps: Vec<String>,
    decoders: Vec<(Vec<String>, String)>,
    reply: Kind,
    is_read: bool,
}

/// A parameter or a property.
#[derive(Serialize)]
struct Variable {
    name: String,
    kind: Kind,
    /// Whether the comment of the type is needed.
    is_commented: bool,
    default: Option<&'static str>,
}

impl Variable {
    fn new(name: String, kind: Kind, default: Option<&'static str>) -> Self {
        Self { name, is_commented: kind.is_commented(), kind, default }
    }
}

/// Returns the paths and the contents of all files.
///
/// # Errors
/// A template with an error.
pub fn files(calls: &[Call], records: &Records) -> Result<Vec<(String, String)>, minijinja::Error> {
    let enums = Enums::of(calls);
    let functions: Vec<_> = calls.iter().map(|call| function(call, records, &enums)).collect();
    let environment = environment();
    let mut files = Vec::new();
    let mut add = |name: &str, template, values| {
        let text = environment.render_str(template, values)?;
        files.push((format!("{FOLDER}/{name}.php"), text));
        Ok::<_, minijinja::Error>(())
    };
    for (group, about, commands, requests) in GROUPS {
        let functions: Vec<_> = functions.iter().filter(|function| function.group == group).collect();
        add(commands, COMMANDS, context! { functions, group, about, class => commands, requests })?;
        add(requests, REQUESTS, context! { functions, about, class => requests })?;
    }
    for record in records.all() {
        add(&format!("Replies/{}", record.name), REPLY, context! { class => reply_class(record) })?;
    }
    for (word, parts) in rules(calls) {
        let class = options::rule_class(word, parts);
        add(&format!("Options/{}", capitalized(word)), RULE, context! { class })?;
    }
    for class in enums.all() {
        add(&format!("Options/{}", class.name), ENUM, context! { class })?;
    }
    Ok(files)
}

/// Returns `oldScore` for `old_score`, and `withMeta` for `withmeta`.
fn camel(name: &str) -> String {
    let (start, rest) = match name.strip_prefix("with") {
        Some(what) if !what.is_empty() && what != "in" => ("with", what),
        _ => name.split_once('_').unwrap_or((name, "")),
    };
    let words = rest.split('_').map(capitalized);
    start.to_owned() + &words.collect::<String>()
}

fn function(call: &Call, records: &Records, enums: &Enums) -> Function {
    let (at_places, by_name) = placed_and_named(call);
    let all = at_places.into_iter().chain(by_name);
    let variants = call.variants.iter();
    let documentation = documentation(call, 100).iter().map(|line| line.replace("*/", "* /")).collect();
    Function {
        name: camel(&call.method),
        group: call.group.clone().unwrap_or_default(),
        command: call.name.clone(),
        parameters: all.map(|parameter| variable(parameter, enums)).collect(),
        documentation,
        steps: call.parameters.iter().map(step).collect(),
        decoders: variants
            .map(|(with, shape)| (with.clone(), decoder(shape, &call.reply, records)))
            .collect(),
        reply: type_of_reply(&call.reply, "Replies\\"),
        is_read: call.is_read,
    }
}

fn variable(parameter: &Parameter, enums: &Enums) -> Variable {
    let kind = type_of_parameter(parameter, enums);
    let name = camel(&parameter.name);
    match &parameter.form {
        Form::Flag(_) | Form::Word(_) => Variable::new(name, kind, Some("false")),
        Form::RequestId(_) => Variable::new(name, kind, Some("RequestId::New")),
        _ if parameter.required => Variable::new(name, kind, None),
        _ => Variable::new(name, kind.or_null(), Some("null")),
    }
}

/// Returns the call that appends a parameter to the words.
fn step(parameter: &Parameter) -> String {
    let name = format!("${}", camel(&parameter.name));
    match &parameter.form {
        Form::One(value) if parameter.required && options::is_key(value) => format!("key({name})"),
        Form::One(_) if parameter.required => format!("add({name})"),
        Form::One(_) => format!("addIf({name})"),
        Form::Rows(_) if parameter.by_name => format!("addIf({name})"),
        Form::Many(_) => format!("many({name})"),
        Form::Counted(word, value) => {
            let method = if options::is_key(value) { "keys" } else { "counted" };
            let word = word.as_ref().map(|word| format!(", '{word}'")).unwrap_or_default();
            format!("{method}({name}{word})")
        }
        Form::Rows(values) if are_pairs(values) => format!("pairs({name})"),
        Form::Rows(_) => format!("many({name})"),
        Form::Flag(word) => format!("flag('{word}', {name})"),
        Form::Word(word) => format!("flag('{word}', true)"),
        Form::Option(word, _) | Form::Rules(word, _, false) => format!("option('{word}', {name})"),
        Form::OptionOfMany(word, _) => format!("optionOfMany('{word}', {name})"),
        Form::Repeated(word, values) if are_pairs(values) => format!("eachPair('{word}', {name})"),
        Form::Repeated(word, _) | Form::Rules(word, _, true) => format!("repeated('{word}', {name})"),
        Form::RequestId(word) => format!("requestId('{word}', {name})"),
    }
}

#[derive(Serialize)]
struct ReplyClass<'a> {
    name: &'a str,
    fields: Vec<Variable>,
}

fn reply_class(record: &Record) -> ReplyClass<'_> {
    // A parameter with a default cannot come before one without.
    let last_required = record.fields.iter().rposition(|(_, kind)| !matches!(kind, Type::Optional(_)));
    let fields = record.fields.iter().enumerate().map(|(at, (name, kind))| {
        let default = (last_required.is_none_or(|last| at > last)).then_some("null");
        Variable::new(camel(name), type_of_reply(kind, ""), default)
    });
    ReplyClass { name: &record.name, fields: fields.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compound_names_are_split() {
        assert_eq!(camel("old_score"), "oldScore");
        assert_eq!(camel("withmeta"), "withMeta");
        assert_eq!(camel("within"), "within");
        assert_eq!(camel("member"), "member");
    }
}
