//! Rules of votes, as requests give them and as answers show them: `perminute voter 5 minute bonus channel acme 5`. A
//! word that contains other characters than plain ones is in quotes, with escapes as in `"\xff"`, as LB.INFO writes it.

use std::fmt::{self, Formatter};

use leaderboard_client::{LimitRule, limit_rule};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::openapi::schema::{ArrayBuilder, OneOfBuilder};
use utoipa::openapi::{Object, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::api::names::text_or_base64;
use crate::problem::Problem;

/// A rule in the body of a request: a text, or an array of the words of the rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit(Vec<Vec<u8>>);

impl Limit {
    /// Reads the rule.
    ///
    /// # Errors
    /// 422 if the words are not exactly a rule with its bonuses.
    pub fn rule(&self) -> Result<LimitRule, Problem> {
        LimitRule::of(self.0.iter().cloned()).ok_or_else(|| {
            Problem::invalid("limit: a rule is 'name scope max unit', then any 'bonus tag value extra'")
        })
    }
}

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Words)
    }
}

struct Words;

impl<'de> Visitor<'de> for Words {
    type Value = Limit;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a rule as a text or as an array of words")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Limit, E> {
        limit_rule::words(text)
            .map(Limit)
            .ok_or_else(|| E::custom("a quote is not closed, or an escape in it is none"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut words: A) -> Result<Limit, A::Error> {
        let mut limit = Vec::new();
        while let Some(Word(word)) = words.next_element()? {
            limit.push(word);
        }
        Ok(Limit(limit))
    }
}

/// A word of an array: a text or a number.
struct Word(Vec<u8>);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::api::numbers::score(deserializer).map(|word| Self(word.into_bytes()))
    }
}

impl PartialSchema for Limit {
    fn schema() -> RefOr<Schema> {
        let text = Object::with_type(Type::String);
        OneOfBuilder::new()
            .description(Some("A rule of votes: its name, scope, max and unit, then any bonuses."))
            .item(text.clone())
            .item(ArrayBuilder::new().items(text))
            .examples([serde_json::json!("perminute voter 5 minute bonus channel acme 5")])
            .into()
    }
}

impl ToSchema for Limit {}

/// A rule of votes.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Rule {
    #[schema(example = "perminute")]
    name: String,
    #[schema(example = "voter")]
    scope: String,
    #[schema(example = 5)]
    max: u64,
    #[schema(example = "minute")]
    unit: String,
    bonus: Vec<Bonus>,
}

/// The number of votes (`extra`) that a voter with this tag may cast in addition.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Bonus {
    #[schema(example = "channel")]
    tag: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "acme")]
    value: Option<String>,
    /// The value in Base64, if it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    value_b64: Option<String>,
    #[schema(example = 5)]
    extra: u64,
}

impl Rule {
    /// A rule as the server keeps it; `None` if a number of votes in it cannot be read.
    pub fn of(rule: LimitRule) -> Option<Self> {
        Some(Self {
            name: lossy(&rule.name),
            scope: lossy(&rule.scope),
            max: number(&rule.max)?,
            unit: lossy(&rule.unit),
            bonus: rule.bonuses.into_iter().map(Bonus::of).collect::<Option<_>>()?,
        })
    }
}

impl Bonus {
    fn of(bonus: limit_rule::Bonus) -> Option<Self> {
        let (value, value_b64) = text_or_base64(bonus.value);
        Some(Self { tag: lossy(&bonus.tag), value, value_b64, extra: number(&bonus.extra)? })
    }
}

fn lossy(word: &[u8]) -> String {
    String::from_utf8_lossy(word).into_owned()
}

fn number(word: &[u8]) -> Option<u64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Rule> {
        LimitRule::read(text).and_then(Rule::of)
    }

    fn words(json: &str) -> Result<Vec<String>, String> {
        let limit: Limit = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let rule = limit.rule().map_err(|problem| problem.detail().to_owned())?;
        Ok(rule.words().iter().map(|word| lossy(word)).collect())
    }

    #[test]
    fn a_rule_is_a_text_or_an_array() {
        assert_eq!(words(r#""perminute voter 5 minute""#).unwrap(), ["perminute", "voter", "5", "minute"]);
        assert_eq!(words(r#"["a","voter",5,"day"]"#).unwrap(), ["a", "voter", "5", "day"]);
        assert_eq!(words(r#"["a","voter","5","day","BONUS","t","x y",2]"#).unwrap()[6], "x y");
        assert_eq!(
            words(r#""  a  voter 5 day bonus t \"x y\" 2 ""#).unwrap()[4..],
            ["BONUS", "t", "x y", "2"]
        );
    }

    #[test]
    fn a_rule_brings_no_other_options() {
        for json in [
            r#""a voter 5""#,
            r#""a voter 5 minute LIKE secret""#,
            r#"["a","voter","5","minute","SHOWN"]"#,
            r#"["a","voter","5","minute","LIKE","secret","DEDUP","5"]"#,
            r#""a voter 5 minute bonus t x""#,
            "[]",
            r#""a voter 5 minute bonus t \"x 2""#,
            "7",
            r#"["a",["voter"],"5","minute"]"#,
        ] {
            assert!(words(json).is_err(), "{json}");
        }
    }

    #[test]
    fn rules_are_told_in_parts() {
        let rule = read(r#"per voter,member 5 day BONUS channel "ac me \"\xe7\x81\xaf" 3 BONUS c "\xff" 4"#);
        let rule = serde_json::to_value(rule.unwrap()).unwrap();
        assert_eq!(
            rule,
            serde_json::json!({"name": "per", "scope": "voter,member", "max": 5, "unit": "day", "bonus": [
                {"tag": "channel", "value": "ac me \"灯", "extra": 3},
                {"tag": "c", "value_b64": "/w==", "extra": 4},
            ]})
        );
        assert_eq!(read("a voter x day"), None);
    }
}
