//! The client in TypeScript.

mod replies;

use std::collections::BTreeSet;

use minijinja::context;
use serde::Serialize;

use crate::description::Kind;
use crate::model::{Call, Form, Parameter, Part, Value};
use crate::records::{Records, capitalized};
use crate::shared::{environment, listed, placed_and_named, rules};
use crate::text::documentation;
use replies::{Decoders, reply, type_of_reply};

/// Where the files are, from the root of the repository.
const FOLDER: &str = "clients/node/src";
/// The files, their templates, and the group of commands that they are for.
const TEMPLATES: [(&str, &str, &str); 7] = [
    ("replies.ts", include_str!("../../templates/typescript/replies.ts.jinja"), ""),
    ("rules.ts", include_str!("../../templates/typescript/rules.ts.jinja"), ""),
    ("options.ts", include_str!("../../templates/typescript/options.ts.jinja"), ""),
    ("requests.ts", include_str!("../../templates/typescript/requests.ts.jinja"), ""),
    ("requests-league.ts", include_str!("../../templates/typescript/requests.ts.jinja"), "league"),
    ("requests-counter.ts", include_str!("../../templates/typescript/requests.ts.jinja"), "counter"),
    ("commands.ts", include_str!("../../templates/typescript/commands.ts.jinja"), ""),
];
/// Names of commands that no function may have.
const KEYWORDS: [&str; 2] = ["import", "export"];
/// The words of which compound names are made, such as REMRANGEBYSCORE.
const VOCABULARY: [&str; 27] = [
    "add", "by", "change", "days", "get", "join", "m", "max", "members", "meta", "notify", "prize", "range",
    "rank", "rem", "roll", "score", "segment", "set", "standing", "start", "top", "until", "vote", "week",
    "with", "zone",
];
/// The types of values in calls and replies.
const VALUES: [&str; 8] = ["Integer", "Key", "Numeric", "Pairs", "RequestId", "Score", "Text", "Time"];

#[derive(Serialize)]
struct Function {
    /// Its name among the requests of its group.
    name: String,
    /// Its name in its file.
    local: String,
    group: String,
    command: String,
    /// The parameters at their places, with their types.
    parameters: Vec<String>,
    /// The parameters as a method gives them to the request.
    given: Vec<String>,
    /// The type of the options, if there are any.
    options: Option<String>,
    options_required: bool,
    fields: Vec<Declared>,
    documentation: Vec<String>,
    steps: Vec<String>,
    decoders: Vec<(Vec<String>, String)>,
    reply: String,
    is_read: bool,
}

#[derive(Serialize)]
struct Interface {
    name: String,
    about: String,
    fields: Vec<Declared>,
    steps: Vec<String>,
}

/// A property of an interface.
#[derive(Serialize)]
struct Declared {
    name: String,
    kind: String,
    optional: bool,
}

/// Returns the paths and the contents of all files.
///
/// # Errors
/// A template with an error.
pub fn files(calls: &[Call], records: &Records) -> Result<Vec<(String, String)>, minijinja::Error> {
    let mut decoders = Decoders::of(records);
    let functions: Vec<_> = calls.iter().map(|call| function(call, &mut decoders)).collect();
    let replies: Vec<_> = records.all().iter().map(|record| reply(record, &decoders)).collect();
    let rules: Vec<_> = rules(calls).into_iter().map(|(word, parts)| rule(word, parts)).collect();
    let environment = environment();
    let groups = [("", "BoardCommands"), ("league", "LeagueCommands"), ("counter", "CounterCommands")];
    let write = |(path, template, group): (&str, &str, &str)| {
        let of_group: Vec<_> = functions.iter().filter(|function| function.group == group).collect();
        let names = Names::of(path, &of_group, &functions, &replies, &rules);
        let values = context! { functions, of_group, group, replies, rules, groups, names };
        Ok((format!("{FOLDER}/{path}"), environment.render_str(template, values)?))
    };
    TEMPLATES.into_iter().map(write).collect()
}

/// The names that a file takes from other files.
#[derive(Serialize)]
struct Names {
    values: Vec<String>,
    replies: Vec<String>,
    rules: Vec<String>,
    writers: Vec<String>,
    options: Vec<String>,
}

