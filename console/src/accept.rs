//! Connections: how many are open at once, how long a connection may take to send the head of a request, and how
//! connections end.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use leaderboard_proxy::accept;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;
use tower::util::Oneshot;

use crate::access::hosts::Reached;

/// How long a connection may send nothing, or only a part of a head. This time is longer than the idle timeout of
/// proxies, so that the proxy closes an idle connection first.
const HEAD_TIMEOUT: Duration = Duration::from_secs(75);

/// Serves connections, at most `most` at once, until `stopping` is cancelled. Then waits at most `patience` for open
/// requests to end.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    most: usize,
    stopping: CancellationToken,
    patience: Duration,
) {
    let connections = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)));
    loop {
        let (place, stream, peer) = tokio::select! {
            accepted = next(&listener, &places) => match accepted {
                Some(accepted) => accepted,
                None => continue,
            },
            () = stopping.cancelled() => break,
        };
        let reached = stream.local_addr().ok().map(|address| Reached(address.ip()));
        let connection = connections.watch(
            Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIMEOUT)
                .serve_connection(TokioIo::new(stream), service_fn(answer(router.clone(), peer, reached))),
        );
        tokio::spawn(async move {
            // An error that ends a connection concerns only its client.
            let _ = connection.await;
            drop(place);
        });
    }
    // A client that no longer reads must not prevent the process from ending.
    let _ = tokio::time::timeout(patience, connections.shutdown()).await;
}

/// Waits for a free place, then accepts the next connection.
async fn next(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(OwnedSemaphorePermit, TcpStream, SocketAddr)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    let (stream, peer) = accept(listener).await?;
    Some((place, stream, peer))
}

fn answer(
    router: Router,
    peer: SocketAddr,
    reached: Option<Reached>,
) -> impl Fn(Request<Incoming>) -> Oneshot<Router, Request<Body>> {
    move |request| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        if let Some(reached) = reached {
            request.extensions_mut().insert(reached);
        }
        router.clone().oneshot(request)
    }
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    async fn serving(most: usize) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", get(async || "yes"));
        tokio::spawn(serve(listener, router, most, CancellationToken::new(), Duration::ZERO));
        address
    }

    async fn sent(address: SocketAddr, text: &str) -> TcpStream {
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(text.as_bytes()).await.unwrap();
        client
    }

    async fn rest(mut client: TcpStream) -> String {
        let mut text = Vec::new();
        let _ = client.read_to_end(&mut text).await;
        String::from_utf8_lossy(&text).into_owned()
    }

    /// The clock of this test jumps to the next timeout as soon as no task can run.
    #[tokio::test(start_paused = true)]
    async fn a_head_that_does_not_come_is_not_waited_for() {
        let address = serving(10).await;
        for text in ["", "GET / HTTP/1.1\r\nHost: a\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"] {
            let said = rest(sent(address, text).await).await;
            assert_eq!(said.contains("yes"), text.ends_with("\r\n\r\n"), "{text:?}: {said}");
        }
    }

    #[tokio::test]
    async fn a_connection_too_many_waits_for_its_place() {
        let address = serving(1).await;
        let first = sent(address, "GET / HTTP/1.1\r\nHost: a\r\n").await;
        let second = sent(address, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await;
        let second = tokio::spawn(rest(second));
        tokio::task::yield_now().await;
        assert!(!second.is_finished());
        drop(first);
        assert!(second.await.unwrap().ends_with("yes"));
    }
}
