//! What a board that is voted on saves beside all others, both ways: its rules, the options that were
//! declared, what was used of limits, and the sketches of voters.

use super::head::{moment, start};
use super::save::{Chunk, Numbers};
use super::wire::{Reader, put_bytes, put_number, put_signed};
use super::{CHOICES, RULES, USED, VOTERS};
use crate::Error;
use crate::board::Board;
use crate::campaign::{Candidate, MAX_WEIGHT, VotingChanges, VotingWindow};
use crate::index::MemberId;
use crate::limits::{MAX_RULES, MAX_VALUE, MAX_WORD, Rule};
use crate::score::Score;
use crate::view::Kind;
use crate::voters::{Batch, SERIES};

/// The greatest number of an option that is taken up: as many may be declared behind it.
const MAX_NUMBER: u32 = u32::MAX / 2;
/// Longest scope as text.
const MAX_SCOPE: usize = 64 * 1024;
/// Most bytes of a sketch.
const MAX_SKETCH: usize = 16 * 1024;

/// How many options, used limits and sketches there are.
pub(super) type Counts = [u64; 3];

impl Board {
    pub(super) fn save_rules(&self, out: &mut impl FnMut(&[u8])) {
        let Some(campaign) = self.campaign() else { return };
        let mut chunk = vec![RULES];
        put_number(&mut chunk, campaign.voting_window.opens);
        put_number(&mut chunk, campaign.voting_window.closes);
        for rule in campaign.limits.rules() {
            put_bytes(&mut chunk, rule.name());
            put_bytes(&mut chunk, &rule.scope().to_bytes());
            put_number(&mut chunk, u64::from(rule.max()));
            put_bytes(&mut chunk, rule.unit().to_string().as_bytes());
            put_number(&mut chunk, rule.bonuses().len() as u64);
            for bonus in rule.bonuses() {
                put_bytes(&mut chunk, bonus.tag());
                put_bytes(&mut chunk, bonus.value());
                put_number(&mut chunk, u64::from(bonus.extra()));
            }
        }
        out(&chunk);
    }

    pub(super) fn save_campaign(&self, numbers: &Numbers, out: &mut impl FnMut(&[u8])) -> Counts {
        [self.save_choices(numbers, out), self.save_used(out), self.save_voters(numbers, out)]
    }

    fn save_choices(&self, numbers: &Numbers, out: &mut impl FnMut(&[u8])) -> u64 {
        let Some(campaign) = self.campaign() else { return 0 };
        let mut chunk = Chunk::new(CHOICES, out);
        for (id, candidate) in campaign.candidates.from(0) {
            put_number(&mut chunk.bytes, u64::from(candidate.number));
            put_number(&mut chunk.bytes, numbers.get(&id).copied().unwrap_or(0));
            put_number(&mut chunk.bytes, u64::from(candidate.weight));
            put_signed(&mut chunk.bytes, candidate.initial.units());
            put_number(&mut chunk.bytes, candidate.moment);
            put_number(&mut chunk.bytes, candidate.sequence);
            chunk.close_if_full();
        }
        chunk.finish();
        campaign.candidates.len() as u64
    }

    fn save_used(&self, out: &mut impl FnMut(&[u8])) -> u64 {
        let mut count = 0_u64;
        for used in self.campaign().into_iter().flat_map(|campaign| campaign.limits.saved(self.last)) {
            let mut chunk = Chunk::of_view(USED, used.rule, &[used.start()], out);
            for (hash, votes) in used.iter() {
                chunk.bytes.extend_from_slice(&hash.to_le_bytes());
                put_number(&mut chunk.bytes, u64::from(votes));
                count = count.saturating_add(1);
                chunk.close_if_full();
            }
            chunk.finish();
        }
        count
    }

