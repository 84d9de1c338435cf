//! The rules of a board that is voted on: when voting is open, and the limits of votes.

use super::chunk::Emit;
use super::values::moment;
use super::wire::{Reader, put_bytes, put_number};
use crate::Error;
use crate::board::Board;
use crate::campaign::{VotingChanges, VotingWindow};
use crate::limits::{MAX_RULES, MAX_VALUE, MAX_WORD, Rule};

pub const KIND: u8 = 9;

/// Longest scope as text.
const MAX_SCOPE: usize = 64 * 1024;

pub fn write(board: &Board, emit: Emit) {
    let Some(campaign) = board.campaign() else { return };
    let VotingWindow { opens, closes } = campaign.voting_window;
    let mut chunk = vec![KIND];
    put_number(&mut chunk, opens);
    put_number(&mut chunk, closes);
    campaign.limits.rules().for_each(|rule| write_rule(&mut chunk, rule));
    emit(&chunk);
}

pub fn read(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let wrong = Error::Corrupt("the rules of a vote");
    let (opens, closes) = (moment(reader.number()?)?, moment(reader.number()?)?);
    let mut limits = Vec::new();
    while !reader.is_empty() {
        if limits.len() == MAX_RULES {
            return Err(wrong);
        }
        limits.push(read_rule(reader)?);
    }
    let changes = VotingChanges { opens: Some(opens), closes: Some(closes), lifted: Vec::new(), limits };
    if board.campaign().is_some() || board.check_voting(&changes).is_err() {
        return Err(wrong);
    }
    board.set_voting(&changes);
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Schema;
    use crate::view::{Kind, Spec};

    /// So many rules, then a byte that begins none.
    fn rules(count: u32) -> Vec<u8> {
        let mut chunk = vec![KIND, 0, 0];
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
        assert_ne!(board.load_chunk(&rules(15)), Err(too_many));
        assert_eq!(board.load_chunk(&rules(16)), Err(too_many));
    }
}
