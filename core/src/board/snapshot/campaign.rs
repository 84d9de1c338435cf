//! The parts of a saved board that only boards with rules of writes or with voting have: the rules, the candidates in the order of their
//! declaration, the usage of limits, and sketches of the distinct voters.

use super::places::{self, MemberPlaces};
use crate::Error;
use crate::board::Board;
use crate::calendar::Hours;
use crate::campaign::{Bounds, Candidate, MAX_BOUND, MAX_WEIGHT, RuleChanges, VotingWindow};
use crate::index::MemberId;
use crate::limits::{Attempts, MAX_RULES, MAX_VALUE, MAX_WORD, Rule, SavedCounts};
use crate::repeats::repeats;
use crate::score::Score;
use crate::snapshot::chunk::{Emit, PartWriter, items, opening};
use crate::snapshot::wire::{Reader, moment, put_bytes, put_hash, put_number, put_signed, start};
use crate::view::Kind;
use crate::voters::{SERIES, VoteBatch};

pub const RULES: u8 = 9;
pub const CANDIDATES: u8 = 10;
pub const USAGE: u8 = 11;
pub const VOTERS: u8 = 12;

/// The maximum length of a scope as text.
const MAX_SCOPE: usize = 64 * 1024;
/// The greatest number that a loaded candidate can have. The same quantity of numbers is left for new candidates.
pub const MAX_NUMBER: u32 = u32::MAX / 2;
/// The maximum length of opening hours as text.
const MAX_HOURS: usize = 1024;
/// The maximum length of a sketch, in bytes.
const MAX_SKETCH: usize = 16 * 1024;

const WRONG_CANDIDATE: Error = Error::Corrupt("an option");
const WRONG_VOTERS: Error = Error::Corrupt("voters");

fn candidates(board: &Board) -> impl Iterator<Item = (MemberId, &Candidate)> {
    board.campaign().into_iter().flat_map(|campaign| campaign.candidates.from(0))
}

fn used(board: &Board) -> impl Iterator<Item = SavedCounts<'_>> {
    board.campaign().into_iter().flat_map(|campaign| {
        let attempts = campaign.attempts.saved(board.last);
        let attempts = attempts.map(|used| used.numbered(MAX_RULES));
        campaign.limits.saved(board.last).chain(attempts)
    })
}

fn with_voters(board: &Board) -> impl Iterator<Item = MemberId> {
    board.campaign().into_iter().flat_map(|campaign| campaign.voters.candidates())
}

/// Returns all candidates, and all members with voters.
pub fn members(board: &Board) -> impl Iterator<Item = MemberId> {
    candidates(board).map(|(id, _)| id).chain(with_voters(board))
}

/// Returns how many candidates, entries of usage and sketches there are.
pub fn counts(board: &Board) -> [u64; 3] {
    let Some(campaign) = board.campaign() else { return [0; 3] };
    let usage = used(board).map(|used| used.entries() as u64).sum();
    let records = with_voters(board).map(Some).chain([None]);
    let sketches = records.map(|member| campaign.voters.sketches(member).count() as u64).sum();
    [campaign.candidates.len() as u64, usage, sketches]
}

/// Writes when the board is open, the rules of scores, and the limits of votes.
pub fn write_rules(board: &Board, emit: Emit) {
    let Some(campaign) = board.campaign() else { return };
    let VotingWindow { opens, closes } = campaign.voting_window;
    let mut chunk = vec![RULES];
    put_number(&mut chunk, opens);
    put_number(&mut chunk, closes);
    put_bytes(&mut chunk, campaign.hours.to_string().as_bytes());
    write_attempts(&mut chunk, campaign.attempts.rules().next());
    put_number(&mut chunk, u64::from(campaign.max_members));
    let bounds = campaign.bounds.map(|range| Bounds::of(range, &board.schema));
    let words = bounds.as_ref().map_or([b"-inf".as_slice(), b"+inf"], Bounds::words);
    words.into_iter().for_each(|word| put_bytes(&mut chunk, word));
    campaign.limits.rules().for_each(|rule| write_rule(&mut chunk, rule));
    emit(&chunk);
}

pub fn read_rules(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let wrong = Error::Corrupt("the rules of writes");
    let (opens, closes) = (moment(reader.number()?)?, moment(reader.number()?)?);
    let hours = Hours::parse(reader.bytes(0, MAX_HOURS)?).map_err(|_| wrong)?;
    let attempts = Attempts::new(reader.number()?, reader.bytes(1, MAX_WORD)?).map_err(|_| wrong)?;
    let max_members = reader.small(wrong)?;
    let bounds = Bounds::new(reader.bytes(1, MAX_BOUND)?, reader.bytes(1, MAX_BOUND)?).map_err(|_| wrong)?;
    let mut left = MAX_RULES;
    let limits = items(reader, |reader, _| {
        left = left.checked_sub(1).ok_or(wrong)?;
        read_rule(reader)
    })?;
    let changes = RuleChanges {
        opens: Some(opens),
        closes: Some(closes),
        hours: Some(hours),
        attempts: Some(attempts),
        max_members: Some(max_members),
        bounds: Some(bounds),
        lifted: Vec::new(),
        limits,
        ..RuleChanges::default()
    };
    if board.campaign().is_some() || board.check_voting(&changes).is_err() {
        return Err(wrong);
    }
    board.set_voting(&changes);
    Ok(())
}

