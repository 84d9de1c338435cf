//! How far the replicas of each server are behind, from `INFO replication`.

use crate::exposition::{Exposition, Kind, Sample};

/// A replica, as its primary sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replica {
    address: String,
    /// How much the replica has not confirmed yet, in bytes of the stream of replication.
    bytes: u64,
    /// Seconds since it last confirmed anything.
    seconds: u64,
}

/// The replicas of a server. One that still gets its first copy of all data is not among them.
///
/// A line is `slave0:ip=10.0.0.2,port=6379,state=online,offset=1200,lag=1`; later servers add further fields.
pub fn of_info(told: &str) -> Vec<Replica> {
    let line = |name: &str| told.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    let written = line("master_repl_offset").and_then(|offset| offset.trim().parse().ok()).unwrap_or(0);
    let numbered = (0_u32..).map_while(|number| line(&format!("slave{number}")));
    numbered.filter_map(|fields| replica(fields, written)).collect()
}

fn replica(fields: &str, written: u64) -> Option<Replica> {
    let field = |name: &str| {
        let mut pairs = fields.trim().split(',').filter_map(|pair| pair.split_once('='));
        pairs.find(|(its, _)| *its == name).map(|(_, value)| value)
    };
    let confirmed: u64 = field("offset")?.parse().ok()?;
    (field("state")? == "online").then_some(Replica {
        address: format!("{}:{}", field("ip")?, field("port")?),
        bytes: written.saturating_sub(confirmed),
        seconds: field("lag")?.parse().ok()?,
    })
}

/// Adds the replicas of these servers, by the address of each server.
pub fn add<'a>(text: &mut Exposition, servers: impl Iterator<Item = (&'a str, &'a [Replica])>) {
    let servers: Vec<_> = servers.collect();
    let of = |node: &str| vec![("node", node.to_owned())];
    let number = |(node, replicas): &(&str, &[Replica])| Sample {
        labels: of(node),
        value: replicas.len().to_string(),
    };
    let help = "Replicas of a server that follow it.";
    text.add("leaderboard_replicas", Kind::Gauge, help, servers.iter().map(number));
    let each = |value: fn(&Replica) -> u64| {
        let sample = move |node: &str, replica: &Replica| {
            let mut labels = of(node);
            labels.push(("replica", replica.address.clone()));
            Sample { labels, value: value(replica).to_string() }
        };
        let samples = servers
            .iter()
            .flat_map(move |(node, replicas)| replicas.iter().map(move |replica| sample(node, replica)));
        samples.collect::<Vec<_>>()
    };
    let help = "What a replica has not confirmed yet, in bytes of the stream of replication.";
    text.add("leaderboard_replica_lag_bytes", Kind::Gauge, help, each(|replica| replica.bytes));
    let help = "Seconds since a replica last confirmed anything.";
    text.add("leaderboard_replica_lag_seconds", Kind::Gauge, help, each(|replica| replica.seconds));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replicas_that_follow_are_read() {
        let told = "# Replication\r\nrole:master\r\nconnected_slaves:3\r\n\
            slave0:ip=10.0.0.2,port=6379,state=online,offset=1200,lag=1\r\n\
            slave1:ip=10.0.0.3,port=6380,state=wait_bgsave,offset=0,lag=0,type=rdb-channel\r\n\
            slave2:ip=10.0.0.4,port=6379,state=online,offset=1250,lag=0,type=replica\r\n\
            master_replid:8371\r\nmaster_repl_offset:1250\r\n";
        let replica = |address: &str, bytes, seconds| Replica { address: address.to_owned(), bytes, seconds };
        assert_eq!(of_info(told), [replica("10.0.0.2:6379", 50, 1), replica("10.0.0.4:6379", 0, 0)]);
        assert_eq!(of_info("role:slave\r\nmaster_repl_offset:1250\r\n"), []);
        assert_eq!(of_info(""), []);
    }
}
