//! How many parts a command asks at once.

use std::collections::BTreeSet;

use leaderboard_commands::table::OverParts;

use crate::spread::asked::{Asked, List, Own};
use crate::spread::gather;
use crate::spread::root::Root;

/// Returns how many parts a command asks at once. A command that names the members that it writes asks their parts. The
/// ranks in the reply to a write, and nearly all reads, need all parts.
pub fn parts(root: &Root, asked: &Asked<'_>) -> u16 {
    let all = root.parts.count();
    if asked.row.own().contains(&Own::Partial) {
        return if gather::asks_one_part(asked) { 1 } else { all };
    }
    // The first claim of a period gathers its winners from all parts.
    if asked.row.command.over_parts == OverParts::InRoot {
        return all;
    }
    let members: Vec<&[u8]> = match (asked.member(), asked.row.list) {
        (Some(member), _) => vec![member],
        (None, List::Pairs(_)) => asked.pairs().map(|(_, member)| member).collect(),
        (None, List::Members) => asked.list.iter().map(Vec::as_slice).collect(),
        (None, List::Nothing) => Vec::new(),
    };
    if members.is_empty() || asked.wants(Own::WithRank) {
        return all;
    }
    let parts: BTreeSet<u16> = members.into_iter().map(|member| root.parts.of(member)).collect();
    u16::try_from(parts.len()).unwrap_or(all)
}
