//! Where a request comes from, when it came through proxies. Only what proxies of the operator say counts: everybody
//! can send an X-Forwarded-For.

use std::net::IpAddr;
use std::str::FromStr;

use axum::http::HeaderMap;

/// An address, or a range of them such as 10.0.0.0/8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network(ipnet::IpNet);

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let address = || text.parse::<IpAddr>().map(ipnet::IpNet::from);
        text.parse().or_else(|_| address()).map(Self).map_err(|_| format!("'{text}' is no address or range"))
    }
}

/// The address of who sent a request that `peer` delivered: the last one in X-Forwarded-For that is no trusted proxy.
pub fn origin(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let is_trusted = |address: &IpAddr| trusted.iter().any(|network| network.0.contains(address));
    let mut nearest = peer.to_canonical();
    let forwarded: Vec<&str> = headers
        .get_all("x-forwarded-for")
        .iter()
        .flat_map(|value| value.to_str().unwrap_or_default().split(','))
        .collect();
    for text in forwarded.into_iter().rev() {
        if !is_trusted(&nearest) {
            break;
        }
        let Ok(address) = text.trim().parse::<IpAddr>() else { break };
        nearest = address.to_canonical();
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(peer: &str, forwarded: &[&str]) -> String {
        let trusted: Vec<Network> =
            ["10.0.0.0/8", "::1"].iter().filter_map(|text| text.parse().ok()).collect();
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap_or_else(|_| unreachable!("a header")));
        }
        let peer = peer.parse().unwrap_or_else(|_| unreachable!("an address"));
        origin(peer, &headers, &trusted).to_string()
    }

    #[test]
    fn only_trusted_proxies_tell_the_address() {
        assert_eq!(from("203.0.113.9", &["198.51.100.1"]), "203.0.113.9", "not a proxy of ours");
        assert_eq!(from("10.1.1.1", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(from("10.1.1.1", &["1.2.3.4, 198.51.100.1"]), "198.51.100.1", "what the client claimed");
        assert_eq!(from("10.1.1.1", &["198.51.100.1, 10.2.2.2"]), "198.51.100.1", "two proxies");
        assert_eq!(from("10.1.1.1", &["1.2.3.4", "198.51.100.1"]), "198.51.100.1", "two headers");
        assert_eq!(from("10.1.1.1", &["nonsense"]), "10.1.1.1");
        assert_eq!(from("::1", &["::ffff:198.51.100.1"]), "198.51.100.1");
        assert_eq!(from("10.1.1.1", &[]), "10.1.1.1");
    }

    #[test]
    fn what_is_no_range_is_refused() {
        assert!("10.0.0.0/33".parse::<Network>().is_err());
        assert!("proxy".parse::<Network>().is_err());
    }
}
