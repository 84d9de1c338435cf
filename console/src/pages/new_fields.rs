//! The fields of the forms that make boards, leagues and counters, one row for each field.

use crate::i18n::Words;
use crate::pages::new_board::Kind;

/// Fields that are shown together.
pub struct Group {
    pub title: &'static str,
    pub hint: &'static str,
    /// Whether the group is folded at first.
    pub is_folded: bool,
    pub fields: Vec<Field>,
}

/// A field.
pub struct Field {
    pub name: &'static str,
    /// The option of the command.
    pub option: &'static str,
    pub label: &'static str,
    pub hint: &'static str,
    pub input: Input,
    pub is_needed: bool,
}

/// How a field is filled in.
pub enum Input {
    Text,
    /// Two words.
    Pair,
    Number,
    Zone,
    Moment,
    Check,
    /// Several lines. Each line is one limit of votes.
    Lines,
    /// Several lines. Each line is one prize table.
    Tables,
    /// Values with their meanings. The first value is the default of the command.
    Choice(Vec<(&'static str, &'static str)>),
}

fn field(
    name: &'static str,
    option: &'static str,
    label: &'static str,
    hint: &'static str,
    input: Input,
) -> Field {
    Field { name, option, label, hint, input, is_needed: false }
}

/// All fields of a form.
pub fn groups(words: &'static Words, kind: Kind) -> Vec<Group> {
    let texts = &words.new_board;
    let group = |title, hint, is_folded, fields| Group { title, hint, is_folded, fields };
    match kind {
        Kind::Board => vec![
            group(texts.basics, "", false, board(words)),
            group(texts.competition, texts.competition_hint, false, competition(words)),
            group(texts.campaign, texts.campaign_hint, false, campaign(words)),
            group(texts.more, "", true, board_more(words)),
        ],
        Kind::League => vec![
            group(texts.basics, "", false, league(words)),
            group(texts.more, "", true, league_more(words)),
        ],
        Kind::Counter => vec![group(texts.basics, "", false, counter(words))],
    }
}

fn key(words: &Words) -> Field {
    let texts = &words.new_board;
    Field { is_needed: true, ..field("key", "", texts.key, texts.key_hint, Input::Text) }
}

fn zone(words: &Words) -> Field {
    let texts = &words.new_board;
    field("tz", "TZ", texts.tz, texts.tz_hint, Input::Zone)
}

fn dedup(words: &Words) -> Field {
    let texts = &words.new_board;
    field("dedup", "DEDUP", texts.dedup, texts.dedup_hint, Input::Number)
}

fn week_start(words: &Words) -> Field {
    let days = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"].map(|day| (day, day)).to_vec();
    field("weekstart", "WEEKSTART", words.new_board.weekstart, "", Input::Choice(days))
}

fn clock(words: &Words) -> Field {
    let clocks = vec![("SERVER", words.board.clock_server), ("EVENT", words.board.clock_event)];
    field("clock", "CLOCK", words.new_board.clock, "", Input::Choice(clocks))
}

fn board(words: &Words) -> Vec<Field> {
    let (texts, terms) = (&words.new_board, &words.board);
    let orders = vec![("DESC", terms.desc), ("ASC", terms.asc)];
    let aggregates = vec![
        ("SUM", terms.agg_sum),
        ("MAX", terms.agg_max),
        ("MIN", terms.agg_min),
        ("LAST", terms.agg_last),
    ];
    let ties = vec![
        ("FIRST", terms.ties_first),
        ("LAST", terms.ties_last),
        ("LEX", terms.ties_lex),
        ("REVLEX", terms.ties_revlex),
    ];
    vec![
        key(words),
        field("views", "VIEWS", texts.views, texts.views_hint, Input::Text),
        field("order", "ORDER", texts.order, "", Input::Choice(orders)),
        field("aggregate", "AGGREGATE", texts.aggregate, "", Input::Choice(aggregates)),
        field("ties", "TIES", texts.ties, "", Input::Choice(ties)),
        field("decimals", "DECIMALS", texts.decimals, texts.decimals_hint, Input::Number),
        zone(words),
    ]
}

