//! The body of the answer to a heavy request. The place of the request becomes free after the body has been sent.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use hyper::body::{Frame, SizeHint};

use super::Visit;

/// The same response. Its body holds the visit until it has been sent.
pub fn holding(response: Response, visit: Arc<Visit>) -> Response {
    response.map(|body| Body::new(Holding { body, _visit: visit }))
}

struct Holding {
    body: Body,
    _visit: Arc<Visit>,
}

impl HttpBody for Holding {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
