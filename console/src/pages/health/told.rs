//! The data of a server about itself: INFO, INFO leaderboard and MODULE LIST.

use redis::{Cmd, Value};

use crate::link::{Present, field};
use crate::problem::Problem;

/// The commands that each server gets.
pub fn questions() -> [Cmd; 3] {
    let words =
        |words: &[&str]| words.iter().fold(Cmd::new(), |mut command, word| command.arg(word).to_owned());
    [words(&["INFO"]), words(&["INFO", "leaderboard"]), words(&["MODULE", "LIST"])]
}

/// The data that one server has reported: the texts of INFO and INFO leaderboard, and the module's version.
pub struct Told {
    server: String,
    module: String,
    version: Option<i64>,
}

impl Told {
    /// # Errors
    /// The reason why there is no answer.
    pub fn of(present: &Present) -> Result<Self, Problem> {
        let nothing = || Problem::unavailable("no answer");
        let first = present.replies.first().ok_or_else(nothing)?;
        if let Err(problem) = first {
            return Err(problem.clone());
        }
        Ok(Self {
            server: present.text(0).ok_or_else(nothing)?,
            module: present.text(1).unwrap_or_default(),
            version: present.replies.get(2).and_then(|list| version(list.as_ref().ok()?)),
        })
    }

    /// A field of INFO.
    pub fn text(&self, name: &str) -> Option<&str> {
        field(&self.server, name)
    }

    /// A number of INFO; 0 if the field is absent.
    pub fn number(&self, name: &str) -> u64 {
        self.text(name).and_then(|value| value.parse().ok()).unwrap_or(0)
    }

    /// Whether a field of INFO has this value.
    pub fn says(&self, name: &str, value: &str) -> bool {
        self.text(name) == Some(value)
    }

    /// A number of INFO leaderboard.
    pub fn module_number(&self, name: &str) -> u64 {
        let full = format!("leaderboard_{name}");
        field(&self.module, &full).and_then(|value| value.parse().ok()).unwrap_or(0)
    }

    pub fn is_replica(&self) -> bool {
        self.says("role", "slave")
    }

    /// The product and its version: `Redis 7.0.15`, `Valkey 9.1.0`.
    pub fn server(&self) -> String {
        let valkey = self.text("valkey_version").map(|version| format!("Valkey {version}"));
        valkey.unwrap_or_else(|| format!("Redis {}", self.text("redis_version").unwrap_or("?")))
    }

    /// Whether the module is loaded. A user without the right to list modules can still see the figures of the module.
    pub fn has_module(&self) -> bool {
        self.version.is_some() || !self.module.trim().is_empty()
    }

    /// The version of the module, such as `0.1.0`.
    pub fn module_version(&self) -> Option<String> {
        let version = self.version?;
        Some(format!("{}.{}.{}", version / 10_000, version / 100 % 100, version % 100))
    }

    /// The replicas of a primary: address, state, offset, and the seconds since the last message from the replica.
    pub fn replicas(&self) -> Vec<Replica> {
        let lines = self.server.lines().filter(|line| {
            line.strip_prefix("slave").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        });
        lines.filter_map(|line| Replica::read(line.split_once(':')?.1.trim())).collect()
    }
}

/// A replica, as its primary reports it.
#[derive(Debug, PartialEq)]
pub struct Replica {
    pub address: String,
    pub state: String,
    pub offset: u64,
    pub lag: u64,
}

impl Replica {
    /// Reads a line such as `ip=127.0.0.1,port=6380,state=online,offset=70,lag=0`.
    fn read(line: &str) -> Option<Self> {
        let part =
            |name| line.split(',').find_map(|part| part.split_once('=').filter(|(its, _)| *its == name));
        let text = |name| part(name).map(|(_, value)| value);
        Some(Self {
            address: format!("{}:{}", text("ip")?, text("port")?),
            state: text("state")?.to_owned(),
            offset: text("offset")?.parse().ok()?,
            lag: text("lag")?.parse().ok()?,
        })
    }
}

/// The version in a reply to MODULE LIST. The reply contains maps, or arrays of names and values.
fn version(list: &Value) -> Option<i64> {
    let Value::Array(modules) = list else { return None };
    modules.iter().find_map(|module| {
        let fields: Vec<(&Value, &Value)> = match module {
            Value::Map(fields) => fields.iter().map(|(name, value)| (name, value)).collect(),
            Value::Array(words) => {
                words.chunks(2).filter_map(|pair| Some((pair.first()?, pair.get(1)?))).collect()
            }
            _ => return None,
        };
        let find =
            |wanted: &str| fields.iter().find(|(name, _)| text(name) == wanted).map(|(_, value)| *value);
        match (text(find("name")?).as_str(), find("ver")?) {
            ("leaderboard", Value::Int(version)) => Some(*version),
            _ => None,
        }
    })
}

fn text(value: &Value) -> String {
    redis::from_redis_value_ref(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(server: &str) -> Told {
        Told { server: server.to_owned(), module: String::new(), version: None }
    }

    #[test]
    fn replicas_are_read() {
        let info = "role:master\r\nslave_read_only:1\r\nslave0:ip=10.0.0.2,port=6380,state=online,offset=70,lag=1\r\n";
        let replica =
            Replica { address: "10.0.0.2:6380".to_owned(), state: "online".to_owned(), offset: 70, lag: 1 };
        assert_eq!(told(info).replicas(), [replica]);
        assert_eq!(told("slave0:nonsense\r\n").replicas(), []);
    }

    #[test]
    fn the_module_is_found_in_both_forms_of_the_list() {
        let word = |text: &str| Value::BulkString(text.as_bytes().to_vec());
        let array = Value::Array(vec![word("name"), word("leaderboard"), word("ver"), Value::Int(10_203)]);
        let map = Value::Map(vec![(word("name"), word("leaderboard")), (word("ver"), Value::Int(10_203))]);
        for module in [array, map] {
            let mut told = told("redis_version:7.0.15\r\n");
            told.version = version(&Value::Array(vec![module]));
            assert_eq!(told.module_version(), Some("1.2.3".to_owned()));
        }
        assert_eq!(version(&Value::Array(vec![])), None);
    }
}
