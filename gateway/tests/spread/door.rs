//! Gateways with a RESP door.

use redis::Connection;

use super::cluster::Cluster;
use super::wire::Wire;
use crate::support::{Api, Gateway};

pub struct Door {
    /// The process of the gateway, which ends when this value is dropped.
    gateway: Gateway,
    pub port: u16,
}

impl Door {
    /// Starts a gateway without a cache, so that every reply contains present data.
    pub fn of(cluster: &Cluster) -> Door {
        Door::with(cluster, &["--cache-ms", "0"])
    }

    /// Starts a gateway that waits long for slow servers, for tests that compare replies: a debug build on a busy machine
    /// can need more than the usual second.
    pub fn patient(cluster: &Cluster) -> Door {
        Door::with(cluster, &["--cache-ms", "0", "--gather-timeout-ms", "20000", "--timeout-ms", "20000"])
    }

    pub fn with(cluster: &Cluster, args: &[&str]) -> Door {
        Door::to(&cluster.urls(), args, &[])
    }

    /// Starts a gateway for these servers, with these arguments and environment variables.
    pub fn to(urls: &[String], args: &[&str], environment: &[(&str, &str)]) -> Door {
        let mut builder = Gateway::builder_of(urls).arg("--resp", "127.0.0.1:0");
        for pair in args.chunks(2) {
            builder = builder.arg(pair[0], pair[1]);
        }
        for (name, value) in environment {
            builder = builder.env(name, value);
        }
        let gateway = builder.start();
        let port = gateway.door().port();
        Door { gateway, port }
    }

    /// Returns the HTTP API of the same gateway.
    pub fn api(&self) -> Api {
        self.gateway.api()
    }

    #[track_caller]
    pub fn wire(&self) -> Wire {
        Wire::to(self.port)
    }

    #[track_caller]
    pub fn wire_resp3(&self) -> Wire {
        Wire::to_resp3(self.port)
    }

    /// Opens a connection of a client library.
    pub fn connection(&self, parameters: &str) -> Connection {
        let url = format!("redis://127.0.0.1:{}/{parameters}", self.port);
        redis::Client::open(url).expect("an address").get_connection().expect("a connection")
    }
}