impl Names {
    fn of(
        path: &str,
        group: &[&Function],
        all: &[Function],
        replies: &[Interface],
        rules: &[Interface],
    ) -> Self {
        let signature = |function: &Function| {
            let options = function.options.clone().unwrap_or_default();
            format!("{} {} {options}", function.parameters.join(" "), function.reply)
        };
        let kinds =
            |fields: &[Declared]| fields.iter().map(|field| field.kind.clone()).collect::<Vec<_>>().join(" ");
        let of_interfaces = |all: &[Interface]| {
            all.iter().map(|interface| kinds(&interface.fields)).collect::<Vec<_>>().join(" ")
        };
        let text = match path {
            "replies.ts" => of_interfaces(replies),
            "rules.ts" => of_interfaces(rules),
            "options.ts" => all.iter().map(|function| kinds(&function.fields)).collect::<Vec<_>>().join(" "),
            "commands.ts" => all.iter().map(signature).collect::<Vec<_>>().join(" "),
            _ => {
                let texts =
                    group.iter().map(|function| signature(function) + " " + &function.steps.join(" "));
                texts.collect::<Vec<_>>().join(" ")
            }
        };
        let words: BTreeSet<_> = text.split(|letter: char| !letter.is_alphanumeric()).collect();
        let used = |names: &mut dyn Iterator<Item = String>| {
            let used: BTreeSet<_> = names.filter(|name| words.contains(name.as_str())).collect();
            used.into_iter().collect::<Vec<_>>()
        };
        Self {
            values: used(&mut VALUES.into_iter().map(str::to_owned)),
            replies: used(&mut replies.iter().map(|reply| reply.name.clone())),
            rules: used(&mut rules.iter().map(|rule| rule.name.clone())),
            writers: used(&mut rules.iter().map(|rule| format!("write{}", rule.name))),
            options: used(&mut all.iter().filter_map(|function| function.options.clone())),
        }
    }
}

/// Returns the words of which a name is made, if the vocabulary has them all.
fn words_of(name: &str) -> Option<Vec<&str>> {
    if name.is_empty() {
        return Some(Vec::new());
    }
    VOCABULARY.into_iter().find_map(|word| {
        let mut all = vec![word];
        all.extend(words_of(name.strip_prefix(word)?)?);
        Some(all)
    })
}

/// Returns `rangeByScore` for `rangebyscore`, and `oldScore` for `old_score`.
fn camel(name: &str) -> String {
    let words = name.split('_').flat_map(|word| words_of(word).unwrap_or_else(|| vec![word]));
    words.enumerate().map(|(at, word)| if at == 0 { word.to_owned() } else { capitalized(word) }).collect()
}

/// Returns `RangeByScore` for `rangebyscore`.
fn pascal(name: &str) -> String {
    let camel = camel(name);
    let mut letters = camel.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Returns `SegmentRankReply` for the record `SegmentrankReply`.
fn type_name(record: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for letter in record.chars() {
        match words.last_mut() {
            Some(word) if letter.is_lowercase() => word.push(letter),
            _ => words.push(letter.to_lowercase().collect()),
        }
    }
    words.iter().map(|word| pascal(word)).collect()
}

fn function(call: &Call, decoders: &mut Decoders<'_>) -> Function {
    let (at_places, by_name) = placed_and_named(call);
    let group = call.group.clone().unwrap_or_default();
    let name = camel(&call.method);
    let path = if group.is_empty() { String::new() } else { capitalized(&group) };
    let options = (!by_name.is_empty()).then(|| format!("{path}{}Options", pascal(&call.method)));
    let given = at_places.iter().map(|parameter| camel(&parameter.name));
    let given = given.chain(options.iter().map(|_| "options".to_owned())).collect();
    let all = call.variants.iter();
    let all = all.map(|(with, shape)| (with.clone(), decoders.decoder(shape, &call.reply))).collect();
    Function {
        local: if KEYWORDS.contains(&name.as_str()) { format!("{name}_") } else { name.clone() },
        name,
        group,
        command: call.name.clone(),
        parameters: at_places.iter().map(|parameter| at_place(parameter)).collect(),
        given,
        options,
        options_required: by_name.iter().any(|parameter| parameter.required),
        fields: by_name.iter().map(|parameter| field(parameter)).collect(),
        documentation: documentation(call, 100).iter().map(|line| line.replace("*/", "* /")).collect(),
        steps: call.parameters.iter().map(step).collect(),
        decoders: all,
        reply: type_of_reply(&call.reply),
        is_read: call.is_read,
    }
}

fn at_place(parameter: &Parameter) -> String {
    let mark = if parameter.required { "" } else { "?" };
    format!("{}{mark}: {}", camel(&parameter.name), type_of_parameter(parameter))
}

fn field(parameter: &Parameter) -> Declared {
    let kind = type_of_parameter(parameter);
    let kind = if parameter.required { kind } else { format!("{kind} | undefined") };
    Declared { name: camel(&parameter.name), kind, optional: !parameter.required }
}

fn type_of_parameter(parameter: &Parameter) -> String {
    match &parameter.form {
        Form::Flag(_) | Form::Word(_) => "boolean".to_owned(),
        Form::RequestId(_) => "RequestId".to_owned(),
        Form::One(value) => type_of(value),
        Form::Many(value) | Form::Counted(_, value) | Form::OptionOfMany(_, value) => list(&type_of(value)),
        Form::Rows(values) if parameter.by_name => row(values),
        Form::Option(_, values) => row(values),
        Form::Rows(values) | Form::Repeated(_, values) if are_pairs(values) => "Pairs".to_owned(),
        Form::Rows(values) | Form::Repeated(_, values) => list(&row(values)),
        Form::Rules(word, _, true) => list(&capitalized(word)),
        Form::Rules(word, _, false) => capitalized(word),
    }
}

/// Whether these are a name and a value.
fn are_pairs(values: &[Value]) -> bool {
    values.len() == 2 && values.iter().all(|value| value.kind == Kind::Text)
}

fn list(kind: &str) -> String {
    if kind.contains([' ', '|']) { format!("readonly ({kind})[]") } else { format!("readonly {kind}[]") }
}

fn row(values: &[Value]) -> String {
    match values {
        [one] => type_of(one),
        _ => format!("readonly [{}]", values.iter().map(type_of).collect::<Vec<_>>().join(", ")),
    }
}

fn type_of(value: &Value) -> String {
    match value.kind {
        Kind::Key => "Key".to_owned(),
        Kind::Integer => "Integer".to_owned(),
        Kind::Number => "Numeric".to_owned(),
        Kind::Time => "Time".to_owned(),
        Kind::OneOf => value.words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" | "),
        Kind::Text | Kind::Token | Kind::Block => "Text".to_owned(),
    }
}

