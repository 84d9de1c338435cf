//! The rules of a board as texts.

use leaderboard_client::{Info, InfoValue, LimitRule};

use crate::i18n::Words;
use crate::i18n::numbers::grouped;
use crate::pages::board_info::BoardInfo;

/// A rule with its value.
pub struct Rule {
    pub name: &'static str,
    /// The value: one text or several texts.
    pub texts: Vec<String>,
    /// Whether the texts are words of commands.
    pub is_code: bool,
}

/// All rules that are not empty.
pub fn rules(words: &'static Words, info: &BoardInfo) -> Vec<Rule> {
    let texts = &words.board;
    let told = &info.told;
    let text = |name| told.text(name).unwrap_or_default().to_owned();
    let number = |name| told.number(name).unwrap_or(0);
    let list = |name| text(name).split(',').filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let yes = |name| if number(name) == 1 { texts.yes.to_owned() } else { String::new() };
    let amount =
        |name| Some(number(name)).filter(|n| *n != 0).map_or_else(String::new, |n| grouped(&n.to_string()));
    let moment = |ms: i64| if ms == 0 { String::new() } else { info.zone.moment(ms) };
    let tables = match told.get("prizes") {
        Some(InfoValue::Texts(tables)) => tables.clone(),
        _ => Vec::new(),
    };
    let limits = told.limits().iter().map(LimitRule::line).collect();
    let all = [
        code(texts.views, info.views.clone()),
        plain(texts.order, texts.of_order(&text("order")).to_owned()),
        plain(texts.aggregate, texts.of_aggregate(&text("aggregate")).to_owned()),
        plain(texts.ties, texts.of_ties(&text("ties")).to_owned()),
        code(texts.levels, list("levels")),
        plain(texts.decimals, amount("decimals")),
        plain(texts.zone, format!("{} ({} {})", info.zone.name, texts.week_begins, text("weekstart"))),
        plain(texts.clock, texts.of_clock(&text("clock")).to_owned()),
        code(texts.retain, list("retain")),
        code(texts.carry, list("carry")),
        code(texts.decay, list("decay")),
        plain(texts.keep, amount("keep")),
        code(texts.segments, list("segments")),
        plain(texts.dedup, format!("{} {}", grouped(&number("dedup").to_string()), texts.seconds)),
        plain(texts.notify_top, amount("notifytop")),
        plain(texts.shown_votes, yes("shown")),
        plain(texts.declared, yes("declared")),
        plain(texts.opens, moment(info.opens)),
        plain(texts.closes, moment(info.closes)),
        code(texts.hours, list("hours")),
        plain(texts.attempts, text("attempts")),
        plain(texts.max_members, amount("maxmembers")),
        plain(texts.bounds, text("bounds")),
        code(texts.prizes, tables),
        code(texts.limits, limits),
        code(texts.held_back, held_back(told)),
    ];
    all.into_iter().filter(|rule| !rule.texts.is_empty()).collect()
}

/// How many writes each rule held back, of the rules that held any back.
fn held_back(told: &Info) -> Vec<String> {
    let Some(InfoValue::Counts(counts)) = told.get("held_back") else { return Vec::new() };
    let counts = counts.iter().filter(|(_, count)| *count > 0);
    counts.map(|(rule, count)| format!("{rule}: {}", grouped(&count.to_string()))).collect()
}

fn plain(name: &'static str, text: String) -> Rule {
    let texts = Some(text).filter(|text| !text.is_empty()).into_iter().collect();
    Rule { name, texts, is_code: false }
}

fn code(name: &'static str, texts: Vec<String>) -> Rule {
    Rule { name, texts, is_code: true }
}
