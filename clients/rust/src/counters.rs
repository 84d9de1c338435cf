//! Requests for counters, which count events at several precisions.

use crate::{Created, Info, Request, Sample};

/// `LB.COUNTER.CREATE`: makes a counter.
pub fn create(key: impl AsRef<[u8]>) -> Request<Created> {
    Request::on("LB.COUNTER.CREATE", key)
}

/// `LB.COUNTER.ALTER`: changes the rules of a counter.
pub fn alter(key: impl AsRef<[u8]>) -> Request<()> {
    Request::on("LB.COUNTER.ALTER", key)
}

/// `LB.COUNTER.INFO`: returns the rules and the total of a counter; `None` if the key is absent.
pub fn info(key: impl AsRef<[u8]>) -> Request<Option<Info>> {
    Request::on("LB.COUNTER.INFO", key)
}

/// `LB.COUNTER.INCR`: counts one event, or the number of events that [`by`](Request::by) gives. The reply is the
/// total.
pub fn incr(key: impl AsRef<[u8]>) -> Request<i64> {
    Request::on("LB.COUNTER.INCR", key)
}

/// `LB.COUNTER.GET`: returns the counts at a precision (the length of a slice in seconds), oldest first.
pub fn get(key: impl AsRef<[u8]>, precision: u64) -> Request<Vec<Sample>> {
    Request::on("LB.COUNTER.GET", key).argument(precision)
}

/// `LB.COUNTER.MGET`: returns the counts of several counters at a precision in seconds.
pub fn mget<K: AsRef<[u8]>>(precision: u64, keys: impl IntoIterator<Item = K>) -> Request<Vec<Vec<Sample>>> {
    Request::new("LB.COUNTER.MGET").argument(precision).keys(keys)
}
