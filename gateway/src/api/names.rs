//! Names and texts that need not be UTF-8. One that is stands in the field `member`, any other in `member_b64`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use leaderboard_client::Name;
use serde::Serialize;
use utoipa::ToSchema;

/// A member.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Member {
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<String>,
    /// Its name in Base64, if that is no UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    member_b64: Option<String>,
}

impl From<Name> for Member {
    fn from(name: Name) -> Self {
        match name.to_str() {
            Some(name) => Self { member: Some(name.to_owned()), member_b64: None },
            None => Self { member: None, member_b64: Some(STANDARD.encode(name.as_bytes())) },
        }
    }
}
