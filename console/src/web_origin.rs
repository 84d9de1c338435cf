//! The origin of a web site, as `--cors` names it.

use std::str::FromStr;

use axum::http::Uri;
use tower_http::csrf::CsrfLayer;

/// The origin of a web site: scheme, host and port, as browsers send it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebOrigin(String);

impl WebOrigin {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for WebOrigin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("'{text}' is no origin, such as https://game.example.org or http://localhost:3000");
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
        let origin = match (uri.scheme_str(), uri.authority()) {
            (Some(scheme), Some(authority)) if is_web => format!("{scheme}://{authority}").to_lowercase(),
            _ => return Err(wrong()),
        };
        if origin != text.to_lowercase() || origin.contains('@') {
            return Err(wrong());
        }
        CsrfLayer::new().add_trusted_origin(&origin).map(|_| Self(origin)).map_err(|_| wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_has_no_path() {
        for text in ["https://game.example.org", "http://localhost:3000", "HTTPS://Game.example.org"] {
            assert_eq!(text.parse::<WebOrigin>().unwrap().0, text.to_lowercase());
        }
        for text in
            ["*", "null", "game.example.org", "https://a/b", "https://a/", "ftp://a", "https://a@b", ""]
        {
            assert!(text.parse::<WebOrigin>().is_err(), "{text}");
        }
    }
}