fn write_attempts(chunk: &mut Vec<u8>, attempts: Option<&Rule>) {
    let (max, unit) = attempts.map_or((0, "all".to_owned()), |rule| (rule.max(), rule.unit().to_string()));
    put_number(chunk, u64::from(max));
    put_bytes(chunk, unit.as_bytes());
}

fn write_rule(chunk: &mut Vec<u8>, rule: &Rule) {
    put_bytes(chunk, rule.name());
    put_bytes(chunk, &rule.scope().to_bytes());
    put_number(chunk, u64::from(rule.max()));
    put_bytes(chunk, rule.unit().to_string().as_bytes());
    put_number(chunk, rule.bonuses().len() as u64);
    for bonus in rule.bonuses() {
        put_bytes(chunk, bonus.tag());
        put_bytes(chunk, bonus.value());
        put_number(chunk, u64::from(bonus.extra()));
    }
}

fn read_rule(reader: &mut Reader) -> Result<Rule, Error> {
    let wrong = |_| Error::Corrupt("a limit");
    let name = reader.bytes(1, MAX_WORD)?;
    let scope = reader.bytes(1, MAX_SCOPE)?;
    let max = reader.number()?;
    let unit = reader.bytes(1, MAX_WORD)?;
    let mut rule = Rule::new(name, scope, max, unit).map_err(wrong)?;
    for _ in 0..reader.number()? {
        let (tag, value) = (reader.bytes(1, MAX_WORD)?, reader.bytes(1, MAX_VALUE)?);
        rule.add_bonus(tag, value, reader.number()?).map_err(wrong)?;
    }
    Ok(rule)
}

pub fn write_candidates(board: &Board, places: &MemberPlaces, emit: Emit) -> u64 {
    let mut part = PartWriter::new(vec![CANDIDATES], (), emit);
    for (id, candidate) in candidates(board) {
        let Some(place) = places.find(id) else { continue };
        put_number(&mut part.bytes, u64::from(candidate.number));
        put_number(&mut part.bytes, place);
        put_number(&mut part.bytes, u64::from(candidate.weight));
        put_signed(&mut part.bytes, candidate.initial.units());
        put_number(&mut part.bytes, candidate.moment);
        put_number(&mut part.bytes, candidate.sequence);
        part.end_item(());
    }
    part.finish()
}

pub fn read_candidates(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let known = &board.campaign().ok_or(WRONG_CANDIDATE)?.candidates;
    let candidates = items(reader, |reader, before: Option<&(MemberId, Candidate)>| {
        let last = before.map_or_else(|| known.last_number(), |(_, before)| before.number);
        let (id, candidate) = read_candidate(board, reader, last)?;
        if known.get(id).is_none() { Ok((id, candidate)) } else { Err(WRONG_CANDIDATE) }
    })?;
    let starting = || candidates.iter().map(|(_, candidate)| candidate).filter(|one| one.starts());
    let is_twice = repeats(candidates.iter().map(|(id, _)| *id))
        || repeats(starting().map(|candidate| candidate.sequence))
        || starting().any(|candidate| known.is_taken(candidate.sequence));
    if is_twice {
        return Err(WRONG_CANDIDATE);
    }
    let known = &mut board.campaign_mut().candidates;
    candidates.iter().for_each(|(id, candidate)| known.set(*id, *candidate));
    Ok(())
}

fn read_candidate(board: &Board, reader: &mut Reader, last: u32) -> Result<(MemberId, Candidate), Error> {
    let number = reader.small(WRONG_CANDIDATE)?;
    if number <= last || number > MAX_NUMBER {
        return Err(WRONG_CANDIDATE);
    }
    let id = places::member(board, reader.number()?)?;
    let weight = reader.small(WRONG_CANDIDATE)?;
    if u64::from(weight) > MAX_WEIGHT {
        return Err(WRONG_CANDIDATE);
    }
    let initial = Score::from_units(reader.signed()?).filter(|initial| *initial >= Score::ZERO);
    let initial = initial.ok_or(WRONG_CANDIDATE)?;
    let (moment, sequence) = (moment(reader.number()?)?, reader.number()?);
    let is_plain = (weight, initial) == (Candidate::PLAIN.weight, Candidate::PLAIN.initial);
    if sequence > board.sequences || (!is_plain && !board.schema.shown) {
        return Err(WRONG_CANDIDATE);
    }
    Ok((id, Candidate { number, weight, initial, moment, sequence }))
}

