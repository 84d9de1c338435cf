//! Random reads of rankings.

use super::reads::Read;
use super::replies::{elements, or_nil};
use super::session::Session;

impl Session {
    /// Returns a view and a period.
    pub fn read(&mut self) -> Read {
        let mut read = Read { view: self.view(), back: self.random.within(0..4), ..Read::default() };
        if self.board.view(&read.view).is_all() || self.can_leap || self.random.percent(40) {
            read.back = 0;
        } else if self.random.percent(20) {
            read.at = Some(self.past());
        }
        read.is_reversed = self.random.percent(20);
        read
    }

    pub fn random_read(&mut self) {
        let mut read = self.read();
        if self.random.percent(40) {
            read.inside =
                self.dimension().map(|name| (name, self.random.pick(&["DE", "FR", "US"]).to_string()));
        }
        let now = self.now();
        let member = self.member();
        if self.random.percent(50) {
            let expected = self.board.top(&read, 5, now);
            self.says(&format!("LB.TOP b 5{}", read.words()), &expected);
        }
        if read.inside.is_none() && self.random.percent(60) {
            read.within = self.dimension().unwrap_or_default();
        }
        let own = self.board.own(&read, &member, now);
        self.says(&format!("LB.RANK b {member}{}", read.words()), &or_nil(own.map(|own| own.1)));
        if self.has_leapt {
            return;
        }
        let stands = self.board.standing_of(&read, &member, now);
        let reply = self.run(&format!("LB.STANDING b {member}{}", read.words()));
        let shown = (reply != "-").then(|| {
            let words = elements(&reply);
            ["rank", "score", "members", "previous", "change"]
                .map(|name| words[words.iter().position(|word| word == name).expect("a field") + 1].clone())
        });
        assert_eq!(shown, stands, "the standing, and what the contract says\n{}", self.told());
    }
}
