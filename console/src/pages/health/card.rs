//! A server on the page: a few figures, and groups of rows below the figures.

use crate::i18n::health::Health as Words;
use crate::i18n::numbers::{bytes, grouped};
use crate::pages::frame::Frame;
use crate::pages::health::findings::put;
use crate::pages::health::told::Told;
use crate::pages::times::Zone;

/// A server.
pub struct Card {
    pub name: String,
    pub is_bad: bool,
    /// `None` if the server does not answer.
    pub state: Option<State>,
}

/// The data of a server that answers.
pub struct State {
    pub is_replica: bool,
    pub figures: Vec<Figure>,
    pub groups: Vec<Group>,
}

/// A figure, and the value that it is compared with.
pub struct Figure {
    pub name: &'static str,
    pub value: String,
    pub beside: String,
}

/// Rows that belong together.
pub struct Group {
    pub title: &'static str,
    pub rows: Vec<(&'static str, Vec<String>)>,
}

impl State {
    /// The data without the figures that are about all keys.
    pub fn brief(told: &Told) -> Self {
        Self { is_replica: told.is_replica(), figures: Vec::new(), groups: Vec::new() }
    }

    /// `primary_offset`: the replication offset of the primary of this replica, if it is known.
    pub fn new(told: &Told, now: i64, primary_offset: Option<u64>, frame: &Frame) -> Self {
        let words = &frame.words.health;
        Self {
            is_replica: told.is_replica(),
            figures: figures(told, words),
            groups: vec![
                server(told, now, words),
                replication(told, primary_offset, words),
                persistence(told, words),
                module(told, words),
            ],
        }
    }
}

fn number(number: u64) -> String {
    grouped(&number.to_string())
}

fn figures(told: &Told, words: &Words) -> Vec<Figure> {
    let max = told.number("maxmemory");
    let limit = if max == 0 { words.no_limit.to_owned() } else { put(words.of_memory, &bytes(max)) };
    vec![
        Figure { name: words.memory, value: bytes(told.number("used_memory")), beside: limit },
        Figure {
            name: words.clients,
            value: number(told.number("connected_clients")),
            beside: put(words.of, &number(told.number("maxclients"))),
        },
        Figure {
            name: words.commands,
            value: number(told.number("instantaneous_ops_per_sec")),
            beside: words.per_second.to_owned(),
        },
    ]
}

fn utc(seconds: i64) -> String {
    format!("{} UTC", Zone::of_board("UTC").minute(seconds.saturating_mul(1_000)))
}

fn server(told: &Told, now: i64, words: &Words) -> Group {
    let up = i64::try_from(told.number("uptime_in_seconds")).unwrap_or(0);
    let fragmentation = told.text("mem_fragmentation_ratio").unwrap_or("?").to_owned();
    let policy = told.text("maxmemory_policy").unwrap_or("?").to_owned();
    Group {
        title: words.server,
        rows: vec![
            (words.version, vec![told.server()]),
            (words.up_since, vec![utc(now.saturating_sub(up))]),
            (words.policy, vec![policy]),
            (words.fragmentation, vec![fragmentation]),
        ],
    }
}

fn replication(told: &Told, primary_offset: Option<u64>, words: &Words) -> Group {
    let rows =
        if told.is_replica() { as_replica(told, primary_offset, words) } else { as_primary(told, words) };
    Group { title: words.replication, rows }
}

fn as_replica(told: &Told, primary_offset: Option<u64>, words: &Words) -> Vec<(&'static str, Vec<String>)> {
    let offset = told.number("slave_repl_offset");
    let primary = format!("{}:{}", told.text("master_host").unwrap_or("?"), told.number("master_port"));
    let is_up = told.says("master_link_status", "up");
    let link = if is_up { words.link_up } else { words.link_down };
    let mut link = vec![link.to_owned()];
    if is_up {
        link.push(put(words.heard, &number(told.number("master_last_io_seconds_ago"))));
    }
    let mut offsets = vec![number(offset)];
    offsets.extend(primary_offset.map(|its| put(words.behind, &number(its.saturating_sub(offset)))));
    vec![(words.of_primary, vec![primary]), (words.link, link), (words.offset, offsets)]
}

fn as_primary(told: &Told, words: &Words) -> Vec<(&'static str, Vec<String>)> {
    let offset = told.number("master_repl_offset");
    let replicas = told.replicas();
    let lines = replicas.iter().map(|replica| {
        let state = put(&put(words.replica_state, &replica.state), &number(replica.lag));
        let behind = put(words.behind, &number(offset.saturating_sub(replica.offset)));
        format!("{}: {state}, {behind}", replica.address)
    });
    let lines = if replicas.is_empty() { vec![words.no_replicas.to_owned()] } else { lines.collect() };
    vec![(words.replicas, lines), (words.offset, vec![number(offset)])]
}

fn persistence(told: &Told, words: &Words) -> Group {
    let is_saved = told.says("rdb_last_bgsave_status", "ok");
    let saved = i64::try_from(told.number("rdb_last_save_time")).unwrap_or(0);
    let snapshot = vec![
        utc(saved),
        if is_saved { words.snapshot_ok } else { words.snapshot_failed }.to_owned(),
        put(words.changes, &number(told.number("rdb_changes_since_last_save"))),
    ];
    let aof = if told.says("aof_enabled", "1") {
        put(words.aof_on, &bytes(told.number("aof_current_size")))
    } else {
        words.aof_off.to_owned()
    };
    Group { title: words.persistence, rows: vec![(words.snapshot, snapshot), (words.aof, vec![aof])] }
}

fn module(told: &Told, words: &Words) -> Group {
    let count = |label, name| (label, vec![number(told.module_number(name))]);
    let slice = told.module_number("longest_slice_usec");
    let ms = format!("{}.{:03} {}", number(slice / 1_000), slice % 1_000, words.ms);
    let version = told.module_version().unwrap_or_else(|| "?".to_owned());
    Group {
        title: words.module,
        rows: vec![
            (words.version, vec![version]),
            count(words.boards, "boards"),
            count(words.members, "members"),
            count(words.leagues, "leagues"),
            count(words.league_members, "league_members"),
            count(words.counters, "counters"),
            count(words.writes, "writes"),
            count(words.repeats, "repeated_requests"),
            count(words.writes_held_back, "writes_held_back"),
            count(words.votes_held_back, "votes_held_back"),
            (words.longest_slice, vec![ms]),
            count(words.slices_over_1ms, "slices_over_1ms"),
            count(words.slices_over_5ms, "slices_over_5ms"),
        ],
    }
}
