//! The names that the console answers to. A page elsewhere can let its own name resolve to 127.0.0.1 and have the
//! browser send requests here (DNS rebinding); such requests carry that other name.

use axum::http::header::HOST;
use axum::http::{HeaderMap, Uri};

use crate::config::Settings;

/// The accepted names.
#[derive(Debug)]
pub struct Hosts(Vec<String>);

impl Hosts {
    pub fn new(settings: &Settings) -> Self {
        let own = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned);
        let address = match settings.http {
            std::net::SocketAddr::V4(address) => address.ip().to_string(),
            std::net::SocketAddr::V6(address) => format!("[{}]", address.ip()),
        };
        let named = settings.hosts.iter().map(|name| name.to_ascii_lowercase());
        Self(own.into_iter().chain([address]).chain(named).collect())
    }

    /// Whether a request names the console: in its Host header, and in its target if that names a host.
    pub fn accept(&self, target: &Uri, headers: &HeaderMap) -> bool {
        let mut values = headers.get_all(HOST).iter();
        let (Some(host), None) = (values.next(), values.next()) else { return false };
        target.host().is_none_or(|host| self.has(host)) && host.to_str().is_ok_and(|host| self.has(host))
    }

    fn has(&self, host: &str) -> bool {
        self.0.iter().any(|name| name.eq_ignore_ascii_case(without_port(host)))
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}
