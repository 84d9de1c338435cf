//! Finds the longest single command in the server's slow log.
//!
//! The slow log counts wall time, including pauses in which the machine runs another process. So the growth of a key
//! is also measured in processor time, and twice with the same commands. Both runs contain the longest step of the
//! structure, so the smaller of the two maxima is an upper limit for this step.

use std::thread::sleep;
use std::time::{Duration, Instant};

use redis::Cmd;

use crate::fill::entries;
use crate::server::{Client, Server};
use client::Result;
use client::failed;

/// The threshold of the slow log, in microseconds.
pub const SLOW_MICROS: u64 = 500;
/// How many times each way to end a big key is measured.
const TRIES: usize = 3;
/// For how long stalls are searched after a big key ended.
const AFTERMATH: Duration = Duration::from_millis(300);

/// A command in the slow log.
pub struct Slow {
    words: Vec<Vec<u8>>,
    /// Wall time inside the command, in milliseconds.
    pub millis: f64,
}

/// The longest of many commands, in milliseconds. If there are two runs, the smaller maximum.
#[derive(Clone, Copy)]
pub struct Longest {
    /// Processor time of a step of commands, minus the usual time of a step.
    pub cpu: f64,
    /// Wall time of a single command; 0 if the slow log has none.
    pub wall: f64,
}

impl Longest {
    /// Returns the longest command of one run.
    pub fn of(cpu: f64, slow: &[Slow], command: &str) -> Self {
        let times = slow.iter().filter(|slow| slow.is(command)).map(|slow| slow.millis);
        Self { cpu, wall: times.fold(0.0, f64::max) }
    }

    /// Returns the smaller values of two runs.
    pub fn least(self, other: Self) -> Self {
        Self { cpu: self.cpu.min(other.cpu), wall: self.wall.min(other.wall) }
    }
}

impl Slow {
    pub fn is(&self, name: &str) -> bool {
        self.words.first().is_some_and(|word| word.eq_ignore_ascii_case(name.as_bytes()))
    }
}

/// The time that a command needs to end a big key.
pub struct Ending {
    /// The command, as shown in the table.
    pub command: String,
    /// Milliseconds inside the command, median.
    pub millis: f64,
    /// The longest wait of a PING shortly after the command, in milliseconds: the smallest value of the tries.
    pub stall: f64,
    /// Whether it is a goal that this command does not block the server.
    pub counts: bool,
}

/// Starts the slow log.
pub fn start(client: &mut Client) -> Result<()> {
    client.ask::<()>(&["CONFIG", "SET", "slowlog-log-slower-than", &SLOW_MICROS.to_string()])?;
    client.ask(&["SLOWLOG", "RESET"])
}

/// Returns the slow commands since the last call.
pub fn take(client: &mut Client) -> Result<Vec<Slow>> {
    type Row = (u64, u64, u64, Vec<Vec<u8>>, Vec<u8>, Vec<u8>);
    let rows: Vec<Row> = client.ask(&["SLOWLOG", "GET", "1000000"])?;
    client.ask::<()>(&["SLOWLOG", "RESET"])?;
    Ok(rows
        .into_iter()
        .map(|(_, _, micros, words, ..)| Slow { words, millis: micros as f64 / 1_000.0 })
        .collect())
}

/// Measures all ways to end or replace a big board, and the same ways for a sorted set.
pub fn endings(server: &Server) -> Result<Vec<Ending>> {
    let mut client = server.client()?;
    for (score, member) in entries(10) {
        client.ask::<()>(&["LB.ADD", "few", &score.to_string(), &member])?;
    }
    let dump: Vec<u8> = client.ask(&["DUMP", "few"])?;
    let ways: [(&str, Vec<&[u8]>); 6] = [
        ("DEL", vec![b"DEL", b"big"]),
        ("UNLINK", vec![b"UNLINK", b"big"]),
        ("SET over it", vec![b"SET", b"big", b"x"]),
        ("COPY of a small one over it", vec![b"COPY", b"few", b"big", b"REPLACE"]),
        ("RENAME of a small one over it", vec![b"RENAME", b"few:2", b"big"]),
        ("RESTORE of a small one over it", vec![b"RESTORE", b"big", b"0", &dump, b"REPLACE"]),
    ];
    let mut all = Vec::new();
    for (name, words) in ways {
        all.push(ending(&mut client, "board", &format!("board: {name}"), &words)?);
    }
    all.push(ending(&mut client, "zset", "sorted set: DEL", &[b"DEL", b"big"])?);
    let copies: [(&str, [&[u8]; 4]); 2] = [
        ("board", [b"COPY", b"board", b"big", b"REPLACE"]),
        ("sorted set", [b"COPY", b"zset", b"big", b"REPLACE"]),
    ];
    for (name, words) in copies {
        let copy = ending(&mut client, "few", &format!("{name}: the COPY of it all"), &words)?;
        all.push(Ending { counts: false, ..copy });
    }
    Ok(all)
}

/// Measures one way on copies of a key.
fn ending(client: &mut Client, key: &str, name: &str, words: &[&[u8]]) -> Result<Ending> {
    let mut times = Vec::new();
    let mut stall = f64::INFINITY;
    for _ in 0..TRIES {
        client.ask::<()>(&["UNLINK", "big"])?;
        settle(client)?;
        client.ask::<()>(&["COPY", key, "big"])?;
        client.ask::<()>(&["COPY", "few", "few:2", "REPLACE"])?;
        times.push(timed(client, words)?);
        stall = stall.min(longest_ping(client)?);
    }
    Ok(Ending {
        command: name.to_owned(),
        millis: crate::contest::median(&times),
        stall,
        counts: key == "board",
    })
}

/// Returns the milliseconds inside one command.
pub fn timed(client: &mut Client, words: &[&[u8]]) -> Result<f64> {
    let name = words.first().map(|word| String::from_utf8_lossy(word)).unwrap_or_default();
    let mut command = Cmd::new();
    command.arg(words);
    let times = timed_all(client, &name, |client| {
        command.exec(&mut client.0).map_err(failed("a command failed that was to be timed"))
    })?;
    times.first().copied().ok_or_else(|| format!("the slow log has no {name}"))
}

/// Returns the milliseconds inside each command of this name that `run` sends.
pub fn timed_all(
    client: &mut Client,
    name: &str,
    run: impl FnOnce(&mut Client) -> Result<()>,
) -> Result<Vec<f64>> {
    let threshold = ["CONFIG", "SET", "slowlog-log-slower-than"];
    client.ask::<()>(&[&threshold[..], &["0"]].concat())?;
    run(client)?;
    client.ask::<()>(&[&threshold[..], &["-1"]].concat())?;
    let slow = take(client)?;
    Ok(slow.iter().filter(|slow| slow.is(name)).map(|slow| slow.millis).collect())
}

/// Returns the longest time of a PING shortly after a command, in milliseconds. The command can return at once and
/// leave work to a timer in the same thread; then the next commands wait.
fn longest_ping(client: &mut Client) -> Result<f64> {
    let started = Instant::now();
    let mut longest = Duration::ZERO;
    while started.elapsed() < AFTERMATH {
        let sent = Instant::now();
        client.ask::<()>(&["PING"])?;
        longest = longest.max(sent.elapsed());
    }
    Ok(longest.as_secs_f64() * 1_000.0)
}

/// Waits until the background thread has freed all memory.
pub fn settle(client: &mut Client) -> Result<()> {
    while client.info("memory")?.number("lazyfree_pending_objects")? > 0.0 {
        sleep(Duration::from_millis(5));
    }
    Ok(())
}
