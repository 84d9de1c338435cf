//! A cluster and a door that many tests share. Each test uses its own keys.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use super::cluster::Cluster;
use super::door::Door;
use crate::servers::Flavor;

/// A door to a cluster of Redis 7.0 in which no node fails.
pub struct Place {
    // The gateway is dropped before its servers.
    pub door: Door,
    pub cluster: Cluster,
}

impl Place {
    pub fn start(flavor: Flavor) -> Place {
        let cluster = Cluster::start(flavor);
        Place { door: Door::patient(&cluster), cluster }
    }

    /// Sends a command to the node of a key, without the gateway.
    #[track_caller]
    pub fn behind(&self, key: &str, line: &str) -> super::wire::Reply {
        self.cluster.wire(key).run(line)
    }
}

/// Returns the place that tests share while at least one of them runs. The last test that ends drops it.
pub fn shared() -> Arc<Place> {
    static PLACE: OnceLock<Mutex<Weak<Place>>> = OnceLock::new();
    let mut place = PLACE.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    place.upgrade().unwrap_or_else(|| {
        let it = Arc::new(Place::start(Flavor::Redis70));
        *place = Arc::downgrade(&it);
        it
    })
}
