//! A board over parts in the simulated nodes, and one board with the members of all parts, whose replies are the
//! expected replies.

use leaderboard_commands::plain::PlainServer;
use leaderboard_core::calendar::When;
use redis::Value;
use tokio::time::Instant;

use crate::spread::info::Info;
use crate::spread::root::Root;
use crate::spread::simulation::cases::{BOARD, Rules, plain_case, truth, words};
use crate::spread::simulation::cluster::{Asked, Faults, START, Simulated, World, node_of, run};
use crate::spread::simulation::truth::Truth;
use crate::spread::simulation::values::error_text;

/// The length of the periods, and the start of the first one.
pub const HOUR: u64 = 3_600_000;
pub const BEGUN: u64 = START - START % HOUR;

/// A member of the first period.
#[derive(Debug, Clone)]
pub struct Member {
    pub name: String,
    pub score: String,
    /// The time since the start of the period, in milliseconds.
    pub moment: u64,
    pub meta: Option<&'static str>,
    pub is_hidden: bool,
}

/// A board over parts.
pub struct Spread {
    pub root: Root,
    pub nodes: Simulated,
    /// The members that are not hidden, best first.
    pub names: Vec<String>,
    whole: PlainServer,
}

/// Returns a board of hours over this number of parts.
pub fn rules(parts: u16) -> Rules {
    Rules { views: 1, ..plain_case(parts, 0).rules }
}

impl Spread {
    pub fn new(rules: &Rules, members: &[Member]) -> Self {
        let mut world = World::new(rules.boards(), 1);
        world.faults = Faults::default();
        for member in members {
            write(&mut world, rules, member);
        }
        let told = world.run(&words("LB.INFO game"));
        let root = Root::of(BOARD, &Info::of(told).unwrap()).unwrap().unwrap();
        let mut truth = Truth { world: &mut world, name: BOARD, parts: rules.parts, only: None };
        let (entries, ..) = truth.entries(None, When::Now).unwrap();
        let whole = truth.period(None, When::Now).unwrap().server;
        let seen = entries.into_iter().filter(|entry| !entry.hidden);
        let names = seen.map(|entry| String::from_utf8(entry.name).unwrap()).collect();
        Self { root, nodes: Simulated::new(world), names, whole }
    }

    /// Returns the reply of the one board.
    pub fn one(&self, command: &str) -> Value {
        run(&self.whole, &words(command))
    }

    /// Returns the reply of one board that has only the members of these parts.
    pub fn only(&self, parts: &[u16], command: &str) -> Value {
        self.nodes.with(|world| truth(world, self.root.parts.share(0).of, Some(parts), &words(command)))
    }

    /// Returns the parts on the node of a part, and the other parts.
    pub fn beside(&self, part: u16) -> (Vec<u16>, Vec<u16>) {
        let node = |part| node_of(&self.root.key(part));
        (0..self.root.parts.count()).partition(|other| node(*other) == node(part))
    }

    /// Sets the clock of the node of a part ahead of the other clocks.
    pub fn set_ahead(&self, part: u16, millis: u64) {
        let node = node_of(&self.root.key(part));
        self.nodes.with(|world| world.skews[node] = millis);
    }

    /// Carries out a command on the key of a part.
    pub fn direct(&self, name: &str, part: u16, argument: Option<&str>) {
        let key = String::from_utf8(self.root.key(part)).unwrap();
        let line = [Some(name), Some(&key), argument].into_iter().flatten().collect::<Vec<_>>().join(" ");
        self.nodes.with(|world| world.run(&words(&line)));
    }

    /// Runs a read. Returns its result, the number of its rounds (each round takes a millisecond), and the commands
    /// that the parts got.
    pub async fn cost<A>(&self, read: impl Future<Output = A>) -> (A, u128, Asked) {
        self.nodes.with(|world| world.asked = Asked::default());
        let begun = Instant::now();
        let result = read.await;
        (result, begun.elapsed().as_millis(), self.nodes.with(|world| world.asked.clone()))
    }
}

fn write(world: &mut World, rules: &Rules, member: &Member) {
    let Member { name, score, moment, meta, is_hidden } = member;
    let key = String::from_utf8(rules.parts.key(BOARD, rules.parts.of(name.as_bytes()))).unwrap();
    let mut run = |line: String| {
        let reply = world.run(&words(&line));
        assert_eq!(error_text(&reply), None, "{line}");
    };
    run(format!("LB.ADD {key} {score} {name} AT {}", BEGUN + moment));
    if let Some(meta) = meta {
        run(format!("LB.SETMETA {key} {name} {meta}"));
    }
    if *is_hidden {
        run(format!("LB.HIDE {key} {name}"));
    }
}
