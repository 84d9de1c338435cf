//! Parts that many requests have in common, for the description of the API.

use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::{Object, Required, Type};

/// `{key}` in the path.
pub struct AtKey;

/// `{key}` and `{member}` in the path.
pub struct AtMember;

/// `{key}` and `{dimension}` in the path.
pub struct AtDimension;

/// The header `Idempotency-Key`.
pub struct WithId;

impl IntoParams for AtKey {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![parameter(ParameterIn::Path, "key", "The key.", "songs", Type::String)]
    }
}

impl IntoParams for AtMember {
    fn into_params(provided: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let mut parameters = AtKey::into_params(provided);
        parameters.extend([
            parameter(ParameterIn::Path, "member", "The member.", "ember", Type::String),
            parameter(
                ParameterIn::Query,
                "b64",
                "The member in the path is in Base64 for URLs, since it is no UTF-8.",
                false,
                Type::Boolean,
            ),
        ]);
        parameters
    }
}

impl IntoParams for AtDimension {
    fn into_params(provided: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let what = "The dimension of segments.";
        let dimension = parameter(ParameterIn::Path, "dimension", what, "country", Type::String);
        AtKey::into_params(provided).into_iter().chain([dimension]).collect()
    }
}

impl IntoParams for WithId {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let what = "The id of the request, 1 to 256 bytes. A repeat is not applied again.";
        vec![parameter(ParameterIn::Header, "Idempotency-Key", what, "01JQ8", Type::String)]
    }
}

fn parameter(
    place: ParameterIn,
    name: &str,
    description: &str,
    example: impl Into<serde_json::Value>,
    kind: Type,
) -> Parameter {
    let mut schema = Object::with_type(kind);
    // An empty name is none; what is in a header is the id of a request.
    match place {
        ParameterIn::Path => schema.min_length = Some(1),
        ParameterIn::Header => (schema.min_length, schema.max_length) = (Some(1), Some(256)),
        _ => {}
    }
    let required = if place == ParameterIn::Path { Required::True } else { Required::False };
    ParameterBuilder::new()
        .name(name)
        .parameter_in(place)
        .required(required)
        .description(Some(description))
        .schema(Some(schema))
        .example(Some(example.into()))
        .build()
}
