//! Users of a single server: a connection for each of them.

use std::collections::HashMap;
use std::sync::Arc;

use redis::aio::MultiplexedConnection;
use redis::{Client, IntoConnectionInfo, Pipeline, ProtocolVersion, RedisError, Value};
use tokio::sync::Mutex;

use super::users::Users;
use crate::config::Settings;
use crate::nodes::{Broken, Command, Credentials, Sender, Transport};
use crate::spread::Engine;

type OneUser = Arc<Engine<Server>>;

/// The users of the first server.
pub struct Plain {
    address: redis::ConnectionInfo,
    users: Mutex<HashMap<Credentials, OneUser>>,
}

impl Plain {
    /// # Errors
    /// An address that is none.
    pub fn new(settings: &Settings) -> Result<Self, String> {
        let url = settings.redis.first().ok_or("--redis: no address")?;
        let address = url.as_str().into_connection_info().map_err(|error| error.to_string())?;
        Ok(Self { address, users: Mutex::default() })
    }
}

impl Users for Plain {
    type User = Engine<Server>;

    async fn of(&self, credentials: &Credentials) -> Result<OneUser, String> {
        let mut users = self.users.lock().await;
        if let Some(user) = users.get(credentials) {
            return Ok(Arc::clone(user));
        }
        let mut settings = redis::RedisConnectionInfo::default().set_protocol(ProtocolVersion::RESP3);
        if let Some(user) = &credentials.user {
            settings = settings.set_username(user);
        }
        if let Some(password) = &credentials.password {
            settings = settings.set_password(password);
        }
        let client = Client::open(self.address.clone().set_redis_settings(settings)).map_err(said)?;
        let connection = client.get_multiplexed_async_connection().await.map_err(said)?;
        let user = Arc::new(Engine::new(Sender::new(Server(connection))));
        users.insert(credentials.clone(), Arc::clone(&user));
        Ok(user)
    }

    fn counts(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}

fn said(error: RedisError) -> String {
    format!("{} {}", error.code().unwrap_or("ERR"), error.detail().unwrap_or("no server answers"))
}

pub struct Server(MultiplexedConnection);

impl Transport for Server {
    async fn send(&self, commands: &[&Command]) -> Vec<Result<Value, Broken>> {
        let mut pipeline = Pipeline::with_capacity(commands.len());
        for command in commands {
            let mut words = command.words.iter();
            if let Some(name) = words.next() {
                pipeline.add_command(redis::Cmd::new()).arg(name);
                words.for_each(|word| {
                    pipeline.arg(word);
                });
            }
        }
        match self.0.clone().send_packed_commands(&pipeline, 0, commands.len()).await {
            Ok(values) => values.into_iter().map(Ok).collect(),
            Err(error) => commands.iter().map(|_| Err(Broken::Lost(error.to_string()))).collect(),
        }
    }
}