/// Rules that hold back writes of scores. Some of them hold back votes, too.
fn competition(words: &Words) -> Vec<Field> {
    let texts = &words.new_board;
    vec![
        field("opens", "OPENS", texts.opens, texts.opens_hint, Input::Moment),
        field("closes", "CLOSES", texts.closes, texts.closes_hint, Input::Moment),
        field("hours", "HOURS", texts.hours, texts.hours_hint, Input::Text),
        field("attempts", "ATTEMPTS", texts.attempts, texts.attempts_hint, Input::Pair),
        field("maxmembers", "MAXMEMBERS", texts.maxmembers, texts.maxmembers_hint, Input::Number),
        field("bounds", "BOUNDS", texts.bounds, texts.bounds_hint, Input::Pair),
        field("declared", "DECLARED", texts.declared, texts.declared_hint, Input::Check),
        field("prizes", "PRIZES", texts.prizes, texts.prizes_hint, Input::Tables),
    ]
}

fn campaign(words: &Words) -> Vec<Field> {
    let texts = &words.new_board;
    vec![
        field("shown", "SHOWN", texts.shown, texts.shown_hint, Input::Check),
        field("limits", "LIMIT", texts.limits, texts.limits_hint, Input::Lines),
    ]
}

fn board_more(words: &Words) -> Vec<Field> {
    let texts = &words.new_board;
    vec![
        field("retain", "RETAIN", texts.retain, texts.retain_hint, Input::Text),
        field("levels", "LEVELS", texts.levels, texts.levels_hint, Input::Text),
        field("carry", "CARRY", texts.carry, texts.carry_hint, Input::Text),
        field("decay", "DECAY", texts.decay, texts.decay_hint, Input::Text),
        field("keep", "KEEP", texts.keep, texts.keep_hint, Input::Number),
        field("segments", "SEGMENTS", texts.segments, texts.segments_hint, Input::Text),
        field("notifytop", "NOTIFYTOP", texts.notifytop, texts.notifytop_hint, Input::Number),
        dedup(words),
        week_start(words),
        clock(words),
    ]
}

fn league(words: &Words) -> Vec<Field> {
    let texts = &words.new_board;
    let needed = |field: Field| Field { is_needed: true, ..field };
    let ties = vec![("SCORED", words.league.ties_scored), ("JOINED", words.league.ties_joined)];
    vec![
        key(words),
        needed(field("tiers", "TIERS", texts.tiers, texts.tiers_hint, Input::Text)),
        needed(field("promote", "PROMOTE", texts.promote, texts.promote_hint, Input::Text)),
        needed(field("demote", "DEMOTE", texts.demote, texts.demote_hint, Input::Text)),
        needed(field("cycle", "CYCLE", texts.cycle, texts.cycle_hint, Input::Text)),
        field("ties", "TIES", texts.ties, "", Input::Choice(ties)),
        field("group", "GROUP", texts.group, texts.group_hint, Input::Number),
        field("reward", "REWARD", texts.reward, texts.reward_hint, Input::Number),
        zone(words),
    ]
}

fn league_more(words: &Words) -> Vec<Field> {
    let texts = &words.new_board;
    vec![
        field("joinuntil", "JOINUNTIL", texts.joinuntil, texts.joinuntil_hint, Input::Text),
        field("idle", "IDLE", texts.idle, texts.idle_hint, Input::Number),
        field("retain", "RETAIN", texts.retain, texts.league_retain_hint, Input::Number),
        field("decimals", "DECIMALS", texts.decimals, texts.decimals_hint, Input::Number),
        dedup(words),
        week_start(words),
        clock(words),
    ]
}

fn counter(words: &Words) -> Vec<Field> {
    let texts = &words.new_board;
    vec![
        key(words),
        field("precisions", "PRECISIONS", texts.precisions, texts.precisions_hint, Input::Text),
        field("samples", "SAMPLES", texts.samples, texts.samples_hint, Input::Number),
        dedup(words),
        clock(words),
    ]
}
