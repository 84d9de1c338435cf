//! Waits for the replicas of nodes. A client's `WAIT` cannot be sent over the connection of its writes, because all
//! clients of a user share this connection, and `WAIT` would block it. Here, each node has a second connection, which
//! all waiting clients share.
//!
//! A look asks the node in `INFO` for its offset, and for the offsets that its replicas have acknowledged. The offset of
//! the first look behind a write includes the write. Replicas acknowledge once a second, and at once if a `WAIT`
//! needs it. So a short `WAIT` for more replicas than there are goes ahead of a look. It has a third connection, because an
//! idle server ends a `WAIT` only when the next command or its next timer wakes it, which can take 100 ms.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redis::{Pipeline, Value};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};

use super::node::{Node, NodeError};

/// The shortest and the longest time between a request for acknowledgements and the look at them.
const SHORTEST: Duration = Duration::from_millis(2);
const LONGEST: Duration = Duration::from_millis(20);
/// How long a node may take to answer.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long to wait before a node that does not answer is looked at again.
const AGAIN: Duration = Duration::from_millis(50);
/// How long the first look may take, even if the client gives less time.
const LEAST: Duration = Duration::from_millis(100);
/// More replicas than a node can have: a `WAIT` for them requests acknowledgements, and always lasts its whole time.
const TOO_MANY: &str = "1000000";

/// The replicas for which a caller waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// This number of replicas.
    Number(u64),
    /// One replica, if the node has a replica that is connected.
    OneIfAny,
}

impl Wanted {
    /// Returns whether the wait is over: `have` of the replicas in this report have the writes.
    fn is_met(self, have: u64, report: &Report) -> bool {
        match self {
            Self::Number(wanted) => have >= wanted,
            Self::OneIfAny => have > 0 || report.replicas.is_empty(),
        }
    }
}

/// What a node says about itself and its replicas.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Report {
    /// Names the time since the node became a primary: a server that takes over or restarts draws a new one.
    reign: String,
    offset: u64,
    /// The offset that each connected replica has acknowledged.
    replicas: Vec<u64>,
    /// For how long the process has been running, in whole seconds.
    uptime: Duration,
}

/// A look at a node.
#[derive(Debug, Clone)]
struct Look {
    /// When the look was sent.
    at: Instant,
    /// Since when the node is known to be in this reign.
    since: Instant,
    /// Whether the node was in another reign before, as earlier looks show.
    has_changed: bool,
    report: Report,
}

impl Report {
    /// Reads the sections `replication` and `server` of `INFO`. `None` if the node is no primary.
    fn read(text: &str) -> Option<Self> {
        let mut report = Self::default();
        let mut is_primary = false;
        for (name, value) in text.lines().filter_map(|line| line.trim().split_once(':')) {
            match name {
                "role" => is_primary = value == "master",
                "master_replid" => value.clone_into(&mut report.reign),
                "master_repl_offset" => report.offset = value.parse().ok()?,
                "uptime_in_seconds" => report.uptime = Duration::from_secs(value.parse().ok()?),
                _ => report.replicas.extend(acknowledged(name, value)),
            }
        }
        (is_primary && !report.reign.is_empty()).then_some(report)
    }
}

/// Returns the offset in a line about a replica, such as `slave0:ip=10.0.0.2,port=6379,state=online,offset=70,lag=0`.
fn acknowledged(name: &str, value: &str) -> Option<u64> {
    let number = name.strip_prefix("slave")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let field = |wanted: &str| value.split(',').find_map(|field| field.strip_prefix(wanted));
    let is_online = is_number && field("state=") == Some("online");
    field("offset=").filter(|_| is_online)?.parse().ok()
}

impl Look {
    /// Returns whether the node was in its present reign all the time since `written`, as far as can be known.
    fn covers(&self, written: Instant) -> bool {
        let elapsed = self.at.saturating_duration_since(written);
        (self.since <= written || !self.has_changed) && self.report.uptime >= elapsed
    }
}

/// The second and third connection to a node, and what the last look has shown.
struct Waiting {
    node: Node,
    requests: Arc<Node>,
    turn: tokio::sync::Mutex<()>,
    last: watch::Sender<Option<Look>>,
}

