//! The users of the gateway's clients. Each user has its own connections to the servers.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, Weak};
use std::time::Duration;

use redis::io::tcp::TcpSettings;
use redis::{Client, ConnectionAddr, ConnectionInfo, ProtocolVersion, RedisConnectionInfo, Value};
use tokio::time::{Instant, sleep};

use super::cluster::Cluster;
use super::figures::Figures;
use super::node::NodeError;
use super::send::RetryingClient;

/// How many users can have connections at the same time.
const USERS: usize = 256;
/// How long the connections of a user stay open if the user does not use them.
const IDLE: Duration = Duration::from_secs(300);
/// How often to look for unused connections.
const ROUND: Duration = Duration::from_secs(30);
/// How long the check of a password may take.
const CHECKING: Duration = Duration::from_secs(1);

/// The user name and the password that a client sends. A client that sends none is the default user of the servers,
/// with no password. A client never gets the user in the operator's addresses.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Credentials {
    /// The name of the user. `None` is the default user.
    pub user: Option<String>,
    /// The password, if the user has one.
    pub password: Option<String>,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("user", &self.user).finish_non_exhaustive()
    }
}

/// The senders: each user has one.
pub struct Pools {
    seeds: Vec<ConnectionInfo>,
    figures: Arc<Figures>,
    users: Arc<Mutex<Users>>,
    sweeping: Once,
}

type Pool = Arc<RetryingClient<Cluster>>;
type Users = HashMap<Credentials, Pool>;

impl Pools {
    /// Pools that have no connection yet. The users and passwords in the addresses are not used.
    ///
    /// # Errors
    /// If an address is invalid.
    pub fn new(addresses: &[String]) -> Result<Self, String> {
        Ok(Self {
            seeds: seeds(addresses)?,
            figures: Arc::default(),
            users: Arc::default(),
            sweeping: Once::new(),
        })
    }

    /// Returns the counts so far, over all users.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// Returns the sender for a user. A password is checked each time. If the user gives no password, nothing is
    /// checked.
    ///
    /// # Errors
    /// The server's error about the password, or an error that says that no server answers.
    pub async fn of(&self, who: &Credentials) -> Result<Pool, Value> {
        self.sweep();
        let known = held(&self.users).get(who).cloned();
        let pool = known.unwrap_or_else(|| self.made(who));
        if who.password.is_some() {
            let deadline = Instant::now().checked_add(CHECKING).unwrap_or_else(Instant::now);
            pool.transport().check(deadline).await.map_err(NodeError::said)?;
        }
        Ok(self.kept(who, pool))
    }

    fn made(&self, who: &Credentials) -> Pool {
        let named = |seed: &ConnectionInfo| seed.clone().set_redis_settings(settings(seed, who));
        let cluster = Cluster::new(self.seeds.iter().map(named).collect(), &self.figures);
        Arc::new(RetryingClient::counting(cluster, Arc::clone(&self.figures)))
    }

    /// Keeps the sender of a user. This is done after the password was checked, so that wrong passwords do not close
    /// connections of other users.
    fn kept(&self, who: &Credentials, pool: Pool) -> Pool {
        let mut users = held(&self.users);
        if !users.contains_key(who) && users.len() >= USERS {
            let last =
                users.iter().max_by_key(|(_, pool)| pool.transport().idle()).map(|(who, _)| who.clone());
            if let Some(gone) = last.and_then(|last| users.remove(&last)) {
                gone.transport().close();
            }
        }
        Arc::clone(users.entry(who.clone()).or_insert(pool))
    }

    /// Starts, once, the task that closes the connections of users who do not use them any more.
    fn sweep(&self) {
        self.sweeping.call_once(|| {
            let users = Arc::downgrade(&self.users);
            tokio::spawn(sweep(users));
        });
    }
}

async fn sweep(users: Weak<Mutex<Users>>) {
    loop {
        sleep(ROUND).await;
        let Some(users) = users.upgrade() else { return };
        held(&users).retain(|_, pool| {
            let is_used = pool.transport().idle() < IDLE;
            if !is_used {
                pool.transport().close();
            }
            is_used
        });
    }
}

/// Returns how to reach the servers at these addresses, with the users that the addresses name.
///
/// # Errors
/// If an address is invalid.
pub fn seeds(addresses: &[String]) -> Result<Vec<ConnectionInfo>, String> {
    addresses.iter().map(|address| seed(address)).collect()
}

/// Returns how to reach the server at an address `host:port`. If the operator gave this address, the operator's
/// settings for it are used; otherwise the settings for the first server.
pub fn reached_at(seeds: &[ConnectionInfo], address: &str) -> Option<ConnectionInfo> {
    if let Some(seed) = seeds.iter().find(|seed| seed.addr().to_string() == address) {
        return Some(seed.clone());
    }
    let (host, port) = address.rsplit_once(':')?;
    let (host, port, first) = (host.to_owned(), port.parse().ok()?, seeds.first()?);
    let address = match first.addr().clone() {
        ConnectionAddr::TcpTls { insecure, tls_params, .. } => {
            ConnectionAddr::TcpTls { host, port, insecure, tls_params }
        }
        _ => ConnectionAddr::Tcp(host, port),
    };
    Some(first.clone().set_addr(address))
}

fn seed(address: &str) -> Result<ConnectionInfo, String> {
    // The message does not include the address, which can contain a password.
    let client =
        Client::open(address).map_err(|error| format!("--redis: not an address of a server: {error}"))?;
    let tcp = TcpSettings::default().set_nodelay(true);
    let info = client.get_connection_info().clone();
    let user = info.redis_settings().clone().set_protocol(ProtocolVersion::RESP3).set_skip_set_lib_name();
    Ok(info.set_tcp_settings(tcp).set_redis_settings(user))
}

/// Returns the user of a connection. No other command is sent at the start: servers record commands that a user may not
/// run.
fn settings(seed: &ConnectionInfo, who: &Credentials) -> RedisConnectionInfo {
    let mut settings = RedisConnectionInfo::default()
        .set_protocol(ProtocolVersion::RESP3)
        .set_db(seed.redis_settings().db())
        .set_skip_set_lib_name();
    if let Some(password) = &who.password {
        settings = settings.set_username(who.user.as_deref().unwrap_or("default")).set_password(password);
    }
    settings
}

fn held(users: &Mutex<Users>) -> MutexGuard<'_, Users> {
    users.lock().unwrap_or_else(PoisonError::into_inner)
}
