//! What a change is about: the score of a member, its text, its segments, an option, or the rules of a board. It is read before and after the
//! change, for the audit log.

use std::collections::BTreeMap;

use redis::{Cmd, Value};

use super::option;
use crate::access::audit::Event;
use crate::link::Link;

/// The longest text of what was before or after, in characters.
const LONGEST: usize = 500;
/// What is read before and after a change.
pub enum Look {
    Nothing,
    /// Hiding and showing tell by their reply whether anything changed: the words of the command, and whether it hides.
    Visibility(Vec<Vec<u8>>, bool),
    /// The score of a member: the words of the look and of the change.
    Score(Cmd, Vec<Vec<u8>>),
    Text(Cmd, Vec<Vec<u8>>),
    Segments(Cmd),
    Option(option::Look),
    /// The rules that the words of the change name.
    Rules(Cmd, Vec<String>),
    /// How many members a board has.
    Size(Cmd),
}

impl Look {
    /// What to read for a change, by its action and the words of its command.
    pub fn of(action: &str, words: &[Vec<u8>]) -> Self {
        let word = |at: usize| words.get(at).map(Vec::as_slice).unwrap_or_default();
        let command = |name: &str| redis::cmd(name).arg(word(1)).to_owned();
        let of_member = |name: &str, at: usize| command(name).arg(word(at)).to_owned();
        if word(1).is_empty() {
            return Self::Nothing;
        }
        match (action, word(0)) {
            ("set", b"LB.SET") | ("add", b"LB.ADD") if words.len() > 3 => {
                let mut score = of_member("LB.SCORE", 3);
                if let Some(view) = view_of(words) {
                    score.arg("VIEW").arg(view);
                }
                Self::Score(score, words.to_vec())
            }
            ("remove", b"LB.REM") if words.len() == 3 => Self::Score(of_member("LB.SCORE", 2), Vec::new()),
            ("meta", b"LB.SETMETA") if words.len() == 4 => {
                Self::Text(of_member("LB.GETMETA", 2), words.to_vec())
            }
            ("segment", b"LB.SEGMENT") if words.len() > 2 => Self::Segments(of_member("LB.GETSEGMENT", 2)),
            ("option", b"LB.OPTION") => option::Look::of(words).map_or(Self::Nothing, Self::Option),
            ("hide" | "unhide", _) if words.len() == 3 => Self::Visibility(words.to_vec(), action == "hide"),
            ("alter", b"LB.ALTER") => Self::Rules(command("LB.INFO"), names(words)),
            ("alter", b"LB.LEAGUE.ALTER") => Self::Rules(command("LB.LEAGUE.INFO"), names(words)),
            ("alter", b"LB.COUNTER.ALTER") => Self::Rules(command("LB.COUNTER.INFO"), names(words)),
            ("delete", _) => Self::Size(command("LB.INFO")),
            _ => Self::Nothing,
        }
    }

    /// Finds where it is to be read.
    pub async fn find(&mut self, link: &Link) {
        if let Self::Option(option) = self {
            option.find(link).await;
        }
    }

    /// The command that reads it; `None` if there is nothing to read.
    pub fn command(&self) -> Option<Cmd> {
        match self {
            Self::Nothing | Self::Visibility(..) => None,
            Self::Option(option) => option.command(),
            Self::Score(command, _)
            | Self::Text(command, _)
            | Self::Segments(command)
            | Self::Rules(command, _)
            | Self::Size(command) => Some(command.clone()),
        }
    }

    /// Tells an event what was before and after it, by the replies to the look, the change and the look.
    pub fn tell(&self, event: &mut Event, [before, reply, after]: [Option<Value>; 3]) {
        let both = |read: fn(&Value) -> Option<String>| {
            [before.as_ref(), after.as_ref()].map(|value| value.and_then(read))
        };
        [event.before, event.after] = match self {
            Self::Nothing => return,
            Self::Visibility(_, hides) => {
                let changed = matches!(reply, Some(Value::Int(number)) if number > 0);
                let name = |is_hidden: bool| Some(if is_hidden { "hidden" } else { "shown" }.to_owned());
                [name(*hides != changed), name(*hides)]
            }
            Self::Score(..) | Self::Text(..) => both(told),
            Self::Option(_) => {
                [&before, &after].map(|value| value.as_ref().and_then(|value| self.told(value)))
            }
            Self::Segments(_) => both(|value| Some(shortened(flat(value))).filter(|text| !text.is_empty())),
            Self::Rules(_, names) => differences(names, before.as_ref(), after.as_ref()),
            Self::Size(_) => {
                let size =
                    |value: &Value| fields(value).get("members").map(|members| format!("members {members}"));
                both(size)
            }
        };
        if event.before != event.after {
            event.undo = self.undo(event, before.as_ref()).unwrap_or_default();
        }
    }

