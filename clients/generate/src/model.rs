//! What a client needs to know of a command: its parameters and the types of its reply, for any language.

use crate::description::{Argument, Choice, Command, Kind, Shape, Variant};
use crate::records::{Records, Type};

/// Words of options that ask for the same rows in forms that only save time. Clients do not have them: the type of a reply would
/// depend on an option.
const OTHER_FORMS: [&str; 2] = ["FLAT", "PACKED"];
/// The option with which a write replies only how many items it applied. Such a write is a call of its own, since its reply has
/// another type.
const QUIET: &str = "QUIET";

/// A command for clients.
#[derive(Debug)]
pub struct Call {
    /// The name that is sent.
    pub name: String,
    /// `league` or `counter`, for their commands.
    pub group: Option<String>,
    /// The last part of its name, in lower case.
    pub method: String,
    /// The texts for people: what it does, what it replies, details, its cost.
    pub texts: [String; 4],
    /// Whether it changes nothing.
    pub is_read: bool,
    /// Its parameters, in the order of the words.
    pub parameters: Vec<Parameter>,
    /// The shapes of its reply, and the options with which it has each.
    pub variants: Vec<(Vec<String>, Shape)>,
    /// The type of all its replies.
    pub reply: Type,
}

/// A parameter of a call.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// The name, in lower case.
    pub name: String,
    /// How it is written.
    pub form: Form,
    /// Whether a call names it, instead of giving it at its place.
    pub by_name: bool,
    /// Whether each call has it.
    pub required: bool,
}

/// How a parameter becomes words.
#[derive(Debug, Clone)]
pub enum Form {
    /// One value, or none if it is optional.
    One(Value),
    /// Any number of values.
    Many(Value),
    /// Their number, then the values, behind a word if there is one.
    Counted(Option<String>, Value),
    /// Any number of rows of these values.
    Rows(Vec<Value>),
    /// A word, if the parameter is true.
    Flag(String),
    /// A word that every call has. It is no parameter of a function.
    Word(String),
    /// A word and these values.
    Option(String, Vec<Value>),
    /// A word and any number of values.
    OptionOfMany(String, Value),
    /// A word and these values, any number of times.
    Repeated(String, Vec<Value>),
    /// A word and the words of a rule; any number of times, if the last value is true.
    Rules(String, Vec<Part>, bool),
    /// The id of the request, which the client makes if the call gives none.
    RequestId(String),
}

/// A part of a rule.
#[derive(Debug, Clone)]
pub struct Part {
    /// The name, in lower case.
    pub name: String,
    /// The word before the values.
    pub token: Option<String>,
    /// The values.
    pub values: Vec<Value>,
    /// Whether the part may be omitted.
    pub optional: bool,
    /// Whether the part may repeat.
    pub multiple: bool,
}

/// A value in a call.
#[derive(Debug, Clone)]
pub struct Value {
    /// The type.
    pub kind: Kind,
    /// The words to choose from.
    pub words: Vec<String>,
}

impl Call {
    /// Reads the calls of a command, and notes the records of their replies.
    ///
    /// # Errors
    /// What no client can express.
    pub fn read(command: &Command, records: &mut Records) -> Result<Vec<Self>, String> {
        let mut calls = vec![Self::of(command, &[], records)?];
        if command.options.iter().any(|option| option.words == [QUIET]) {
            calls.push(Self::quiet(command, records)?);
        }
        Ok(calls)
    }

    /// Reads the call with [`QUIET`], without the options that ask for more in the reply.
    fn quiet(command: &Command, records: &mut Records) -> Result<Self, String> {
        let mut call = Self::of(command, &[QUIET], records)?;
        call.method += "_quiet";
        let [_, reply, notes, _] = &mut call.texts;
        *reply = "The number of applied items, 0 if none is. No place is counted, so this is for programs that only write."
            .to_owned();
        *notes = format!("For all else, see `{}`.", command.name);
        Ok(call)
    }

    /// Reads the call that has these words, which decide about the form of its reply.
    fn of(command: &Command, form: &[&str], records: &mut Records) -> Result<Self, String> {
        let mut path: Vec<_> = command.name.split('.').skip(1).map(str::to_lowercase).collect();
        let method = path.pop().unwrap_or_default();
        let fits = |variant: &&Variant| form.iter().all(|word| variant.with.iter().any(|with| with == word));
        let asks_for_more = |word: &String| command.shapes.iter().any(|variant| variant.with.contains(word));
        let shown = |option: &&Choice| {
            let is_form = option.words.iter().any(|word| word == QUIET)
                || !form.is_empty() && option.words.iter().any(asks_for_more);
            !option.hidden && !option.by_gateway && !is_form && !is_other_form(option)
        };
        let mut parameters = arguments(&command.arguments)?;
        parameters.extend(form.iter().map(|word| Parameter {
            name: word.to_lowercase(),
            form: Form::Word((*word).to_owned()),
            by_name: false,
            required: true,
        }));
        for option in command.options.iter().filter(shown) {
            parameters.extend(options(option)?);
        }
        parameters.extend(arguments(&command.list)?);
        let hidden = |word: &String| {
            let mut with_word = command.options.iter().filter(|option| option.words.contains(word));
            !form.contains(&word.as_str()) && with_word.all(|option| !shown(&option))
        };
        let variants = command.shapes.iter().filter(fits);
        let variants = variants.filter(|variant| !variant.with.iter().any(hidden));
        let variants: Vec<_> = variants.map(|variant| (variant.with.clone(), variant.is.clone())).collect();
        let reply = records.reply(&command.name, variants.iter().map(|(_, shape)| shape))?;
        let texts = [&command.summary, &command.reply, &command.notes, &command.complexity].map(Clone::clone);
        let is_read = command.access == "read";
        let (name, group) = (command.name.clone(), path.pop());
        Ok(Self { name, group, method, texts, is_read, parameters, variants, reply })
    }
}

