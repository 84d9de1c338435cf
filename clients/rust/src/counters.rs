//! Counters of events at several precisions.

use crate::{Info, Request, Sample};

/// `LB.COUNTER.CREATE`: makes a counter.
pub fn create(key: impl AsRef<[u8]>) -> Request<()> {
    Request::on("LB.COUNTER.CREATE", key)
}

/// `LB.COUNTER.ALTER`: changes the rules of a counter.
pub fn alter(key: impl AsRef<[u8]>) -> Request<()> {
    Request::on("LB.COUNTER.ALTER", key)
}

/// `LB.COUNTER.INFO`: a counter's rules and total; `None` for an absent key.
pub fn info(key: impl AsRef<[u8]>) -> Request<Option<Info>> {
    Request::on("LB.COUNTER.INFO", key)
}

/// `LB.COUNTER.INCR`: counts an event, or as many as [`by`](Request::by) says. The reply is the total.
pub fn incr(key: impl AsRef<[u8]>) -> Request<i64> {
    Request::on("LB.COUNTER.INCR", key)
}

/// `LB.COUNTER.GET`: the counts of a precision in seconds, oldest first.
pub fn get(key: impl AsRef<[u8]>, precision: u64) -> Request<Vec<Sample>> {
    Request::on("LB.COUNTER.GET", key).argument(precision)
}

/// `LB.COUNTER.MGET`: the counts of a precision of several counters.
pub fn mget<K: AsRef<[u8]>>(precision: u64, keys: impl IntoIterator<Item = K>) -> Request<Vec<Vec<Sample>>> {
    Request::new("LB.COUNTER.MGET").argument(precision).keys(keys)
}
