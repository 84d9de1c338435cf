//! A server and a gateway that many tests share. Each test uses its own keys.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use super::gateway::Gateway;
use super::http::Api;
use crate::servers::{Flavor, Server};

/// A gateway without tokens, and a server of Redis 7.0.
pub struct Pair {
    // The gateway is dropped before its server.
    pub gateway: Gateway,
    pub server: Server,
}

impl Pair {
    pub fn start(flavor: Flavor) -> Pair {
        let server = Server::start(flavor);
        Pair { gateway: Gateway::beside(&server), server }
    }

    pub fn api(&self) -> Api {
        self.gateway.api()
    }
}

/// Returns the pair that tests share while at least one of them runs. The last test that ends drops it, so that no
/// process remains after the tests.
pub fn shared() -> Arc<Pair> {
    static PAIR: OnceLock<Mutex<Weak<Pair>>> = OnceLock::new();
    let mut pair = PAIR.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    pair.upgrade().unwrap_or_else(|| {
        let it = Arc::new(Pair::start(Flavor::Redis70));
        *pair = Arc::downgrade(&it);
        it
    })
}
