//! Compares the statistics of random boards with sums and counts of their lines.

use leaderboard_testkit::random::{Random, seed};
use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, query};
use redis::Connection;

/// Returns the scores of a view from LB.TOP in smallest units, the smallest first.
fn units(con: &mut Connection, options: &str, decimals: u32) -> Vec<i128> {
    let line = format!("LB.TOP board 100000{options}");
    let lines: Vec<(u64, String, String)> = query(con, &line.split(' ').collect::<Vec<_>>());
    let mut units: Vec<i128> = lines.iter().map(|line| parsed(&line.2, decimals)).collect();
    units.sort_unstable();
    units
}

fn parsed(text: &str, decimals: u32) -> i128 {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{fraction:0<width$}", width = decimals as usize);
    digits.parse().expect("a score")
}

/// Returns units as the shortest decimal number.
fn decimal(units: i128, decimals: u32) -> String {
    let text = fixed(units, decimals);
    if decimals == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}

fn fixed(units: i128, decimals: u32) -> String {
    let width = decimals as usize + 1;
    let digits = format!("{:0>width$}", units.unsigned_abs());
    let (whole, fraction) = digits.split_at(digits.len() - decimals as usize);
    let point = if decimals == 0 { "" } else { "." };
    format!("{}{whole}{point}{fraction}", if units < 0 { "-" } else { "" })
}

/// Returns units in the form of a reply.
fn shown(units: i128, decimals: u32) -> String {
    let text = decimal(units, decimals);
    if decimals == 0 && i64::try_from(units).is_ok() { text } else { format!("\"{text}\"") }
}

fn mean(sum: i128, members: i128, decimals: u32) -> String {
    let (numerator, denominator) = (sum.abs() * 1_000_000, members * 10_i128.pow(decimals));
    let rounded = (numerator * 2 + denominator) / (denominator * 2);
    fixed(rounded * sum.signum(), 6)
}

fn quantile(units: &[i128], billionths: i128) -> i128 {
    let place = (billionths * units.len() as i128 + 999_999_999) / 1_000_000_000;
    units[place.max(1) as usize - 1]
}

fn stats(units: &[i128], decimals: u32) -> String {
    let sum: i128 = units.iter().sum();
    let zero = shown(0, decimals);
    let (Some(least), Some(greatest)) = (units.first(), units.last()) else {
        return format!(r#"["members" 0 "sum" {zero} "mean" nil "min" nil "max" nil "median" nil]"#);
    };
    format!(
        r#"["members" {} "sum" {} "mean" "{}" "min" {} "max" {} "median" {}]"#,
        units.len(),
        shown(sum, decimals),
        mean(sum, units.len() as i128, decimals),
        shown(*least, decimals),
        shown(*greatest, decimals),
        shown(quantile(units, 500_000_000), decimals)
    )
}

fn histogram(units: &[i128], low: i128, high: i128, buckets: i128, decimals: u32) -> String {
    let width = high - low;
    let edge = |number: i128| low + (number * width + buckets - 1) / buckets;
    let rows = (0..buckets).map(|number| {
        let (from, to) = (edge(number), edge(number + 1));
        let within = |unit: &&i128| **unit >= from && (**unit < to || number == buckets - 1 && **unit == to);
        let members = units.iter().filter(within).count();
        format!("[{} {} {members}]", shown(from, decimals), shown(to, decimals))
    });
    format!("[{}]", rows.collect::<Vec<_>>().join(" "))
}

#[track_caller]
fn compare(con: &mut Connection, random: &mut Random, options: &str, decimals: u32) {
    let all = units(con, options, decimals);
    assert_eq!(say(con, &format!("LB.STATS board{options}")), stats(&all, decimals), "{options}");
    let shares: Vec<i128> =
        (0..6).map(|n| if n == 5 { 1_000_000_000 } else { random.below(1_000_000_000).into() }).collect();
    let words: String = shares.iter().map(|share| format!(" {}", decimal(*share, 9))).collect();
    let scores = shares.iter().map(|share| match all.len() {
        0 => "nil".to_owned(),
        _ => shown(quantile(&all, *share), decimals),
    });
    let expected = format!("[{}]", scores.collect::<Vec<_>>().join(" "));
    assert_eq!(say(con, &format!("LB.QUANTILE board{words}{options}")), expected, "{words}{options}");
    for _ in 0..3 {
        let low = i128::from(random.below(60)) - 30;
        let high = low + i128::from(random.below(80));
        let buckets = 1 + i128::from(random.below(12));
        let (min, max) = (decimal(low, decimals), decimal(high, decimals));
        let line = format!("LB.HISTOGRAM board {min} {max} {buckets}{options}");
        assert_eq!(say(con, &line), histogram(&all, low, high, buckets, decimals), "{line}");
    }
}

/// Sends random writes over several days. Some remove, hide or show members.
fn write(con: &mut Connection, random: &mut Random, decimals: u32, at: u64) {
    for _ in 0..1 + random.below(20) {
        let member = random.below(150);
        let points = decimal(i128::from(random.below(40)) - 15, decimals);
        let line = match random.below(20) {
            0 => format!("LB.REM board m{member}"),
            1 | 2 => format!("LB.HIDE board m{member}"),
            3 => format!("LB.UNHIDE board m{member}"),
            4 => format!("LB.SET board {points} m{member} AT {at}"),
            _ => format!("LB.ADD board {points} m{member} AT {at}"),
        };
        play(con, &line);
    }
}

#[test]
fn statistics_are_those_of_the_lines_that_are_shown() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    for (number, rules) in [
        "AGGREGATE SUM",
        "AGGREGATE SUM ORDER ASC TIES LAST",
        "AGGREGATE MAX",
        "AGGREGATE LAST TIES LEX",
        "AGGREGATE SUM CARRY day=0.5",
        "AGGREGATE MIN ORDER ASC",
    ]
    .into_iter()
    .enumerate()
    {
        let mut random = Random::new(seed() * 10 + number as u64);
        let decimals = *random.pick(&[0, 0, 2, 9]);
        println!("{rules} {decimals}");
        let views = "VIEWS all,day,day:3 CLOCK EVENT RETAIN 2";
        play(&mut con, &format!("FLUSHALL\nLB.CREATE board {views} DECIMALS {decimals} {rules}"));
        let mut at = 1_700_000_000_000;
        for _ in 0..25 {
            at += random.below(2) * random.below(60_000_000);
            write(&mut con, &mut random, decimals, at);
            for view in ["all", "day", "day:3"] {
                compare(&mut con, &mut random, &format!(" VIEW {view}"), decimals);
            }
            for view in ["day PERIOD -1", "day PERIOD -2", "day:3 PERIOD -1"] {
                compare(&mut con, &mut random, &format!(" VIEW {view}"), decimals);
            }
        }
    }
}

#[test]
fn statistics_of_a_large_board_are_exact() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let mut random = Random::new(seed() + 8);
    play(&mut con, "LB.CREATE board CLOCK EVENT");
    for batch in 0..20 {
        let score = |random: &mut Random| random.number() as i64 - (1 << 52);
        let pairs = (0..1_000).map(|n| format!(" {} m{}", score(&mut random), batch * 1_000 + n));
        let line = format!("LB.MADD board AT 1{}", pairs.collect::<String>());
        play(&mut con, &line);
    }
    compare(&mut con, &mut random, "", 0);
    play(&mut con, "LB.REMRANGE board 5000 15000 => 10001");
    compare(&mut con, &mut random, "", 0);
    play(&mut con, "DEBUG RELOAD => OK");
    compare(&mut con, &mut random, " VIEW all", 0);
}
