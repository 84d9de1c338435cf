//! Requests that import, export and combine rankings.

use crate::{ImportStep, Request};

/// `LB.IMPORT`: adds the members of a sorted set to a board. The reply is the number of these members.
pub fn import(key: impl AsRef<[u8]>, zset: impl AsRef<[u8]>) -> Request<u64> {
    Request::on("LB.IMPORT", key).argument(zset.as_ref())
}

/// `LB.IMPORT` in steps of [`count`](Request::count) members. Begin with the cursor `0`. Then give each step the
/// cursor of the last reply, until the reply contains the cursor `0` again.
pub fn import_step(key: impl AsRef<[u8]>, zset: impl AsRef<[u8]>, cursor: &str) -> Request<ImportStep> {
    Request::on("LB.IMPORT", key).argument(zset.as_ref()).option("CURSOR", cursor)
}

/// `LB.EXPORT`: stores a ranking as a sorted set. The reply is the number of its members.
pub fn export(dest: impl AsRef<[u8]>, key: impl AsRef<[u8]>) -> Request<u64> {
    Request::on("LB.EXPORT", dest).argument(key.as_ref())
}

/// `LB.UNION`: makes a board that contains the members of several boards or sorted sets. The reply is the number of
/// members.
pub fn union<K: AsRef<[u8]>>(dest: impl AsRef<[u8]>, keys: impl IntoIterator<Item = K>) -> Request<u64> {
    Request::on("LB.UNION", dest).number_and(keys)
}

/// `LB.INTER`: makes a board of the members that several boards or sorted sets have in common. The reply is the number
/// of members.
pub fn inter<K: AsRef<[u8]>>(dest: impl AsRef<[u8]>, keys: impl IntoIterator<Item = K>) -> Request<u64> {
    Request::on("LB.INTER", dest).number_and(keys)
}
