//! Findings about a server, as texts: something is slow, missing or wrong.

use crate::i18n::health::Findings as Words;
use crate::i18n::numbers::grouped;
use crate::pages::health::told::Told;

/// Memory that is at least this full, in percent, is a finding.
const NEARLY_FULL: u64 = 90;

/// A fact that the operator should look at.
#[derive(Debug, PartialEq)]
pub struct Finding {
    /// The servers that the finding is about; empty if it is about all servers.
    pub servers: Vec<String>,
    pub text: String,
    /// Whether data or answers are at risk now.
    pub is_bad: bool,
}

/// The findings about a server that answers.
pub fn of_server(name: &str, told: &Told, words: &Words) -> Vec<Finding> {
    let finding = |is_bad, text: String| Finding { servers: vec![name.to_owned()], text, is_bad };
    let bad = |text: &str| finding(true, text.to_owned());
    let mut found = Vec::new();
    if told.says("loading", "1") {
        found.push(finding(false, words.loading.to_owned()));
    }
    if !told.has_module() {
        found.push(bad(words.module_missing));
    }
    if told.says("master_link_status", "down") {
        found.push(bad(words.link_down));
    }
    for replica in told.replicas().iter().filter(|replica| replica.state != "online") {
        found.push(finding(true, put(words.replica_not_online, &replica.address)));
    }
    if told.says("rdb_last_bgsave_status", "err") {
        found.push(bad(words.save_failed));
    }
    if told.says("aof_last_write_status", "err") || told.says("aof_last_bgrewrite_status", "err") {
        found.push(bad(words.aof_failed));
    }
    found.extend(memory(told, words).map(|(is_bad, text)| finding(is_bad, text)));
    let slow = told.module_number("slices_over_5ms");
    if slow > 0 {
        found.push(finding(false, put(words.slow, &grouped(&slow.to_string()))));
    }
    found
}

fn memory(told: &Told, words: &Words) -> impl Iterator<Item = (bool, String)> {
    let (used, max) = (told.number("used_memory"), told.number("maxmemory"));
    let share = used.saturating_mul(100).checked_div(max);
    let limit = match share {
        None => Some((false, words.no_maxmemory.to_owned())),
        Some(share) if share >= NEARLY_FULL => Some((true, put(words.nearly_full, &share.to_string()))),
        Some(_) => None,
    };
    let policy = told.text("maxmemory_policy").filter(|policy| *policy != "noeviction");
    limit.into_iter().chain(policy.map(|policy| (true, put(words.evicts, policy))))
}

/// Joins findings with the same text into one finding with several servers, and puts urgent findings first.
pub fn grouped_by_text(all: Vec<Finding>) -> Vec<Finding> {
    let mut groups: Vec<Finding> = Vec::new();
    for finding in all {
        match groups.iter_mut().find(|group| group.text == finding.text) {
            Some(group) => group.servers.extend(finding.servers),
            None => groups.push(finding),
        }
    }
    groups.sort_by_key(|finding| !finding.is_bad);
    groups
}

/// Replaces `{}` in a text by a value.
pub fn put(text: &str, value: &str) -> String {
    text.replacen("{}", value, 1)
}
