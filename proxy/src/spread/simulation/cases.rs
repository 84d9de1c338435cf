//! Random boards, writes and reads, with few distinct scores and many equal moments.

use leaderboard_core::Board;
use leaderboard_core::calendar::Unit;
use leaderboard_core::levels::Levels;
use leaderboard_core::parts::{Parts, Role};
use leaderboard_core::schema::{Aggregate, Order, Schema, Ties};
use leaderboard_core::view::{Kind, Spec};
use proptest::collection::vec;
use proptest::prelude::*;

use super::cluster::{NODES, Simulated, World};
use super::truth::{Truth, name};

/// The name of the board.
pub const BOARD: &[u8] = b"game";
/// The views of boards. The first view is the default view.
const VIEWS: [&[&str]; 4] = [&["all", "hour", "hour:3"], &["hour", "all"], &["hour:3"], &["all"]];

/// A board and the writes to it.
#[derive(Debug, Clone)]
pub struct Case {
    pub rules: Rules,
    /// The maximum number of members.
    pub members: usize,
    pub writes: Vec<Step>,
    pub skews: [u64; NODES],
    pub seed: u64,
}

#[derive(Debug, Clone)]
pub struct Rules {
    pub parts: Parts,
    pub order: Order,
    pub ties: Ties,
    pub aggregate: Aggregate,
    pub decimals: u8,
    pub has_levels: bool,
    pub views: usize,
    pub retain: u32,
}

/// A write, or a step of time. The first number is the number of a member.
#[derive(Debug, Clone)]
pub enum Step {
    Add(usize, i64),
    Set(usize, i64),
    Remove(usize),
    Hide(usize),
    Unhide(usize),
    Meta(usize, u8),
    Pass(u64),
}

/// A read, as random numbers. They are mapped to members, views and options that exist.
#[derive(Debug, Clone)]
pub struct Read {
    pub kind: u8,
    pub numbers: [u16; 6],
    pub options: u16,
}

impl Rules {
    pub fn schema(&self) -> Schema {
        let levels = self.has_levels.then(|| Levels::parse(b"gold:DESC:50,lost:ASC:50").unwrap());
        let is_plain = levels.is_none();
        Schema {
            order: if is_plain { self.order } else { Order::Desc },
            ties: self.ties,
            aggregate: self.aggregate,
            decimals: if is_plain { self.decimals } else { 0 },
            levels,
            ..Schema::default()
        }
    }

    pub fn specs(&self) -> Vec<Spec> {
        let views = VIEWS[self.views].iter();
        views
            .map(|view| Spec { retain: self.retain, ..Spec::new(Kind::parse(view.as_bytes()).unwrap()) })
            .collect()
    }

    /// Returns the root and the parts of the board, without members.
    pub fn boards(&self) -> Vec<(Vec<u8>, Board)> {
        let parts = self.parts;
        let board = |role| Board::new(Schema { role, ..self.schema() }, &self.specs()).unwrap();
        let root = (BOARD.to_vec(), board(Role::Root(parts)));
        let part = |number| (parts.key(BOARD, number), board(Role::Part { number, parts }));
        std::iter::once(root).chain((0..parts.count()).map(part)).collect()
    }

    /// Returns a score in the form of a command's argument.
    pub fn amount(&self, points: i64) -> String {
        match (self.has_levels, self.decimals) {
            (true, _) => format!("{}/{}", points.rem_euclid(4), points.rem_euclid(3)),
            (false, 0) => points.to_string(),
            (false, _) => format!("{points}.{}", points.rem_euclid(2) * 5),
        }
    }
}

pub fn words(text: &str) -> Vec<Vec<u8>> {
    text.split(' ').map(|word| word.as_bytes().to_vec()).collect()
}

impl Step {
    /// Returns the words of the command for the part of its member.
    pub fn words(&self, rules: &Rules) -> Option<Vec<Vec<u8>>> {
        let (text, member) = match self {
            Self::Add(member, points) => (format!("LB.ADD {{}} {} {{m}}", rules.amount(*points)), member),
            Self::Set(member, points) => (format!("LB.SET {{}} {} {{m}}", rules.amount(*points)), member),
            Self::Remove(member) => ("LB.REM {} {m}".to_owned(), member),
            Self::Hide(member) => ("LB.HIDE {} {m}".to_owned(), member),
            Self::Unhide(member) => ("LB.UNHIDE {} {m}".to_owned(), member),
            Self::Meta(member, text) => (format!("LB.SETMETA {{}} {{m}} text{text}"), member),
            Self::Pass(_) => return None,
        };
        let member = name(*member);
        let key = rules.parts.key(BOARD, rules.parts.of(&member));
        let place = |word: Vec<u8>| match word.as_slice() {
            b"{}" => key.clone(),
            b"{m}" => member.clone(),
            _ => word,
        };
        Some(words(&text).into_iter().map(place).collect())
    }
}