impl Waiting {
    /// Returns how many replicas have what the node has carried out until now; at most until `deadline`, waits for the
    /// wanted replicas. See [`Replicas::have`].
    async fn have(&self, wanted: Wanted, written: Instant, deadline: Instant) -> Result<Option<u64>, Value> {
        let (begun, mut pause) = (Instant::now(), Duration::ZERO);
        let least = after(LEAST);
        let mut last = self.last.subscribe();
        let mut first: Option<Look> = None;
        let mut most = 0;
        loop {
            let look = last.borrow_and_update().clone().filter(|look| look.at > begun);
            if let Some(look) = look {
                let first = first.get_or_insert_with(|| look.clone());
                if !look.covers(written) || look.report.reign != first.report.reign {
                    return Ok(None);
                }
                let acknowledged =
                    look.report.replicas.iter().filter(|offset| **offset >= first.report.offset);
                most = u64::try_from(acknowledged.count()).unwrap_or(u64::MAX);
                if wanted.is_met(most, &look.report) {
                    return Ok(Some(most));
                }
            }
            // What is there already is told, however little time the client gives.
            let until = if first.is_some() { deadline } else { deadline.max(least) };
            // The first look only reads the offset.
            pause = if first.is_some() { pause.max(SHORTEST) } else { pause };
            tokio::select! {
                biased;
                () = sleep_until(until) => return Ok(Some(most)),
                _ = last.changed() => {}
                looked = self.look_in_turn(pause.min(deadline.saturating_duration_since(Instant::now()))) => {
                    match looked {
                        Ok(true) => {}
                        Ok(false) => return Ok(None),
                        Err(NodeError::Refused(error)) => return Err(error),
                        // The node may come back.
                        Err(NodeError::NotSent(_) | NodeError::Lost(_)) => sleep_until(after(AGAIN).min(until)).await,
                    }
                    pause = pause.saturating_mul(2).min(LONGEST);
                }
            }
        }
    }

    /// Looks at the node, when no other client does, and keeps the look for all clients. Returns whether the node is a
    /// primary.
    async fn look_in_turn(&self, pause: Duration) -> Result<bool, NodeError> {
        let _turn = self.turn.lock().await;
        let look = self.look(pause).await?;
        Ok(look.map(|look| self.last.send_replace(Some(look))).is_some())
    }

    /// Requests acknowledgements. A user who may not do this waits longer: replicas acknowledge once a second anyway.
    fn request(&self) {
        let node = Arc::clone(&self.requests);
        tokio::spawn(async move {
            let mut pipeline = Pipeline::new();
            pipeline.cmd("WAIT").arg(TOO_MANY).arg("1");
            let _ = node.ask(pipeline, after(PATIENCE)).await;
        });
    }

    /// Looks at the node. If `pause` is not zero, requests acknowledgements and waits this time for them. `None` if the
    /// node is no primary.
    async fn look(&self, pause: Duration) -> Result<Option<Look>, NodeError> {
        if !pause.is_zero() {
            self.request();
            sleep(pause).await;
        }
        let mut pipeline = Pipeline::new();
        pipeline.cmd("INFO").arg("replication").cmd("INFO").arg("server");
        let at = Instant::now();
        let answers = self.node.ask(pipeline, after(PATIENCE)).await?;
        let refused = answers.iter().find(|answer| matches!(answer, Value::ServerError(_)));
        if let Some(error) = refused {
            return Err(NodeError::Refused(error.clone()));
        }
        let text: String = answers.iter().filter_map(text).collect::<Vec<_>>().join("\n");
        let Some(report) = Report::read(&text) else { return Ok(None) };
        let (since, has_changed) = match self.last.borrow().as_ref() {
            Some(last) if last.report.reign == report.reign => (last.since, last.has_changed),
            before => (at, before.is_some()),
        };
        Ok(Some(Look { at, since, has_changed, report }))
    }
}

fn after(wait: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(wait).unwrap_or(now)
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::BulkString(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        Value::VerbatimString { text, .. } | Value::SimpleString(text) => Some(text.clone()),
        _ => None,
    }
}