    /// What a reply to the look tells.
    pub fn told(&self, reply: &Value) -> Option<String> {
        match self {
            Self::Option(option) => option.told(reply).map(shortened),
            _ => told(reply),
        }
    }

    /// The words of the command that takes the change back. `None` if none does.
    fn undo(&self, event: &Event, before: Option<&Value>) -> Option<Vec<String>> {
        let readable = |words: &[Vec<u8>]| -> Option<Vec<String>> {
            words.iter().map(|word| String::from_utf8(word.clone()).ok()).collect()
        };
        match self {
            Self::Visibility(words, hides) => {
                let mut words = readable(words)?;
                *words.first_mut()? = if *hides { "LB.UNHIDE" } else { "LB.HIDE" }.to_owned();
                Some(words)
            }
            Self::Option(option) => option.undo(before?),
            Self::Text(_, words) => {
                let mut words = readable(words)?;
                // A text that was cut cannot be restored.
                let before = event.before.clone().unwrap_or_default();
                *words.last_mut()? = Some(before).filter(|before| !before.ends_with(CUT))?;
                Some(words)
            }
            Self::Score(_, words) if event.action == "add" => {
                let words = readable(words)?;
                let [name, key, points, member] = words.get(..4)? else { return None };
                Some(vec![name.clone(), key.clone(), negated(points)?, member.clone(), "FORCE".to_owned()])
            }
            Self::Score(_, words) if event.action == "set" => {
                let all = readable(words)?;
                let [name, key, _, member] = all.get(..4)? else { return None };
                let mut undo = vec![
                    name.clone(),
                    key.clone(),
                    event.before.clone()?,
                    member.clone(),
                    "FORCE".to_owned(),
                ];
                if let Some(view) = view_of(words) {
                    undo.extend(["VIEW".to_owned(), String::from_utf8(view.to_vec()).ok()?]);
                }
                Some(undo)
            }
            _ => None,
        }
    }
}

/// The view that a write names.
pub fn view_of(words: &[Vec<u8>]) -> Option<&[u8]> {
    let at = words.iter().skip(4).position(|word| word.eq_ignore_ascii_case(b"VIEW"))?;
    words.get(at.saturating_add(5)).map(Vec::as_slice)
}

/// Points with the other sign. `None` for points of boards with levels.
fn negated(points: &str) -> Option<String> {
    let digits = points.trim_start_matches(['+', '-']);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_plain.then(|| if points.starts_with('-') { digits.to_owned() } else { format!("-{digits}") })
}

/// The mark behind a text that was cut.
const CUT: char = '…';

fn shortened(text: String) -> String {
    if text.chars().count() <= LONGEST { text } else { text.chars().take(LONGEST).chain([CUT]).collect() }
}

/// A reply that is one text or number, as records tell it.
pub fn told(value: &Value) -> Option<String> {
    text(value).map(shortened)
}

/// The names of the options of a command, in lower case, as LB.INFO has them. Its other words are there, too.
fn names(words: &[Vec<u8>]) -> Vec<String> {
    words.iter().skip(2).map(|word| String::from_utf8_lossy(word).to_ascii_lowercase()).collect()
}

/// A reply that is one text or number; `None` for others, and for texts that are not UTF-8.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Int(number) => Some(number.to_string()),
        Value::Double(number) => Some(number.to_string()),
        Value::SimpleString(text) => Some(text.clone()),
        Value::BulkString(bytes) => String::from_utf8(bytes.clone()).ok(),
        _ => None,
    }
}

/// A reply as a text: `country se, guild 7`.
fn flat(value: &Value) -> String {
    let list = |values: &[Value], between: &str| values.iter().map(flat).collect::<Vec<_>>().join(between);
    match value {
        Value::Array(values) if values.iter().any(|value| matches!(value, Value::Array(_))) => {
            list(values, ", ")
        }
        Value::Array(values) => list(values, " "),
        Value::Map(pairs) => pairs
            .iter()
            .map(|(name, value)| format!("{} {}", flat(name), flat(value)))
            .collect::<Vec<_>>()
            .join(", "),
        other => text(other).unwrap_or_default(),
    }
}

/// The fields of a map.
fn fields(value: &Value) -> BTreeMap<String, String> {
    match value {
        Value::Map(pairs) => pairs.iter().map(|(name, value)| (flat(name), flat(value))).collect(),
        Value::Array(words) => {
            let pair = |pair: &[Value]| Some((flat(pair.first()?), flat(pair.get(1)?)));
            words.chunks(2).filter_map(pair).collect()
        }
        _ => BTreeMap::new(),
    }
}

