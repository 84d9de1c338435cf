//! Parses the syntax line of a command into the argument tree of `COMMAND DOCS`. So hints, documentation and
//! reference have one source.
//!
//! `lower` words are values, `UPPER` words are tokens (a value after a token belongs to it), `a|b` is a
//! choice, `{... | ...}` is one of several forms, `[...]` is optional. `...` at the end of an optional part, or after
//! it, means that it repeats.

/// The kind of an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartKind {
    /// A key.
    Key,
    /// Any string.
    Text,
    /// A whole number.
    Integer,
    /// A decimal number, such as a score. With levels it is a text of several numbers, and a bound may be infinite.
    Number,
    /// A moment in milliseconds.
    Time,
    /// A word without a value.
    Token,
    /// One of these arguments.
    OneOf(Vec<Part>),
    /// Several arguments in a row.
    Block(Vec<Part>),
}

/// An argument of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The name, in lower case.
    pub name: String,
    /// The kind of the argument.
    pub kind: PartKind,
    /// The word before the value, or the word itself.
    pub token: Option<String>,
    /// Whether a call may omit the argument.
    pub optional: bool,
    /// Whether the argument may repeat.
    pub multiple: bool,
}

/// Names of values that are integers.
const INTEGERS: [&str; 13] = [
    "count",
    "first",
    "last",
    "i",
    "n",
    "m",
    "above",
    "below",
    "seconds",
    "digits",
    "votes",
    "extra",
    "precision",
];

/// Names of values that are decimal numbers.
const NUMBERS: [&str; 6] = ["points", "score", "min", "max", "q", "weight"];

fn kind(word: &str) -> PartKind {
    match word {
        "key" | "dest" | "zset" => PartKind::Key,
        "ms" | "moment" => PartKind::Time,
        _ if INTEGERS.contains(&word) => PartKind::Integer,
        _ if NUMBERS.contains(&word) => PartKind::Number,
        _ => PartKind::Text,
    }
}

fn is_token(word: &str) -> bool {
    word.chars().any(|c| c.is_ascii_uppercase()) && !word.chars().any(|c| c.is_ascii_lowercase())
}

/// Parses a syntax line. Returns its arguments; the command's name is left out.
pub fn parse(syntax: &str) -> Vec<Part> {
    let spaced = ['[', ']', '{', '}']
        .into_iter()
        .fold(syntax.to_owned(), |text, bracket| text.replace(bracket, &format!(" {bracket} ")));
    let mut words = spaced.split_whitespace();
    sequence(&mut words).0
}

/// The word or bracket that ends a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The end of its part.
    Part,
    /// A bar: another form follows.
    Bar,
    /// `...`, and the end of its part: the part repeats.
    Repeats,
}

/// Reads a sequence up to the end of a part or a form.
fn sequence<'a>(words: &mut impl Iterator<Item = &'a str>) -> (Vec<Part>, End) {
    let mut arguments: Vec<Part> = Vec::new();
    let (mut token, mut end) = (None, End::Part);
    while let Some(word) = words.next() {
        match word {
            "]" | "}" => break,
            "|" => {
                end = End::Bar;
                break;
            }
            "{" => {
                arguments.extend(token.take().map(lone_token));
                arguments.push(forms(words));
            }
            "..." => match arguments.last_mut().filter(|last| last.optional && token.is_none()) {
                Some(last) => last.multiple = true,
                None => end = End::Repeats,
            },
            "[" => {
                arguments.extend(token.take().map(lone_token));
                arguments.push(optional(words));
            }
            word if is_token(word) && token.is_none() && !word.contains('|') => token = Some(word),
            word if is_token(word) && !word.contains('|') => {
                arguments.extend(token.replace(word).map(lone_token));
            }
            word => arguments.push(value(word, token.take())),
        }
    }
    arguments.extend(token.map(lone_token));
    (arguments, end)
}

/// Reads several forms. Each form has the name of its first word.
fn forms<'a>(words: &mut impl Iterator<Item = &'a str>) -> Part {
    let mut all = Vec::new();
    loop {
        let (mut inner, end) = sequence(words);
        let name = |part: &Part| part.token.as_ref().unwrap_or(&part.name).to_ascii_lowercase();
        let name = inner.first().map(name).unwrap_or_default();
        let form =
            Part { name, kind: PartKind::Block(Vec::new()), token: None, optional: false, multiple: false };
        all.push(match inner.len() {
            1 => inner.pop().unwrap_or(form),
            _ => Part { kind: PartKind::Block(inner), ..form },
        });
        if end != End::Bar {
            let name = "operation".to_owned();
            return Part { name, kind: PartKind::OneOf(all), token: None, optional: false, multiple: false };
        }
    }
}

fn optional<'a>(words: &mut impl Iterator<Item = &'a str>) -> Part {
    let (mut inner, end) = sequence(words);
    let multiple = end == End::Repeats;
    let argument = if inner.len() == 1 {
        inner.pop()
    } else {
        let name = inner.iter().map(|argument| argument.name.as_str()).collect::<Vec<_>>().join("-");
        Some(Part { name, kind: PartKind::Block(inner), token: None, optional: true, multiple })
    };
    let argument = argument.unwrap_or_else(|| lone_token(""));
    Part { optional: true, multiple, ..argument }
}