/// Returns the line that appends a parameter to the words.
fn step(parameter: &Parameter) -> String {
    let name = camel(&parameter.name);
    let name = if parameter.by_name { format!("options.{name}") } else { name };
    match &parameter.form {
        Form::One(value) if parameter.required && value.kind == Kind::Key => format!("words.key({name})"),
        Form::One(_) if parameter.required => format!("words.add({name})"),
        Form::One(_) => format!("words.addIf({name})"),
        Form::Rows(_) if parameter.by_name => format!("words.addIf({name})"),
        Form::Many(_) => format!("words.many({name})"),
        Form::Counted(word, value) => {
            let method = if value.kind == Kind::Key { "keys" } else { "counted" };
            let word = word.as_ref().map(|word| format!(", \"{word}\"")).unwrap_or_default();
            format!("words.{method}({name}{word})")
        }
        Form::Rows(values) if are_pairs(values) => format!("words.pairs({name})"),
        Form::Rows(_) => format!("words.rows({name})"),
        Form::Flag(word) => format!("words.flag(\"{word}\", {name})"),
        Form::Word(word) => format!("words.flag(\"{word}\", true)"),
        Form::Option(word, _) => format!("words.option(\"{word}\", {name})"),
        Form::OptionOfMany(word, _) => format!("words.optionOfMany(\"{word}\", {name})"),
        Form::Repeated(word, values) if are_pairs(values) => format!("words.eachPair(\"{word}\", {name})"),
        Form::Repeated(word, _) => format!("words.repeated(\"{word}\", {name})"),
        Form::Rules(word, _, true) => format!("words.rules(\"{word}\", {name}, write{})", capitalized(word)),
        Form::Rules(word, _, false) => format!("words.rule(\"{word}\", {name}, write{})", capitalized(word)),
        Form::RequestId(word) => format!("words.requestId(\"{word}\", {name})"),
    }
}

fn rule(word: &str, parts: &[Part]) -> Interface {
    let field = |part: &Part| {
        let kind = if part.multiple { list(&row(&part.values)) } else { row(&part.values) };
        let kind = if part.optional { format!("{kind} | undefined") } else { kind };
        Declared { name: camel(&part.name), kind, optional: part.optional }
    };
    let step = |part: &Part| {
        let name = format!("rule.{}", camel(&part.name));
        match (&part.token, part.multiple) {
            (Some(token), true) => format!("words.repeated(\"{token}\", {name})"),
            (Some(token), false) => format!("words.option(\"{token}\", {name})"),
            (None, _) => format!("words.add({name})"),
        }
    };
    Interface {
        name: capitalized(word),
        about: format!("The option {word}: {}.", listed(parts.iter().map(|part| part.name.as_str()))),
        fields: parts.iter().map(field).collect(),
        steps: parts.iter().map(step).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compound_names_are_split() {
        assert_eq!(camel("remrangebyscore"), "remRangeByScore");
        assert_eq!(camel("mgetmeta"), "mGetMeta");
        assert_eq!(camel("retry_after"), "retryAfter");
        assert_eq!(camel("within"), "within");
        assert_eq!(type_name("SegmentrankReply"), "SegmentRankReply");
    }
}
