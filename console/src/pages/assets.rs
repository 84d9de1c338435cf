//! Styles, scripts and pictures. They are part of the program. Browsers keep them until the program changes.

use axum::Router;
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::RustEmbed;

use crate::app::App;

#[derive(RustEmbed)]
#[folder = "assets"]
struct Assets;

/// The route of all assets.
pub fn router() -> Router<App> {
    Router::new().route("/assets/{*path}", get(asset))
}

async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Response {
    let Some(file) = Assets::get(&path) else { return StatusCode::NOT_FOUND.into_response() };
    let hash: String = file.metadata.sha256_hash().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{hash}\"");
    let head = [(ETAG, tag.clone()), (CACHE_CONTROL, "no-cache".to_owned())];
    if headers.get(IF_NONE_MATCH).is_some_and(|known| *known == tag) {
        return (StatusCode::NOT_MODIFIED, head).into_response();
    }
    let mime = file.metadata.mimetype().to_owned();
    (head, [(CONTENT_TYPE, mime)], file.data).into_response()
}
