//! How long a stream may stay open. A request is judged once, when it comes; a stream can be open for days, so it is
//! judged again and again.

use std::time::Duration;

use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, COOKIE};
use tokio::time::sleep;

use crate::access::Role;
use crate::app::App;

/// How soon a stream ends after its token was withdrawn.
const STEP: Duration = Duration::from_secs(1);

/// The right of a request to read a key, for as long as it lasts.
#[derive(Debug)]
pub struct Lease {
    headers: HeaderMap,
    key: String,
}

impl Lease {
    /// For a request with these headers.
    pub fn new(headers: &HeaderMap, key: &str) -> Self {
        let shows_who = |(name, value): (_, &_)| {
            [AUTHORIZATION, COOKIE]
                .contains(name)
                .then(|| (name.clone(), axum::http::HeaderValue::clone(value)))
        };
        Self { headers: headers.iter().filter_map(shows_who).collect(), key: key.to_owned() }
    }

    /// Waits until the token is withdrawn or loses the key, the session ends, or the console is told to end.
    pub async fn ended(self, app: App) {
        tokio::select! {
            () = app.stopping.cancelled() => {}
            () = self.withdrawn(&app) => {}
        }
    }

    async fn withdrawn(&self, app: &App) {
        while app
            .caller(&self.headers)
            .is_some_and(|caller| caller.require_for(Role::Viewer, &self.key).is_ok())
        {
            sleep(STEP).await;
        }
    }
}