fn is_other_form(option: &Choice) -> bool {
    option.words.iter().any(|word| OTHER_FORMS.contains(&word.as_str()))
}

/// Reads the arguments before or after the options.
fn arguments(all: &[Argument]) -> Result<Vec<Parameter>, String> {
    let mut read = Vec::new();
    let mut rest = all;
    while let [first, after @ ..] = rest {
        let (form, name, left) = match after {
            // `n key [key ...]`
            [one, more, left @ ..] if first.name == "n" && repeats(one, more) => {
                (Form::Counted(first.token.clone(), value(one)?), plural(&one.name), left)
            }
            // `points member [points member ...]`
            [second, more, left @ ..] if more.kind == Kind::Block && more.multiple && more.of.len() == 2 => {
                (Form::Rows(vec![value(first)?, value(second)?]), "pairs".to_owned(), left)
            }
            // `member [member ...]`
            [more, left @ ..] if repeats(first, more) => {
                (Form::Many(value(first)?), plural(&first.name), left)
            }
            left if first.kind == Kind::Block => {
                let values = first.of.iter().map(value).collect::<Result<_, _>>()?;
                (Form::Rows(values), first.name.replace('-', "_"), left)
            }
            left => (Form::One(value(first)?), first.name.clone(), left),
        };
        read.push(Parameter { name, form, by_name: first.optional, required: !first.optional });
        rest = left;
    }
    Ok(read)
}

fn repeats(one: &Argument, more: &Argument) -> bool {
    more.name == one.name && more.multiple
}

fn plural(name: &str) -> String {
    format!("{name}s")
}

/// Reads an option. Words without values that exclude each other are several flags.
fn options(option: &Choice) -> Result<Vec<Parameter>, String> {
    let parameter = |word: &String, form| Parameter {
        name: word.to_lowercase(),
        form,
        by_name: true,
        required: option.required,
    };
    if option.value.is_empty() {
        return Ok(option.words.iter().map(|word| parameter(word, Form::Flag(word.clone()))).collect());
    }
    let [word] = &option.words[..] else { return Err(format!("{:?} have values", option.words)) };
    if let [number, one, more] = &option.value[..]
        && number.name == "n"
        && repeats(one, more)
    {
        let (name, form) = (plural(&one.name), Form::Counted(Some(word.clone()), value(one)?));
        return Ok(vec![Parameter { name, form, by_name: !option.required, required: option.required }]);
    }
    Ok(vec![parameter(word, form_of(option, word)?)])
}

fn form_of(option: &Choice, word: &str) -> Result<Form, String> {
    let word = word.to_owned();
    let values = || option.value.iter().map(value).collect::<Result<Vec<_>, _>>();
    Ok(match &option.value[..] {
        [one, more] if repeats(one, more) => Form::OptionOfMany(word, value(one)?),
        [request] if word == "ID" && request.name == "request" => Form::RequestId(word),
        all if all.iter().any(|part| part.token.is_some() || part.kind == Kind::Block) => {
            Form::Rules(word, all.iter().map(part).collect::<Result<_, _>>()?, option.repeats)
        }
        _ if option.repeats => Form::Repeated(word, values()?),
        _ => Form::Option(word, values()?),
    })
}

fn part(argument: &Argument) -> Result<Part, String> {
    let (token, values) = match argument.kind {
        Kind::Block => {
            let token = argument.of.first().and_then(|first| first.token.clone());
            (token, argument.of.iter().map(value).collect::<Result<_, _>>()?)
        }
        _ => (argument.token.clone(), vec![value(argument)?]),
    };
    let name = token.as_ref().unwrap_or(&argument.name).to_lowercase();
    let Argument { optional, multiple, .. } = *argument;
    Ok(Part { name, token, values, optional, multiple })
}

fn value(argument: &Argument) -> Result<Value, String> {
    let words = match argument.kind {
        Kind::Token | Kind::Block => return Err(format!("{} is no value", argument.name)),
        Kind::OneOf => argument.of.iter().filter_map(|choice| choice.token.clone()).collect(),
        _ => Vec::new(),
    };
    Ok(Value { kind: argument.kind, words })
}
