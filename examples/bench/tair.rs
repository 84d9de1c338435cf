//! Compares boards with TairZset, a module whose sorted sets have scores of up to 256 levels. Only runs with `--tair`, which
//! names the module: it comes as source, from <https://github.com/tair-opensource/TairZset>.

use redis::Cmd;

use crate::Options;
use crate::contest::{self, Contestant, Speed, is_number, is_text, rows};
use crate::fill::{entries, send};
use crate::memory;
use crate::pipelines::{MEMBER, POINTS};
use crate::server::Server;
use client::Result;

/// The key of the board with levels.
const LEVELS: &str = "tair:3:board";

/// The contestants of one form of scores.
pub struct Form {
    /// The names of a board and of a TairZset.
    keys: [&'static str; 2],
    /// What follows the first level of the scores with which the board and the TairZset are filled.
    filled: [&'static str; 2],
    /// What follows the first level in an addition. Some members get so many that their lower levels would become too large.
    added: [&'static str; 2],
    pub add: &'static str,
    pub exzincrby: &'static str,
    pub both: &'static str,
    pub rank: &'static str,
    pub exzrevrank: &'static str,
    pub top: &'static str,
    pub flat: &'static str,
    pub packed: &'static str,
    pub exzrevrange: &'static str,
}

macro_rules! form {
    ($keys:expr, $filled:expr, $added:expr, $text:literal) => {
        Form {
            keys: $keys,
            filled: $filled,
            added: $added,
            add: concat!("LB.ADD, ", $text),
            exzincrby: concat!("EXZINCRBY, ", $text),
            both: concat!("EXZINCRBY and EXZREVRANK, ", $text),
            rank: concat!("LB.RANK, ", $text),
            exzrevrank: concat!("EXZREVRANK, ", $text),
            top: concat!("LB.TOP 100, ", $text),
            flat: concat!("LB.TOP 100 FLAT, ", $text),
            packed: concat!("LB.TOP 100 PACKED, ", $text),
            exzrevrange: concat!("EXZREVRANGE 0 99 WITHSCORES, ", $text),
        }
    };
}

pub const FORMS: [Form; 2] = [
    form!(["tair:1:board", "tair:1:zset"], ["", ""], ["", ""], "1 level"),
    form!([LEVELS, "tair:3:zset"], ["/7/3", "#7#3"], ["/0/0", "#0#0"], "3 levels"),
];

/// The speed, and the memory.
pub struct Tair {
    pub speed: Speed,
    /// For each form, the bytes per member of the board and of the TairZset, by used_memory.
    pub bytes: Vec<[f64; 2]>,
}

/// Fills boards and TairZsets, and measures additions to random members, and reads.
pub fn measure(server: &Server, options: &Options) -> Result<Tair> {
    let mut client = server.client()?;
    let members = options.members();
    client.ask::<()>(&[
        "LB.CREATE",
        LEVELS,
        "LEVELS",
        "gold:DESC:10000000000000,silver:DESC:200,bronze:DESC:200",
    ])?;
    let mut bytes = Vec::new();
    for Form { keys: [board, zset], filled: [ours, theirs], .. } in &FORMS {
        let mut of = |command, key, levels| {
            memory::grown(&mut client, &[], members, || fill(server, [command, key], levels, members))
        };
        bytes.push([of("LB.ADD", board, ours)?.0.used, of("EXZADD", zset, theirs)?.0.used]);
    }
    let speed = contest::measure(server, options, FORMS.iter().flat_map(contestants).collect())?;
    Ok(Tair { speed, bytes })
}

fn fill(server: &Server, [command, key]: [&str; 2], levels: &str, members: u64) -> Result<f64> {
    let adds = entries(members).map(|(score, member)| {
        let mut add = Cmd::with_capacity(4, 64);
        add.arg(command).arg(key).arg(format!("{score}{levels}")).arg(member);
        add
    });
    send(server, 0, &format!("filling {key}"), members, adds)
}

fn contestants(form: &Form) -> Vec<Contestant> {
    let Form { keys: [board, zset], added, .. } = form;
    let member = &format!("m:{MEMBER}");
    let [ours, theirs] = &added.map(|levels| format!("{POINTS}{levels}"));
    let (incr, rank) = (["EXZINCRBY", zset, theirs, member], ["EXZREVRANK", zset, member]);
    let both = [&incr[..], &rank].map(contest::owned).to_vec();
    let is_any = |reply: &_| is_text(reply) || is_number(reply);
    let hundred = |reply: &_| rows(reply, 100);
    let pairs = |reply: &_| rows(reply, 200);
    let seldom = |contestant| Contestant { share: 20, ..contestant };
    vec![
        Contestant::new(form.add, &["LB.ADD", board, ours, member], |reply| rows(reply, 3)),
        Contestant::new(form.exzincrby, &incr, is_text),
        Contestant { share: 2, ..Contestant::of_several(form.both, both, is_any) },
        Contestant::new(form.rank, &["LB.RANK", board, member], is_number),
        Contestant::new(form.exzrevrank, &rank, is_number),
        seldom(Contestant::new(form.top, &["LB.TOP", board, "100"], hundred)),
        seldom(Contestant::new(form.flat, &["LB.TOP", board, "100", "FLAT"], |reply| rows(reply, 201))),
        seldom(Contestant::new(form.packed, &["LB.TOP", board, "100", "PACKED"], |reply| rows(reply, 2))),
        seldom(Contestant::new(form.exzrevrange, &["EXZREVRANGE", zset, "0", "99", "WITHSCORES"], pairs)),
    ]
}
