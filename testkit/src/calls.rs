//! Calls of commands, made from their syntax: the shortest ones, and random ones, now and then with a wrong word.

use leaderboard_commands::plain::Words;
use leaderboard_commands::syntax::{self, Part, PartKind};
use leaderboard_commands::table::{Command, commands};

use crate::random::Random;

/// Makes calls.
pub struct Calls {
    commands: Vec<(&'static Command, Vec<Part>)>,
    /// Chunks of saved values, for the commands that restore them.
    pub chunks: Vec<Vec<u8>>,
}

/// Words for a value of this name.
fn samples(name: &str) -> &'static [&'static str] {
    match name {
        "points" | "score" | "min" | "max" => {
            &["1", "5", "0", "-3", "2.5", "100", "3:7", "(4", "-inf", "+inf"]
        }
        "votes" | "count" | "n" | "first" | "last" | "m" | "buckets" | "above" | "below" | "extra" => {
            &["1", "2", "3", "10", "-1", "0"]
        }
        "parts" => &["4", "8", "16", "6"],
        "member" | "voter" => &["ann", "bob", "eve", "joe", "kim", "lea", "max", "ned"],
        "view" => &["all", "day", "hour", "day:7", "hour:3", "minute"],
        "views" => &["all", "day", "all,day", "hour:3,all", "minute,day:7,all", "day,week,month"],
        "changes" => &["+hour", "-hour", "+day:7", "1,-5", "+60"],
        "ms" | "moment" => &["1700000000000", "1700000030000", "1699999990000", "1700003600000"],
        "period" | "periods" => &["0", "-1", "1", "2023-11-14", "2", "day=2"],
        "seconds" => &["0", "10", "600"],
        "unit" => &["day", "hour", "minute", "week"],
        "request" => &["r1", "r2", "r3", "r4"],
        "names" => &["low,high", "bronze,silver,gold"],
        "amounts" => &["1,0", "50%,0", "0,1", "1,1,0", "0,1,1"],
        "zone" => &["UTC", "Europe/Berlin", "America/New_York"],
        "levels" => &["time:ASC,depth:DESC", "a,b"],
        "digits" => &["0", "2", "9"],
        "shares" | "share" => &["0.5", "day=0.5", "0.1", "1"],
        "precisions" | "precision" => &["1", "5", "60", "1,60"],
        "rule" => &["day", "each", "flood"],
        "scope" => &["voter", "member", "voter+ip"],
        "tier" => &["low", "high", "bronze"],
        "cursor" => &["0", "1"],
        "q" => &["0.5", "0", "1", "0.999"],
        "side" => &["BEFORE", "AFTER", "0", "3"],
        "board" => &["game"],
        "which" => &["0", "0-1", "1,3", "0-3"],
        "tag" | "name" => &["ip", "device"],
        _ => &["a", "x", "1", ""],
    }
}

impl Default for Calls {
    fn default() -> Self {
        let commands = commands().map(|command| (command, syntax::parse(&command.syntax()))).collect();
        Self { commands, chunks: Vec::new() }
    }
}

impl Calls {
    /// A random call.
    pub fn draw(&self, random: &mut Random) -> (&'static Command, Words) {
        let (command, arguments) = random.pick(&self.commands);
        let name = command.name.to_bytes();
        let mut words = vec![name.to_vec()];
        self.add_all(command, arguments, random, &mut words);
        if random.percent(5) {
            spoil(random, &mut words);
        }
        (command, words)
    }

    fn add_all(&self, command: &Command, arguments: &[Part], random: &mut Random, words: &mut Words) {
        arguments.iter().for_each(|argument| self.add(command, argument, random, words));
    }

    fn add(&self, command: &Command, argument: &Part, random: &mut Random, words: &mut Words) {
        if argument.optional && !random.percent(25) {
            return;
        }
        let times = if argument.multiple { 1 + random.below(3) } else { 1 };
        for _ in 0..times {
            words.extend(argument.token.as_ref().map(|token| token.clone().into_bytes()));
            match &argument.kind {
                PartKind::Token => {}
                PartKind::OneOf(all) => {
                    let choice = Part { optional: false, ..random.pick(all).clone() };
                    self.add(command, &choice, random, words);
                }
                PartKind::Block(all) => self.add_all(command, all, random, words),
                PartKind::Key => words.push(key(command, argument, random)),
                PartKind::Text | PartKind::Integer | PartKind::Number | PartKind::Time => {
                    words.push(self.value(&argument.name, random));
                }
            }
        }
    }

    fn value(&self, name: &str, random: &mut Random) -> Vec<u8> {
        if name == "chunk" && !self.chunks.is_empty() {
            let mut chunk = random.pick(&self.chunks).clone();
            if random.percent(50) && !chunk.is_empty() {
                let at = random.below(chunk.len() as u64) as usize;
                chunk[at] ^= 1 << random.below(8);
            }
            return chunk;
        }
        random.pick(samples(name)).as_bytes().to_vec()
    }
}

/// The shortest call of a command, with this name for each of its keys.
pub fn shortest(command: &Command, key: &str) -> Words {
    let mut words = vec![command.name.to_bytes().to_vec()];
    add_shortest(&syntax::parse(&command.syntax()), key, &mut words);
    words
}

fn add_shortest(arguments: &[Part], key: &str, words: &mut Words) {
    for argument in arguments.iter().filter(|argument| !argument.optional) {
        words.extend(argument.token.as_ref().map(|token| token.clone().into_bytes()));
        match &argument.kind {
            PartKind::Token => {}
            PartKind::OneOf(all) => add_shortest(&all[..1], key, words),
            PartKind::Block(all) => add_shortest(all, key, words),
            PartKind::Key => words.push(key.into()),
            PartKind::Text | PartKind::Integer | PartKind::Number | PartKind::Time => {
                words.push(samples(&argument.name)[0].into());
            }
        }
    }
}

/// A key that may hold what the command is about.
fn key(command: &Command, argument: &Part, random: &mut Random) -> Vec<u8> {
    let name = command.name.to_bytes();
    let kind = match argument.name.as_str() {
        _ if random.percent(2) => *random.pick(&["board", "league", "counter", "set"]),
        "zset" => "set",
        "dest" if name == b"LB.EXPORT" => "set",
        _ if name.starts_with(b"LB.LEAGUE") => "league",
        _ if name.starts_with(b"LB.COUNTER") => "counter",
        _ => "board",
    };
    format!("{kind}{}", random.below(4)).into_bytes()
}

/// Makes a call wrong: a word less, a word twice, or another word.
fn spoil(random: &mut Random, words: &mut Words) {
    let at = random.below(words.len() as u64) as usize;
    match random.below(3) {
        _ if at == 0 => {}
        0 => _ = words.remove(at),
        1 => words.insert(at, words[at].clone()),
        _ => words[at] = random.pick(&["", "99999999999999999999", "\0", "KEYS", "ID"]).as_bytes().to_vec(),
    }
}