    fn save_voters(&self, numbers: &Numbers, out: &mut impl FnMut(&[u8])) -> u64 {
        let Some(campaign) = self.campaign() else { return 0 };
        let number = |id: MemberId| numbers.get(&id).map(|number| (number.saturating_add(1), Some(id)));
        let mut records: Vec<_> = campaign.voters.candidates().filter_map(number).collect();
        records.push((0, None));
        records.sort_unstable();
        let mut chunk = Chunk::new(VOTERS, out);
        let (mut count, mut bytes) = (0_u64, Vec::new());
        for (number, option) in records {
            let named = |(batch, sketch)| Some((self.saved_batch(batch)?, sketch));
            let mut sketches: Vec<_> = campaign.voters.sketches(option).filter_map(named).collect();
            sketches.sort_unstable_by_key(|(batch, _)| *batch);
            for ((view, start, late), sketch) in sketches {
                put_number(&mut chunk.bytes, number);
                put_number(&mut chunk.bytes, view);
                put_signed(&mut chunk.bytes, start);
                put_number(&mut chunk.bytes, u64::from(late));
                sketch.save(&mut bytes);
                put_bytes(&mut chunk.bytes, &bytes);
                bytes.clear();
                count = count.saturating_add(1);
                chunk.close_if_full();
            }
        }
        chunk.finish();
        count
    }

    /// A batch of votes as it is saved: 0 for all time, or the view's place from 1; the start of the
    /// period, and how many periods later they came.
    fn saved_batch(&self, batch: Option<Batch>) -> Option<(u64, i64, u16)> {
        let Some(Batch { series, start, late }) = batch else { return Some((0, 0, 0)) };
        let campaign = self.campaign()?;
        let view = self.specs().position(|spec| campaign.series.find(spec.kind) == Some(series))?;
        Some((view.saturating_add(1) as u64, start, late))
    }

    pub(super) fn absorb_rules(&mut self, reader: &mut Reader) -> Result<(), Error> {
        let voting_window =
            VotingWindow { opens: moment(reader.number()?)?, closes: moment(reader.number()?)? };
        let mut limits = Vec::new();
        while !reader.is_empty() {
            if limits.len() == MAX_RULES {
                return Err(Error::Corrupt("the rules of a vote"));
            }
            limits.push(read_rule(reader)?);
        }
        let (opens, closes) = (Some(voting_window.opens), Some(voting_window.closes));
        let changes = VotingChanges { opens, closes, lifted: Vec::new(), limits };
        if self.campaign().is_some() || self.check_voting(&changes).is_err() {
            return Err(Error::Corrupt("the rules of a vote"));
        }
        self.set_voting(&changes);
        if let Some(loading) = &mut self.loading {
            loading.name_by_number();
        }
        Ok(())
    }

    pub(super) fn absorb_choices(&mut self, reader: &mut Reader) -> Result<(), Error> {
        let wrong = Error::Corrupt("an option");
        let campaign = self.campaign().ok_or(wrong)?;
        let mut last = campaign.candidates.last_number();
        let mut candidates: Vec<(MemberId, Candidate)> = Vec::new();
        while !reader.is_empty() {
            let number = u32::try_from(reader.number()?).ok();
            let number = number.filter(|number| (last.saturating_add(1)..=MAX_NUMBER).contains(number));
            let number = number.ok_or(wrong)?;
            let id = self.named(reader.number()?)?;
            let weight = Some(reader.number()?).filter(|weight| *weight <= MAX_WEIGHT).ok_or(wrong)?;
            let initial = Score::from_units(reader.signed()?).filter(|initial| *initial >= Score::ZERO);
            let candidate = Candidate {
                number,
                weight: u32::try_from(weight).map_err(|_| wrong)?,
                initial: initial.ok_or(wrong)?,
                moment: moment(reader.number()?)?,
                sequence: Some(reader.number()?)
                    .filter(|sequence| *sequence <= self.sequences)
                    .ok_or(wrong)?,
            };
            let is_plain =
                (candidate.weight, candidate.initial) == (Candidate::PLAIN.weight, Candidate::PLAIN.initial);
            if !is_plain && !self.schema.shown || campaign.candidates.get(id).is_some() {
                return Err(wrong);
            }
            last = number;
            candidates.push((id, candidate));
        }
        let starting = || candidates.iter().filter(|(_, candidate)| candidate.starts());
        let is_twice = repeats(candidates.iter().map(|(id, _)| u64::from(*id)))
            || repeats(starting().map(|(_, candidate)| candidate.sequence))
            || starting().any(|(_, candidate)| campaign.candidates.is_taken(candidate.sequence));
        if is_twice {
            return Err(wrong);
        }
        let campaign = self.campaign_mut();
        candidates.into_iter().for_each(|(id, candidate)| campaign.candidates.set(id, candidate));
        Ok(())
    }

