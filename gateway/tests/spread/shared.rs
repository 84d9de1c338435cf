//! A cluster and a door that many tests use, each with keys of its own.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use super::cluster::Cluster;
use super::door::Door;
use crate::servers::Flavor;

/// A door of a cluster of Redis 7.0 in which nothing fails.
pub struct Place {
    // The gateway ends before its servers.
    pub door: Door,
    pub cluster: Cluster,
}

impl Place {
    pub fn start(flavor: Flavor) -> Place {
        let cluster = Cluster::start(flavor);
        Place { door: Door::of(&cluster), cluster }
    }

    /// Where a key is in the cluster: without the gateway.
    #[track_caller]
    pub fn behind(&self, key: &str, line: &str) -> super::wire::Reply {
        self.cluster.wire(key).run(line)
    }
}

/// The place that tests share while at least one of them runs. The last one ends it.
pub fn shared() -> Arc<Place> {
    static PLACE: OnceLock<Mutex<Weak<Place>>> = OnceLock::new();
    let mut place = PLACE.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    place.upgrade().unwrap_or_else(|| {
        let it = Arc::new(Place::start(Flavor::Redis70));
        *place = Arc::downgrade(&it);
        it
    })
}
