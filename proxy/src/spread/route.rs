//! Finds the node for a command that is not carried out over parts, by the slot of its first key. The server checks
//! that all keys of a command are in that slot.

use redis::Value;

use crate::nodes::Command;
use crate::spread::asked::Row;
use crate::spread::refusal::{error, name};
use crate::spread::root::key_slot;

/// Commands that change the behaviour of the connection, or block it. Clients of the gateway share connections to
/// servers.
const BOUND_TO_A_CONNECTION: &[&str] = &[
    "ASKING",
    "BLMOVE",
    "BLMPOP",
    "BLPOP",
    "BRPOP",
    "BRPOPLPUSH",
    "BZMPOP",
    "BZPOPMAX",
    "BZPOPMIN",
    "CLIENT",
    "DISCARD",
    "EXEC",
    "MONITOR",
    "MULTI",
    "PSUBSCRIBE",
    "PSYNC",
    "PUNSUBSCRIBE",
    "READONLY",
    "READWRITE",
    "REPLCONF",
    "SSUBSCRIBE",
    "SUBSCRIBE",
    "SUNSUBSCRIBE",
    "SYNC",
    "UNSUBSCRIBE",
    "UNWATCH",
    "WAIT",
    "WAITAOF",
    "WATCH",
    "XREAD",
    "XREADGROUP",
];

/// Commands about a server or about all its keys. They make no sense here, because there are many servers.
const ABOUT_A_SERVER: &[&str] = &[
    "ACL",
    "BGREWRITEAOF",
    "BGSAVE",
    "CLUSTER",
    "CONFIG",
    "DBSIZE",
    "DEBUG",
    "FAILOVER",
    "FLUSHALL",
    "FLUSHDB",
    "FUNCTION",
    "KEYS",
    "LASTSAVE",
    "LATENCY",
    "MIGRATE",
    "MODULE",
    "PUBLISH",
    "PUBSUB",
    "RANDOMKEY",
    "REPLICAOF",
    "ROLE",
    "SAVE",
    "SCAN",
    "SCRIPT",
    "SHUTDOWN",
    "SLAVEOF",
    "SLOWLOG",
    "SWAPDB",
];

/// Commands to which all servers give the same reply.
const ALIKE: &[&str] = &["COMMAND", "LOLWUT", "TIME"];

/// Commands with one word before their first key.
const SECOND: &[&str] = &[
    "BITOP",
    "LMPOP",
    "MEMORY",
    "MSETEX",
    "OBJECT",
    "SINTERCARD",
    "XGROUP",
    "XINFO",
    "ZDIFF",
    "ZINTER",
    "ZINTERCARD",
    "ZMPOP",
    "ZUNION",
];

/// Commands with a script or the name of a function, and a number of keys, before their first key.
const SCRIPTS: &[&str] = &["EVAL", "EVALSHA", "EVALSHA_RO", "EVAL_RO", "FCALL", "FCALL_RO"];

/// Commands of the server that only read. These commands, and the reads of the module, are sent again when their answer
/// is lost.
const READS: &[&str] = &[
    "COMMAND",
    "DUMP",
    "EXISTS",
    "EXPIRETIME",
    "GET",
    "HGET",
    "HGETALL",
    "HMGET",
    "MEMORY",
    "MGET",
    "OBJECT",
    "PEXPIRETIME",
    "PTTL",
    "STRLEN",
    "TIME",
    "TTL",
    "TYPE",
    "ZCARD",
    "ZCOUNT",
    "ZRANGE",
    "ZRANK",
    "ZREVRANGE",
    "ZREVRANK",
    "ZSCORE",
];

fn is_one_of(words: &[Vec<u8>], names: &[&str]) -> bool {
    words.first().is_some_and(|name| names.iter().any(|one| name.eq_ignore_ascii_case(one.as_bytes())))
}

/// Returns the unchanged command, for the node that has its key.
///
/// # Errors
/// A command that does not work through the gateway.
pub fn as_it_is(words: Vec<Vec<u8>>, is_repeatable: bool) -> Result<Command, Value> {
    let (slot, reads) = match words.first().and_then(|name| Row::any(name)) {
        Some(row) => (row.first_key(&words).map(key_slot), row.command.only_reads()),
        None if is_one_of(&words, BOUND_TO_A_CONNECTION) || is_one_of(&words, ABOUT_A_SERVER) => {
            return Err(refusal(&words));
        }
        None => (first_key(&words).map(key_slot), is_one_of(&words, READS)),
    };
    Ok(Command { slot, words, repeatable: is_repeatable || reads })
}

/// Returns whether a command surely writes nothing.
pub fn only_reads(words: &[Vec<u8>]) -> bool {
    match words.first().and_then(|name| Row::any(name)) {
        Some(row) => row.command.only_reads(),
        None => is_one_of(words, READS),
    }
}

/// Returns the first key of a command of the server. If there is no key, any server can return the error of the
/// command.
fn first_key(words: &[Vec<u8>]) -> Option<&[u8]> {
    let place = match words {
        _ if is_one_of(words, ALIKE) => return None,
        _ if is_one_of(words, SECOND) => 2,
        _ if is_one_of(words, SCRIPTS) => 3,
        _ => 1,
    };
    words.get(place).map(Vec::as_slice)
}

/// Returns the error for a command that does not work through the gateway.
fn refusal(words: &[Vec<u8>]) -> Value {
    error(&format!("ERR {} does not work through the gateway", name(words)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spread::refusal::text;

    fn words(line: &str) -> Vec<Vec<u8>> {
        line.split(' ').map(|word| word.as_bytes().to_vec()).collect()
    }

    #[test]
    fn the_first_key_says_where_a_command_goes() {
        for (line, key) in [
            ("LB.ADD game 5 ann", Some("game")),
            ("lb.counter.mget 60 FILL keys 2 a b", Some("a")),
            ("LB.UNION dest 2 a b", Some("dest")),
            ("exists game other", Some("game")),
            ("OBJECT ENCODING game", Some("game")),
            ("eval script 1 game", Some("game")),
            ("EVAL script 0", None),
            ("command docs", None),
            ("TIME", None),
        ] {
            let command = as_it_is(words(line), false).unwrap();
            assert_eq!(command.slot, key.map(|key| key_slot(key.as_bytes())), "{line}");
        }
    }

    #[test]
    fn reads_alone_can_be_asked_again() {
        assert!(as_it_is(words("type game"), false).unwrap().repeatable);
        assert!(!as_it_is(words("SET key value"), false).unwrap().repeatable);
        assert!(as_it_is(words("LB.ADD game 5 ann ID x"), true).unwrap().repeatable);
    }

    #[test]
    fn what_belongs_to_a_connection_or_a_server_is_refused() {
        for name in ["multi", "SUBSCRIBE news", "BLPOP key 0", "FLUSHALL"] {
            let refused = text(&as_it_is(words(name), false).unwrap_err()).unwrap();
            assert!(refused.ends_with("does not work through the gateway"), "{refused}");
        }
        assert_eq!(
            text(&as_it_is(words("multi"), false).unwrap_err()).unwrap(),
            "ERR MULTI does not work through the gateway"
        );
    }
}