    pub(super) fn absorb_used(&mut self, reader: &mut Reader) -> Result<(), Error> {
        let wrong = Error::Corrupt("what was used of a limit");
        let rule = usize::try_from(reader.number()?).map_err(|_| wrong)?;
        // A limit without end has a period without beginning.
        let from = reader.signed()?;
        let mut used = Vec::new();
        while !reader.is_empty() {
            let mut raw = [0; 8];
            raw.copy_from_slice(reader.take(8)?);
            used.push((u64::from_le_bytes(raw), u32::try_from(reader.number()?).map_err(|_| wrong)?));
        }
        if self.campaign().is_none() {
            return Err(wrong);
        }
        let (calendar, now) = (self.schema.calendar, self.last);
        self.campaign_mut().limits.restore(&calendar, now, rule, from, &used)
    }

    pub(super) fn absorb_voters(&mut self, reader: &mut Reader) -> Result<(), Error> {
        let wrong = Error::Corrupt("voters");
        if self.campaign().is_none() {
            return Err(wrong);
        }
        let kinds: Vec<_> = self.specs().map(|spec| spec.kind).collect();
        let series = &mut self.campaign_mut().series;
        let numbers: Vec<_> =
            kinds.iter().map(|kind| (*kind != Kind::All).then(|| series.number(*kind))).collect();
        let mut sketches = Vec::new();
        while !reader.is_empty() {
            let option = match reader.number()? {
                0 => None,
                number => Some(self.named(number.saturating_sub(1))?),
            };
            let view = usize::try_from(reader.number()?).map_err(|_| wrong)?;
            let start = start(reader)?;
            let late = u16::try_from(reader.number()?).map_err(|_| wrong)?;
            let batch = match view.checked_sub(1) {
                None if (start, late) == (0, 0) => None,
                None => return Err(wrong),
                Some(view) => {
                    let series = numbers.get(view).copied().flatten().ok_or(wrong)?;
                    Some(Batch { series, start, late })
                }
            };
            sketches.push((option, batch, reader.bytes(1, MAX_SKETCH)?));
        }
        let voters = &mut self.campaign_mut().voters;
        for (at, (option, batch, bytes)) in sketches.iter().enumerate() {
            if let Err(error) = voters.restore(*option, *batch, bytes, SERIES) {
                let done = sketches.iter().take(at).rev();
                done.for_each(|(option, batch, _)| voters.take_back(*option, *batch));
                return Err(error);
            }
        }
        Ok(())
    }

    pub(super) fn campaign_parts(&self) -> Counts {
        let Some(campaign) = self.campaign() else { return Counts::default() };
        let used = campaign.limits.saved(self.last).map(|used| used.entries() as u64).sum();
        let everybody = std::iter::once(None);
        let records = everybody.chain(campaign.voters.candidates().map(Some));
        let sketches = records.map(|option| campaign.voters.sketches(option).count() as u64).sum();
        [campaign.candidates.len() as u64, used, sketches]
    }
}

/// Whether a number stands there twice.
fn repeats(numbers: impl Iterator<Item = u64>) -> bool {
    let mut numbers: Vec<_> = numbers.collect();
    numbers.sort_unstable();
    numbers.windows(2).any(|pair| pair.first() == pair.last())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Schema;
    use crate::view::Spec;

    /// So many rules, then a byte that begins none.
    fn rules(count: u32) -> Vec<u8> {
        let mut chunk = vec![RULES, 0, 0];
        for number in 0..count {
            put_bytes(&mut chunk, format!("r{number}").as_bytes());
            put_bytes(&mut chunk, b"voter");
            put_number(&mut chunk, 5);
            put_bytes(&mut chunk, b"day");
            put_number(&mut chunk, 0);
        }
        chunk.push(0);
        chunk
    }

    #[test]
    fn saved_rules_end_with_the_first_one_too_many() {
        let mut board = Board::new(Schema::default(), &[Spec::new(Kind::All)]).unwrap();
        let too_many = Error::Corrupt("the rules of a vote");
        assert_ne!(board.absorb(&rules(15)), Err(too_many));
        assert_eq!(board.absorb(&rules(16)), Err(too_many));
    }
}
