//! The commands that the gateway answers itself: they are about the connection, not about data.

mod client;
mod hello;
mod server_info;
mod wait;

use redis::Value;

use super::request::Words;
use super::session::Session;
use super::users::Users;
use crate::nodes::Credentials;

/// A reply, or the text of an error, which begins with the code of the error.
pub type Answer = Result<Value, String>;

/// A command that the gateway answers itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Own {
    Auth,
    Client,
    Config,
    Echo,
    /// A line of an HTTP request. A web page can make a browser send such a request to this port.
    Forged,
    Hello,
    Info,
    /// The start of a transaction, which is refused. Clients send its commands together with it.
    Multi,
    Ping,
    Quit,
    Reset,
    Select,
    Wait,
}

impl Own {
    const ALL: [(&str, Self); 14] = [
        ("AUTH", Self::Auth),
        ("CLIENT", Self::Client),
        ("CONFIG", Self::Config),
        ("ECHO", Self::Echo),
        ("HELLO", Self::Hello),
        ("HOST:", Self::Forged),
        ("INFO", Self::Info),
        ("MULTI", Self::Multi),
        ("PING", Self::Ping),
        ("POST", Self::Forged),
        ("QUIT", Self::Quit),
        ("RESET", Self::Reset),
        ("SELECT", Self::Select),
        ("WAIT", Self::Wait),
    ];

    /// Returns the command with this name, or `None` if the gateway does not answer it itself.
    pub fn of(words: &Words) -> Option<Self> {
        let name = words.first()?;
        Self::ALL.iter().find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes())).map(|(_, own)| *own)
    }

    /// Returns whether the command can have this number of words, including its name.
    const fn takes(self, words: usize) -> bool {
        match self {
            Self::Auth | Self::Client | Self::Config => words >= 2,
            Self::Echo | Self::Select => words == 2,
            Self::Wait => words == 3,
            Self::Ping => words <= 2,
            Self::Reset => words == 1,
            Self::Forged | Self::Hello | Self::Info | Self::Multi | Self::Quit => true,
        }
    }
}

/// Answers a command for a client.
///
/// # Errors
/// The error that the client gets instead of a reply.
pub async fn answer<U: Users>(session: &mut Session<U>, own: Own, words: &Words) -> Answer {
    let Some((name, arguments)) = words.split_first().filter(|_| own.takes(words.len())) else {
        return Err(wrong_number(words.first()));
    };
    match (own, arguments) {
        (Own::Auth, _) => auth(session, arguments).await,
        (Own::Client, _) => client::answer(session, arguments),
        (Own::Config, [what, ..]) if is(what, "GET") => Ok(Value::Map(Vec::new())),
        (Own::Config, _) => Err(not_here(name, arguments)),
        (Own::Hello, _) => hello::answer(session, arguments).await,
        (Own::Info, _) => Ok(server_info::answer(&session.shared)),
        (Own::Multi, _) => {
            // The commands behind it must not be carried out one by one.
            session.is_over = true;
            Err("ERR MULTI does not work through the gateway, which ends the connection".to_owned())
        }
        (Own::Ping, []) => Ok(Session::<U>::status("PONG")),
        (Own::Ping | Own::Echo, _) => Ok(Value::BulkString(arguments.concat())),
        (Own::Quit, _) => {
            session.is_over = true;
            Ok(Value::Okay)
        }
        (Own::Forged, _) => {
            session.is_over = true;
            Err("ERR this is no HTTP server".to_owned())
        }
        (Own::Reset, _) => {
            session.reset();
            Ok(Session::<U>::status("RESET"))
        }
        (Own::Select, _) => select(arguments),
        (Own::Wait, _) => wait::answer(session, arguments).await,
    }
}

async fn auth<U: Users>(session: &mut Session<U>, arguments: &[Vec<u8>]) -> Answer {
    let credentials = match arguments {
        [password] => credentials(None, password)?,
        [user, password] => credentials(Some(user), password)?,
        _ => return Err("ERR syntax error".to_owned()),
    };
    session.authenticate(credentials).await?;
    Ok(Value::Okay)
}

/// Reads a user name and a password. If they are not UTF-8 text, they are refused as wrong, because they can only be
/// passed on to the servers as text.
fn credentials(user: Option<&[u8]>, password: &[u8]) -> Result<Credentials, String> {
    let text = |bytes: &[u8]| {
        let wrong = "WRONGPASS invalid username-password pair or user is disabled.";
        String::from_utf8(bytes.to_vec()).map_err(|_| wrong.to_owned())
    };
    Ok(Credentials { user: user.map(text).transpose()?, password: Some(text(password)?) })
}

fn select(arguments: &[Vec<u8>]) -> Answer {
    let number = arguments.first().and_then(|word| std::str::from_utf8(word).ok()?.parse::<i64>().ok());
    match number {
        Some(0) => Ok(Value::Okay),
        Some(_) => Err("ERR DB index is out of range".to_owned()),
        None => Err("ERR value is not an integer or out of range".to_owned()),
    }
}

fn is(word: &[u8], name: &str) -> bool {
    word.eq_ignore_ascii_case(name.as_bytes())
}

fn wrong_number(name: Option<&Vec<u8>>) -> String {
    let name = name.map(|name| String::from_utf8_lossy(name).to_lowercase()).unwrap_or_default();
    format!("ERR wrong number of arguments for '{name}' command")
}

fn not_here(name: &[u8], arguments: &[Vec<u8>]) -> String {
    let words = [name, arguments.first().map_or(b"", Vec::as_slice)];
    let words = words.map(|word| String::from_utf8_lossy(word).to_uppercase());
    format!("ERR {} {} does not work through the gateway", words[0], words[1])
}
