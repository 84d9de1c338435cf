//! The body of the answer to a heavy request. The place of the request becomes free when its client has taken nearly all of the
//! body: what the connection has buffered by then is at most a few hundred KiB.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use hyper::body::{Frame, SizeHint};

use super::Visit;

/// The size of a piece, in bytes. A connection takes the next piece when it has sent most of those before it.
const PIECE: usize = 64 << 10;

/// The same response. Its body holds the visit until it has been sent.
pub fn holding(response: Response, visit: Arc<Visit>) -> Response {
    response.map(|body| Body::new(Holding { body, rest: Bytes::new(), _visit: visit }))
}

struct Holding {
    body: Body,
    /// What has come of the body and was not passed on.
    rest: Bytes,
    _visit: Arc<Visit>,
}

impl Holding {
    /// Takes the next piece. It is a copy, so that what waits in the connection does not keep the whole body in memory.
    fn piece(&mut self) -> Bytes {
        let piece = self.rest.split_to(self.rest.len().min(PIECE));
        Bytes::copy_from_slice(&piece)
    }
}

impl HttpBody for Holding {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            match std::task::ready!(Pin::new(&mut self.body).poll_frame(context)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                end => return Poll::Ready(end),
            }
        }
        Poll::Ready(Some(Ok(Frame::data(self.piece()))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (more, rest) = (self.body.size_hint(), self.rest.len() as u64);
        match more.exact() {
            Some(more) => SizeHint::with_exact(more.saturating_add(rest)),
            None => {
                let mut hint = SizeHint::new();
                hint.set_lower(more.lower().saturating_add(rest));
                hint
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::share::{Shares, Who};

    /// Takes a piece of a body, and returns its length; 0 at the end.
    async fn take(body: &mut Body) -> usize {
        let frame = std::future::poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await;
        frame.map_or(0, |frame| frame.unwrap().into_data().unwrap().len())
    }

    #[tokio::test]
    async fn a_body_is_sent_in_pieces_and_holds_its_place_until_the_last_one() {
        let share = Shares::new(1).of(Who::Token("ann".to_owned()));
        let visit = Visit::new(Arc::clone(&share), None);
        let length = 3 * PIECE + 5;
        let response = Response::new(Body::from(vec![b'x'; length]));
        let mut body = holding(response, Arc::clone(&visit)).into_body();
        assert_eq!(body.size_hint().exact(), Some(length as u64));
        for (piece, left) in [(PIECE, 2 * PIECE + 5), (PIECE, PIECE + 5), (PIECE, 5), (5, 0)] {
            assert!(!body.is_end_stream() && Arc::strong_count(&visit) == 2);
            assert_eq!(take(&mut body).await, piece);
            assert_eq!(body.size_hint().exact(), Some(left as u64));
        }
        assert!(body.is_end_stream());
        assert_eq!(take(&mut body).await, 0);
    }
}