/// The further connections to the nodes, by address.
#[derive(Default)]
pub struct Replicas(Mutex<HashMap<String, Arc<Waiting>>>);

impl Replicas {
    /// Returns how many replicas of a node have everything that the node has carried out until now. Waits for the wanted
    /// replicas, but not longer than until the deadline. `written` is the time before the first write that matters.
    /// The result is `None` if the node has restarted or become a primary since then, and 0 if it does not answer.
    ///
    /// # Errors
    /// The server's error, if the user may not wait.
    pub async fn have(
        &self,
        address: &str,
        node: impl Fn() -> Option<Node>,
        (wanted, written): (Wanted, Instant),
        deadline: Instant,
    ) -> Result<Option<u64>, Value> {
        let known = self.all().get(address).cloned();
        let waiting = match known {
            Some(waiting) => waiting,
            None => {
                let (Some(node), Some(requests)) = (node(), node()) else { return Ok(Some(0)) };
                let (requests, turn, last) =
                    (Arc::new(requests), tokio::sync::Mutex::default(), watch::Sender::default());
                let made = Arc::new(Waiting { node, requests, turn, last });
                Arc::clone(self.all().entry(address.to_owned()).or_insert(made))
            }
        };
        waiting.have(wanted, written, deadline).await
    }

    /// Closes the connections. They are opened again when they are used.
    pub fn close(&self) {
        for waiting in self.all().values() {
            waiting.node.close();
            waiting.requests.close();
        }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Arc<Waiting>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFO: &str = "# Replication\r\nrole:master\r\nconnected_slaves:3\r\n\
        slave0:ip=10.0.0.2,port=6379,state=online,offset=70,lag=0\r\n\
        slave1:ip=10.0.0.3,port=6379,state=online,offset=56,lag=1,type=replica\r\n\
        slave2:ip=10.0.0.4,port=6379,state=wait_bgsave,offset=0,lag=0\r\n\
        master_failover_state:no-failover\r\nmaster_replid:abc\r\nmaster_replid2:000\r\nmaster_repl_offset:70\r\n\
        second_repl_offset:-1\r\n# Server\r\nuptime_in_seconds:12\r\n";

    #[test]
    fn a_report_has_the_replicas_that_are_online() {
        let report = Report::read(INFO).unwrap();
        let wanted = Report {
            reign: "abc".to_owned(),
            offset: 70,
            replicas: vec![70, 56],
            uptime: Duration::from_secs(12),
        };
        assert_eq!(report, wanted);
        assert_eq!(Report::read(&INFO.replace("role:master", "role:slave")), None);
        assert_eq!(Report::read(""), None);
    }

    #[test]
    fn a_node_without_replicas_is_not_waited_for_if_one_is_enough() {
        let report = |replicas: &[u64]| Report { replicas: replicas.to_vec(), ..Report::default() };
        assert!(Wanted::OneIfAny.is_met(0, &report(&[])));
        assert!(!Wanted::OneIfAny.is_met(0, &report(&[70, 56])));
        assert!(Wanted::OneIfAny.is_met(1, &report(&[70, 56])));
        assert!(!Wanted::Number(1).is_met(0, &report(&[])));
        assert!(Wanted::Number(1).is_met(1, &report(&[70])));
        assert!(Wanted::Number(0).is_met(0, &report(&[])));
    }

    #[tokio::test(start_paused = true)]
    async fn a_reign_that_began_later_does_not_cover_a_write() {
        let written = Instant::now();
        let second = Duration::from_secs(1);
        tokio::time::advance(second).await;
        let report = |uptime: u32| Report { uptime: second * uptime, ..Report::default() };
        let look = |has_changed, uptime| Look {
            at: Instant::now(),
            since: Instant::now(),
            has_changed,
            report: report(uptime),
        };
        assert!(look(false, 1).covers(written), "nothing is known of another reign");
        assert!(!look(true, 1).covers(written), "another server was here before");
        assert!(Look { since: written, ..look(true, 1) }.covers(written));
        assert!(!look(false, 0).covers(written), "the process has restarted");
    }
}
