//! CLIENT: data that clients send about themselves. Subcommands that would change how the server treats a client are
//! refused.

use redis::Value;

use super::{Answer, is, not_here};
use crate::resp::session::Session;
use crate::resp::users::Users;

/// # Errors
/// The error that the client gets.
pub fn answer<U: Users>(session: &mut Session<U>, arguments: &[Vec<u8>]) -> Answer {
    let Some((what, rest)) = arguments.split_first() else { return Err(not_here(b"CLIENT", arguments)) };
    match rest {
        [] if is(what, "ID") => Ok(Value::Int(i64::try_from(session.id).unwrap_or(i64::MAX))),
        [] if is(what, "GETNAME") => match session.name.as_slice() {
            [] => Ok(Value::Nil),
            name => Ok(Value::BulkString(name.to_vec())),
        },
        [given] if is(what, "SETNAME") => {
            session.name = name(given)?;
            Ok(Value::Okay)
        }
        // These subcommands set the name of a library, or a preference about a server's memory. They have no effect
        // here.
        [_, _] if is(what, "SETINFO") => Ok(Value::Okay),
        [_] if is(what, "NO-EVICT") || is(what, "NO-TOUCH") => Ok(Value::Okay),
        [state] if is(what, "REPLY") && is(state, "ON") => Ok(Value::Okay),
        [] | [_] | [_, _] if takes(what) => {
            let what = String::from_utf8_lossy(what).to_lowercase();
            Err(format!("ERR wrong number of arguments for 'client|{what}' command"))
        }
        _ => Err(not_here(b"CLIENT", arguments)),
    }
}

fn takes(what: &[u8]) -> bool {
    ["ID", "GETNAME", "SETNAME", "SETINFO", "NO-EVICT", "NO-TOUCH"].iter().any(|known| is(what, known))
}

/// Returns a name that servers allow: visible characters and no spaces.
///
/// # Errors
/// The error that the client gets for a name that is not allowed.
pub fn name(given: &[u8]) -> Result<Vec<u8>, String> {
    match given.iter().all(u8::is_ascii_graphic) {
        true => Ok(given.to_vec()),
        false => Err("ERR Client names cannot contain spaces, newlines or special characters.".to_owned()),
    }
}
