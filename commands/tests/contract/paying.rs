//! Random claims, and random reads of prizes.

use super::board::Place;
use super::claims::Asked;
use super::replies::elements;
use super::session::Session;

impl Session {
    /// Returns a table and a period, mostly with winners, and a member, mostly a winner.
    pub fn asked(&mut self) -> (Asked, String) {
        let now = self.now();
        self.board.pass(now);
        let known = self.board.known_places(now);
        if known.is_empty() || self.random.percent(15) {
            return (self.any_asked(), self.member());
        }
        let (place, winners) = self.random.pick(&known).clone();
        let member =
            if self.random.percent(20) { self.member() } else { self.random.pick(&winners).member.clone() };
        let view = self.board.view(&place.0).clone();
        let back = view.period(now) - place.2;
        let mut asked = Asked { view: place.0, per: place.1, ..Asked::default() };
        match self.random.below(4) {
            0 if back == 1 => {}
            0 | 1 => {
                let begin = view.unit.start(place.2);
                let end = begin + view.unit.len - 1;
                asked.at = Some(*self.random.pick(&[begin, end, begin + view.unit.len / 2]));
            }
            _ => asked.back = Some(back),
        }
        self.leaves_view_out(&mut asked);
        (asked, member)
    }

    fn any_asked(&mut self) -> Asked {
        let mut asked = Asked::default();
        if self.random.percent(40) {
            asked.per = self.dimension().unwrap_or_default();
        }
        let views: Vec<_> = self.board.tables.iter().map(|table| table.view.clone()).collect();
        if !views.is_empty() {
            asked.view = self.random.pick(&views).clone();
        }
        match self.random.below(10) {
            0..3 => {}
            3..8 => asked.back = Some(self.random.within(0..7)),
            _ => asked.at = Some(self.past()),
        }
        self.leaves_view_out(&mut asked);
        asked
    }

    /// Leaves VIEW out where it is the view by default, and sometimes elsewhere.
    fn leaves_view_out(&mut self, asked: &mut Asked) {
        let short = Asked { view: String::new(), ..asked.clone() };
        let default = self.board.place(&short, self.now()).map(|place| place.0);
        if default.is_some_and(|view| view == asked.view || self.random.percent(10))
            && self.random.percent(50)
        {
            *asked = short;
        }
    }

    pub fn asks(asked: &Asked) -> String {
        let view = if asked.view.is_empty() { String::new() } else { format!(" VIEW {}", asked.view) };
        let per = if asked.per.is_empty() { String::new() } else { format!(" PER {}", asked.per) };
        let period = match (asked.at, asked.back) {
            (Some(at), _) => format!(" AT {at}"),
            (None, Some(0)) => " PERIOD 0".to_owned(),
            (None, Some(back)) => format!(" PERIOD -{back}"),
            (None, None) => String::new(),
        };
        view + &per + &period
    }

    fn is_asked(&self, asked: &Asked) -> bool {
        let now = self.now();
        // What is shown of a period that a clock had leapt over and that is still to come, the contract leaves open.
        let comes = |period: i64, view: &str| period > self.board.view(view).period(now);
        let is_known = |place: Place| self.board.fixed.contains_key(&place) && comes(place.2, &place.0);
        self.board.place(asked, now).is_some_and(|place| !is_known(place))
    }

    pub fn random_claim(&mut self) {
        let (asked, member) = self.asked();
        let used: Vec<_> = self.board.claims.iter().map(|(id, (_, who))| (id.clone(), who.clone())).collect();
        let (mut id, mut member) = (self.id("c"), member);
        if !used.is_empty() && self.random.percent(25) {
            let (old, who) = self.random.pick(&used).clone();
            id = old;
            member = if self.random.percent(70) { who } else { member };
        }
        if !self.is_asked(&asked) {
            return;
        }
        let expected = self.board.claim(&member, &asked, &id, self.now());
        let id = if id.is_empty() { id } else { format!(" ID {id}") };
        self.says(&format!("LB.CLAIM b {member}{}{id}", Self::asks(&asked)), &expected);
    }

    pub fn random_prizes(&mut self) {
        let (asked, _) = self.asked();
        if !self.is_asked(&asked) {
            return;
        }
        self.board.pass(self.now());
        let is_unclaimed = self.random.percent(30);
        let mut expected = self.board.prize_rows(&asked, is_unclaimed, self.now());
        let count = self.random.within(1..5);
        let unclaimed = if is_unclaimed { " UNCLAIMED" } else { "" };
        let (mut rows, mut cursor) = (Vec::new(), "0".to_owned());
        loop {
            let reply =
                self.run(&format!("LB.PRIZES b {cursor} COUNT {count}{}{unclaimed}", Self::asks(&asked)));
            let page = elements(&reply);
            let shown = elements(&page[1]);
            assert!(shown.len() <= count as usize, "a page\n{}", self.told());
            rows.extend(shown);
            cursor = page[0].clone();
            if cursor == "0" {
                break;
            }
        }
        if !asked.per.is_empty() {
            rows.sort();
            expected.sort();
        }
        assert_eq!(rows, expected, "the rows, and what the contract says\n{}", self.told());
    }
}
