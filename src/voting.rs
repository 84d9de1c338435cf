//! Reading what options say about votes: limits, and who votes.

use leaderboard_core::Error;
use leaderboard_core::error::Quoted;
use leaderboard_core::limits::{Ballot, MAX_RULES, MAX_VALUE, MAX_WORD, Rule};

use crate::argument::Argument;
use crate::arguments::{Args, Read, natural, sized};
use crate::options::{Name, Options};

/// Most tags of a vote.
const MAX_TAGS: usize = 16;

/// `rule scope max unit [BONUS tag value extra]...`
pub fn limit(args: &mut Args, limits: &mut Vec<Rule>) -> Read<()> {
    if limits.len() == MAX_RULES {
        return Err(Error::TooManyRules(MAX_RULES).into());
    }
    let (name, scope) = (args.value(Name::Limit)?, args.value(Name::Limit)?);
    let max = natural(args.value(Name::Limit)?, "max")?;
    let mut rule = Rule::new(name, scope, max, args.value(Name::Limit)?)?;
    while args.takes("BONUS") {
        let mut next = || args.next().map_err(|_| Error::MissingValue("BONUS"));
        let (tag, value, extra) = (next()?, next()?, next()?);
        rule.add_bonus(tag, value, natural(extra, "extra")?)?;
    }
    limits.push(rule);
    Ok(())
}

/// `rule`
pub fn unlimit(args: &mut Args, lifted: &mut Vec<Vec<u8>>) -> Read<()> {
    if lifted.len() == MAX_RULES {
        return Err(Error::TooMany("UNLIMIT", MAX_RULES, "rules").into());
    }
    lifted.push(args.value(Name::Unlimit)?.to_vec());
    Ok(())
}

/// `name value`
pub fn tag(args: &mut Args, tags: &mut Vec<[Argument; 2]>) -> Read<()> {
    let words: Option<[Argument; 2]> = args.rest().get(..2).and_then(|words| words.try_into().ok());
    let name = sized(args.value(Name::Tag)?, "the name of a TAG", MAX_WORD)?;
    sized(args.value(Name::Tag)?, "the value of a TAG", MAX_VALUE)?;
    if tags.iter().any(|[other, _]| other.bytes() == name) {
        return Err(Error::RepeatedTag(Quoted::new(name)).into());
    }
    if tags.len() == MAX_TAGS {
        return Err(Error::OutOfRange("the number of TAGs").into());
    }
    tags.extend(words);
    Ok(())
}

/// The tags of a vote as the core takes them.
pub fn tags(options: &Options) -> Vec<(&[u8], &[u8])> {
    options.tags.iter().map(|[name, value]| (name.bytes(), value.bytes())).collect()
}

/// Who votes.
pub fn ballot<'a>(options: &'a Options, tags: &'a [(&'a [u8], &'a [u8])]) -> Ballot<'a> {
    Ballot { voter: options.by.as_ref().map(Argument::bytes), tags }
}
