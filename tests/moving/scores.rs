//! Converts doubles to exact decimal numbers by their digits, and gives doubles for tests.

use leaderboard_testkit::random;
use leaderboard_testkit::session::say;
use leaderboard_testkit::{Flavor, Server};
use redis::Connection;

/// The reason why a board cannot hold a score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unfit {
    Digits,
    Range,
}

impl Unfit {
    /// Returns the error of a command for such a score.
    pub fn error(self, member: &str, decimals: usize) -> String {
        match self {
            Unfit::Digits => {
                format!("ERR the score of '{member}' has more digits than are kept (DECIMALS {decimals})")
            }
            Unfit::Range => format!("ERR the score of '{member}' is out of range"),
        }
    }
}

/// The digits before and after the point of the shortest decimal number that gives a double.
struct Digits {
    negative: bool,
    whole: String,
    rest: String,
}

fn digits(score: f64) -> Digits {
    // The Display format of a double is this decimal number without an exponent.
    let text = score.abs().to_string();
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    Digits { negative: score < 0.0, whole: whole.to_owned(), rest: rest.trim_end_matches('0').to_owned() }
}

impl Digits {
    /// Returns the number with these digits. `rest` is cut or filled up to this number of decimals.
    fn units(&self, decimals: usize) -> Result<i64, Unfit> {
        let rest = &self.rest[..self.rest.len().min(decimals)];
        let text = format!("{}{rest:0<decimals$}", self.whole);
        let text = text.trim_start_matches('0');
        // i64::MAX has 19 digits.
        let magnitude = match text.len() {
            0 => 0,
            1..=19 => text.parse().map_err(|_| Unfit::Range)?,
            _ => return Err(Unfit::Range),
        };
        Ok(if self.negative { -magnitude } else { magnitude })
    }
}

/// Returns the score in units of a board with this number of decimals.
pub fn units_of(score: f64, decimals: usize) -> Result<i64, Unfit> {
    if score.is_infinite() {
        return Err(Unfit::Range);
    }
    let digits = digits(score);
    if digits.rest.len() > decimals { Err(Unfit::Digits) } else { digits.units(decimals) }
}

/// Returns the nearest units; both neighbours if the score is exactly in the middle.
pub fn rounded(score: f64, decimals: usize) -> Result<Vec<i64>, Unfit> {
    if score.is_infinite() {
        return Err(Unfit::Range);
    }
    let digits = digits(score);
    let down = digits.units(decimals)?;
    let up = if digits.negative { down - 1 } else { down + 1 };
    let dropped = digits.rest.get(decimals..).unwrap_or_default();
    Ok(match dropped.cmp("5") {
        std::cmp::Ordering::Less => vec![down],
        std::cmp::Ordering::Equal => vec![down, up],
        std::cmp::Ordering::Greater => vec![up],
    })
}

/// Returns units in the form in which a board shows them.
pub fn shown(units: i64, decimals: usize) -> String {
    let sign = if units < 0 { "-" } else { "" };
    let digits = format!("{:0>width$}", units.unsigned_abs(), width = decimals + 1);
    let (whole, rest) = digits.split_at(digits.len() - decimals);
    let rest = rest.trim_end_matches('0');
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{rest}")
}

/// Reads a score in the form in which a board shows it, and returns it in units.
pub fn read(text: &str, decimals: usize) -> i64 {
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{rest:0<decimals$}");
    digits.parse().unwrap_or_else(|_| panic!("{text} with {decimals} decimals"))
}

pub struct Random(random::Random);

impl Random {
    /// Makes a generator. `$LEADERBOARD_SEED` selects another run, or repeats a failed run.
    pub fn new(seed: u64) -> Random {
        let run: u64 = std::env::var("LEADERBOARD_SEED").map_or(1, |run| run.parse().expect("a number"));
        Random(random::Random::new(seed + run * 10_000))
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.0.below(end)
    }

    pub fn percent(&mut self, chance: u64) -> bool {
        self.0.percent(chance)
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        self.0.pick(from)
    }

    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.number() << 32 ^ self.0.number()
    }

    /// Returns a double of any size, never NaN. Most of these fit a board with this number of decimals, and some of
    /// them are close to its limits.
    pub fn score(&mut self, decimals: usize) -> f64 {
        let ten = 10_f64.powi(decimals as i32);
        let magnitude = match self.below(10) {
            0 => self.below(5) as f64,
            1 => self.below(1 << 53) as f64,
            2 => (self.bits() >> self.below(64)) as f64 / ten,
            3 => (self.bits() >> 11) as f64 / 2.0_f64.powi(self.below(80) as i32),
            4 => (self.below(1_000) as f64 + 0.5) / ten,
            // Sums of doubles that are not exact.
            5 => self.below(100) as f64 / 10.0 + self.below(100) as f64 / 10.0,
            6 => *self.pick(&EDGES) / *self.pick(&[1.0, ten]),
            7 => 10_f64.powi(self.below(40) as i32 - 20),
            _ => self.below(1_000_000) as f64 / ten,
        };
        if self.percent(30) { -magnitude } else { magnitude }
    }
}

