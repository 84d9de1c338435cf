//! Segments: compares a board with one dimension, 200 countries, with what clients send today: a sorted set of all
//! members, a sorted set for each country, and a sorted set of the countries' totals.
//!
//! The pipeline of sorted sets does less, and the comparison ignores this. Its commands are not one step, and nobody
//! takes a member out of the old country when it goes to a new one.

use redis::Cmd;

use crate::contest::{self, Contestant, Speed, is_number, is_text, numbers, owned, rows};
use crate::fill::Random;
use crate::memory::{self, usage};
use crate::pipelines::{COUNTRY, MEMBER, POINTS};
use crate::server::Server;
use crate::{Options, fill};
use client::Result;

/// Additions that name the country, with the ranks among all members and in the country.
pub const ADD_WITHIN: &str = "LB.ADD with SEGMENT and WITHIN";
/// The commands of such an addition to sorted sets.
pub const PIPELINE: &str = "5 commands (3 ZINCRBY, 2 ZREVRANK)";
/// Additions to a board with a dimension.
pub const ADD: &str = "LB.ADD, 1 dimension";
/// Additions to a board without dimensions.
pub const PLAIN: &str = "LB.ADD, no dimension";
/// The rank of one member in its country.
pub const RANK_IN: &str = "LB.RANK with IN";
/// The same, where the client does not know the country.
pub const RANK_WITHIN: &str = "LB.RANK with WITHIN";
/// The rank of one member in the sorted set of its country.
pub const ZREVRANK: &str = "ZREVRANK in the country's set";
/// The ten best of all countries.
pub const SEGMENTS: &str = "LB.SEGMENTS COUNT 10";

/// The number of countries.
pub const COUNTRIES: u64 = 200;
/// The number of a country has as many digits as its placeholder.
const DIGITS: usize = COUNTRY.len();

/// The speed, and the memory of the dimension.
pub struct Segments {
    pub speed: Speed,
    /// Bytes per member that the board with the dimension takes more than the one without.
    pub more: f64,
    /// Bytes per member of the sorted sets of all countries.
    pub zsets: f64,
}

/// Returns the number of a member's country. The n-th country has about 1/n as many members as the first one.
pub fn country(member: u64) -> u64 {
    let power = Random::of(member).draw() as f64 / u64::MAX as f64;
    let number = (COUNTRIES.saturating_add(1) as f64).powf(power) as u64;
    number.clamp(1, COUNTRIES)
}

/// Fills boards and sorted sets, and measures additions to random members, and reads.
pub fn measure(server: &Server, options: &Options) -> Result<Segments> {
    let members = options.members();
    let mut client = server.client()?;
    client.ask::<()>(&["LB.CREATE", "segments", "SEGMENTS", "country:SUM"])?;
    fill_board(server, members)?;
    fill::board(server, "plain", members)?;
    let more = (usage(&mut client, "segments")? - usage(&mut client, "plain")?) / members as f64;
    fill::zset(server, 0, "world", members)?;
    let (zsets, _) = memory::grown(&mut client, &[], members, || fill_countries(server, members))?;
    fill_totals(server, members)?;
    let speed = contest::measure(server, options, contestants())?;
    Ok(Segments { speed, more, zsets: zsets.used })
}

fn fill_board(server: &Server, members: u64) -> Result<f64> {
    let adds = fill::numbered(members).map(|(score, number)| {
        let mut add = Cmd::with_capacity(7, 96);
        add.arg("LB.ADD").arg("segments").arg(score).arg(fill::member(number));
        add.arg("SEGMENT").arg("country").arg(name(country(number)));
        add
    });
    fill::send(server, 0, "filling segments", members, adds)
}

fn fill_countries(server: &Server, members: u64) -> Result<f64> {
    let adds = fill::numbered(members).map(|(score, number)| {
        let mut add = Cmd::with_capacity(4, 64);
        add.arg("ZADD")
            .arg(format!("country:{}", name(country(number))))
            .arg(score)
            .arg(fill::member(number));
        add
    });
    fill::send(server, 0, "filling countries", members, adds)
}

fn fill_totals(server: &Server, members: u64) -> Result<f64> {
    let adds = fill::numbered(members).map(|(score, number)| {
        let mut add = Cmd::with_capacity(4, 64);
        add.arg("ZINCRBY").arg("totals").arg(score).arg(name(country(number)));
        add
    });
    fill::send(server, 0, "filling totals", members, adds)
}

fn name(country: u64) -> String {
    format!("{country:0DIGITS$}")
}

fn contestants() -> Vec<Contestant> {
    let member = &format!("m:{MEMBER}");
    let zset = &format!("country:{COUNTRY}");
    let within = ["LB.ADD", "segments", POINTS, member, "SEGMENT", "country", COUNTRY, "WITHIN", "country"];
    let commands = [
        &["ZINCRBY", "world", POINTS, member][..],
        &["ZINCRBY", zset, POINTS, member],
        &["ZREVRANK", "world", member],
        &["ZREVRANK", zset, member],
        &["ZINCRBY", "totals", POINTS, COUNTRY],
    ];
    let pipeline = Contestant::of_several(PIPELINE, commands.map(owned).to_vec(), |reply| {
        is_text(reply) || is_number(reply)
    });
    let three = |reply: &_| numbers(reply, 3);
    vec![
        Contestant::new(ADD_WITHIN, &within, |reply| numbers(reply, 4)),
        Contestant { share: 5, ..pipeline },
        Contestant::new(ADD, &["LB.ADD", "segments", POINTS, member], three),
        Contestant::new(PLAIN, &["LB.ADD", "plain", POINTS, member], three),
        Contestant::new(RANK_IN, &["LB.RANK", "segments", member, "IN", "country", COUNTRY], is_number),
        Contestant::new(RANK_WITHIN, &["LB.RANK", "segments", member, "WITHIN", "country"], is_number),
        Contestant::new(ZREVRANK, &["ZREVRANK", zset, member], is_number),
        Contestant {
            share: 10,
            ..Contestant::new(SEGMENTS, &["LB.SEGMENTS", "segments", "country", "COUNT", "10"], |reply| {
                rows(reply, 10)
            })
        },
    ]
}
