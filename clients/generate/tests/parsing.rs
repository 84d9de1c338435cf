//! Words as a call of a client's function: the values at their places, and those by name.

use leaderboard_clients::description::Kind;
use leaderboard_clients::model::{Call, Form, Part, Value as Argument};
use serde_json::{Map, Value, json};

/// A call of a client's function.
#[derive(Debug, Default)]
pub struct Given {
    pub arguments: Vec<Value>,
    pub options: Map<String, Value>,
}

/// The words that are left.
struct Words<'a> {
    left: &'a [String],
    /// The words of the command's options.
    options: Vec<&'a str>,
}

/// Reads the words behind a command's name, in the order in which clients send them.
pub fn parse(call: &Call, words: &[String]) -> Given {
    let mut words =
        Words { left: words, options: call.parameters.iter().filter_map(|it| word(&it.form)).collect() };
    let mut given = Given::default();
    for parameter in &call.parameters {
        let value = words.parameter(&parameter.form, parameter.required);
        match value {
            Some(value) if !parameter.by_name => given.arguments.push(value),
            Some(value) => _ = given.options.insert(parameter.name.clone(), value),
            None => {}
        }
    }
    assert!(words.left.is_empty(), "{}: words are left, or in another order: {:?}", call.name, words.left);
    given
}

/// Returns the word of an option.
fn word(form: &Form) -> Option<&str> {
    match form {
        Form::Counted(Some(word), _)
        | Form::Flag(word)
        | Form::Word(word)
        | Form::Option(word, _)
        | Form::OptionOfMany(word, _)
        | Form::Repeated(word, _)
        | Form::Rules(word, _, _)
        | Form::RequestId(word) => Some(word),
        Form::One(_) | Form::Many(_) | Form::Counted(None, _) | Form::Rows(_) => None,
    }
}

impl<'a> Words<'a> {
    fn next(&mut self) -> &'a str {
        let (first, rest) = self.left.split_first().expect("another word");
        self.left = rest;
        first
    }

    fn takes(&mut self, word: &str) -> bool {
        let is_next = self.left.first().is_some_and(|next| next == word);
        if is_next {
            self.next();
        }
        is_next
    }

    fn is_value_next(&self) -> bool {
        self.left.first().is_some_and(|next| !self.options.contains(&next.as_str()))
    }

    fn value(&mut self, argument: &Argument) -> Value {
        let word = self.next();
        match argument.kind {
            Kind::Integer | Kind::Time => json!(word.parse::<i64>().expect("a whole number")),
            _ => json!(word),
        }
    }

    fn row(&mut self, values: &[Argument]) -> Value {
        match values {
            [one] => self.value(one),
            _ => values.iter().map(|argument| self.value(argument)).collect(),
        }
    }

    fn while_values(&mut self, mut read: impl FnMut(&mut Self) -> Value) -> Value {
        let mut all = Vec::new();
        while self.is_value_next() {
            all.push(read(self));
        }
        Value::from(all)
    }

    fn parameter(&mut self, form: &Form, required: bool) -> Option<Value> {
        Some(match form {
            Form::One(value) => (required || self.is_value_next()).then(|| self.value(value))?,
            Form::Many(value) => self.while_values(|words| words.value(value)),
            Form::Rows(values) if required => self.while_values(|words| words.row(values)),
            Form::Rows(values) => self.is_value_next().then(|| self.row(values))?,
            Form::Counted(word, value) => {
                let counted = word.as_ref().is_none_or(|word| self.takes(word));
                let count = counted.then(|| self.next().parse::<usize>().expect("a number"))?;
                (0..count).map(|_| self.value(value)).collect()
            }
            Form::Flag(word) => self.takes(word).then_some(Value::Bool(true))?,
            Form::Word(word) => {
                assert!(self.takes(word), "{word} follows the arguments at their places");
                return None;
            }
            Form::Option(word, values) => self.takes(word).then(|| self.row(values))?,
            Form::OptionOfMany(word, value) => {
                self.takes(word).then(|| self.while_values(|words| words.value(value)))?
            }
            Form::Repeated(word, values) => self.repeated(word, |words| words.row(values))?,
            Form::Rules(word, parts, true) => self.repeated(word, |words| words.rule(parts))?,
            Form::Rules(word, parts, false) => self.takes(word).then(|| self.rule(parts))?,
            // Without an id, a call says so: else the client would make one.
            Form::RequestId(word) => {
                if self.takes(word) {
                    json!(self.next())
                } else {
                    Value::Null
                }
            }
        })
    }

    fn repeated(&mut self, word: &str, mut read: impl FnMut(&mut Self) -> Value) -> Option<Value> {
        let mut all = Vec::new();
        while self.takes(word) {
            all.push(read(self));
        }
        (!all.is_empty()).then(|| Value::from(all))
    }

    fn rule(&mut self, parts: &[Part]) -> Value {
        let mut rule = Map::new();
        for part in parts {
            let value = match &part.token {
                Some(token) if part.multiple => self.repeated(token, |words| words.row(&part.values)),
                Some(token) => self.takes(token).then(|| self.row(&part.values)),
                None => Some(self.row(&part.values)),
            };
            rule.extend(value.map(|value| (part.name.clone(), value)));
        }
        Value::from(rule)
    }
}