const EDGES: [f64; 12] = [
    9_223_372_036_854_775_807.0,
    // The next smaller and greater doubles.
    9_223_372_036_854_774_784.0,
    9_223_372_036_854_777_856.0,
    1_152_921_504_606_846_976.0,
    9_007_199_254_740_993.0,
    9_007_199_254_740_991.0,
    1e300,
    5e-324,
    f64::MIN_POSITIVE,
    f64::MAX,
    f64::INFINITY,
    0.0,
];

#[test]
fn doubles_are_their_shortest_decimals() {
    for (score, decimals, units) in [
        (0.1, 1, Ok(1)),
        (0.1, 0, Err(Unfit::Digits)),
        (-0.0, 0, Ok(0)),
        (-2.5, 2, Ok(-250)),
        (0.1 + 0.2, 9, Err(Unfit::Digits)),
        (1e18, 0, Ok(1_000_000_000_000_000_000)),
        (1e18, 1, Err(Unfit::Range)),
        (1e20, 0, Err(Unfit::Range)),
        (1e-9, 9, Ok(1)),
        (1e-10, 9, Err(Unfit::Digits)),
        (f64::INFINITY, 0, Err(Unfit::Range)),
        (1_152_921_504_606_846_976.0, 0, Ok(1_152_921_504_606_847_000)),
        (9_223_372_036_854_774_784.0, 0, Ok(9_223_372_036_854_775_000)),
        (9_223_372_036_854_775_807.0, 0, Err(Unfit::Range)),
        (9_007_199_254_740_991.0, 0, Ok(9_007_199_254_740_991)),
    ] {
        assert_eq!(units_of(score, decimals), units, "{score:?}");
    }
    for (score, decimals, units) in [
        (0.1 + 0.2, 9, Ok(vec![300_000_000])),
        (2.5, 0, Ok(vec![2, 3])),
        (-2.51, 0, Ok(vec![-3])),
        (-2.49, 0, Ok(vec![-2])),
        (-0.5, 0, Ok(vec![0, -1])),
        (5e-324, 9, Ok(vec![0])),
        (7.0, 2, Ok(vec![700])),
        (1e19, 0, Err(Unfit::Range)),
        (f64::NEG_INFINITY, 0, Err(Unfit::Range)),
    ] {
        assert_eq!(rounded(score, decimals), units, "{score:?}");
    }
    assert_eq!(
        [shown(-50, 2), shown(7, 0), shown(0, 9), shown(i64::MAX, 9)],
        ["-0.5", "7", "0", "9223372036.854775807"]
    );
    assert_eq!([read("-0.5", 2), read("7", 0), read("0", 9), read("-12.25", 3)], [-50, 7, 0, -12_250]);
}

/// Adds the decimal number with LB.ADD, and returns the resulting units.
fn added(con: &mut Connection, score: f64, decimals: usize) -> Result<i64, Unfit> {
    let reply = say(con, &format!("LB.ADD board{decimals} {score} m{}", score.to_bits()));
    match reply.strip_prefix('[') {
        Some(reply) => Ok(read(reply.split(' ').next().expect("a score").trim_matches('"'), decimals)),
        None if reply.ends_with("is out of range") || reply == "ERR points is not a decimal number" => {
            Err(Unfit::Range)
        }
        None => Err(Unfit::Digits),
    }
}

#[test]
fn a_board_takes_the_decimals_as_they_are_worked_out_here() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let mut random = Random::new(7);
    for decimals in 0..=9 {
        say(&mut con, &format!("LB.CREATE board{decimals} DECIMALS {decimals} AGGREGATE LAST"));
        let (mut fit, mut unfit) = (0, 0);
        for _ in 0..200 {
            let score = random.score(decimals);
            let units = added(&mut con, score, decimals);
            assert_eq!(units, units_of(score, decimals), "{score:?} with {decimals} decimals");
            *(if units.is_ok() { &mut fit } else { &mut unfit }) += 1;
        }
        assert!(fit > 60 && unfit > 20, "{fit} fit, {unfit} do not");
    }
}
