//! Asks each server by itself, at the same time. One that does not answer is told of and holds up nobody else.

use futures_util::future::join_all;
use redis::cluster_async::ClusterConnection;
use redis::cluster_routing::{RoutingInfo, SingleNodeRoutingInfo};
use redis::{Cmd, Value};
use tokio::time::timeout;

use crate::link::connect::Connection;
use crate::link::{Link, Node, problem};
use crate::problem::Problem;

/// A server and what it answered.
#[derive(Debug)]
pub struct Present {
    /// Its address.
    pub name: String,
    /// What the others of a cluster say of it, such as `master` and `fail`. Empty where there is no cluster.
    pub flags: Vec<String>,
    /// An answer for each command.
    pub replies: Vec<Result<Value, Problem>>,
}

impl Present {
    /// The answer to a command, if it is a text.
    pub fn text(&self, command: usize) -> Option<String> {
        let reply = self.replies.get(command)?.as_ref().ok()?;
        redis::from_redis_value_ref(reply).ok()
    }
}

impl Link {
    /// Sends commands to all nodes of a cluster, replicas included, or over the connection to the only server.
    ///
    /// # Errors
    /// If no server tells which nodes there are.
    pub async fn present(&self, commands: &[Cmd]) -> Result<Vec<Present>, Problem> {
        match self.connection().await?.0 {
            Connection::One(_) => Ok(vec![self.only(commands).await]),
            Connection::Cluster(mut cluster) => {
                let nodes = nodes_of(&mut cluster).await?;
                Ok(join_all(nodes.into_iter().map(|node| self.node(node, commands))).await)
            }
        }
    }

    /// As [`Link::present`]. Where the addresses of a replica set were given, it connects to each.
    ///
    /// # Errors
    /// As [`Link::present`]; none for a replica set, even if nobody answers.
    pub async fn roll_call(&self, commands: &[Cmd]) -> Result<Vec<Present>, Problem> {
        let is_cluster = self.is_cluster().await;
        if self.servers.names().len() < 2 || matches!(is_cluster, Ok(true)) {
            is_cluster?;
            return self.present(commands).await;
        }
        Ok(join_all(self.servers.names().into_iter().enumerate().map(async |(place, name)| {
            let replies = self.servers.ask(place, commands).await;
            let replies = replies.into_iter().map(|reply| reply.map_err(|error| problem(&error)));
            Present { name, flags: Vec::new(), replies: replies.collect() }
        }))
        .await)
    }

    async fn only(&self, commands: &[Cmd]) -> Present {
        let replies = join_all(commands.iter().map(|command| self.command(command))).await;
        let mut names = self.servers.names();
        // Of a replica set, it is whichever of the addresses is the primary now.
        let name = if names.len() == 1 { names.pop() } else { None };
        Present { name: name.unwrap_or_else(|| "primary".to_owned()), flags: Vec::new(), replies }
    }

    async fn node(&self, listed: Listed, commands: &[Cmd]) -> Present {
        let node = Node(listed.address);
        let ask = async |command| {
            let answer = timeout(self.servers.timeout(), self.on_node(&node, command)).await;
            answer.unwrap_or_else(|_| Err(Problem::unavailable("no answer in time")))
        };
        let replies = join_all(commands.iter().map(ask)).await;
        Present { name: node.0, flags: listed.flags, replies }
    }
}

/// A node in the list of a cluster.
#[derive(Debug, PartialEq)]
struct Listed {
    address: String,
    flags: Vec<String>,
}

async fn nodes_of(cluster: &mut ClusterConnection) -> Result<Vec<Listed>, Problem> {
    let any = RoutingInfo::SingleNode(SingleNodeRoutingInfo::Random);
    let reply = cluster.route_command(redis::cmd("CLUSTER").arg("NODES").to_owned(), any).await;
    let text =
        reply.and_then(Value::extract_error).and_then(|list| Ok(redis::from_redis_value::<String>(list)?));
    let mut nodes: Vec<Listed> = text.map_err(|error| problem(&error))?.lines().filter_map(listed).collect();
    nodes.sort_by(|a, b| a.address.cmp(&b.address));
    Ok(nodes)
}

/// A line of CLUSTER NODES: `id address:port@busport[,hostname] flags ...`.
fn listed(line: &str) -> Option<Listed> {
    let mut words = line.split(' ');
    let address = words.nth(1)?.split(['@', ',']).next()?;
    let flags: Vec<String> =
        words.next()?.split(',').filter(|flag| *flag != "myself").map(str::to_owned).collect();
    let is_there = !address.starts_with(':') && !flags.iter().any(|flag| flag == "handshake");
    is_there.then(|| Listed { address: address.to_owned(), flags })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_a_cluster_is_read() {
        let line = "07c3 127.0.0.1:30004@31004,host slave,fail e7d1 0 1426238317239 4 connected";
        let flags = vec!["slave".to_owned(), "fail".to_owned()];
        assert_eq!(listed(line), Some(Listed { address: "127.0.0.1:30004".to_owned(), flags }));
        assert_eq!(listed("07c3 :0@0 master,noaddr - 0 0 4 disconnected"), None);
        assert_eq!(listed(""), None);
    }
}
