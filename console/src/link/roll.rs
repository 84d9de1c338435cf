//! Asks each server separately, replicas too, all at the same time. A server that does not answer does not delay the
//! others.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::{join_all, select_ok};
use redis::{Cmd, Value};

use crate::link::pieces::words;
use crate::link::{Link, problem, problem_of};
use crate::problem::Problem;

/// How long a list of nodes stays valid.
const LASTS: Duration = Duration::from_secs(3);

/// The latest list of the servers, and when it was read.
#[derive(Default)]
pub struct Roll {
    list: Mutex<Option<(Instant, Vec<Listed>)>>,
}

/// A server and what it answered.
#[derive(Debug)]
pub struct Present {
    /// Its address.
    pub name: String,
    /// The flags that other nodes of the cluster give it, such as `master` and `fail`. Empty if there is no cluster.
    pub flags: Vec<String>,
    /// A reply for each command. If no reply came, a single error.
    pub replies: Vec<Result<Value, Problem>>,
}

impl Present {
    /// The reply to the command with this number, if the reply is a text.
    pub fn text(&self, command: usize) -> Option<String> {
        let reply = self.replies.get(command)?.as_ref().ok()?;
        redis::from_redis_value_ref(reply).ok()
    }
}

/// A server in the list, before it is asked.
#[derive(Debug, Clone, PartialEq)]
struct Listed {
    address: String,
    flags: Vec<String>,
}

impl Link {
    /// Sends commands to all nodes of a cluster, replicas included, or to each of the given addresses. Each server has
    /// at most the time `patience` to answer.
    ///
    /// # Errors
    /// If no server answers with the list of servers.
    pub async fn roll_call(&self, commands: &[Cmd], patience: Duration) -> Result<Vec<Present>, Problem> {
        let listed = self.listed(patience).await?;
        Ok(join_all(listed.into_iter().map(async |server| {
            let replies = self.ask_directly(&server.address, commands, patience).await;
            let replies = replies.unwrap_or_else(|problem| vec![Err(problem)]);
            Present { name: server.address, flags: server.flags, replies }
        }))
        .await)
    }

    async fn listed(&self, patience: Duration) -> Result<Vec<Listed>, Problem> {
        let known = held(&self.roll.list).clone();
        if let Some((when, list)) = &known
            && when.elapsed() < LASTS
        {
            return Ok(list.clone());
        }
        let mut names = self.servers.addresses();
        names.extend(known.into_iter().flat_map(|(_, list)| list).map(|server| server.address));
        let asked = names.iter().map(|name| Box::pin(self.listed_by(name, patience)));
        let (list, _) = select_ok(asked).await?;
        *held(&self.roll.list) = Some((Instant::now(), list.clone()));
        Ok(list)
    }

    /// The servers that this server knows: the nodes of its cluster; without a cluster, the given addresses.
    async fn listed_by(&self, name: &str, patience: Duration) -> Result<Vec<Listed>, Problem> {
        let command = redis::cmd("CLUSTER").arg("NODES").to_owned();
        let replies = self.ask_directly(name, &[command], patience).await?;
        let text =
            replies.into_iter().next().and_then(|reply| redis::from_redis_value::<String>(reply.ok()?).ok());
        let Some(text) = text else {
            let given = self.servers.addresses().into_iter();
            return Ok(given.map(|address| Listed { address, flags: Vec::new() }).collect());
        };
        let mut nodes: Vec<Listed> = text.lines().filter_map(listed).collect();
        nodes.sort_by(|a, b| a.address.cmp(&b.address));
        Ok(nodes)
    }

    /// # Errors
    /// If no reply came in time. An error that the server answered is one of the replies, in its place.
    async fn ask_directly(
        &self,
        name: &str,
        commands: &[Cmd],
        patience: Duration,
    ) -> Result<Vec<Result<Value, Problem>>, Problem> {
        let commands: Vec<_> = commands.iter().map(words).collect();
        let replies = self.servers.ask_at(name, &commands, Some(patience)).await.map_err(problem_of)?;
        let read = |reply: Value| reply.extract_error().map_err(|error| problem(&error));
        Ok(replies.into_iter().map(read).collect())
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A line of CLUSTER NODES: `id address:port@busport[,hostname] flags ...`.
fn listed(line: &str) -> Option<Listed> {
    let mut words = line.split(' ');
    let address = words.nth(1)?.split(['@', ',']).next()?;
    let flags = words.next()?.split(',').filter(|flag| *flag != "myself");
    let flags: Vec<String> = flags.map(str::to_owned).collect();
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
