//! Each body in the API's description has an example, and a user who sends the examples one after another is never
//! refused.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::servers::Flavor;
use crate::support::Pair;

/// All operations with a body, in an order in which each one finds what it needs.
const OPERATIONS: [(&str, &str); 20] = [
    ("post", "/boards"),
    ("put", "/boards/{key}/options/{member}"),
    ("put", "/boards/{key}/options.csv"),
    ("put", "/boards/{key}/scores.csv"),
    ("post", "/boards/{key}/members/{member}/score"),
    ("put", "/boards/{key}/members/{member}/score"),
    ("put", "/boards/{key}/members/{member}/meta"),
    ("put", "/boards/{key}/members/{member}/segments"),
    ("put", "/boards/{key}/entrants/{member}"),
    ("post", "/boards/{key}/votes"),
    ("patch", "/boards/{key}"),
    ("post", "/batch"),
    ("put", "/counters/{key}"),
    ("post", "/counters/{key}"),
    ("patch", "/counters/{key}"),
    ("post", "/leagues/{key}"),
    ("post", "/leagues/{key}/join"),
    ("post", "/leagues/{key}/add"),
    ("patch", "/leagues/{key}"),
    ("put", "/leagues/{key}/members/{member}/tier"),
];

/// The operations of the description that have a body.
fn described(description: &Value) -> BTreeSet<(&str, &str)> {
    let paths = description["paths"].as_object().expect("paths");
    let with_body = paths.iter().flat_map(|(path, operations)| {
        let operations = operations.as_object().into_iter().flatten();
        operations
            .filter(|(_, operation)| operation["requestBody"].is_object())
            .map(|(method, _)| (method.as_str(), path.as_str()))
    });
    with_body.collect()
}

/// The type of the body, and its example: of the operation or of its schema.
fn example<'a>(description: &'a Value, (method, path): (&str, &str)) -> (&'a str, &'a Value) {
    let bodies = description["paths"][path][method]["requestBody"]["content"].as_object();
    let (kind, body) = bodies.and_then(|bodies| bodies.iter().next()).expect("a body");
    let of_schema = || {
        let schema = body["schema"]["$ref"].as_str()?;
        description.pointer(schema.trim_start_matches('#'))?.get("example")
    };
    let example = body.get("example").or_else(of_schema);
    (kind, example.unwrap_or_else(|| panic!("{method} {path} has no example")))
}

#[test]
fn the_examples_of_the_description_are_accepted() {
    let pair = Pair::start(Flavor::Redis70);
    let api = pair.api();
    let description = api.get("/openapi.json").value(200);
    assert_eq!(described(&description), BTreeSet::from(OPERATIONS));
    for (method, path) in OPERATIONS {
        let (kind, example) = example(&description, (method, path));
        let body = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
        let names = match path.split('/').nth(1) {
            Some("boards") => ("songs", "ember"),
            Some("leagues") => ("weekly", "ann"),
            _ => ("visits", ""),
        };
        let place = path.replace("{key}", names.0).replace("{member}", names.1);
        let method = method.to_uppercase();
        let reply = api.text(&method, &place, kind, body.as_bytes());
        assert!(reply.status < 300, "{method} {place} {body}: {}", reply.text());
        assert!(!reply.text().contains("\"status\":4"), "{method} {place} {body}: {}", reply.text());
    }
}
