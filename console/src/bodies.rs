//! Bodies of requests. A body is read completely before its request takes one of the places of `--max-requests`. So a
//! client that sends slowly uses some memory for a while, but none of these places. A slow body takes one of a limited
//! number of places of its address.

use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{DefaultBodyLimit, FromRequest, MatchedPath, Request, State};
use axum::http::header::CONTENT_LENGTH;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::timeout;

use crate::access::Caller;
use crate::access::proxy::Origin;
use crate::api::options::LARGEST_FILE;
use crate::app::{App, SLOW_BODIES};
use crate::pages::options::upload::LARGEST_FORM;
use crate::problem::Problem;
use crate::scores_csv;

/// The largest body, in bytes.
const LARGEST: usize = 1 << 20;
/// The largest body of a caller without a valid token, in bytes. Such a caller can only send a token.
const LARGEST_OF_STRANGERS: usize = 4 << 10;
/// Routes with larger limits, and their limits in bytes.
const LARGE: [(&str, usize); 6] = [
    ("/api/v1/boards/{key}/options.csv", LARGEST_FILE),
    ("/boards/{key}/options/csv", LARGEST_FORM),
    ("/boards/{key}/options/csv/apply", LARGEST_FORM),
    ("/api/v1/boards/{key}/scores.csv", scores_csv::LARGEST_FILE),
    ("/boards/{key}/scores", LARGEST_FORM),
    ("/boards/{key}/scores/apply", LARGEST_FORM),
];
/// How long a body may take to arrive.
const PATIENCE: Duration = Duration::from_secs(5);
/// A body that arrives within this time is not slow. Most bodies arrive together with the head of the request.
const SOON: Duration = Duration::from_millis(100);

/// Reads the whole body. The handlers then read it from memory.
pub async fn receive(State(app): State<App>, request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    match whole(&app, request).await {
        Ok(request) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

async fn whole(app: &App, mut request: Request) -> Result<Request, Problem> {
    let (most, origin) =
        (largest(&request), Origin::of(request.extensions(), request.headers(), &app.settings.proxies)?);
    let length = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: usize| length > most) {
        return Err(Problem::too_large());
    }
    // The limit must also be set for the handlers, which read the body again.
    DefaultBodyLimit::max(most).apply(&mut request);
    let (parts, body) = request.into_parts();
    let mut body = Request::new(body);
    DefaultBodyLimit::max(most).apply(&mut body);
    let reading = Bytes::from_request(body, &());
    let bytes = in_time(reading, || app.slow_bodies.take(&origin))
        .await?
        .map_err(|error| Problem::of_body(&error))?;
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

fn largest(request: &Request) -> usize {
    let extensions = request.extensions();
    let path = extensions.get::<MatchedPath>().map(MatchedPath::as_str);
    match LARGE.iter().find(|(large, _)| path == Some(*large)) {
        _ if extensions.get::<Caller>().is_none() => LARGEST_OF_STRANGERS,
        Some((_, most)) => *most,
        None => LARGEST,
    }
}

/// The result of `reading`. It is an error if reading takes too long, or if the body is slow and the caller has no
/// place for slow bodies left.
async fn in_time<T, P>(
    reading: impl Future<Output = T>,
    place: impl FnOnce() -> Option<P>,
) -> Result<T, Problem> {
    let mut reading = std::pin::pin!(reading);
    if let Ok(read) = timeout(SOON, &mut reading).await {
        return Ok(read);
    }
    let _place = place().ok_or_else(|| {
        Problem::too_many(format!(
            "this address sends {SLOW_BODIES} bodies at once already, all of them slowly"
        ))
    })?;
    timeout(PATIENCE.saturating_sub(SOON), reading).await.map_err(|_| Problem::late())
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::time::{Instant, sleep};

    use super::*;
    use crate::access::places::Places;

    async fn after(wait: Duration) -> &'static str {
        sleep(wait).await;
        "body"
    }

    fn status<T>(read: &Result<T, Problem>) -> u16 {
        read.as_ref().map_or_else(|problem| problem.status().as_u16(), |_| 200)
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_is_late_is_given_up() {
        let began = Instant::now();
        assert_eq!(status(&in_time(after(Duration::from_millis(4_999)), || Some(())).await), 200);
        assert_eq!(began.elapsed(), Duration::from_millis(4_999));
        let began = Instant::now();
        assert_eq!(status(&in_time(pending::<()>(), || Some(())).await), 408);
        assert_eq!(began.elapsed(), PATIENCE);
    }

    #[tokio::test(start_paused = true)]
    async fn only_slow_bodies_take_places() {
        let places = Places::new(1);
        let taken = AtomicUsize::new(0);
        let place = || {
            taken.fetch_add(1, Ordering::Relaxed);
            places.take(&"here")
        };
        let (slow, too_many, quick) = tokio::join!(
            in_time(after(Duration::from_secs(1)), place),
            in_time(after(Duration::from_secs(1)), place),
            in_time(after(Duration::from_millis(50)), place),
        );
        assert_eq!([status(&slow), status(&too_many), status(&quick)], [200, 429, 200]);
        assert_eq!(taken.load(Ordering::Relaxed), 2);
        assert_eq!(
            status(&in_time(after(Duration::from_secs(1)), place).await),
            200,
            "the place is free again"
        );
    }
}
