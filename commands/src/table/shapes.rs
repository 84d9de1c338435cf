//! Shapes of replies that several commands have; see [`crate::shape`].

use super::Shapes;

/// The reply to a write with `QUIET`: the number of items that the write has applied.
pub const APPLIED: (&str, &str) = ("QUIET", "int");

/// The reply to a command that makes a value.
pub const MADE: Shapes = &[("", "ok"), ("NX", "flag")];

/// The reply to a write to one member.
pub const WRITE: Shapes = &[
    ("", "[score:score?, rank:rank?, applied:flag]"),
    ("WITHCHANGE", "[score:score?, rank:rank?, applied:flag, old_score:score?, old_rank:rank?]"),
    ("WITHIN", "[score:score?, rank:rank?, applied:flag, within:rank?]"),
    (
        "WITHCHANGE WITHIN",
        "[score:score?, rank:rank?, applied:flag, old_score:score?, old_rank:rank?, within:rank?]",
    ),
    APPLIED,
];

/// The reply to a write to several members.
pub const WRITES: Shapes = &[("", "[[score:score?, rank:rank?, applied:flag]...]"), APPLIED];

/// A page of rows.
pub const PAGE: Shapes = &[
    ("", "[[rank:rank, member:text, score:score]...]"),
    ("WITHMETA", "[[rank:rank, member:text, score:score, meta:text?]...]"),
    ("FLAT", "[] | [first:rank, (member:text, score:score)...]"),
    ("FLAT WITHMETA", "[] | [first:rank, (member:text, score:score, meta:text?)...]"),
    ("PACKED", "[] | [first:rank, rows:rows]"),
];

/// The reply to votes.
pub const VERDICT: Shapes = &[
    (
        "",
        "[accepted:flag, positions:[[score:score?, rank:rank?, applied:flag]...]] | [accepted:flag, rule:text, retry_after:int]",
    ),
    APPLIED,
];

/// A whole number.
pub const INTEGER: Shapes = &[("", "int")];

/// `OK`.
pub const OK: Shapes = &[("", "ok")];
