//! Each server by itself: for looking through the keys of all primaries, and for the state of each node.

use redis::aio::ConnectionLike;
use redis::cluster_routing::{MultipleNodeRoutingInfo, RoutingInfo, SingleNodeRoutingInfo};
use redis::{Cmd, RedisError, Value};

use crate::link::connect::Connection;
use crate::link::{Link, problem};
use crate::problem::Problem;

/// The address of a server, `host:port`; of the only one: `server`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node(pub String);

/// What a server answered.
#[derive(Debug)]
pub struct NodeReply {
    pub node: Node,
    pub reply: Result<Value, RedisError>,
}

impl Link {
    /// The servers that have keys of their own, in the order of their addresses.
    ///
    /// # Errors
    /// If none answers.
    pub async fn primaries(&self) -> Result<Vec<Node>, Problem> {
        let ping = self.each(&redis::cmd("PING"), MultipleNodeRoutingInfo::AllMasters).await?;
        Ok(ping.into_iter().map(|answer| answer.node).collect())
    }

    /// Sends a command to each node of a cluster, replicas included, or to the only server.
    ///
    /// # Errors
    /// If none answers.
    pub async fn all_nodes(&self, command: &Cmd) -> Result<Vec<NodeReply>, Problem> {
        self.each(command, MultipleNodeRoutingInfo::AllNodes).await
    }

    async fn each(&self, command: &Cmd, nodes: MultipleNodeRoutingInfo) -> Result<Vec<NodeReply>, Problem> {
        let (connection, number) = self.connection().await?;
        let answer = match connection {
            Connection::One(mut server) => {
                let reply = server.req_packed_command(command).await;
                reply.map(|value| Value::Map(vec![(Value::SimpleString("server".to_owned()), value)]))
            }
            Connection::Cluster(mut cluster) => {
                cluster.route_command(command.clone(), RoutingInfo::MultiNode((nodes, None))).await
            }
        };
        match answer {
            Ok(value) => Ok(by_node(value)),
            Err(error) => {
                self.after(&error, number).await;
                Err(problem(&error))
            }
        }
    }

    /// Sends a command to one server.
    ///
    /// # Errors
    /// As [`Link::command`]; 404 for a node that is not there.
    pub async fn on_node(&self, node: &Node, command: &Cmd) -> Result<Value, Problem> {
        match self.connection().await?.0 {
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

fn by_node(value: Value) -> Vec<NodeReply> {
    let Value::Map(answers) = value else { return Vec::new() };
    let text = |value: Value| redis::from_redis_value::<String>(value).unwrap_or_default();
    let mut replies: Vec<NodeReply> = answers
        .into_iter()
        .map(|(node, reply)| NodeReply { node: Node(text(node)), reply: reply.extract_error() })
        .collect();
    replies.sort_by(|a, b| a.node.cmp(&b.node));
    replies
}
