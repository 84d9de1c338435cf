//! The primaries, and each by itself: for looking through all keys.

use redis::cluster_routing::{MultipleNodeRoutingInfo, RoutingInfo, SingleNodeRoutingInfo};
use redis::{Cmd, Value};

use crate::link::connect::Connection;
use crate::link::{Link, problem};
use crate::problem::Problem;

/// The address of a server, `host:port`; of the only one: `server`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node(pub String);

impl Link {
    /// The servers that have keys of their own, in the order of their addresses.
    ///
    /// # Errors
    /// If one does not answer.
    pub async fn primaries(&self) -> Result<Vec<Node>, Problem> {
        let (connection, _) = self.wire.connection().await?;
        let Connection::Cluster(mut cluster) = connection else { return Ok(vec![Node("server".to_owned())]) };
        let all = RoutingInfo::MultiNode((MultipleNodeRoutingInfo::AllMasters, None));
        let answers = cluster.route_command(redis::cmd("PING"), all).await;
        answers.map(nodes).map_err(|error| problem(&error))
    }

    /// Sends a command to one server.
    ///
    /// # Errors
    /// As [`Link::command`]; 404 for a node that is not there.
    pub async fn on_node(&self, node: &Node, command: &Cmd) -> Result<Value, Problem> {
        match self.wire.connection().await?.0 {
            Connection::One(_) => self.command(command).await,
            Connection::Cluster(mut cluster) => {
                let address =
                    node.0.rsplit_once(':').and_then(|(host, port)| Some((host, port.parse().ok()?)));
                let Some((host, port)) = address else { return Err(Problem::not_found("no such node")) };
                let to = SingleNodeRoutingInfo::ByAddress { host: host.to_owned(), port };
                let reply = cluster.route_command(command.clone(), RoutingInfo::SingleNode(to)).await;
                reply.and_then(Value::extract_error).map_err(|error| problem(&error))
            }
        }
    }
}

/// Who answered.
fn nodes(answers: Value) -> Vec<Node> {
    let Value::Map(answers) = answers else { return Vec::new() };
    let mut nodes: Vec<Node> =
        answers.into_iter().filter_map(|(node, _)| redis::from_redis_value(node).ok().map(Node)).collect();
    nodes.sort_unstable();
    nodes
}
