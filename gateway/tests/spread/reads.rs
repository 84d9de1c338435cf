//! Random reads, and their form for boards whose equal members are in another order.

use std::collections::HashMap;

use super::plays::{HOUR, Play, Points, now};
use super::wire::{Reply, Wire, bulk};

/// A word of a read.
#[derive(Clone)]
pub enum Word {
    Text(String),
    Member(String),
}

/// A read without its key.
#[derive(Clone)]
pub struct Read {
    pub words: Vec<Word>,
    pub view: String,
}

impl Read {
    pub fn command(&self) -> String {
        self.texts(&HashMap::new()).remove(0)
    }

    /// Returns the words of the read. Members that are in the map are replaced.
    pub fn texts(&self, members: &HashMap<String, String>) -> Vec<String> {
        let text = |word: &Word| match word {
            Word::Text(text) => text.clone(),
            Word::Member(name) => members.get(name).unwrap_or(name).clone(),
        };
        self.words.iter().map(text).collect()
    }
}

const PAGES: [&str; 4] = ["LB.TOP", "LB.RANGE", "LB.RANGEBYSCORE", "LB.AROUND"];
const LISTS: [&str; 4] = ["LB.MSCORE", "LB.AMONG", "LB.MSTANDING", "LB.MGETMETA"];

/// Returns a random read of this board. A meta belongs to a member and not to its place, so a test that exchanges
/// members does not read metas.
pub fn read(play: &mut Play, points: Points, metas: bool) -> Read {
    let plain = ["LB.RANK", "LB.SCORE", "LB.STANDING", "LB.STATS", "LB.QUANTILE", "LB.COUNT"];
    let rare = ["LB.HISTOGRAM", "LB.PERIODS", "LB.HIDDEN", "LB.GETMETA"];
    let commands: Vec<_> = PAGES.iter().chain(&PAGES).chain(&plain).chain(&LISTS).chain(&rare).collect();
    let command = **play.random.pick(&commands);
    let view = (*play.random.pick(&["all", "hour", "day:7"])).to_owned();
    let mut words = vec![text(command)];
    words.extend(arguments(play, command, points));
    let mut options = options(play, command, metas);
    if view != "all" || play.random.percent(30) {
        options.extend([text("VIEW"), text(&view)]);
    }
    match command {
        "LB.PERIODS" => words.push(text(&view)),
        "LB.HIDDEN" | "LB.GETMETA" => {}
        "LB.MGETMETA" => words.extend(members(play)),
        _ if LISTS.contains(&command) => {
            words.extend(options);
            words.extend(members(play));
        }
        _ => words.extend(options),
    }
    Read { words, view }
}

fn text(word: impl ToString) -> Word {
    Word::Text(word.to_string())
}

fn members(play: &mut Play) -> Vec<Word> {
    let count = 1 + play.random.below(6);
    let mut words = vec![text("MEMBERS"), text(count)];
    words.extend((0..count).map(|_| Word::Member(play.member())));
    words
}

fn bound(play: &mut Play, points: Points) -> Word {
    let sign = if play.random.percent(30) { "(" } else { "" };
    let number = match points {
        Points::Whole => (play.random.below(14) as i64 - 3).to_string(),
        Points::Cents => format!("{}.{}5", play.random.below(4), play.random.below(10)),
        Points::Levels => format!("{}/{}", play.random.below(6), play.random.below(8)),
    };
    match play.random.below(5) {
        0 => text("-inf"),
        1 => text("+inf"),
        _ => text(format!("{sign}{number}")),
    }
}

fn place(play: &mut Play) -> Word {
    let place = 1 + play.random.below(70) as i64;
    text(if play.random.percent(30) { -place } else { place })
}

