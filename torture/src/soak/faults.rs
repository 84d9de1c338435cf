//! What happens to the servers and to the doors while clients write and read, and how soon the gateway serves again.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

use leaderboard_testkit::random::Random;
use leaderboard_testkit::{Server, run, try_run};

use super::book::Scores;
use super::gateway::MOST_CLIENTS;
use super::nodes::{join, process};
use super::shared::{PATIENCE, Shared};
use super::tries::until_done;
use super::watch::Watch;
use super::web_writer::WebWriter;
use super::wire_writer::WireWriter;

/// After a fault, each door serves each board within this number of tries.
const TRIES: usize = 100;
/// How often the links of a server are cut in one fault, at most.
const CUTS: u64 = 10;
/// Idle connections to the HTTP door in a crowd.
const IDLE: usize = 100;
/// A crowd at the RESP door has at most this number of connections more than there may be.
const BEYOND: usize = 50;

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A server stands still, and goes on.
    Stop,
    /// A server is killed, and starts again from its append-only file.
    Kill,
    /// The links of a server to its clients are cut, some times.
    Links,
    /// Idle connections take all places of the RESP door.
    Crowd,
    /// A server rewrites its append-only file.
    Rewrite,
}

/// All kinds.
pub const FAULTS: [Fault; 5] = [Fault::Stop, Fault::Kill, Fault::Links, Fault::Crowd, Fault::Rewrite];

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stop => "server stopped",
            Self::Kill => "server killed",
            Self::Links => "links cut",
            Self::Crowd => "doors crowded",
            Self::Rewrite => "file rewritten",
        })
    }
}

/// A fault that is over.
pub struct Mark {
    /// The kind.
    pub fault: Fault,
    /// When it began and when the gateway served again, in seconds since the begin of the load.
    pub span: [f64; 2],
    /// How many tries a request took after the fault, at most.
    pub tries: usize,
}

/// Makes faults.
pub struct Faults<'a> {
    shared: &'a Shared,
    watch: &'a Watch,
    nodes: &'a mut [Server],
    /// How long a fault lasts, in milliseconds.
    lasting: Range<i64>,
    random: Random,
    web: WebWriter<'a>,
    wire: WireWriter<'a>,
    /// What comes next, the last one first.
    next: Vec<Fault>,
    /// What was done.
    pub marks: Vec<Mark>,
}

impl<'a> Faults<'a> {
    /// Makes faults at these servers.
    pub fn new(
        shared: &'a Shared,
        watch: &'a Watch,
        nodes: &'a mut [Server],
        lasting: Range<i64>,
        random: &mut Random,
    ) -> Self {
        let web = WebWriter::new(shared, "probe-web", random);
        let wire = WireWriter::new(shared, "probe-wire", random);
        let (random, next) = (Random::new(random.number()), Vec::new());
        Self { shared, watch, nodes, lasting, random, web, wire, next, marks: Vec::new() }
    }

    /// Returns whether each kind of fault was made.
    pub fn had_all(&self) -> bool {
        FAULTS.iter().all(|fault| self.marks.iter().any(|mark| mark.fault == *fault))
    }

    /// Makes a fault, and waits until the gateway serves again. The kinds come in turn, each time in another order.
    pub fn strike(&mut self) -> Result<(), String> {
        if self.next.is_empty() {
            self.next = FAULTS.to_vec();
            self.random.shuffle(&mut self.next);
        }
        let Some(fault) = self.next.pop() else { return Ok(()) };
        let begin = self.watch.seconds();
        self.shared.tally.set_fault(true);
        let done = self.make(fault).map_err(|error| format!("{fault}: {error}"));
        let tries =
            done.and_then(|()| self.probe().map_err(|error| format!("after a fault ({fault}): {error}")));
        self.shared.tally.set_fault(false);
        let tries = tries?;
        self.marks.push(Mark { fault, span: [begin, self.watch.seconds()], tries });
        Ok(())
    }

    /// Ends the work. Returns the scores of the members that the probes wrote to.
    pub fn close(self) -> (Vec<Mark>, [Scores; 2]) {
        (self.marks, [self.web.close().close(), self.wire.close().close()])
    }

    fn make(&mut self, fault: Fault) -> Result<(), String> {
        let number = self.random.below(self.nodes.len() as u64) as usize;
        let time = Duration::from_millis(self.random.within(self.lasting.clone()) as u64);
        let node = &mut self.nodes[number];
        match fault {
            Fault::Stop => {
                node.pause();
                thread::sleep(time);
                node.resume();
            }
            Fault::Kill => {
                node.kill9();
                self.watch.set_process(number, None);
                thread::sleep(time);
                node.start_again();
                join(node);
                self.watch.set_process(number, Some(process(node)));
            }
            Fault::Links => {
                let mut con = node.connection();
                for _ in 0..1 + self.random.below(CUTS) {
                    run(&mut con, &["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]);
                    thread::sleep(time / CUTS as u32);
                }
            }
            Fault::Crowd => crowd(self.shared, time).map_err(|error| error.to_string())??,
            // Refused while a child process saves already.
            Fault::Rewrite => _ = try_run(&mut node.connection(), &["BGREWRITEAOF"]),
        }
        Ok(())
    }

    /// Writes to each board through each door.
    fn probe(&mut self) -> Result<usize, String> {
        let (_, mut most) = until_done(TRIES, || Ok(place(self.shared.resp).ok()))?;
        for board in &self.shared.boards {
            most = most.max(self.web.add(board, TRIES)?).max(self.wire.add(board, TRIES)?);
        }
        Ok(most)
    }
}

/// Opens idle connections until the RESP door turns one away, and keeps them for some time.
fn crowd(shared: &Shared, time: Duration) -> io::Result<Result<(), String>> {
    let idle: Vec<_> = (0..IDLE).map(|_| TcpStream::connect(shared.http)).collect::<Result<_, _>>()?;
    let mut places = Vec::new();
    let begin = Instant::now();
    while places.len() < MOST_CLIENTS + BEYOND {
        match place(shared.resp) {
            Ok(place) => places.push(place),
            Err(refusal) if refusal == "-ERR max number of clients reached\r\n" => {
                thread::sleep(time.saturating_sub(begin.elapsed()));
                drop(idle);
                return Ok(Ok(()));
            }
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Err(format!("{} connections, and none was turned away", places.len())))
}

/// Opens a connection that has its place at the RESP door, or returns what was said instead.
fn place(door: SocketAddr) -> Result<TcpStream, String> {
    let asked = || {
        let mut socket = TcpStream::connect(door)?;
        socket.set_read_timeout(Some(PATIENCE))?;
        // A connection that is turned away may be closed before this is sent.
        let _ = socket.write_all(b"PING\r\n");
        let mut said = [0; 64];
        let length = socket.read(&mut said)?;
        io::Result::Ok((socket, String::from_utf8_lossy(&said[..length]).into_owned()))
    };
    let (socket, said) = asked().map_err(|error| error.to_string())?;
    if said == "+PONG\r\n" { Ok(socket) } else { Err(said) }
}