pub fn rules() -> impl Strategy<Value = Rules> {
    let order = prop_oneof![Just(Order::Desc), Just(Order::Asc)];
    let ties = prop_oneof![Just(Ties::First), Just(Ties::Last)];
    let aggregate =
        prop_oneof![3 => Just(Aggregate::Sum), 1 => Just(Aggregate::Max), 1 => Just(Aggregate::Last)];
    let parts = prop_oneof![Just(2_u16), Just(4), Just(16), Just(64)];
    let parts = parts.prop_map(|parts| Parts::new(parts, "PARTS").unwrap());
    let views = prop_oneof![4 => Just(0_usize), 1 => Just(1), 1 => Just(2), 2 => Just(3)];
    (parts, order, ties, aggregate, 0_u8..3, prop::bool::weighted(0.2), views, 1_u32..4).prop_map(
        |(parts, order, ties, aggregate, decimals, has_levels, views, retain)| Rules {
            parts,
            order,
            ties,
            aggregate,
            decimals,
            has_levels,
            views,
            retain,
        },
    )
}

pub fn step(members: usize) -> impl Strategy<Value = Step> {
    let member = 0..members;
    prop_oneof![
        12 => (member.clone(), -3_i64..6).prop_map(|(member, points)| Step::Add(member, points)),
        3 => (member.clone(), 0_i64..5).prop_map(|(member, score)| Step::Set(member, score)),
        1 => member.clone().prop_map(Step::Remove),
        1 => member.clone().prop_map(Step::Hide),
        1 => member.clone().prop_map(Step::Unhide),
        1 => (member, 0_u8..3).prop_map(|(member, text)| Step::Meta(member, text)),
        4 => prop_oneof![4 => Just(1_u64), 1 => Just(700), 1 => Just(1_500_000)].prop_map(Step::Pass),
    ]
}

/// Returns a board with few or many members.
pub fn case(most: usize) -> impl Strategy<Value = Case> {
    let skews = [0_u64..300, 0..300, 0..300];
    (rules(), prop_oneof![1 => 1_usize..6, 3 => 6..=most]).prop_flat_map(move |(rules, members)| {
        let writes = vec(step(members), 0..=members * 2);
        (Just(rules), Just(members), writes, skews.clone(), any::<u64>())
            .prop_map(|(rules, members, writes, skews, seed)| Case { rules, members, writes, skews, seed })
    })
}

/// Returns a board of whole numbers with this number of members. Each member has one of three scores.
pub fn plain_case(parts: u16, members: usize) -> Case {
    let rules = Rules {
        parts: Parts::new(parts, "PARTS").unwrap(),
        order: Order::default(),
        ties: Ties::default(),
        aggregate: Aggregate::default(),
        decimals: 0,
        has_levels: false,
        views: 0,
        retain: 1,
    };
    let writes = (0..members).map(|number| Step::Add(number, (number % 3) as i64)).collect();
    Case { rules, members, writes, skews: [0; NODES], seed: 1 }
}

pub fn read() -> impl Strategy<Value = Read> {
    (0_u8..22, any::<[u16; 6]>(), any::<u16>()).prop_map(|(kind, numbers, options)| Read {
        kind,
        numbers,
        options,
    })
}

impl Case {
    /// Returns the nodes with the board, after all writes.
    pub fn world(&self) -> World {
        let mut world = World::new(self.rules.boards(), self.seed);
        world.skews = self.skews;
        world.advance();
        for step in &self.writes {
            perform(&mut world, &self.rules, step);
        }
        // No end of a period is near.
        world.passed += 5;
        if (world.wall(0) + 10_000) % 3_600_000 < 20_000 {
            world.passed += 20_000;
        }
        world.advance();
        world
    }

    pub fn nodes(&self) -> Simulated {
        Simulated::new(self.world())
    }
}

/// Carries out a step on the node that has the member.
pub fn perform(world: &mut World, rules: &Rules, step: &Step) {
    match step {
        Step::Pass(millis) => {
            world.passed += millis;
            world.advance();
        }
        _ => {
            let words = step.words(rules).unwrap();
            let reply = world.run(&words);
            // A sum can be out of the range of the levels. No other write is refused.
            assert!(rules.has_levels || super::values::error_text(&reply).is_none(), "{step:?}: {reply:?}");
        }
    }
}

/// Returns the expected reply for the current state of the simulated cluster.
pub fn truth(world: &mut World, parts: Parts, only: Option<&[u16]>, words: &[Vec<u8>]) -> redis::Value {
    world.advance();
    Truth { world, name: BOARD, parts, only }.reply(words)
}

