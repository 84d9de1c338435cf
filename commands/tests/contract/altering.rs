//! Random changes of how long periods and prizes are kept, and winners that are fixed without a claim.

use super::session::Session;

impl Session {
    /// Makes RETAIN of a view less. What a greater one brings back of paid periods, the contract leaves open.
    pub fn alters_retain(&mut self) {
        let now = self.now();
        self.board.pass(now);
        let view = self.random.pick(&self.board.views).clone();
        if view.is_all() || self.right_clock.is_some() {
            return;
        }
        let most = self.board.retain[&view.name];
        let (retain, current) = (self.random.within(0..most + 1), view.period(now));
        let old = self.board.retain.insert(view.name.clone(), retain).expect("a view");
        let floor = self.board.floor.entry(view.name.clone()).or_insert(i64::MIN);
        *floor = (*floor).max(current - old.min(retain));
        self.board.pass(now);
        self.says(&format!("LB.ALTER b RETAIN {}={retain}", view.name), "OK");
    }

    /// Fixes the winners of a period.
    pub fn settles(&mut self) {
        let now = self.now();
        self.board.pass(now);
        let (asked, _) = self.asked();
        let known = self.board.known_places(now);
        let Some(place) = self.board.place(&asked, now) else { return };
        let Some((_, winners)) = known.into_iter().find(|(known, _)| *known == place) else { return };
        let is_running = place.2 >= self.board.view(&place.0).period(now);
        // How many winners there are where some were removed, the contract leaves open.
        if self.board.is_gone(&place) || winners.iter().any(|winner| winner.is_removed) {
            return;
        }
        let expected =
            if is_running { "-".to_owned() } else { self.board.settle(&place, winners).to_string() };
        self.says(&format!("LB.SETTLE b{}", Session::asks(&asked)), &expected);
    }

    /// Counts the members of a segment with a score in a range, and shows some of them.
    pub fn counts(&mut self) {
        let mut read = self.read();
        read.is_reversed = false;
        read.inside = self.dimension().map(|name| (name, "DE".to_owned()));
        let (now, min) = (self.now(), self.random.within(-5..10));
        let max = min + self.random.within(0..15);
        let all = self.board.entries(&read, "", now);
        let inside = all.iter().filter(|entry| entry.score > min && entry.score <= max);
        self.says(&format!("LB.COUNT b ({min} {max}{}", read.words()), &inside.count().to_string());
        let rows =
            all.iter().enumerate().filter(|(_, entry)| ["m1", "m3", "m5"].contains(&entry.member.as_str()));
        let rows = rows.enumerate().map(|(place, (rank, entry))| {
            format!("[{} {} {} {}]", place + 1, entry.member, entry.score, rank + 1)
        });
        let expected = super::replies::list(&rows.collect::<Vec<_>>());
        self.says(&format!("LB.AMONG b MEMBERS 4 m5 m1 m3 m1{}", read.words()), &expected);
    }
}
