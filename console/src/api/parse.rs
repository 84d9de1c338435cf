//! Query strings and bodies as structs. Every message begins with the name of the wrong field.

use std::borrow::Cow;
use std::fmt::{self, Formatter};
use std::marker::PhantomData;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::api::encoding::check_query;
use crate::problem::Problem;

/// The query string.
pub struct Params<T>(pub T);

/// The query string of a path that contains a member. Its argument `b64` applies to the path and is not part of `T`.
pub struct MemberParams<T>(pub T);

/// The JSON body.
pub struct Body<T>(pub T);

/// A query string or a body without arguments.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let text = parts.uri.query().unwrap_or_default();
        match is_of_board(parts) {
            true => query(&without(&[STRICT], text)).map(Self),
            false => query(text).map(Self),
        }
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for MemberParams<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let text = parts.uri.query().unwrap_or_default();
        match is_of_board(parts) {
            true => query(&without(&[B64, STRICT], text)).map(Self),
            false => query(&without(&[B64], text)).map(Self),
        }
    }
}

/// Reads a query string.
pub fn query<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    check_query(text)?;
    let form = serde_html_form::Deserializer::from_bytes(text.as_bytes());
    serde_path_to_error::deserialize(form).map_err(|error| at_fault("query", &error))
}

/// The argument that says whether the member in the path is in Base64.
pub const B64: &str = "b64";
/// The argument of reads by which a board that does not exist is an error.
pub const STRICT: &str = "strict";

/// Whether the request reads a board.
fn is_of_board(parts: &Parts) -> bool {
    parts.method == Method::GET && parts.uri.path().starts_with("/boards/")
}

fn is_one_of(names: &[&str], pair: &str) -> bool {
    names.contains(&pair.split('=').next().unwrap_or_default())
}

fn without<'a>(names: &[&str], query: &'a str) -> Cow<'a, str> {
    if !query.split('&').any(|pair| is_one_of(names, pair)) {
        return Cow::Borrowed(query);
    }
    Cow::Owned(query.split('&').filter(|pair| !is_one_of(names, pair)).collect::<Vec<_>>().join("&"))
}

/// Whether the read of a board is strict. Other requests cannot be.
pub fn is_strict(parts: &Parts) -> Result<bool, Problem> {
    if is_of_board(parts) { is_set(STRICT, parts.uri.query()) } else { Ok(false) }
}

/// Whether an argument is `true`. Without the argument, it is not.
pub fn is_set(name: &str, query: Option<&str>) -> Result<bool, Problem> {
    let mut given = query.unwrap_or_default().split('&').filter(|pair| is_one_of(&[name], pair));
    let value = |pair: &'_ str| pair.split_once('=').and_then(|(_, value)| value.parse().ok());
    match (given.next().map(value), given.next()) {
        (None, _) => Ok(false),
        (Some(Some(is_true)), None) => Ok(is_true),
        _ => Err(Problem::unreadable(format!("{name}: true or false, once"))),
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        if !is_json(request.headers()) {
            return Err(Problem::media_type("application/json"));
        }
        let bytes =
            Bytes::from_request(request, state).await.map_err(|rejection| Problem::of_body(&rejection))?;
        body(&bytes).map(Self)
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let given = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    given.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

/// Reads a JSON body. Only after an error, a second reading finds the place of the error, so that correct bodies cost
/// less.
pub fn body<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    if let Ok(Object(value)) = serde_json::from_slice(bytes) {
        return Ok(value);
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let Object(value) =
        serde_path_to_error::deserialize(&mut reader).map_err(|error| at_fault("body", &error))?;
    reader.end().map_err(|error| Problem::unreadable(format!("body: {error}")))?;
    Ok(value)
}

/// Reads the fields of an object inside a body.
pub fn fields<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T, Problem> {
    serde_path_to_error::deserialize(Value::Object(fields)).map_err(|error| at_fault("op", &error))
}

/// A JSON object. Without this type, a list of a struct's values in their order would be accepted, too.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
            type Value = T;

            fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<T, M::Error> {
                T::deserialize(MapAccessDeserializer::new(map))
            }
        }
        deserializer.deserialize_map(Fields(PhantomData)).map(Self)
    }
}

