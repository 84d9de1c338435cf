//! HELLO: the protocol, the user and the name of a connection in one command.

use redis::Value;

use super::{Answer, client, credentials, is};
use crate::nodes::Credentials;
use crate::resp::reply::Protocol;
use crate::resp::session::Session;
use crate::resp::users::Users;

/// The arguments of a HELLO.
#[derive(Default)]
struct Wishes {
    protocol: Option<Protocol>,
    credentials: Option<Credentials>,
    name: Option<Vec<u8>>,
}

/// # Errors
/// The error that the client gets. Then nothing has changed.
pub async fn answer<U: Users>(session: &mut Session<U>, arguments: &[Vec<u8>]) -> Answer {
    let wishes = read(arguments)?;
    if let Some(credentials) = wishes.credentials {
        session.authenticate(credentials).await?;
    }
    session.name = wishes.name.unwrap_or_else(|| std::mem::take(&mut session.name));
    session.protocol = wishes.protocol.unwrap_or(session.protocol);
    Ok(greeting(session))
}

fn read(arguments: &[Vec<u8>]) -> Result<Wishes, String> {
    let mut wishes = Wishes::default();
    let Some((version, mut rest)) = arguments.split_first() else { return Ok(wishes) };
    wishes.protocol = Some(protocol(version)?);
    loop {
        rest = match rest {
            [] => return Ok(wishes),
            [option, user, password, rest @ ..] if is(option, "AUTH") => {
                wishes.credentials = Some(credentials(Some(user), password)?);
                rest
            }
            [option, name, rest @ ..] if is(option, "SETNAME") => {
                wishes.name = Some(client::name(name)?);
                rest
            }
            [option, ..] => {
                let option = String::from_utf8_lossy(option);
                return Err(format!("ERR Syntax error in HELLO option '{option}'"));
            }
        };
    }
}

fn protocol(version: &[u8]) -> Result<Protocol, String> {
    match std::str::from_utf8(version).ok().and_then(|text| text.parse::<i64>().ok()) {
        Some(2) => Ok(Protocol::Resp2),
        Some(3) => Ok(Protocol::Resp3),
        Some(_) => Err("NOPROTO unsupported protocol version".to_owned()),
        None => Err("ERR Protocol version is not an integer or out of range".to_owned()),
    }
}

fn greeting<U: Users>(session: &Session<U>) -> Value {
    let text = |text: &str| Value::BulkString(text.into());
    let id = i64::try_from(session.id).unwrap_or(i64::MAX);
    let fields = [
        ("server", text("leaderboard")),
        ("version", text(env!("CARGO_PKG_VERSION"))),
        ("proto", Value::Int(session.protocol.number())),
        ("id", Value::Int(id)),
        ("mode", text("standalone")),
        ("role", text("master")),
        ("modules", Value::Array(Vec::new())),
    ];
    Value::Map(fields.map(|(name, value)| (text(name), value)).into())
}
