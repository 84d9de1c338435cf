//! Names and texts, which can be any bytes. If the bytes are UTF-8, they are in the field `member` or `meta`; otherwise
//! they are in `member_b64` or `meta_b64`, as Base64.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use base64::{alphabet, engine::DecodePaddingMode};
use leaderboard_client::Name;
use serde::Serialize;
use utoipa::ToSchema;

use crate::problem::Problem;

/// A member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Member {
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "ember")]
    member: Option<String>,
    /// Its name in Base64, if the name is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    member_b64: Option<String>,
}

impl From<Name> for Member {
    fn from(name: Name) -> Self {
        let (member, member_b64) = text_or_base64(name.0);
        Self { member, member_b64 }
    }
}

/// The text of a member; both fields are absent if the member has no text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Meta {
    /// The text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "Ember")]
    meta: Option<String>,
    /// The text in Base64, if it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    meta_b64: Option<String>,
}

impl From<Option<Vec<u8>>> for Meta {
    fn from(meta: Option<Vec<u8>>) -> Self {
        let (meta, meta_b64) = meta.map(text_or_base64).unwrap_or_default();
        Self { meta, meta_b64 }
    }
}

/// Bytes as a text if they are UTF-8, else as Base64.
pub fn text_or_base64(bytes: Vec<u8>) -> (Option<String>, Option<String>) {
    match String::from_utf8(bytes) {
        Ok(text) => (Some(text), None),
        Err(error) => (None, Some(STANDARD.encode(error.as_bytes()))),
    }
}

/// The bytes of a field `name`, or of the field `name_b64` in Base64; `None` if both are absent.
///
/// # Errors
/// If both fields are given, or if `name_b64` is not Base64.
pub fn either<'a>(
    name: &str,
    text: Option<&'a str>,
    base64: Option<&str>,
) -> Result<Option<Cow<'a, [u8]>>, Problem> {
    match (text, base64) {
        (Some(_), Some(_)) => Err(Problem::invalid(format!("{name}: {name} or {name}_b64, not both"))),
        (Some(text), None) => Ok(Some(Cow::Borrowed(text.as_bytes()))),
        (None, Some(base64)) => match STANDARD.decode(base64) {
            Ok(bytes) => Ok(Some(Cow::Owned(bytes))),
            Err(error) => Err(Problem::invalid(format!("{name}_b64: no Base64: {error}"))),
        },
        (None, None) => Ok(None),
    }
}

/// As [`either`], for a field that must be present.
///
/// # Errors
/// As [`either`], and if both fields are absent.
pub fn one<'a>(name: &str, text: Option<&'a str>, base64: Option<&str>) -> Result<Cow<'a, [u8]>, Problem> {
    let missing = || Problem::invalid(format!("{name}: give {name} or {name}_b64"));
    either(name, text, base64)?.ok_or_else(missing)
}

/// The Base64 alphabet of URLs; padding is optional.
const URL: GeneralPurpose = GeneralPurpose::new(
    &alphabet::URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A member in a path with `?b64=true`.
///
/// # Errors
/// If the text is not Base64 for URLs.
pub fn from_base64url(text: &str) -> Result<Vec<u8>, Problem> {
    URL.decode(text).map_err(|error| Problem::invalid(format!("member: no Base64 for URLs: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_no_text_are_base64() {
        let json = |name: &[u8]| serde_json::to_string(&Member::from(Name(name.to_vec()))).unwrap();
        assert_eq!(json("灯".as_bytes()), r#"{"member":"灯"}"#);
        assert_eq!(json(b"\xff\xfe"), r#"{"member_b64":"//4="}"#);
        assert_eq!(serde_json::to_string(&Meta::from(None)).unwrap(), "{}");
        assert_eq!(serde_json::to_string(&Meta::from(Some(Vec::new()))).unwrap(), r#"{"meta":""}"#);
    }

    #[test]
    fn a_member_is_given_exactly_once() {
        assert_eq!(*one("member", Some("a"), None).unwrap(), *b"a");
        assert_eq!(*one("member", None, Some("//4=")).unwrap(), *b"\xff\xfe");
        assert_eq!(either("meta", None, None).unwrap(), None);
        let said = |text, base64| one("member", text, base64).unwrap_err().detail().to_owned();
        assert_eq!(said(None, None), "member: give member or member_b64");
        assert_eq!(said(Some("a"), Some("YQ==")), "member: member or member_b64, not both");
        assert!(said(None, Some("_-4=")).starts_with("member_b64: no Base64"));
    }

    #[test]
    fn members_in_paths_take_the_alphabet_of_urls() {
        assert_eq!(from_base64url("__4").unwrap(), b"\xff\xfe");
        assert_eq!(from_base64url("__4=").unwrap(), b"\xff\xfe");
        assert_eq!(from_base64url("_-A").unwrap(), b"\xff\xe0");
        assert!(from_base64url("//4").unwrap_err().detail().starts_with("member: "));
    }
}
