//! How long a stream may stay open. The rights of a request are checked once, when it comes. A stream can be open for
//! days, so its rights are checked again and again.

use std::time::Duration;

use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, COOKIE};
use tokio::time::sleep;

use crate::access::{Caller, Role};
use crate::app::App;

/// The longest time from the withdrawal of a token to the end of its streams.
const STEP: Duration = Duration::from_secs(1);

/// The right of a request to read a key, until this right ends.
#[derive(Debug)]
pub struct Lease {
    headers: HeaderMap,
    key: String,
    /// The ticket that stands for a token.
    ticket: Option<String>,
}

impl Lease {
    /// The right of a request with these headers.
    pub fn new(headers: &HeaderMap, key: &str) -> Self {
        let shows_who = |(name, value): (_, &_)| {
            [AUTHORIZATION, COOKIE]
                .contains(name)
                .then(|| (name.clone(), axum::http::HeaderValue::clone(value)))
        };
        Self { headers: headers.iter().filter_map(shows_who).collect(), key: key.to_owned(), ticket: None }
    }

    /// The right of a request with a ticket. The stream may go on when no more streams can be opened with it.
    pub fn with_ticket(self, ticket: Option<String>) -> Self {
        Self { ticket, ..self }
    }

    fn caller(&self, app: &App) -> Option<Caller> {
        let holder = || app.tokens.as_ref()?.holder(self.ticket.as_deref()?, &self.key);
        app.caller(&self.headers).or_else(|| holder().map(|(caller, _)| caller))
    }

    /// Waits until the token is withdrawn or loses the key, the session ends, or the console is stopped.
    pub async fn ended(self, app: App) {
        tokio::select! {
            () = app.stopping.cancelled() => {}
            () = self.withdrawn(&app) => {}
        }
    }

    async fn withdrawn(&self, app: &App) {
        while self.caller(app).is_some_and(|caller| caller.require_for(Role::Viewer, &self.key).is_ok()) {
            sleep(STEP).await;
        }
    }
}