/// A list of objects, for `deserialize_with`.
pub fn objects<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let objects = Vec::<Object<T>>::deserialize(deserializer)?;
    Ok(objects.into_iter().map(|Object(value)| value).collect())
}

fn at_fault<E: std::fmt::Display>(whole: &str, error: &serde_path_to_error::Error<E>) -> Problem {
    let path = error.path().to_string();
    // A question mark in the path means a place inside the field before it.
    let path = path.trim_end_matches(['?', '.']);
    let field = if path.is_empty() { whole } else { path };
    Problem::unreadable(format!("{field}: {}", error.inner()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::numbers::whole;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Some {
        #[serde(default, deserialize_with = "whole")]
        count: Option<u64>,
        #[serde(default)]
        meta: bool,
        #[serde(default)]
        q: Vec<String>,
        view: Option<String>,
    }

    fn refused<T>(result: Result<T, Problem>) -> String {
        result.err().map(|problem| problem.detail().to_owned()).unwrap_or_default()
    }

    #[test]
    fn query_strings_become_structs() {
        let given: Some = query("count=7&q=0.5&meta=true&q=a%26b+c").unwrap();
        assert_eq!(given.count, Some(7));
        assert_eq!(given.q, ["0.5", "a&b c"]);
        assert!(given.meta && given.view.is_none());
        assert_eq!(query::<Some>("q=1").unwrap().q, ["1"]);
    }

    #[test]
    fn what_is_wrong_in_a_query_string_is_named() {
        for (text, field) in [
            ("count=x", "count: "),
            ("count=-1", "count: "),
            ("count=1&count=2", "count: "),
            ("view=a&view=b", "view: "),
            ("meta=yes", "meta: "),
            ("cuont=1", "cuont: unknown field `cuont`"),
        ] {
            let said = refused(query::<Some>(text));
            assert!(said.starts_with(field), "{text}: {said}");
        }
    }

    #[test]
    fn numbers_in_bodies_can_be_texts() {
        assert_eq!(body::<Some>(br#"{"count":7}"#).unwrap().count, Some(7));
        assert_eq!(body::<Some>(br#"{"count":"7"}"#).unwrap().count, Some(7));
        assert_eq!(body::<Some>(br#"{"count":null}"#).unwrap().count, None);
    }

    #[test]
    fn what_is_wrong_in_a_body_is_named() {
        for (text, field) in [
            (r#"{"count":7.5}"#, "count: "),
            (r#"{"count":"7x"}"#, "count: "),
            (r#"{"q":["a",1]}"#, "q[1]: "),
            (r#"{"other":1}"#, "other: unknown field"),
            (r#"{"view":"a","view":"b"}"#, "body: duplicate field `view`"),
            (r#"{"view":"a"} more"#, "body: "),
            (r#"{"view""#, "body: "),
            (r#"{"view":"a""#, "body: "),
            (r#"{"q":["a""#, "q: "),
            ("[]", "body: invalid type: sequence, expected an object"),
            (r#"[7,true,[],null]"#, "body: invalid type: sequence, expected an object"),
            ("", "body: "),
        ] {
            let said = refused(body::<Some>(text.as_bytes()));
            assert!(said.starts_with(field), "{text}: {said}");
        }
    }

    #[test]
    fn b64_of_the_path_is_no_argument() {
        assert_eq!(query::<Some>(&without(&[B64], "b64=true&count=3")).unwrap().count, Some(3));
        assert_eq!(without(&[B64, STRICT], "strict=true&count=3&b64=true"), "count=3");
        assert_eq!(without(&[B64], "count=3"), "count=3");
        assert_eq!(is_set(B64, Some("count=3&b64=true")), Ok(true));
        assert_eq!(is_set(B64, Some("b64=false")), Ok(false));
        assert_eq!(is_set(B64, None), Ok(false));
        for text in ["b64=1", "b64", "b64=true&b64=true"] {
            assert!(refused(is_set(B64, Some(text))).starts_with("b64: "), "{text}");
        }
    }
}
