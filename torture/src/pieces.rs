//! A board that arrives piece by piece with LB.RESTORE, while the server is killed between two pieces.

use leaderboard_commands::plain::{PlainServer, Settings};
use leaderboard_testkit::random::Random;
use leaderboard_testkit::{digest, run, words};
use redis::Connection;

/// Enough for several pieces.
const MEMBERS: u64 = 2_000;

/// A saved board, and how many of its pieces the server has.
pub struct Pieces {
    pieces: Vec<Vec<u8>>,
    sent: usize,
}

impl Pieces {
    /// The pieces of a board with requests and ended periods.
    pub fn new() -> Self {
        let server = PlainServer::new(Settings { clock: 1_893_456_000_000, ..Settings::default() });
        server.run(&words(&[
            "LB.CREATE",
            "copy",
            "VIEWS",
            "all,day,day:7",
            "CLOCK",
            "EVENT",
            "SEGMENTS",
            "team",
        ]));
        for number in 0..MEMBERS {
            let (member, team) = (format!("m{number}"), format!("t{}", number % 7));
            let (at, id) = ((number * 100_000).to_string(), format!("r{number}"));
            let add = ["LB.ADD", "copy", "5", &member, "AT", &at, "ID", &id, "SEGMENT", "team", &team];
            server.run(&words(&add));
        }
        let pieces = server.saved(b"copy").expect("a board");
        assert!(pieces.len() > 2, "a board of {} pieces", pieces.len());
        Self { pieces, sent: 0 }
    }

    /// Sends some pieces, at least one and not all.
    pub fn send_some(&mut self, con: &mut Connection, random: &mut Random) {
        let end = self.sent + 1 + random.below((self.pieces.len() - self.sent) as u64) as usize;
        self.send(con, end.min(self.pieces.len() - 1));
    }

    /// Sends the rest to a restarted server, which goes on with what it had.
    ///
    /// # Panics
    /// If the board is not the one that was saved.
    pub fn finish(&mut self, con: &mut Connection) {
        if self.sent == 0 {
            return;
        }
        self.send(con, self.pieces.len());
        self.pieces.iter().for_each(|piece| restore(con, "whole", piece));
        let [copy, whole] = ["copy", "whole"].map(|key| digest(con, key));
        assert_eq!(copy, whole, "pieces before and after a kill make another board");
        run(con, &["DEL", "copy", "whole"]);
        self.sent = 0;
    }

    fn send(&mut self, con: &mut Connection, end: usize) {
        self.pieces[self.sent..end].iter().for_each(|piece| restore(con, "copy", piece));
        self.sent = end;
    }
}

fn restore(con: &mut Connection, key: &str, piece: &[u8]) {
    run(con, &[b"LB.RESTORE", key.as_bytes(), piece]);
}
