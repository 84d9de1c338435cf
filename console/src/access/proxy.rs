//! The address that a request comes from, if it came through proxies. Every client can send an X-Forwarded-For header,
//! so the header counts only if it comes from a proxy that the operator trusts.

use std::fmt::{self, Display, Formatter};
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};
use clap::Args;
use ipnet::{IpNet, Ipv4Net};

use crate::problem::Problem;

/// The bits that all IPv4 addresses in the form of IPv6 begin with.
const MAPPED: u8 = 96;

/// An address, or a range of them such as 10.0.0.0/8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network(IpNet);

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let address = || text.parse::<IpAddr>().map(IpNet::from);
        let network = text.parse().or_else(|_| address());
        network
            .map(|network| Self(canonical(network)))
            .map_err(|_| format!("'{text}' is no address or range"))
    }
}

/// Changes a range of IPv4 addresses in the form of IPv6 into an IPv4 range. Addresses are compared in the short form.
fn canonical(network: IpNet) -> IpNet {
    let bits = network.prefix_len().checked_sub(MAPPED);
    match (network.addr().to_canonical(), bits) {
        (IpAddr::V4(address), Some(bits)) if network.addr().is_ipv6() => {
            Ipv4Net::new(address, bits).map_or(network, IpNet::from)
        }
        _ => network,
    }
}

/// How the console tells visitors apart.
#[derive(Debug, Clone, Args)]
#[group(skip)]
pub struct Proxies {
    /// How many bits of an IPv6 address are the same for all requests of one visitor.
    #[arg(long, value_name = "BITS", env = "LEADERBOARD_IPV6_BITS", default_value_t = 64,
        value_parser = clap::value_parser!(u8).range(1..=128))]
    pub ipv6_bits: u8,

    /// A proxy whose X-Forwarded-For header is trusted to name the address of a request, such as 10.0.0.0/8. Can be
    /// given several times.
    #[arg(
        long = "trusted-proxy",
        value_name = "ADDRESS[/BITS]",
        env = "LEADERBOARD_TRUSTED_PROXIES",
        value_delimiter = ' '
    )]
    pub trusted_proxies: Vec<Network>,
}

/// The sender of a request, as far as its address shows: an IPv4 address, or a network of IPv6. A household has a whole
/// network of IPv6 addresses, and can use a different address for each request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Origin(IpNet);

impl Origin {
    /// The origin of a request. The server notes in `extensions` which address delivered the request.
    ///
    /// # Errors
    /// 500 for a request that has no connection.
    pub fn of(extensions: &Extensions, headers: &HeaderMap, proxies: &Proxies) -> Result<Self, Problem> {
        let peer: Option<&ConnectInfo<SocketAddr>> = extensions.get();
        let peer = peer.ok_or_else(|| Problem::internal("a request from nowhere"))?;
        let address = sender(peer.0.ip(), headers, &proxies.trusted_proxies);
        Ok(Self::new(address, proxies.ipv6_bits))
    }

    /// The origin with this address. For an IPv6 address, only the first bits count.
    pub fn new(address: IpAddr, ipv6_bits: u8) -> Self {
        let whole = IpNet::from(address);
        let bits = if address.is_ipv6() { ipv6_bits } else { whole.prefix_len() };
        Self(IpNet::new(address, bits).unwrap_or(whole).trunc())
    }
}

impl Display for Origin {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.prefix_len() == self.0.max_prefix_len() { self.0.addr().fmt(f) } else { self.0.fmt(f) }
    }
}

/// The address that sent a request, which `peer` delivered: the last address in X-Forwarded-For that is not a trusted
/// proxy.
fn sender(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
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
        let Some(address) = address(text.trim()) else { break };
        nearest = address.to_canonical();
    }
    nearest
}

/// An address as proxies write it: alone, in brackets, or with a port.
fn address(text: &str) -> Option<IpAddr> {
    let bare = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    text.parse().ok().or_else(with_port).or_else(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trusting(trusted: &[&str], peer: &str, forwarded: &[&str]) -> String {
        let trusted: Vec<Network> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        sender(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    fn from(peer: &str, forwarded: &[&str]) -> String {
        trusting(&["10.0.0.0/8", "::1"], peer, forwarded)
    }

    #[test]
    fn only_trusted_proxies_tell_the_address() {
        assert_eq!(from("203.0.113.9", &["198.51.100.1"]), "203.0.113.9", "not a proxy of ours");
        assert_eq!(from("10.1.1.1", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(from("10.1.1.1", &["1.2.3.4, 198.51.100.1"]), "198.51.100.1", "what the client claimed");
        assert_eq!(from("10.1.1.1", &["198.51.100.1, 10.2.2.2"]), "198.51.100.1", "two proxies");
        assert_eq!(from("10.1.1.1", &["1.2.3.4", "198.51.100.1"]), "198.51.100.1", "two headers");
        assert_eq!(from("10.1.1.1", &["nonsense"]), "10.1.1.1");
        assert_eq!(
            from("10.1.1.1", &["1.2.3.4, nonsense, 10.2.2.2"]),
            "10.2.2.2",
            "nothing left of it counts"
        );
        assert_eq!(from("::1", &["::ffff:198.51.100.1"]), "198.51.100.1");
        assert_eq!(from("10.1.1.1", &[]), "10.1.1.1");
    }

    #[test]
    fn addresses_come_with_ports_and_in_brackets() {
        for (text, address) in [
            ("1.2.3.4:567", "1.2.3.4"),
            ("[2001:db8::1]:567", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("[::ffff:1.2.3.4]:567", "1.2.3.4"),
            (" 1.2.3.4:567 , 10.2.2.2:80", "1.2.3.4"),
        ] {
            assert_eq!(from("10.1.1.1", &[text]), address, "{text}");
        }
        for text in ["1.2.3.4:", "1.2.3.4:x", "1.2.3.4:99999", "[1.2.3.4]x", "[", "[]", "unknown", "_hidden"]
        {
            assert_eq!(from("10.1.1.1", &[text]), "10.1.1.1", "{text}");
        }
    }

    #[test]
    fn ranges_of_mapped_addresses_are_those_of_ipv4() {
        for proxy in ["::ffff:10.0.0.0/104", "::ffff:10.1.1.1", "10.1.1.1/8"] {
            assert_eq!(trusting(&[proxy], "10.1.1.1", &["1.2.3.4"]), "1.2.3.4", "{proxy}");
            assert_eq!(trusting(&[proxy], "::ffff:10.1.1.1", &["1.2.3.4"]), "1.2.3.4", "{proxy}");
        }
        assert_eq!(trusting(&["::/0"], "10.1.1.1", &["1.2.3.4"]), "10.1.1.1", "all of IPv6 alone");
    }

    #[test]
    fn an_origin_is_an_address_or_a_network_of_ipv6() {
        let origin = |text: &str, bits| Origin::new(text.parse().unwrap(), bits).to_string();
        assert_eq!(origin("1.2.3.4", 64), "1.2.3.4");
        assert_eq!(origin("2001:db8:1:2:3:4:5:6", 64), "2001:db8:1:2::/64");
        assert_eq!(origin("2001:db8:1:2:3:4:5:6", 48), "2001:db8:1::/48");
        assert_eq!(origin("2001:db8:1:2:3:4:5:6", 128), "2001:db8:1:2:3:4:5:6");
    }

    #[test]
    fn what_is_no_range_is_refused() {
        assert!("10.0.0.0/33".parse::<Network>().is_err());
        assert!("proxy".parse::<Network>().is_err());
    }
}