/// The rules that a command names and that differ: what they were, and what they are.
fn differences(words: &[String], before: Option<&Value>, after: Option<&Value>) -> [Option<String>; 2] {
    let [before, after] = [before, after].map(|value| value.map(fields).unwrap_or_default());
    // UNLIMIT is about the field `limit`.
    let is_named =
        |name: &str| words.iter().any(|word| word == name || word.strip_prefix("un") == Some(name));
    let differs = |name: &&String| before.get(*name) != after.get(*name) && is_named(name);
    let names: Vec<_> = before.keys().filter(differs).collect();
    let told = |of: &BTreeMap<String, String>| {
        let field = |name: &&String| {
            let value = of.get(*name).map(String::as_str).filter(|value| !value.is_empty());
            format!("{name} {}", value.unwrap_or("''"))
        };
        let all = names.iter().map(field).collect::<Vec<_>>().join(", ");
        Some(all).filter(|all| !all.is_empty()).map(shortened)
    };
    [told(&before), told(&after)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bulk(text: &str) -> Value {
        Value::BulkString(text.as_bytes().to_vec())
    }

    /// What is told of a command, and the command that takes it back.
    fn told(
        action: &'static str,
        line: &str,
        replies: [Value; 3],
    ) -> (Option<String>, Option<String>, String) {
        let words: Vec<Vec<u8>> = line.split(' ').map(|word| word.as_bytes().to_vec()).collect();
        let mut event = Event { action, ..Event::default() };
        Look::of(action, &words).tell(&mut event, replies.map(Some));
        (event.before, event.after, event.undo.join(" "))
    }

    fn some(before: &str, after: &str, undo: &str) -> (Option<String>, Option<String>, String) {
        (Some(before.to_owned()), Some(after.to_owned()), undo.to_owned())
    }

    #[test]
    fn a_correction_is_taken_back_by_its_opposite() {
        let reply = || Value::Array(Vec::new());
        assert_eq!(
            told("add", "LB.ADD b 5 ann FORCE ID x", [bulk("7"), reply(), bulk("12")]),
            some("7", "12", "LB.ADD b -5 ann FORCE")
        );
        assert_eq!(
            told("add", "LB.ADD b -0.5 ann", [bulk("7"), reply(), bulk("6.5")]),
            some("7", "6.5", "LB.ADD b 0.5 ann FORCE")
        );
        assert_eq!(
            told("set", "LB.SET b 3 ann FORCE VIEW day", [bulk("7"), reply(), bulk("3")]),
            some("7", "3", "LB.SET b 7 ann FORCE VIEW day")
        );
        assert_eq!(told("set", "LB.SET b 3 ann", [bulk("3"), reply(), bulk("3")]), some("3", "3", ""));
        let new = told("set", "LB.SET b 3 ann", [Value::Nil, reply(), bulk("3")]);
        assert_eq!(new, (None, Some("3".to_owned()), String::new()), "nothing to go back to");
        assert_eq!(told("add", "LB.ADD b 5/1 ann", [bulk("1/1"), reply(), bulk("6/2")]).2, "");
    }

    #[test]
    fn hiding_tells_by_its_reply() {
        let hide = |number| told("hide", "LB.HIDE b ann", [Value::Nil, Value::Int(number), Value::Nil]);
        assert_eq!(hide(1), some("shown", "hidden", "LB.UNHIDE b ann"));
        assert_eq!(hide(0), some("hidden", "hidden", ""));
    }

    #[test]
    fn texts_are_restored_unless_they_were_cut() {
        let meta = |before: Value| told("meta", "LB.SETMETA b ann New", [before, Value::Okay, bulk("New")]);
        assert_eq!(meta(bulk("Old")), some("Old", "New", "LB.SETMETA b ann Old"));
        assert_eq!(meta(Value::Nil).2, "LB.SETMETA b ann ");
        assert_eq!(meta(bulk(&"x".repeat(LONGEST + 1))).2, "");
    }

    #[test]
    fn of_rules_only_what_differs_is_told() {
        let info = |closes: i64, now: i64| {
            Value::Array(vec![
                bulk("views"),
                bulk("all"),
                bulk("closes"),
                Value::Int(closes),
                bulk("now"),
                Value::Int(now),
            ])
        };
        let alter = told("alter", "LB.ALTER b CLOSES 9", [info(0, 1), Value::Okay, info(9, 2)]);
        assert_eq!(alter, some("closes 0", "closes 9", ""));
    }
}
