//! Types of parameters, rules that are values of options, and enums of their words.

use serde::Serialize;

use super::{Kind, Variable, camel};
use crate::description;
use crate::model::{Call, Form, Parameter, Part, Value};
use crate::records::capitalized;
use crate::shared::listed;

/// An enum.
#[derive(Serialize)]
pub struct Enum {
    /// The name.
    pub name: String,
    /// The word of the option.
    option: String,
    /// The names of the cases and their words.
    cases: Vec<(String, String)>,
}

/// The enums of all options with a choice of words.
pub struct Enums(Vec<Enum>);

impl Enums {
    /// Returns the enums that these commands need, each once. The first with a name has it alone; others
    /// have the name of the group or the command before it.
    pub fn of(calls: &[Call]) -> Self {
        let mut all = Self(Vec::new());
        for call in calls {
            for parameter in &call.parameters {
                if let Form::Option(word, values) = &parameter.form
                    && let [value] = &values[..]
                    && !value.words.is_empty()
                    && all.name_of(word, value).is_none()
                {
                    all.add(call, word, value);
                }
            }
        }
        all
    }

    /// Returns all enums.
    pub fn all(&self) -> &[Enum] {
        &self.0
    }

    fn add(&mut self, call: &Call, option: &str, value: &Value) {
        let mut name = capitalized(option);
        if self.0.iter().any(|known| known.name == name) {
            name = capitalized(call.group.as_ref().unwrap_or(&call.method)) + &name;
        }
        let cases = value.words.iter().map(|word| (capitalized(word), word.clone())).collect();
        self.0.push(Enum { name, option: option.to_owned(), cases });
    }

    fn name_of(&self, option: &str, value: &Value) -> Option<&str> {
        let mut all = self.0.iter();
        let known = all.find(|known| {
            known.option == option && known.cases.iter().map(|(_, word)| word).eq(&value.words)
        });
        known.map(|known| known.name.as_str())
    }
}

/// Whether a value is a key.
pub fn is_key(value: &Value) -> bool {
    value.kind == description::Kind::Key
}

/// Whether these are a name and a value.
pub fn are_pairs(values: &[Value]) -> bool {
    values.len() == 2 && values.iter().all(|value| value.kind == description::Kind::Text)
}

/// Returns the type of a parameter that is not omitted.
pub fn type_of_parameter(parameter: &Parameter, enums: &Enums) -> Kind {
    match &parameter.form {
        Form::Flag(_) | Form::Word(_) => Kind::plain("bool"),
        Form::RequestId(_) => Kind::plain("string|RequestId|null"),
        Form::One(value) => type_of(value),
        Form::Option(word, values) => match &values[..] {
            [value] if !value.words.is_empty() => {
                Kind::plain(&format!("Options\\{}", enums.name_of(word, value).unwrap_or_default()))
            }
            _ => row(values),
        },
        Form::Many(value) | Form::Counted(_, value) | Form::OptionOfMany(_, value) => list(&type_of(value)),
        Form::Rows(values) if parameter.by_name => row(values),
        Form::Rows(values) | Form::Repeated(_, values) if are_pairs(values) => Kind {
            native: "iterable".to_owned(),
            comment: "iterable<string, string>|iterable<array{string, string}>".to_owned(),
        },
        Form::Rows(values) | Form::Repeated(_, values) => list(&row(values)),
        Form::Rules(word, _, true) => list(&Kind::plain(&format!("Options\\{}", capitalized(word)))),
        Form::Rules(word, _, false) => Kind::plain(&format!("Options\\{}", capitalized(word))),
    }
}

fn list(one: &Kind) -> Kind {
    Kind { native: "iterable".to_owned(), comment: format!("iterable<{}>", one.comment) }
}

fn row(values: &[Value]) -> Kind {
    match values {
        [one] => type_of(one),
        _ => {
            let all: Vec<_> = values.iter().map(|value| type_of(value).comment).collect();
            Kind { native: "array".to_owned(), comment: format!("array{{{}}}", all.join(", ")) }
        }
    }
}

fn type_of(value: &Value) -> Kind {
    match value.kind {
        description::Kind::Integer => Kind::plain("int"),
        // A float is let in to be refused: PHP would make a string of it for a caller without strict types.
        description::Kind::Number => {
            Kind { native: "int|float|string".to_owned(), comment: "int|string".to_owned() }
        }
        description::Kind::Time => Kind::plain("int|\\DateTimeInterface"),
        _ => Kind::plain("string"),
    }
}

/// A class of rules.
#[derive(Serialize)]
pub struct RuleClass {
    name: String,
    about: String,
    fields: Vec<Variable>,
    steps: Vec<String>,
}

/// Returns the class of a rule.
pub fn rule_class(word: &str, parts: &[Part]) -> RuleClass {
    let field = |part: &Part| {
        let name = camel(&part.name);
        match (part.optional, part.multiple) {
            (_, true) => Variable::new(name, list(&row(&part.values)), Some("[]")),
            (true, false) => Variable::new(name, row(&part.values).or_null(), Some("null")),
            (false, false) => Variable::new(name, row(&part.values), None),
        }
    };
    let step = |part: &Part| {
        let name = format!("$this->{}", camel(&part.name));
        match (&part.token, part.multiple) {
            (Some(token), true) => format!("repeated('{token}', {name})"),
            (Some(token), false) => format!("option('{token}', {name})"),
            (None, _) => format!("add({name})"),
        }
    };
    RuleClass {
        name: capitalized(word),
        about: format!("The option {word}: {}.", listed(parts.iter().map(|part| part.name.as_str()))),
        fields: parts.iter().map(field).collect(),
        steps: parts.iter().map(step).collect(),
    }
}