fn arguments(play: &mut Play, command: &str, points: Points) -> Vec<Word> {
    match command {
        "LB.TOP" => {
            let count = *play.random.pick(&[0, 1, 3, 10, 30, 100, 1_000]);
            let mut words = vec![text(count)];
            if play.random.percent(40) {
                words.extend([text("OFFSET"), text(play.random.below(70))]);
            }
            words
        }
        "LB.RANGE" => vec![place(play), place(play)],
        "LB.RANGEBYSCORE" => {
            let mut words = vec![bound(play, points), bound(play, points)];
            for option in ["OFFSET", "COUNT"] {
                if play.random.percent(30) {
                    words.extend([text(option), text(play.random.below(20))]);
                }
            }
            words
        }
        "LB.AROUND" => {
            let mut words = vec![Word::Member(play.member())];
            if play.random.percent(50) {
                words.push(text(play.random.below(9)));
            } else {
                words.extend([
                    text("ABOVE"),
                    text(play.random.below(9)),
                    text("BELOW"),
                    text(play.random.below(70)),
                ]);
            }
            if play.random.percent(40) {
                words.push(text("FILL"));
            }
            words
        }
        "LB.RANK" | "LB.SCORE" | "LB.STANDING" | "LB.GETMETA" => vec![Word::Member(play.member())],
        "LB.QUANTILE" => {
            (0..=play.random.below(3)).map(|_| text(format!("0.{}", play.random.below(100)))).collect()
        }
        "LB.COUNT" if play.random.percent(60) => vec![bound(play, points), bound(play, points)],
        "LB.HISTOGRAM" => {
            let bounds = if points == Points::Levels { ["0/0", "9/9"] } else { ["-2", "20"] };
            let mut words: Vec<_> = bounds.map(text).into();
            words.push(text(1 + play.random.below(7)));
            words
        }
        _ => Vec::new(),
    }
}

fn options(play: &mut Play, command: &str, metas: bool) -> Vec<Word> {
    let mut words = Vec::new();
    if metas && (PAGES.contains(&command) || LISTS.contains(&command)) && play.random.percent(25) {
        words.push(text("WITHMETA"));
    }
    if play.random.percent(30) {
        words.extend([text("RANKS"), text(play.random.pick(&["ORDINAL", "COMPETITION", "DENSE"]))]);
    }
    if play.random.percent(25) {
        words.push(text("REV"));
    }
    match play.random.below(20) {
        0 => words.extend([text("PERIOD"), text(play.random.pick(&["0", "-1", "-2"]))]),
        1 => words.extend([text("AT"), text(now())]),
        2 => words.extend([text("AT"), text(now() - HOUR * play.random.below(9))]),
        _ => {}
    }
    words
}

/// The exchange of members between two boards: on the second one, members with the same score and moment are ordered
/// by their parts.
pub struct Places {
    /// For each member of the spread board, the member with the same place on the plain board.
    pub asked: HashMap<String, String>,
    /// The reverse of `asked`.
    told: HashMap<String, String>,
}

impl Places {
    /// Reads the order of the plain board, and calculates the exchange.
    pub fn of(wire: &mut Wire, key: &str, view: &str, part: impl Fn(&str) -> u16) -> Places {
        let rows = wire.run(&format!("LB.RANGE {key} 1 -1 VIEW {view}"));
        let names: Vec<_> = rows.items().iter().map(|row| row.items()[1].text()).collect();
        let mut equal = Vec::new();
        if !names.is_empty() {
            let standings =
                format!("LB.MSTANDING {key} VIEW {view} MEMBERS {} {}", names.len(), names.join(" "));
            let standings = wire.run(&standings);
            let sort = |standing: &Reply| (standing.field("score").clone(), standing.field("at").clone());
            equal = standings.items().iter().map(sort).collect();
        }
        let mut order: Vec<usize> = (0..names.len()).collect();
        let mut first = 0;
        while first < order.len() {
            let alike = (first..order.len()).take_while(|place| equal[*place] == equal[first]).count();
            order[first..first + alike].sort_by_key(|place| part(&names[*place]));
            first += alike;
        }
        let pairs: Vec<_> =
            (0..names.len()).map(|place| (names[order[place]].clone(), names[place].clone())).collect();
        Places {
            asked: pairs.iter().cloned().collect(),
            told: pairs.into_iter().map(|(a, b)| (b, a)).collect(),
        }
    }

    /// Returns the plain board's reply with the members that the spread board has in these places.
    pub fn told(&self, reply: &Reply) -> Reply {
        let all = |items: &[Reply]| items.iter().map(|item| self.told(item)).collect();
        match reply {
            Reply::Array(items) => Reply::Array(all(items)),
            Reply::Map(pairs) => {
                Reply::Map(pairs.iter().map(|(name, value)| (name.clone(), self.told(value))).collect())
            }
            Reply::Bulk(bytes) => {
                let name = String::from_utf8_lossy(bytes).into_owned();
                self.told.get(&name).map_or_else(|| reply.clone(), bulk)
            }
            other => other.clone(),
        }
    }
}
