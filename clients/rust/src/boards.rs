//! Making and describing boards.

use crate::{Created, Info, Period, Request};

/// `LB.CREATE`: makes a board. Its rules are options, such as [`views`](Request::views).
pub fn create(key: impl AsRef<[u8]>) -> Request<Created> {
    Request::on("LB.CREATE", key)
}

/// `LB.ALTER`: changes what may change of a board's rules.
pub fn alter(key: impl AsRef<[u8]>) -> Request<()> {
    Request::on("LB.ALTER", key)
}

/// `LB.INFO`: a board's rules and size; `None` for an absent key.
pub fn info(key: impl AsRef<[u8]>) -> Request<Option<Info>> {
    Request::on("LB.INFO", key)
}

/// `LB.PERIODS`: the periods of a view that can be read, newest first.
pub fn periods(key: impl AsRef<[u8]>, view: &str) -> Request<Vec<Period>> {
    Request::on("LB.PERIODS", key).argument(view)
}
