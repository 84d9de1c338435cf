//! The description of the API, OpenAPI 3.1. `docs/openapi.json` is a copy of it.

use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{Object, OpenApi as Description, RefOr, Required, Response, Type};
use utoipa::{Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;

use crate::api::bounds;
use crate::api::parse::STRICT;
use crate::app::App;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Leaderboard gateway",
        description = "Boards, votes, leagues and counters over HTTP. Scores are strings: they have more digits than a \
            JSON number keeps. Numbers in bodies may be strings, too. Times are ms since the Unix epoch. A request \
            that would read too much is 413; with too many requests of a token at once, one is 429, with Retry-After."
    ),
    servers((url = "/api/v1")),
    security(("token" = [])),
    tags(
        (name = "boards", description = "Making, describing and changing boards"),
        (name = "rankings", description = "Lines of rankings"),
        (name = "members", description = "Members, their scores and the texts beside them"),
        (name = "segments", description = "Segments, such as countries and guilds, and their ranking"),
        (name = "prizes", description = "The prizes of ended periods, and claims"),
        (name = "votes", description = "Voting"),
        (name = "leagues", description = "Leagues: groups in tiers, and who moves between these"),
        (name = "counters", description = "Counters of events"),
        (name = "batch", description = "Many operations at once"),
        (name = "statistics", description = "Numbers about a ranking as a whole"),
    ),
    modifiers(&Bearer)
)]
struct Head;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, description: &mut Description) {
        let token = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        description.components.get_or_insert_default().add_security_scheme("token", token);
    }
}

/// A router without routes, with the head of the description.
pub fn head() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Head::openapi())
}

/// The description as JSON.
pub fn text(mut description: Description) -> String {
    bounds::add(&mut description);
    for (path, item) in &mut description.paths.paths {
        if path.starts_with("/boards/{key}")
            && let Some(read) = &mut item.get
        {
            read.parameters.get_or_insert_default().push(strict().into());
        }
        let operations = [&mut item.get, &mut item.put, &mut item.post, &mut item.patch, &mut item.delete];
        for (status, response) in
            operations.into_iter().flatten().flat_map(|one| &mut one.responses.responses)
        {
            if let RefOr::T(response) = response {
                complete(status, response);
            }
        }
    }
    description.to_pretty_json().unwrap_or_default()
}

/// The argument of all reads of boards.
fn strict() -> Parameter {
    ParameterBuilder::new()
        .name(STRICT)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(
            "Answer 404 if the board does not exist. Without it, such a board reads as an empty one.",
        ))
        .schema(Some(Object::with_type(Type::Boolean)))
        .build()
}

/// Adds the parts that are the same for all operations: the meaning of each status, and the media type of errors.
fn complete(status: &str, response: &mut Response) {
    if response.description.is_empty() {
        response.description = if status == "default" { "An error" } else { "Done" }.to_owned();
    }
    if status == "default"
        && let Some(content) = response.content.shift_remove("application/json")
    {
        response.content.insert("application/problem+json".to_owned(), content);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/openapi.json");

    #[test]
    fn the_description_in_the_documents_is_that_of_the_code() {
        let described = format!("{}\n", text(crate::api::described().into_openapi()));
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(DOCUMENT, described).expect("the description written");
            return;
        }
        let document = std::fs::read_to_string(DOCUMENT).expect("docs/openapi.json");
        assert_eq!(document, described, "run `make docs`");
    }

    #[test]
    fn operations_are_complete_and_in_no_doubt() {
        let description = serde_json::to_value(crate::api::described().into_openapi()).unwrap();
        let mut ids = Vec::new();
        for (path, methods) in description["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                let place = format!("{method} {path}");
                assert!(operation["summary"].is_string(), "{place}: no summary");
                assert!(operation["tags"].is_array(), "{place}: no tag");
                assert!(operation["responses"]["default"].is_object(), "{place}: no errors");
                ids.push(
                    operation["operationId"].as_str().unwrap_or_else(|| panic!("{place}: no id")).to_owned(),
                );
            }
        }
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all, "an operationId twice");
        assert!(all > 20);
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let text = text(crate::api::described().into_openapi());
        let description: serde_json::Value = serde_json::from_str(&text).unwrap();
        let named = text.split("\"#/components/schemas/").skip(1).map(|rest| rest.split('"').next().unwrap());
        for name in named {
            assert!(description["components"]["schemas"][name].is_object(), "{name}");
        }
    }

    /// The greatest values of all fields and parameters in the description, by name.
    fn greatest(node: &serde_json::Value, name: &str, found: &mut Vec<(String, u64)>) {
        if let Some(bound) = node["maximum"].as_u64() {
            found.push((name.to_owned(), bound));
        }
        let name = node["name"].as_str().unwrap_or(name);
        match node {
            serde_json::Value::Object(fields) => {
                for (field, value) in fields {
                    let is_named = !["schema", "items", "anyOf", "oneOf"].contains(&field.as_str());
                    greatest(value, if is_named { field } else { name }, found);
                }
            }
            serde_json::Value::Array(items) => items.iter().for_each(|item| greatest(item, name, found)),
            _ => {}
        }
    }

    /// The description needs numbers where the core has constants.
    #[test]
    fn bounds_are_those_of_the_core() {
        use leaderboard_core::{calendar, campaign, counter, league, prizes, score, time};
        let moments = ["at", "opens", "closes", "origin", "now", "from", "to"];
        let of_name = |name: &str| match name {
            name if moments.contains(&name) => Some(time::MAX_MILLIS),
            "dedup" | "precision" => Some(u64::from(calendar::MAX_SECONDS)),
            "decimals" => Some(u64::from(score::MAX_DECIMALS)),
            "group" => Some(u64::from(league::MAX_GROUP)),
            "prizedays" => Some(u64::from(prizes::MAX_DAYS)),
            "samples" => Some(u64::from(counter::MAX_SAMPLES)),
            "weight" => Some(campaign::MAX_WEIGHT),
            _ => None,
        };
        let description = serde_json::to_value(crate::api::described().into_openapi()).unwrap();
        let mut found = Vec::new();
        greatest(&description, "", &mut found);
        let known = found.iter().filter_map(|(name, bound)| Some((name, *bound, of_name(name)?)));
        let known: Vec<_> = known.collect();
        assert!(known.len() > 50, "{found:?}");
        for (name, bound, expected) in known {
            assert_eq!(bound, expected, "{name}");
        }
    }
}
