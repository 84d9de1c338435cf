//! Pages of other web sites. A browser lets such a page use the API only if its site is named by `--cors`, and never with
//! the session of a person: such a page must send a token of its own.

use std::str::FromStr;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, LOCATION, ORIGIN, RETRY_AFTER};
use axum::http::{HeaderName, HeaderValue, Method, Uri};
use axum::middleware::Next;
use axum::response::Response;
use tower_http::cors::CorsLayer;
use tower_http::csrf::CsrfLayer;

use crate::app::App;

/// For how long a browser remembers what it may send.
const MAX_AGE: Duration = Duration::from_secs(600);

/// The origin of a web site: scheme, host and port, as browsers send it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebOrigin(String);

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

/// What the browsers of pages of these sites are told.
pub fn layer(sites: &[WebOrigin]) -> CorsLayer {
    let sites: Vec<_> = sites.iter().filter_map(|site| HeaderValue::from_str(&site.0).ok()).collect();
    let headers = ["idempotency-key", "audit-reason"].map(HeaderName::from_static);
    CorsLayer::new()
        .allow_origin(sites)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers([AUTHORIZATION, CONTENT_TYPE].into_iter().chain(headers).collect::<Vec<_>>())
        .expose_headers([LOCATION, RETRY_AFTER])
        .max_age(MAX_AGE)
}

/// Adds the sites to those whose pages may send changes.
pub fn trusted<R: Clone>(sites: &[WebOrigin], layer: CsrfLayer<R>) -> CsrfLayer<R> {
    sites.iter().fold(layer, |layer, site| match layer.clone().add_trusted_origin(&site.0) {
        Ok(trusting) => trusting,
        Err(_) => layer,
    })
}

/// Takes the session away from requests that a page of another site makes the browser send.
pub async fn without_session(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let origin = request.headers().get(ORIGIN).and_then(|origin| origin.to_str().ok());
    if origin.is_some_and(|origin| app.settings.cors.iter().any(|site| site.0 == origin)) {
        request.headers_mut().remove(COOKIE);
    }
    next.run(request).await
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
