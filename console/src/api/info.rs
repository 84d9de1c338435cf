//! The reply of LB.INFO and similar commands as a JSON object, with the fields in the order of the reply.

use leaderboard_client::{Info, InfoValue, LimitRule};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use utoipa::openapi::schema::{AdditionalProperties, ArrayBuilder, ObjectBuilder, OneOfBuilder};
use utoipa::openapi::{Object, Ref, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::api::limits::Rule;

/// A description of a board, a league or a counter.
#[derive(Debug)]
pub struct Described {
    key: String,
    info: Info,
}

impl Described {
    pub fn new(key: &str, info: Info) -> Self {
        Self { key: key.to_owned(), info }
    }
}

impl Serialize for Described {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("key", &self.key)?;
        for (name, value) in self.info.iter() {
            match (name, value) {
                ("shown" | "declared", InfoValue::Number(number)) => {
                    map.serialize_entry(name, &(*number != 0))
                }
                // They can have more digits than a JSON number keeps.
                ("schema" | "total", InfoValue::Number(number)) => {
                    map.serialize_entry(name, &number.to_string())
                }
                ("limit", InfoValue::Texts(rules)) => map.serialize_entry(name, &limits(rules)),
                (_, InfoValue::Number(number)) => map.serialize_entry(name, number),
                (_, InfoValue::Text(text)) => map.serialize_entry(name, text),
                (_, InfoValue::Numbers(numbers)) => map.serialize_entry(name, numbers),
                (_, InfoValue::Texts(texts)) => map.serialize_entry(name, texts),
                (_, InfoValue::Counts(counts)) => map.serialize_entry(name, &Counts(counts)),
                (_, InfoValue::Other(_)) => Ok(()),
            }?;
        }
        map.end()
    }
}

/// The rules of votes. A rule in a form that this version does not know remains a text.
fn limits(rules: &[String]) -> Vec<RuleOrText<'_>> {
    let read = |rule: &str| LimitRule::read(rule).and_then(Rule::of);
    rules.iter().map(|rule| read(rule).map_or(RuleOrText::Text(rule), RuleOrText::Rule)).collect()
}

#[derive(Serialize)]
#[serde(untagged)]
enum RuleOrText<'a> {
    Rule(Rule),
    Text(&'a str),
}

struct Counts<'a>(&'a [(String, u64)]);

impl Serialize for Counts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, count)| (name, count)))
    }
}

fn rule_or_text() -> Schema {
    let text = Object::with_type(Type::String);
    OneOfBuilder::new().item(Ref::from_schema_name(Rule::name())).item(text).into()
}

impl PartialSchema for Described {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .description(Some("Its rules and size: the fields of LB.INFO, numbers as numbers, but `schema` and `total` as texts of digits."))
            .property("key", String::schema())
            .property("limit", ArrayBuilder::new().items(RefOr::T(rule_or_text())))
            .required("key")
            .additional_properties(Some(AdditionalProperties::<Schema>::FreeForm(true)))
            .examples([serde_json::json!({"key": "songs", "views": "all,day", "members": 12})])
            .into()
    }
}

impl ToSchema for Described {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Rule::name().into_owned(), Rule::schema()));
        Rule::schemas(schemas);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_keep_their_order_and_kind() {
        let fields = [
            ("views", InfoValue::Text("all,day".to_owned())),
            ("shown", InfoValue::Number(1)),
            ("members", InfoValue::Number(7)),
            ("schema", InfoValue::Number(8)),
            ("limit", InfoValue::Texts(vec!["a voter 5 day".to_owned(), "odd".to_owned()])),
            ("held_back", InfoValue::Counts(vec![("a".to_owned(), 2)])),
        ];
        let info = Info(fields.map(|(name, value)| (name.to_owned(), value)).to_vec());
        assert_eq!(
            serde_json::to_string(&Described::new("b", info)).unwrap(),
            r#"{"key":"b","views":"all,day","shown":true,"members":7,"schema":"8","limit":[{"name":"a","scope":"voter","max":5,"#
                .to_owned()
                + r#""unit":"day","bonus":[]},"odd"],"held_back":{"a":2}}"#
        );
    }
}
