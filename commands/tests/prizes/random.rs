//! Random sessions on boards with prizes, against the plain model.

use leaderboard_testkit::random::{Random, seed};

use super::model::{Model, Place, Table};
use super::{DAY, Servers};

const SESSIONS: u64 = 60;
const CALLS: usize = 120;
const MEMBERS: u64 = 7;

struct Session {
    servers: Servers,
    model: Model,
    random: Random,
}

fn table(random: &mut Random) -> Table {
    let places = random.below(4);
    let place = |random: &mut Random| match random.below(4) {
        0 => Place::Share(1 + random.below(3), 1 + random.below(100)),
        1 => Place::AtLeast(random.within(-2..12)),
        _ => {
            let first = 1 + random.below(4);
            Place::Ranks(first, first + random.below(3))
        }
    };
    (0..places).map(|number| (place(random), format!("p{number}"))).collect()
}

fn word(table: &Table) -> String {
    let places = table.iter().map(|(place, prize)| match place {
        Place::Ranks(first, last) if first == last => format!("{first}={prize}"),
        Place::Ranks(first, last) => format!("{first}-{last}={prize}"),
        Place::Share(first, share) => format!("{first}-{share}%={prize}"),
        Place::AtLeast(least) => format!(">={least}={prize}"),
    });
    let word = places.collect::<Vec<_>>().join(",");
    if word.is_empty() { "''".to_owned() } else { word }
}

impl Session {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let (retain, days) = (random.below(4), 1 + random.below(4));
        let first = table(&mut random);
        let servers = Servers::new(0);
        let rules = format!("RETAIN {retain} PRIZEDAYS {days} PRIZES day {}", word(&first));
        servers.says(&format!("LB.CREATE b VIEWS day CLOCK EVENT {rules}"), "OK");
        Self { servers, model: Model::new(retain, days, first), random }
    }

    /// A moment: often the end of the day, or a millisecond beside it; sometimes late, sometimes days ahead.
    fn moment(&mut self) -> u64 {
        let midnight = (self.model.today() + 1) * DAY;
        match self.random.below(12) {
            0..3 => midnight + self.random.below(3) - 1,
            3 => midnight + self.random.below(6) * DAY,
            4 => self.model.now.saturating_sub(self.random.below(2 * DAY)),
            5..8 => self.model.now,
            _ => self.model.now + self.random.below(1_000),
        }
    }

    fn member(&mut self) -> String {
        format!("m{}", self.random.below(MEMBERS))
    }

    /// A day that a command names, and the words by which it does so.
    fn day(&mut self) -> (u64, String) {
        let today = self.model.today();
        let back = self.random.below(7).min(today);
        let day = today - back;
        match self.random.below(3) {
            0 if back == 1 => (day, String::new()),
            0 | 1 => (day, if back == 0 { " PERIOD 0".to_owned() } else { format!(" PERIOD -{back}") }),
            _ => (day, format!(" AT {}", day * DAY + self.random.below(DAY))),
        }
    }

    fn write(&mut self) {
        let (points, member, at) = (self.random.within(-3..8), self.member(), self.moment());
        self.servers.run(&format!("LB.ADD b {points} {member} AT {at}"));
        self.model.add(points, &member, at);
    }

    fn hide(&mut self) {
        let member = self.member();
        let is_hidden = self.model.hidden.contains(&member);
        let (name, expected) = match self.random.percent(50) {
            true => ("HIDE", !is_hidden),
            false => ("UNHIDE", is_hidden),
        };
        let reply = self.servers.run(&format!("LB.{name} b {member}"));
        assert_eq!(reply, u8::from(expected).to_string(), "LB.{name} {member}");
        match name {
            "HIDE" => self.model.hidden.insert(member),
            _ => self.model.hidden.remove(&member),
        };
    }

    fn claim(&mut self) {
        let (member, (day, words)) = (self.member(), self.day());
        let id = self.random.percent(60).then(|| format!("r{}", self.random.below(20)));
        let with_id = id.as_ref().map_or_else(String::new, |id| format!(" ID {id}"));
        let expected = match self.model.claim(&member, day, id.as_deref()) {
            Ok(None) => "nil".to_owned(),
            Ok(Some((prize, rank, is_first))) => format!("[{prize} {rank} {}]", u8::from(is_first)),
            Err(()) => "IDREUSED request id was used for a different write".to_owned(),
        };
        self.servers.says(&format!("LB.CLAIM b {member}{words}{with_id}"), &expected);
    }

    /// Reads all pages of a day's winners.
    fn read(&mut self) {
        let (day, words) = self.day();
        let unclaimed = self.random.percent(30);
        let option = if unclaimed { " UNCLAIMED" } else { "" };
        let count = 1 + self.random.below(4);
        let (mut cursor, mut rows) = ("0".to_owned(), Vec::new());
        loop {
            let page = self.servers.run(&format!("LB.PRIZES b {cursor} COUNT {count}{words}{option}"));
            let (next, some) = page[1..page.len() - 1].split_once(' ').unwrap();
            assert!(!some.starts_with("[]") || next == "0" || unclaimed, "an empty page: {page}");
            rows.extend(
                some[1..some.len() - 1].split("] ").map(|row| row.trim_matches(['[', ']']).to_owned()),
            );
            cursor = next.to_owned();
            if cursor == "0" {
                break;
            }
        }
        rows.retain(|row| !row.is_empty());
        let expected = self.model.winners(day, unclaimed).into_iter().map(|winner| {
            let claimed = winner.claimed.map_or_else(|| "nil".to_owned(), |claimed| claimed.to_string());
            format!("{} {} {} {} {claimed}", winner.rank, winner.member, winner.score, winner.prize)
        });
        assert_eq!(rows, expected.collect::<Vec<_>>(), "day {day}{option} of {}", self.model.today());
    }

    fn call(&mut self) {
        match self.random.below(100) {
            0..35 => self.write(),
            35..55 => self.claim(),
            55..80 => self.read(),
            80..88 => self.hide(),
            88..92 => {
                let member = self.member();
                let removed = self.servers.run(&format!("LB.REM b {member}"));
                assert_eq!(removed, u8::from(self.model.remove(&member)).to_string(), "LB.REM {member}");
            }
            92..96 => {
                let table = table(&mut self.random);
                self.servers.says(&format!("LB.ALTER b PRIZES day {}", word(&table)), "OK");
                self.model.set_table(table);
            }
            _ => {
                let now = self.moment().max(self.model.now);
                self.servers.says(&format!("LB.ALTER b NOW {now}"), "OK");
                self.model.move_to(now);
            }
        }
    }
}

#[test]
fn prizes_are_those_of_the_plain_model() {
    let sessions = if std::env::var_os("LEADERBOARD_SEED").is_some() { 1 } else { SESSIONS };
    for number in 0..sessions {
        let seed = seed() + number;
        let mut session = Session::new(seed);
        println!("LEADERBOARD_SEED={seed}");
        (0..CALLS).for_each(|_| session.call());
    }
}
