//! A connection and the league's key.

use redis::{Cmd, Connection, FromRedisValue, Value};

use crate::client::{Result, ask, failed};

pub struct Server {
    pub connection: Connection,
    pub key: String,
}

impl Server {
    /// Sends a command, and shows it as a user would type it.
    pub fn typed<T: FromRedisValue>(&mut self, name: &str, options: &str) -> Result<T> {
        println!("\n> {}", format!("{name} {} {options}", self.key).trim_end());
        self.ask(name, options)
    }

    pub fn ask<T: FromRedisValue>(&mut self, name: &str, options: &str) -> Result<T> {
        let words: Vec<&str> = [name, &self.key].into_iter().chain(options.split_whitespace()).collect();
        ask(&mut self.connection, &words)
    }

    /// Sends many commands at once.
    pub fn ask_all(&mut self, commands: impl Iterator<Item = Vec<String>>) -> Result<Vec<Value>> {
        let mut pipeline = redis::pipe();
        for words in commands {
            let mut command = Cmd::new();
            command.arg(words);
            pipeline.add_command(command);
        }
        pipeline.query(&mut self.connection).map_err(failed("cannot play"))
    }
}