/// Writes the usage of limits, and the attempts under the number [`MAX_RULES`]. Each part is for one limit and its current period. It contains the hash of each
/// user, and the quantity that the user has used.
pub fn write_usage(board: &Board, emit: Emit) -> u64 {
    let write_one = |used: SavedCounts| {
        let mut part = PartWriter::new(opening(USAGE, used.rule, &[used.start()]), (), &mut *emit);
        for (hash, votes) in used.iter() {
            put_hash(&mut part.bytes, hash);
            put_number(&mut part.bytes, u64::from(votes));
            part.end_item(());
        }
        part.finish()
    };
    used(board).map(write_one).sum()
}

pub fn read_usage(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let wrong = Error::Corrupt("what was used of a limit");
    let rule: usize = reader.small(wrong)?;
    // If a limit is for all time, its period has no beginning.
    let start = reader.signed()?;
    let used = items(reader, |reader, _| Ok((reader.hash()?, reader.small(wrong)?)))?;
    if board.campaign().is_none() {
        return Err(wrong);
    }
    let (calendar, now) = (board.schema.calendar, board.last);
    let campaign = board.campaign_mut();
    let (limits, rule) = match rule {
        MAX_RULES => (&mut campaign.attempts, 0),
        rule => (&mut campaign.limits, rule),
    };
    limits.restore(&calendar, now, rule, start, &used)
}

/// Writes the sketches of the board, then the sketches of members by their places. There is one sketch for all
/// time, and one for each period of a view and each number of periods by which votes were late.
pub fn write_voters(board: &Board, places: &MemberPlaces, emit: Emit) -> u64 {
    let mut part = PartWriter::new(vec![VOTERS], (), emit);
    let Some(campaign) = board.campaign() else { return 0 };
    let number = |id| places.find(id).map(|place| (place.saturating_add(1), Some(id)));
    let mut records: Vec<_> = with_voters(board).filter_map(number).chain([(0, None)]).collect();
    records.sort_unstable();
    let mut bytes = Vec::new();
    for (number, member) in records {
        let named = |(batch, sketch)| Some((period(board, batch)?, sketch));
        let mut sketches: Vec<_> = campaign.voters.sketches(member).filter_map(named).collect();
        sketches.sort_unstable_by_key(|(period, _)| *period);
        for ((view, start, late), sketch) in sketches {
            put_number(&mut part.bytes, number);
            put_number(&mut part.bytes, view);
            put_signed(&mut part.bytes, start);
            put_number(&mut part.bytes, u64::from(late));
            sketch.save(&mut bytes);
            put_bytes(&mut part.bytes, &bytes);
            bytes.clear();
            part.end_item(());
        }
    }
    part.finish()
}

pub fn read_voters(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    if board.campaign().is_none() {
        return Err(WRONG_VOTERS);
    }
    let kinds: Vec<_> = board.specs().map(|spec| spec.kind).collect();
    let series = &mut board.campaign_mut().series;
    let series: Vec<_> =
        kinds.iter().map(|kind| (*kind != Kind::All).then(|| series.number(*kind))).collect();
    let sketches = items(reader, |reader, _| {
        let member = match reader.number()? {
            0 => None,
            number => Some(places::member(board, number.saturating_sub(1))?),
        };
        Ok((member, read_batch(reader, &series)?, reader.bytes(1, MAX_SKETCH)?))
    })?;
    board.campaign_mut().voters.restore(&sketches, SERIES)
}

/// Returns the period of a batch: the place of its view from 1, or 0 for all time; the start; and the number of
/// periods by which the votes were late.
pub fn period(board: &Board, batch: Option<VoteBatch>) -> Option<(u64, i64, u16)> {
    let Some(VoteBatch { series, start, late }) = batch else { return Some((0, 0, 0)) };
    let campaign = board.campaign()?;
    let view = board.specs().position(|spec| campaign.series.find(spec.kind) == Some(series))?;
    Some((view.saturating_add(1) as u64, start, late))
}

fn read_batch(reader: &mut Reader, series: &[Option<u8>]) -> Result<Option<VoteBatch>, Error> {
    let view: usize = reader.small(WRONG_VOTERS)?;
    let (start, late) = (start(reader)?, reader.small(WRONG_VOTERS)?);
    match view.checked_sub(1) {
        None if (start, late) == (0, 0) => Ok(None),
        None => Err(WRONG_VOTERS),
        Some(view) => {
            let series = series.get(view).copied().flatten().ok_or(WRONG_VOTERS)?;
            Ok(Some(VoteBatch { series, start, late }))
        }
    }
}
