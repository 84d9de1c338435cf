//! The bounds of texts and lists that have the same meaning wherever they occur, for the description of the API. They are those of the
//! core, in bytes there: a text has at most as many characters as bytes.

use leaderboard_core::board::{MAX_META, MAX_PATTERN};
use leaderboard_core::calendar::MAX_SECONDS;
use leaderboard_core::limits::{MAX_RULES, MAX_VALUE, MAX_WORD};
use leaderboard_core::prizes::MAX_TABLES;
use leaderboard_core::{MAX_NAME, dimensions, league};
use utoipa::Number;
use utoipa::openapi::path::Parameter;
use utoipa::openapi::schema::{AdditionalProperties, ArrayItems, Schema, SchemaType};
use utoipa::openapi::{Object, OpenApi, PathItem, RefOr, Type};

use crate::api::rankings::LINES;

/// Bounds that the core has for itself: tags of a voter, shares of LB.QUANTILE, names of dimensions and of tiers.
const MAX_TAGS: usize = 16;
const MAX_SHARES: usize = 1_000;
const MAX_DIMENSION: usize = 32;
const MAX_TIER_NAME: usize = 64;

/// Adds the bounds to all parameters and bodies.
pub fn add(description: &mut OpenApi) {
    for (path, item) in &mut description.paths.paths {
        for parameter in parameters(item) {
            let name = match parameter.name.as_str() {
                "name" => "pattern",
                // To confirm is to repeat the name of the member. Keys have no bound.
                "confirm" if path.contains("{member}") => "member",
                name => name,
            };
            let name = name.to_owned();
            if let Some(schema) = &mut parameter.schema {
                bound(&name, schema);
            }
        }
    }
    for (name, schema) in &mut description.components.get_or_insert_default().schemas {
        bound(name, schema);
        if let RefOr::T(Schema::Object(object)) = schema
            && name.ends_with("League")
            && let Some(RefOr::T(Schema::Array(tables))) = object.properties.get_mut("prizes")
        {
            tables.max_items = Some(league::MAX_TIERS);
        }
    }
}

fn parameters(item: &mut PathItem) -> impl Iterator<Item = &mut Parameter> {
    let operations = [&mut item.get, &mut item.put, &mut item.post, &mut item.patch, &mut item.delete];
    let lists = operations.into_iter().flatten().filter_map(|operation| operation.parameters.as_mut());
    lists.flatten().filter_map(|parameter| match parameter {
        RefOr::T(parameter) => Some(parameter),
        RefOr::Ref(_) => None,
    })
}

/// Adds the bounds to the schema of a field or parameter of this name, and to what is in it.
fn bound(name: &str, schema: &mut RefOr<Schema>) {
    if let RefOr::T(schema) = schema {
        bound_here(name, schema);
    }
}

fn bound_here(name: &str, schema: &mut Schema) {
    match schema {
        Schema::Object(object) => bound_object(name, object),
        Schema::Array(list) => {
            list.max_items = list.max_items.or_else(|| most(name));
            if let ArrayItems::RefOrSchema(items) = &mut list.items {
                bound(if name == "tag" { "tag=value" } else { name }, items);
            }
        }
        Schema::OneOf(choice) => choice.items.iter_mut().for_each(|one| bound(name, one)),
        Schema::AnyOf(choice) => choice.items.iter_mut().for_each(|one| bound(name, one)),
        Schema::AllOf(all) => all.items.iter_mut().for_each(|one| bound(name, one)),
        _ => {}
    }
}

fn bound_object(name: &str, object: &mut Object) {
    let is_a = |kind: Type| match &object.schema_type {
        SchemaType::Type(its) => *its == kind,
        SchemaType::Array(kinds) => kinds.contains(&kind),
        SchemaType::AnyValue => false,
    };
    if is_a(Type::String) && object.enum_values.is_none() {
        object.max_length = object.max_length.or_else(|| longest(name));
    }
    if is_a(Type::Integer) && object.maximum.is_none() && ["votes", "initial", "by"].contains(&name) {
        object.maximum = Some(Number::Int(isize::MAX));
    }
    for (name, schema) in &mut object.properties {
        bound(name, schema);
    }
    let inner = match name {
        "segments" => "segment",
        "segments_b64" => "segment_b64",
        "tags" => "by",
        _ => return,
    };
    if let Some(AdditionalProperties::RefOr(values)) = object.additional_properties.as_deref_mut() {
        bound(inner, values);
    }
}

/// The length of the Base64 of this number of bytes.
const fn base64(bytes: usize) -> usize {
    bytes.div_ceil(3).saturating_mul(4)
}

/// The longest text in a field or parameter of this name.
fn longest(name: &str) -> Option<usize> {
    // A member in a path may be Base64.
    Some(match name {
        "member" | "member_b64" | "members_b64" => base64(MAX_NAME),
        "members" => MAX_NAME,
        "meta" => MAX_META,
        "meta_b64" => base64(MAX_META),
        "by" => MAX_VALUE,
        // The longest view is one of seconds, with a number of periods.
        "view" => format!("{MAX_SECONDS}s:366").len(),
        "dimension" | "within" => MAX_DIMENSION,
        "unlimit" => MAX_WORD,
        "tag=value" => MAX_WORD.saturating_add(1).saturating_add(MAX_VALUE),
        "segment" => dimensions::MAX_SEGMENT,
        "segment_b64" => base64(dimensions::MAX_SEGMENT),
        "tier" => MAX_TIER_NAME,
        "pattern" => MAX_PATTERN,
        _ => return None,
    })
}

/// The most items in a list of this name.
fn most(name: &str) -> Option<usize> {
    Some(match name {
        "members" | "members_b64" => usize::try_from(LINES).unwrap_or(usize::MAX),
        "limit" | "unlimit" => MAX_RULES,
        "prizes" => MAX_TABLES,
        "tag" => MAX_TAGS,
        "q" => MAX_SHARES,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_texts_and_lists_have_the_bounds_of_the_server() {
        let mut description = crate::api::described().into_openapi();
        add(&mut description);
        let description = serde_json::to_value(description).unwrap();
        let schemas = &description["components"]["schemas"];
        let field = |schema: &str, path: &str| schemas[schema]["properties"].pointer(path).cloned();
        for (schema, path, expected) in [
            ("Create", "/limit/maxItems", 16),
            ("Create", "/prizes/maxItems", 80),
            ("CreateLeague", "/prizes/maxItems", 64),
            ("Alter", "/unlimit/maxItems", 16),
            ("Votes", "/by/maxLength", 256),
            ("Vote", "/votes/maximum", i64::MAX),
            ("OperationScore", "/members/items/maxLength", 512),
            ("Set", "/meta_b64/maxLength", 5_464),
            ("Add", "/segments/additionalProperties/maxLength", 64),
        ] {
            assert_eq!(field(schema, path), Some(expected.into()), "{schema}{path}");
        }
        let remove = &description["paths"]["/boards/{key}/members/{member}"]["delete"]["parameters"];
        let confirm =
            remove.as_array().unwrap().iter().find(|parameter| parameter["name"] == "confirm").unwrap();
        assert_eq!(confirm["schema"]["maxLength"], 684);
    }
}
