//! INFO of the gateway: the fields are about the gateway, not about the servers.

use redis::{Value, VerbatimFormat};

use crate::resp::Shared;
use crate::resp::users::Users;

/// Returns the reply to INFO: always all fields, even if a client names sections.
pub fn answer<U: Users>(shared: &Shared<U>) -> Value {
    let counters = &shared.counters;
    let mut text = format!(
        "# Gateway\r\nleaderboard_gateway_version:{}\r\nprocess_id:{}\r\nuptime_in_seconds:{}\r\n",
        env!("CARGO_PKG_VERSION"),
        std::process::id(),
        shared.since.elapsed().as_secs(),
    );
    let mut fields = vec![
        ("connected_clients", shared.connected()),
        ("maxclients", u64::try_from(shared.most).unwrap_or(u64::MAX)),
        ("total_connections_received", counters.connections.get()),
        ("rejected_connections", counters.turned_away.get()),
        ("total_commands_processed", counters.commands.get()),
        ("protocol_errors", counters.protocol_errors.get()),
    ];
    fields.extend(shared.users.counts());
    fields.iter().for_each(|(name, number)| text.push_str(&format!("{name}:{number}\r\n")));
    Value::VerbatimString { format: VerbatimFormat::Text, text }
}
