//! Random rules of boards, and how LB.CREATE says them.

use leaderboard_core::schema::{Aggregate, Ties};

use crate::board::score::Level;
use crate::board::segment::{Dimension, Rule};
use crate::board::{KINDS, Kind, Rules};
use crate::random::Random;
use crate::{Words, words};

/// The names of levels.
const NAMES: [&str; 8] = ["gold", "silver", "bronze", "Tin", "lead_5", "iron-6", "7", "h"];
/// How many of the kinds have single periods.
const SINGLE: usize = 4;

/// What a board is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Views of all kinds.
    Views,
    /// Its best members alone stay.
    Keep,
    /// Scores of several levels.
    Levels,
    /// Real and shown votes.
    Shown,
    /// Members in segments, on boards of all the other kinds.
    Segments,
}

/// The profiles of the sessions that every server can play.
pub const PROFILES: [Profile; 4] = [Profile::Views, Profile::Keep, Profile::Levels, Profile::Shown];

/// Random rules.
pub fn rules(random: &mut Random, profile: Profile) -> Rules {
    if profile == Profile::Segments {
        let profile = if random.percent(65) { Profile::Views } else { *random.pick(&PROFILES) };
        let rules = self::rules(random, profile);
        // Equal segments mostly stand by their moments.
        let ties = *random.pick(&[rules.ties, Ties::First, Ties::Last]);
        return Rules { ties, ..rules };
    }
    let levels = match profile {
        Profile::Levels => levels(random),
        Profile::Keep if random.percent(15) => levels(random),
        _ => Vec::new(),
    };
    let (is_plain, is_shown) = (levels.is_empty(), profile == Profile::Shown);
    let aggregates = [Aggregate::Sum, Aggregate::Sum, Aggregate::Max, Aggregate::Min, Aggregate::Last];
    Rules {
        ascending: is_plain && random.percent(40),
        aggregate: if is_shown { Aggregate::Sum } else { *random.pick(&aggregates) },
        ties: *random.pick(&[Ties::First, Ties::First, Ties::Last, Ties::Lex, Ties::RevLex]),
        decimals: if is_plain && !is_shown { *random.pick(&[0, 0, 2, 9]) } else { 0 },
        is_event: random.percent(50),
        levels,
        kinds: kinds(random, profile),
        retain: *random.pick(&[3, 3, 1, 0, 40]),
        keep: if profile == Profile::Keep { 1 + random.below(8) as usize } else { 0 },
        shown: is_shown,
    }
}

fn levels(random: &mut Random) -> Vec<Level> {
    let count = if random.percent(75) { 1 + random.below(3) } else { 1 + random.below(8) };
    let named = NAMES.iter().take(count as usize);
    let mut level = |name| {
        let max = *random.pick(&[1, 2, 5, 6, 40, 80]);
        Level { name, ascending: random.percent(50), max }
    };
    named.map(|name| level(*name)).collect()
}

fn kinds(random: &mut Random, profile: Profile) -> Vec<Kind> {
    let mut kinds = KINDS[..if profile == Profile::Keep { SINGLE } else { KINDS.len() }].to_vec();
    random.shuffle(&mut kinds);
    kinds.truncate(1 + random.below(3) as usize);
    kinds
}

/// Names of dimensions, one more than a board can have.
pub const DIMENSIONS: [&str; 5] = ["country", "guild", "os", "team-1", "x"];

/// Random dimensions for a board with these rules; perhaps none.
pub fn dimensions(random: &mut Random, rules: &Rules) -> Vec<Dimension> {
    let count = *random.pick(&[0, 1, 1, 1, 2, 4]);
    let mut names = DIMENSIONS.to_vec();
    random.shuffle(&mut names);
    let ways = if rules.levels.is_empty() { 5 } else { 3 };
    let mut rule =
        || [Rule::Best, Rule::Count, Rule::Count, Rule::Sum, Rule::Sum][random.below(ways) as usize];
    names.into_iter().take(count).map(|name| Dimension { name, rule: rule() }).collect()
}

/// A dimension as LB.CREATE and LB.ALTER write it. COUNT need not be written.
pub fn dimension_text(random: &mut Random, Dimension { name, rule }: Dimension) -> String {
    match rule {
        Rule::Count if random.percent(50) => name.to_owned(),
        Rule::Count => format!("{name}:COUNT"),
        Rule::Sum => format!("{name}:SUM"),
        Rule::Best => format!("{name}:BEST"),
    }
}

/// The command that makes a board with these rules and dimensions.
pub fn creation(
    random: &mut Random,
    key: &str,
    (rules, dimensions): (&Rules, &[Dimension]),
    dedup: u64,
) -> Words {
    let (aggregate, ties) = (format!("{:?}", rules.aggregate), format!("{:?}", rules.ties));
    let kinds: Vec<&str> = rules.kinds.iter().map(|kind| kind.name).collect();
    let mut options = vec![
        words(&["VIEWS", &kinds.join(",")]),
        words(&["AGGREGATE", &aggregate]),
        words(&["TIES", &ties]),
        words(&["CLOCK", if rules.is_event { "EVENT" } else { "SERVER" }]),
        words(&["DEDUP", &dedup.to_string()]),
    ];
    if rules.kinds.iter().any(|kind| kind.is_period()) {
        options.push(words(&["RETAIN", &rules.retain.to_string()]));
    }
    if rules.levels.is_empty() {
        options.push(words(&["ORDER", if rules.ascending { "ASC" } else { "DESC" }]));
        options.push(words(&["DECIMALS", &rules.decimals.to_string()]));
    } else {
        options.push(words(&["LEVELS", &text(&rules.levels)]));
    }
    if rules.keep > 0 {
        options.push(words(&["KEEP", &rules.keep.to_string()]));
    }
    if rules.shown {
        options.push(words(&["SHOWN"]));
    }
    if !dimensions.is_empty() {
        let texts: Vec<String> =
            dimensions.iter().map(|dimension| dimension_text(random, *dimension)).collect();
        options.push(words(&["SEGMENTS", &texts.join(",")]));
    }
    random.shuffle(&mut options);
    [words(&["LB.CREATE", key]), options.concat()].concat()
}

fn text(levels: &[Level]) -> String {
    let texts = levels.iter().map(|level| {
        let order = if level.ascending { "ASC" } else { "DESC" };
        format!("{}:{order}:{}", level.name, level.max)
    });
    texts.collect::<Vec<_>>().join(",")
}