fn lone_token(word: &str) -> Part {
    let name = word.to_ascii_lowercase();
    Part { name, kind: PartKind::Token, token: Some(word.to_owned()), optional: false, multiple: false }
}

fn value(word: &str, token: Option<&str>) -> Part {
    let own_token = token.map(str::to_owned);
    let choices: Vec<&str> = word.split('|').collect();
    if choices.len() == 1 {
        let name = word.to_owned();
        return Part { name, kind: kind(word), token: own_token, optional: false, multiple: false };
    }
    let name = token.map_or_else(|| word.replace('|', "-"), str::to_owned).to_ascii_lowercase();
    let choices = choices
        .into_iter()
        .map(|choice| if is_token(choice) { lone_token(choice) } else { value(choice, None) })
        .collect();
    Part { name, kind: PartKind::OneOf(choices), token: own_token, optional: false, multiple: false }
}

/// Returns the minimum number of words of a command, including its name.
pub fn least_words(arguments: &[Part]) -> usize {
    words_of(arguments).saturating_add(1)
}

/// Returns the minimum number of words of these arguments.
pub fn words_of(arguments: &[Part]) -> usize {
    let value = |argument: &Part| match &argument.kind {
        PartKind::OneOf(all) => {
            all.iter().map(|form| words_of(std::slice::from_ref(form))).min().unwrap_or(0)
        }
        PartKind::Block(inner) => words_of(inner),
        PartKind::Token => 0,
        _ => 1,
    };
    let words = |argument: &Part| value(argument).saturating_add(usize::from(argument.token.is_some()));
    arguments.iter().filter(|argument| !argument.optional).map(words).fold(0, usize::saturating_add)
}

/// Returns whether a command always takes its minimum number of words.
pub fn is_fixed(arguments: &[Part]) -> bool {
    !arguments.iter().any(|argument| argument.optional)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(argument: &Part) -> String {
        let inner = match &argument.kind {
            PartKind::OneOf(all) => all.iter().map(shape).collect::<Vec<_>>().join("|"),
            PartKind::Block(all) => all.iter().map(shape).collect::<Vec<_>>().join(" "),
            kind => format!("{kind:?}:{}", argument.name),
        };
        let token = argument.token.as_deref().map(|token| format!("{token}=")).unwrap_or_default();
        let (open, close) = if argument.optional { ("[", "]") } else { ("", "") };
        format!("{open}{token}{inner}{}{close}", if argument.multiple { "..." } else { "" })
    }

    fn shapes(syntax: &str) -> Vec<String> {
        parse(syntax).iter().map(shape).collect()
    }

    #[test]
    fn all_forms() {
        assert_eq!(
            shapes("key points member [ID request] [AT ms] [NX|XX] [RANKS A|B] [WITHMETA]"),
            [
                "Key:key",
                "Number:points",
                "Text:member",
                "[ID=Text:request]",
                "[AT=Time:ms]",
                "[NX=Token:nx|XX=Token:xx]",
                "[RANKS=A=Token:a|B=Token:b]",
                "[WITHMETA=Token:withmeta]"
            ]
        );
        assert_eq!(
            shapes("key points member [points member ...] [min max]"),
            [
                "Key:key",
                "Number:points",
                "Text:member",
                "[Number:points Text:member...]",
                "[Number:min Number:max]"
            ]
        );
        assert_eq!(
            shapes("key {TOP count [OFFSET n] | STATS | NEAR score A|B} [REV]"),
            [
                "Key:key",
                "TOP=Integer:count [OFFSET=Integer:n]|STATS=Token:stats|NEAR=Number:score A=Token:a|B=Token:b",
                "[REV=Token:rev]"
            ]
        );
        assert_eq!(
            shapes("key [TAG name value]... [LIMIT rule unit [BONUS tag]...]..."),
            [
                "Key:key",
                "[TAG=Text:name Text:value...]",
                "[LIMIT=Text:rule Text:unit [BONUS=Text:tag...]...]"
            ]
        );
    }

    #[test]
    fn a_form_of_one_part_is_no_block() {
        let [arguments] = &parse("{TOP count | NEAR score A|B | STATS}")[..] else { panic!("one argument") };
        let PartKind::OneOf(forms) = &arguments.kind else { panic!("{arguments:?}") };
        let is_block: Vec<_> = forms.iter().map(|form| matches!(form.kind, PartKind::Block(_))).collect();
        assert_eq!(is_block, [false, true, false]);
    }

    #[test]
    fn arity() {
        assert_eq!(least_words(&parse("key points member [ID request]")), 4);
        assert_eq!(least_words(&parse("key DEDUP seconds")), 4);
        assert_eq!(least_words(&parse("key {TOP count [OFFSET n] | NEAR score A|B | ONE OF TWO}")), 4);
        assert_eq!(least_words(&parse("key {TOP count | STATS}")), 3);
        assert!(is_fixed(&parse("key member")) && !is_fixed(&parse("key [min max]")));
    }
}
