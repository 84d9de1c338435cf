//! Pages of other web sites. A browser lets such a page use the API only if its site is named by `--cors`, and never with
//! the session of a person: such a page must send a token of its own.

use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, LOCATION, ORIGIN, RETRY_AFTER};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use tower_http::cors::CorsLayer;
use tower_http::csrf::CsrfLayer;

use crate::app::App;
use crate::web_origin::WebOrigin;

/// For how long a browser remembers what it may send.
const MAX_AGE: Duration = Duration::from_secs(600);

/// What the browsers of pages of these sites are told.
pub fn layer(sites: &[WebOrigin]) -> CorsLayer {
    let sites: Vec<_> = sites.iter().filter_map(|site| HeaderValue::from_str(site.as_str()).ok()).collect();
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
    sites.iter().fold(layer, |layer, site| match layer.clone().add_trusted_origin(site.as_str()) {
        Ok(trusting) => trusting,
        Err(_) => layer,
    })
}

/// Takes the session away from requests that a page of another site makes the browser send.
pub async fn without_session(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let origin = request.headers().get(ORIGIN).and_then(|origin| origin.to_str().ok());
    if origin.is_some_and(|origin| app.settings.cors.iter().any(|site| site.as_str() == origin)) {
        request.headers_mut().remove(COOKIE);
    }
    next.run(request).await
}
