//! The host names that the console accepts (against DNS rebinding). A page of another site can let its own name resolve
//! to 127.0.0.1, so that the browser sends requests to the console; such requests carry the name of the other site. An
//! IP address in place of a name cannot be redirected like this. Therefore the address that a connection came in at is
//! accepted like the known names.

use std::net::IpAddr;

use axum::http::header::HOST;
use axum::http::{Extensions, HeaderMap, Uri};

/// The address of this machine that a connection came in at. The server notes it for each request.
#[derive(Debug, Clone, Copy)]
pub struct Reached(pub IpAddr);

/// The accepted names.
#[derive(Debug)]
pub enum Hosts {
    All,
    Named(Vec<String>),
}

impl Hosts {
    /// The names that the operator gave, together with the names of this machine and the address that the console
    /// listens on.
    pub fn new(names: &[String], listens_on: IpAddr) -> Self {
        if names.iter().any(|name| name == "*") {
            return Self::All;
        }
        let own = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned);
        let address = in_url(listens_on);
        let named = names.iter().cloned();
        Self::Named(own.into_iter().chain([address]).chain(of_machine()).chain(named).collect())
    }

    /// Whether a request names the console in its Host header, and also in its target if the target contains a host.
    pub fn accept(&self, target: &Uri, headers: &HeaderMap, extensions: &Extensions) -> bool {
        let Self::Named(names) = self else { return true };
        let reached = extensions.get().map(|Reached(address)| in_url(address.to_canonical()));
        let has = |host: &str| {
            let host = without_port(host);
            names.iter().chain(&reached).any(|name| name.eq_ignore_ascii_case(host))
        };
        let mut values = headers.get_all(HOST).iter();
        let (Some(host), None) = (values.next(), values.next()) else { return false };
        target.host().is_none_or(has) && host.to_str().is_ok_and(has)
    }
}

/// The name of this machine, in full and without its domain.
fn of_machine() -> Vec<String> {
    let system = rustix::system::uname();
    let name = system.nodename().to_string_lossy();
    let first = name.split('.').next().unwrap_or_default();
    [first, &name].into_iter().filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn in_url(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}
