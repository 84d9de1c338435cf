//! Options of votes: the voter, the declaration of candidates by an organiser, and the limits of a board.

use leaderboard_core::campaign::MAX_WEIGHT;
use leaderboard_core::error::{LimitFault, Quoted};
use leaderboard_core::integer::natural;
use leaderboard_core::limits::{Ballot, MAX_RULES, MAX_VALUE, MAX_WORD, Rule};
use leaderboard_core::{Error, MAX_NAME};

use super::{Opt, OptionValue, Options};
use crate::arguments::{Read, sized};

const MAX_TAGS: usize = 16;
const TOO_MANY_TAGS: Error = Error::OutOfRange("the number of TAGs");

/// The name of the voter.
pub static BY: Opt<()> =
    Opt::new(&["BY"], "voter", |value| sized(value.next()?, "BY", MAX_VALUE).map(|_| ())).sent(3);

/// A property of the voter, such as the device.
pub static TAG: Opt<()> = Opt::new(&["TAG"], "name value", read_tag)
    .repeated(MAX_TAGS + 1, TOO_MANY_TAGS)
    .checked(one_tag_a_name)
    .sent(4);

/// The member that the request is about.
pub static MEMBER: Opt<()> =
    Opt::new(&["MEMBER"], "member", |value| sized(value.next()?, "MEMBER", MAX_NAME).map(|_| ()));

/// The number by which one vote increases the displayed number of votes.
pub static WEIGHT: Opt<u32> = Opt::new(&["WEIGHT"], "n", |value| {
    let weight = natural(value.next()?, "WEIGHT")?;
    let weight = u32::try_from(weight).ok().filter(|weight| u64::from(*weight) <= MAX_WEIGHT);
    Ok(weight.ok_or(Error::OutOfRange("WEIGHT"))?)
});

/// The number of shown votes that a candidate starts with.
pub static INITIAL: Opt<u64> =
    Opt::new(&["INITIAL"], "votes", |value| Ok(natural(value.next()?, "INITIAL")?));

/// A limit of votes.
pub static LIMIT: Opt<Rule> =
    Opt::new(&["LIMIT"], "rule scope max unit [BONUS tag value extra]...", read_limit)
        .repeated(MAX_RULES, Error::TooManyRules(MAX_RULES));

/// A limit to drop.
pub static UNLIMIT: Opt<Vec<u8>> = Opt::new(&["UNLIMIT"], "rule", |value| Ok(value.next()?.to_vec()))
    .repeated(MAX_RULES, Error::TooMany("UNLIMIT", MAX_RULES, "rules"));

fn read_limit(value: &mut OptionValue) -> Read<Rule> {
    let (name, scope) = (value.next()?, value.next()?);
    let bad = |fault| Error::BadLimit(Quoted::new(name), fault);
    let max = natural(value.next()?, "max").map_err(|_| bad(LimitFault::Max))?;
    let mut rule = Rule::new(name, scope, max, value.next()?)?;
    while value.takes("BONUS") {
        let mut next = || value.next_of("BONUS");
        let (tag, value, extra) = (next()?, next()?, next()?);
        rule.add_bonus(tag, value, natural(extra, "extra").map_err(|_| bad(LimitFault::Extra))?)?;
    }
    Ok(rule)
}

fn read_tag(value: &mut OptionValue) -> Read<()> {
    sized(value.next()?, "the name of a TAG", MAX_WORD)?;
    sized(value.next()?, "the value of a TAG", MAX_VALUE)?;
    Ok(())
}

fn one_tag_a_name(options: &Options) -> Read<()> {
    let tags = options.tags();
    let Some(((last, _), before)) = tags.split_last() else { return Ok(()) };
    if before.iter().any(|(name, _)| name == last) {
        return Err(Error::RepeatedTag(Quoted::new(last)).into());
    }
    if before.len() == MAX_TAGS { Err(TOO_MANY_TAGS.into()) } else { Ok(()) }
}

impl<'a> Options<'a> {
    /// Returns the tags of a vote: names and values.
    pub fn tags(&self) -> Vec<(&'a [u8], &'a [u8])> {
        self.words(&TAG).map(|[name, value]| (name, value)).collect()
    }

    /// Returns the voter and the tags.
    pub fn ballot<'b>(&self, tags: &'b [(&'b [u8], &'b [u8])]) -> Ballot<'b>
    where
        'a: 'b,
    {
        Ballot { voter: self.text(&BY), tags }
    }
}
