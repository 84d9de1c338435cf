//! Requests that make boards and describe them.

use crate::{Created, Info, Period, Request};

/// `LB.CREATE`: makes a board. Its rules are options, such as [`views`](Request::views).
pub fn create(key: impl AsRef<[u8]>) -> Request<Created> {
    Request::on("LB.CREATE", key)
}

/// `LB.ALTER`: changes the rules of a board that can be changed later.
pub fn alter(key: impl AsRef<[u8]>) -> Request<()> {
    Request::on("LB.ALTER", key)
}

/// `LB.INFO`: returns the rules and the size of a board; `None` if the key is absent.
pub fn info(key: impl AsRef<[u8]>) -> Request<Option<Info>> {
    Request::on("LB.INFO", key)
}

/// `LB.PERIODS`: returns the periods of a view that can be read, newest first.
pub fn periods(key: impl AsRef<[u8]>, view: &str) -> Request<Vec<Period>> {
    Request::on("LB.PERIODS", key).argument(view)
}