impl Read {
    /// Returns the words of the read.
    pub fn words(&self, rules: &Rules, members: usize, wall: u64) -> Vec<Vec<u8>> {
        let [a, b, c, d, e, _] = self.numbers;
        let member = |number: u16| format!("m{}", usize::from(number) % (members + 1));
        let count = |number: u16| {
            if number.is_multiple_of(5) { usize::from(number % 400) } else { usize::from(number % 8) }
        };
        let rank = |number: u16| {
            let rank = count(number) as i64 + 1;
            if number & 0x100 == 0 { rank } else { -rank }
        };
        let bound = |number: u16| match number % 8 {
            0 => "-inf".to_owned(),
            1 => "+inf".to_owned(),
            shape => {
                let edge = rules.amount(i64::from(number / 8 % 12) - 3);
                if shape == 2 { format!("({edge}") } else { edge }
            }
        };
        let (low, high) = match (bound(a), bound(b)) {
            (low, high) if a.is_multiple_of(3) => (low, high),
            (low, high) if low == "+inf" || high == "-inf" => ("-inf".to_owned(), "+inf".to_owned()),
            both => both,
        };
        let list = |numbers: &[u16]| {
            let names: Vec<_> = numbers.iter().map(|number| member(*number)).collect();
            format!("MEMBERS {} {}", names.len(), names.join(" "))
        };
        let some = list(&self.numbers[..1 + usize::from(e % 6)]);
        let offset = if e & 1 == 0 { format!(" OFFSET {}", count(d)) } else { String::new() };
        let (lines, ranked, named) = (7_u8, 3, 1);
        let (text, kind) = match self.kind {
            0 | 1 => (format!("LB.TOP game {}{offset}", count(a)), lines),
            2 | 3 => (format!("LB.RANGE game {} {}", rank(a), rank(b)), lines),
            4 => {
                let count = if e & 2 == 0 { format!(" COUNT {}", count(c)) } else { String::new() };
                (format!("LB.RANGEBYSCORE game {low} {high}{offset}{count}"), lines)
            }
            5 => {
                let fill = if e & 1 == 0 { " FILL" } else { "" };
                (format!("LB.AROUND game {} {}{fill}", member(a), count(b)), lines)
            }
            6 => {
                let fill = if e & 1 == 0 { " FILL" } else { "" };
                (format!("LB.AROUND game {} ABOVE {} BELOW {}{fill}", member(a), count(b), count(c)), lines)
            }
            7 | 8 => (format!("LB.RANK game {}", member(a)), ranked),
            9 => (format!("LB.SCORE game {}", member(a)), ranked),
            10 => (format!("LB.MSCORE game {some}"), lines),
            11 => (format!("LB.AMONG game {some}"), lines),
            12 => (format!("LB.STANDING game {}", member(a)), lines),
            13 => (format!("LB.MSTANDING game {some}"), lines),
            14 => ("LB.STATS game".to_owned(), named),
            15 => {
                let shares = ["0", "1", "0.5", "0.25", "0.999999999", "0.01", "0.75"];
                let picked: Vec<_> = self.numbers[..1 + usize::from(e % 4)]
                    .iter()
                    .map(|at| shares[usize::from(*at) % 7])
                    .collect();
                (format!("LB.QUANTILE game {}", picked.join(" ")), named)
            }
            16 => (format!("LB.HISTOGRAM game {low} {high} {}", 1 + c % 9), named),
            17 if a & 1 == 0 => ("LB.COUNT game".to_owned(), named),
            17 => (format!("LB.COUNT game {low} {high}"), named),
            18 => (
                format!("LB.PERIODS game {}", VIEWS[rules.views][usize::from(a) % VIEWS[rules.views].len()]),
                0,
            ),
            19 => ("LB.HIDDEN game".to_owned(), 0),
            20 => (format!("LB.GETMETA game {}", member(a)), 0),
            _ => (format!("LB.MGETMETA game {some}"), 0),
        };
        let mut all = words(&text);
        let form = ["", "FLAT", "PACKED"][usize::from(c >> 3) % 3];
        let has_form = self.kind <= 6 && !form.is_empty();
        if has_form {
            all.push(form.into());
        }
        if kind >= 1 {
            self.name_period(rules, wall, &mut all);
        }
        if kind >= 3 && !has_form && self.options & 0x30 != 0 {
            let ranks = ["", " RANKS ORDINAL", " RANKS COMPETITION", " RANKS DENSE"];
            all.extend(words(ranks[usize::from(self.options >> 4 & 3)]).into_iter().skip(1));
        }
        if kind >= 3 && self.options & 0xc0 == 0 {
            all.push(b"REV".to_vec());
        }
        if kind >= 7 && self.options & 0x300 == 0 {
            all.push(b"WITHMETA".to_vec());
        }
        all
    }

    fn name_period(&self, rules: &Rules, wall: u64, all: &mut Vec<Vec<u8>>) {
        let views = VIEWS[rules.views];
        let view = views[usize::from(self.options >> 10) % views.len()];
        let is_named = self.options & 1 == 0;
        if is_named {
            all.extend(words(&format!("VIEW {view}")));
        }
        let view = if is_named { view } else { views[0] };
        let hour = 3_600_000;
        let text = match (self.options >> 1 & 7, view) {
            (0..=2, _) => return,
            (3, _) => "PERIOD -1".to_owned(),
            (4, _) => format!("PERIOD -{}", self.numbers[5] % 5),
            (_, "all") => return,
            (5, _) => {
                let start = (wall - u64::from(self.numbers[5] % 4) * hour) as i64;
                let calendar = leaderboard_core::calendar::Calendar::default();
                format!("PERIOD {}", calendar.label(Unit::Hour, calendar.period(Unit::Hour, start).start))
            }
            _ => format!("AT {}", wall - u64::from(self.numbers[5] % 4) * hour),
        };
        all.extend(words(&text));
    }
}
