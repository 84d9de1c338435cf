//! `COMMAND DOCS` as values, for tests that go through all commands.

use std::collections::HashMap;

use leaderboard_testkit::{Server, query};
use redis::{Connection, FromRedisValue, Value};

/// A command, as the server documents it.
#[derive(Debug)]
pub struct Command {
    pub name: String,
    pub fields: HashMap<String, String>,
    pub arguments: Vec<Argument>,
}

/// An argument, as the server documents it.
#[derive(Debug, Clone)]
pub struct Argument {
    pub name: String,
    pub kind: String,
    pub token: Option<String>,
    pub optional: bool,
    pub multiple: bool,
    pub inner: Vec<Argument>,
}

/// Returns all commands of the module, ordered by name.
pub fn commands(server: &Server) -> Vec<Command> {
    let mut con = server.connection_resp3();
    let mut names: Vec<String> = query(&mut con, &["COMMAND", "LIST", "FILTERBY", "MODULE", "leaderboard"]);
    names.sort();
    names.into_iter().map(|name| command(&mut con, name)).collect()
}

fn command(con: &mut Connection, name: String) -> Command {
    let mut docs: HashMap<String, HashMap<String, Value>> = query(con, &["COMMAND", "DOCS", &name]);
    let mut fields = docs.remove(&name).unwrap_or_else(|| panic!("COMMAND DOCS {name} is empty"));
    let arguments = fields.remove("arguments").map_or_else(Vec::new, |list| arguments(&list));
    let fields = fields.iter().map(|(field, value)| (field.clone(), text(value))).collect();
    Command { name, fields, arguments }
}

fn text(value: &Value) -> String {
    String::from_redis_value_ref(value).unwrap_or_default()
}

fn arguments(list: &Value) -> Vec<Argument> {
    let list: Vec<HashMap<String, Value>> = FromRedisValue::from_redis_value_ref(list).expect("arguments");
    list.iter().map(argument).collect()
}

fn argument(fields: &HashMap<String, Value>) -> Argument {
    let flags = fields.get("flags").map(|flags| format!("{flags:?}")).unwrap_or_default();
    Argument {
        name: text(&fields["name"]),
        kind: text(&fields["type"]),
        token: fields.get("token").map(text),
        optional: flags.contains("optional"),
        multiple: flags.contains("multiple"),
        inner: fields.get("arguments").map_or_else(Vec::new, arguments),
    }
}

impl Command {
    /// Returns the words of the command's shortest form on this key. `at` contains the position of an optional
    /// argument and its words. A key that the command makes or reads in addition gets another name.
    pub fn words(&self, key: &str, at: Option<(usize, &[&str])>) -> Vec<String> {
        let mut words = vec![self.name.clone()];
        for (place, argument) in self.arguments.iter().enumerate() {
            match at {
                Some((wanted, option)) if wanted == place => {
                    words.extend(option.iter().map(|word| (*word).into()))
                }
                _ if argument.optional && !self.needs(argument, at) => {}
                _ => words.extend(argument.sample(key)),
            }
        }
        if self.name.ends_with(".ALTER") && at.is_none() {
            // The command needs at least one option.
            words.extend(["DEDUP".to_owned(), "5".to_owned()]);
        }
        words
    }

    /// Checks whether this optional argument is needed because the options that can replace it are not given.
    fn needs(&self, argument: &Argument, at: Option<(usize, &[&str])>) -> bool {
        let others = at.is_some_and(|(_, option)| ["ABOVE", "BELOW"].contains(&option[0]));
        self.name == "LB.AROUND" && argument.name == "count" && !others
    }

    /// Returns the command's options with their positions: the optional arguments that begin with a fixed word.
    pub fn options(&self) -> Vec<(usize, String, Option<String>)> {
        let mut options = Vec::new();
        for (place, argument) in self.arguments.iter().enumerate().filter(|(_, argument)| argument.optional) {
            match (&argument.token, argument.kind.as_str()) {
                (Some(token), "pure-token") => options.push((place, token.clone(), None)),
                (Some(token), _) => options.push((place, token.clone(), Some(argument.value()))),
                (None, "oneof") => {
                    let tokens = argument.inner.iter().filter_map(|choice| choice.token.clone());
                    options.extend(tokens.map(|token| (place, token, None)));
                }
                (None, _) => {}
            }
        }
        options
    }

    /// Checks that the command only reads the key.
    pub fn reads(&self) -> bool {
        let writes = [
            "CREATE",
            "ALTER",
            "ADD",
            "ROLLADD",
            "MADD",
            "SET",
            "MSET",
            "REM",
            "REMRANGE",
            "REMRANGEBYSCORE",
            "HIDE",
            "UNHIDE",
            "SETMETA",
            "RESTORE",
            "VOTE",
            "MVOTE",
            "OPTION",
            "JOIN",
            "TIER",
            "INCR",
            "IMPORT",
        ];
        !writes.iter().any(|write| self.name.ends_with(&format!(".{write}")))
    }

    /// Checks that the options come after all other arguments, so that an unknown word there must be an option.
    pub fn ends_in_options(&self) -> bool {
        self.arguments.last().is_some_and(|last| last.optional && !last.multiple)
    }
}

impl Argument {
    fn sample(&self, key: &str) -> Vec<String> {
        let first = self.inner.first().filter(|first| first.kind == "block");
        if let Some(form) = first {
            let needed = form.inner.iter().filter(|argument| !argument.optional);
            return needed.flat_map(|argument| argument.sample(key)).collect();
        }
        let value = match (self.kind.as_str(), self.name.as_str()) {
            ("key", "dest" | "zset") => self.name.clone(),
            ("key", _) => key.to_owned(),
            // The number of keys.
            ("integer", "n") => "1".to_owned(),
            _ => self.value(),
        };
        self.token.clone().into_iter().chain([value]).collect()
    }

    /// Returns a valid value.
    fn value(&self) -> String {
        let choice = self.inner.first().and_then(|choice| choice.token.clone());
        match (self.name.as_str(), choice) {
            (_, Some(choice)) => choice,
            ("changes", _) if self.token.as_deref() == Some("PRECISIONS") => "+7".to_owned(),
            ("n", _) if self.token.as_deref() == Some("KEYS") => "1".to_owned(),
            ("n", _) if self.token.as_deref() == Some("PARTS") => "4".to_owned(),
            ("member", _) => "member".to_owned(),
            ("view" | "views", _) => "all".to_owned(),
            ("changes", _) => "+month".to_owned(),
            ("shares", _) => "day=0.5".to_owned(),
            ("zone", _) => "UTC".to_owned(),
            ("hours", _) => "mon=08:00-18:00".to_owned(),
            ("period", _) => "-1".to_owned(),
            ("names" | "tier", _) => "a".to_owned(),
            ("levels", _) => "gold:DESC:5".to_owned(),
            ("amounts", _) => "0".to_owned(),
            ("unit", _) => "day".to_owned(),
            ("share", _) => "0.5".to_owned(),
            ("group", _) => "1".to_owned(),
            ("cursor", _) => "0".to_owned(),
            ("q", _) => "0.5".to_owned(),
            ("parts", _) => "4".to_owned(),
            ("which", _) => "0".to_owned(),
            _ => "5".to_owned(),
        }
    }
}
