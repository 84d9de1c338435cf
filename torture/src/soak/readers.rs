//! Clients that read pages, ranks and sums, and check what can be known of them.

use std::thread;
use std::time::Duration;

use leaderboard_testkit::random::Random;

use super::nodes::Board;
use super::rows;
use super::shared::{Client, Shared};
use super::web::Web;
use super::wire::{Answer, Wire, words};

/// A client pauses for less than this number of milliseconds after each request.
const REST: u64 = 15;
/// Lengths of pages.
const COUNTS: [usize; 4] = [1, 10, 50, 1_000];
/// Pages begin after less than this number of members.
const DEEPEST: u64 = 1_500;
/// Commands of a pipeline, at most.
const PIPELINE: u64 = 10;

/// A reader through HTTP.
pub struct WebReader<'a> {
    web: Web<'a>,
    random: Random,
}

impl<'a> WebReader<'a> {
    /// A reader.
    pub fn new(shared: &'a Shared, random: &mut Random) -> Self {
        Self { web: Web::new(shared, &shared.tokens.viewer), random: Random::new(random.number()) }
    }

    /// Reads a page.
    fn page(&mut self, path: &str, most: usize) -> Result<(), String> {
        let reply = self.web.get(path)?;
        // Large pages whose answers did not come in time keep their places: the budget of the token is used up.
        if reply.status == 429 {
            return Ok(());
        }
        let Some(body) = reply.unless_away()? else { return Ok(()) };
        rows::check(path, rows::of_body(&body), most).map(|_| ())
    }

    /// Reads something that has these fields.
    fn fields(&mut self, path: &str, fields: &[&str]) -> Result<(), String> {
        let Some(body) = self.web.get(path)?.unless_away()? else { return Ok(()) };
        if fields.iter().any(|field| body.get(field).is_none()) {
            return Err(format!("{path}: {body}"));
        }
        Ok(())
    }
}

impl Client for WebReader<'_> {
    fn step(&mut self) -> Result<(), String> {
        thread::sleep(Duration::from_millis(self.random.below(REST)));
        let Board { key, .. } = self.random.pick(&self.web.shared.boards);
        let (count, first) = (*self.random.pick(&COUNTS), self.random.below(DEEPEST));
        let view = *self.random.pick(&["all", "day:7"]);
        let member = format!("web0-{}", self.random.below(300));
        match self.random.below(8) {
            0..=2 => self.page(&format!("/boards/{key}/top?count={count}&view={view}"), count),
            3 => self.page(&format!("/boards/{key}/top?count={count}&offset={first}"), count),
            4 => {
                let (first, last) = (first + 1, first + count as u64);
                self.page(&format!("/boards/{key}/range?first={first}&last={last}"), count)
            }
            5 => self.fields(&format!("/boards/{key}/stats?view={view}"), &["members", "sum"]),
            6 => self.fields(&format!("/boards/{key}/count"), &["members"]),
            _ => match self.web.get(&format!("/boards/{key}/around/{member}?count=5"))?.status {
                // The writer has not drawn this member.
                200 | 404 | 503 => Ok(()),
                status => Err(format!("around {member}: {status}")),
            },
        }
    }
}

/// A reader through the RESP door.
pub struct WireReader<'a> {
    shared: &'a Shared,
    wire: Wire<'a>,
    random: Random,
}

impl<'a> WireReader<'a> {
    /// A reader.
    pub fn new(shared: &'a Shared, random: &mut Random) -> Self {
        Self { shared, wire: Wire::new(shared), random: Random::new(random.number()) }
    }

    /// Returns a read. If it is one of a page, with the greatest number of its rows.
    fn draw(&mut self) -> (Vec<String>, Option<usize>) {
        let Board { key, .. } = self.random.pick(&self.shared.boards);
        let (count, first) = (*self.random.pick(&COUNTS), self.random.below(DEEPEST));
        let member = format!("wire0-{}", self.random.below(300));
        let (line, most) = match self.random.below(8) {
            0..=2 => (format!("LB.TOP {key} {count}"), Some(count)),
            3 => (format!("LB.TOP {key} {count} OFFSET {first}"), Some(count)),
            4 => (format!("LB.RANGE {key} {} {}", first + 1, first + 10), Some(10)),
            5 => (format!("LB.COUNT {key}"), None),
            6 => (format!("LB.STANDING {key} {member}"), None),
            _ => (format!("LB.RANK {key} {member}"), None),
        };
        (words(&line), most)
    }
}

impl Client for WireReader<'_> {
    fn step(&mut self) -> Result<(), String> {
        thread::sleep(Duration::from_millis(self.random.below(REST)));
        let reads: Vec<_> = (0..1 + self.random.below(PIPELINE)).map(|_| self.draw()).collect();
        let commands: Vec<_> = reads.iter().map(|(command, _)| command.clone()).collect();
        for ((command, most), answer) in reads.iter().zip(self.wire.ask(&commands)?) {
            if let (Some(most), Answer::Good(reply)) = (most, answer) {
                rows::check(&format!("{command:?}"), rows::of_reply(&reply), *most)?;
            }
        }
        Ok(())
    }
}
