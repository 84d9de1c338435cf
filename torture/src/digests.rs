//! What a server has, as a digest of each key, and how it is compared.

use std::collections::BTreeMap;

use leaderboard_testkit::{Server, digest, query, wait_for_sync};

/// The digests by key.
pub type Digests = BTreeMap<String, String>;

/// Returns the digests of all keys of a server.
pub fn of(server: &Server) -> Digests {
    let mut con = server.connection();
    let keys: Vec<String> = query(&mut con, &["KEYS", "*"]);
    keys.into_iter().map(|key| (key.clone(), digest(&mut con, &key))).collect()
}

/// Compares what two servers have, or what a server has and had.
///
/// # Panics
/// If they differ. The message names the keys.
pub fn compare(what: &str, one: &Digests, other: &Digests) {
    let differs = |key: &&String| one.get(*key) != other.get(*key);
    let keys: Vec<_> = one.keys().chain(other.keys()).filter(differs).collect();
    assert!(keys.is_empty(), "{what}: {keys:?} differ");
}

/// Waits for all replicas, and compares them with the primary.
///
/// # Panics
/// If one of them has other values than the primary.
pub fn expect_same(primary: &Server, servers: &[Server]) {
    for replica in servers.iter().filter(|server| server.port() != primary.port()) {
        wait_for_sync(primary, replica);
        compare("a replica and its primary", &of(primary), &of(replica));
    }
}
