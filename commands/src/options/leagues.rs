//! Options of leagues.

use leaderboard_core::Error;
use leaderboard_core::board::MAX_META;
use leaderboard_core::calendar::Unit;
use leaderboard_core::error::Quoted;
use leaderboard_core::integer::small;
use leaderboard_core::league::{Alter, LeagueTies, MAX_TIERS, PrizeChanges, Rules, Tier, TierAmount};
use leaderboard_core::prizes::PrizeTable;
use leaderboard_core::share::Share;

use super::boards::{CLOCK, DECIMALS, DEDUP, ORIGIN, PRIZEDAYS, TZ, WEEKSTART};
use super::{Opt, OptionValue, Options, flag};
use crate::arguments::Read;

/// The names of the tiers. The lowest tier is the first.
pub static TIERS: Opt<Vec<Box<[u8]>>> =
    Opt::new(&["TIERS"], "names", |value| list(value, "tiers", |name| Ok(name.into()))).required();

/// The number or share of members that move up, for each tier.
pub static PROMOTE: Opt<Vec<TierAmount>> = Opt::new(&["PROMOTE"], "amounts", amounts).required();

/// The number or share of members that move down, for each tier.
pub static DEMOTE: Opt<Vec<TierAmount>> = Opt::new(&["DEMOTE"], "amounts", amounts).required();

/// The number or share of members that move up from now on, for each tier.
pub static NEW_PROMOTE: Opt<Vec<TierAmount>> = Opt::new(&["PROMOTE"], "amounts", amounts);

/// The number or share of members that move down from now on, for each tier.
pub static NEW_DEMOTE: Opt<Vec<TierAmount>> = Opt::new(&["DEMOTE"], "amounts", amounts);

/// The unit of a period.
pub static CYCLE: Opt<Unit> = Opt::new(&["CYCLE"], "unit", |value| {
    let unit = value.next()?;
    Ok(Unit::parse(unit).ok_or(Error::BadUnit("CYCLE", Quoted::new(unit)))?)
})
.required();

/// The order of members with equal scores.
pub static TIES: Opt<LeagueTies> =
    Opt::new(&["TIES"], "SCORED|JOINED", |value| Ok(LeagueTies::parse(value.next()?)?));

/// The maximum number of members of a group.
pub static GROUP: Opt<u32> = Opt::new(&["GROUP"], "size", |value| Ok(small(value.next()?, "GROUP")?));

/// The number of ranks of each group that get a reward.
pub static REWARD: Opt<u32> = Opt::new(&["REWARD"], "n", |value| Ok(small(value.next()?, "REWARD")?));

/// The number of past periods that stay readable.
pub static RETAIN: Opt<u32> = Opt::new(&["RETAIN"], "n", |value| Ok(small(value.next()?, "RETAIN")?));

/// The number of tiers that a member loses for each whole period without joining.
pub static IDLE: Opt<u32> = Opt::new(&["IDLE"], "n", |value| Ok(small(value.next()?, "IDLE")?));

/// The share of a period, from its start, in which members can join.
pub static JOINUNTIL: Opt<Share> = Opt::new(&["JOINUNTIL"], "share", |value| {
    let wrong = ("JOINUNTIL", "more than 0, at most 1");
    Ok(Share::parse_within(value.next()?, wrong)?.ok_or(Error::NotAShare(wrong.0, wrong.1))?)
});

/// The prizes of the places in each group of a tier.
pub static PRIZES: Opt<(Box<[u8]>, PrizeTable)> = Opt::new(&["PRIZES"], "tier places", |value| {
    Ok((value.next()?.into(), PrizeTable::parse(value.next()?)?))
})
.repeated(MAX_TIERS, Error::TooMany("PRIZES", MAX_TIERS, "tables"));

/// Shows in each row what the end of the period means for the member.
pub static WITHZONE: Opt<()> = flag(&["WITHZONE"]);

/// The meta of the member that joins.
pub static META: Opt<()> = Opt::new(&["META"], "meta", |value| {
    let is_short = value.next()?.len() <= MAX_META;
    if is_short { Ok(()) } else { Err(Error::TooLong("META", MAX_META).into()) }
})
.sent(3);

fn amounts(value: &mut OptionValue) -> Read<Vec<TierAmount>> {
    let option = value.word();
    list(value, "amounts", |amount| Ok(TierAmount::parse(amount, option)?))
}

/// Reads `item[,item...]`.
fn list<T>(value: &mut OptionValue, what: &'static str, read: impl Fn(&[u8]) -> Read<T>) -> Read<Vec<T>> {
    let (option, items) = (value.word(), value.next()?.split(|byte| *byte == b','));
    let items: Vec<_> = items.take(MAX_TIERS + 1).map(read).collect::<Read<_>>()?;
    if items.len() > MAX_TIERS { Err(Error::TooMany(option, MAX_TIERS, what).into()) } else { Ok(items) }
}

impl Options<'_> {
    /// Returns the rules of a new league.
    ///
    /// # Errors
    /// The errors of [`Tier::all`].
    pub fn league_rules(&self) -> Read<Rules> {
        let names = self.get(&TIERS).unwrap_or_default();
        let names: Vec<&[u8]> = names.iter().map(|name| &**name).collect();
        let [promote, demote] = [&PROMOTE, &DEMOTE].map(|option| self.get(option).unwrap_or_default());
        let tiers = Tier::all(&names, &promote, &demote)?;
        let mut rules = Rules::new(tiers, self.get(&CYCLE).ok_or(Error::MissingOption("CYCLE"))?);
        let calendar = &mut rules.calendar;
        set(&mut calendar.zone, self.get(&TZ));
        set(&mut calendar.week_start, self.get(&WEEKSTART));
        set(&mut calendar.origin, self.get(&ORIGIN));
        set(&mut rules.decimals, self.get(&DECIMALS));
        set(&mut rules.clock, self.get(&CLOCK));
        set(&mut rules.ties, self.get(&TIES));
        set(&mut rules.group, self.get(&GROUP));
        set(&mut rules.reward, self.get(&REWARD));
        set(&mut rules.dedup, self.get(&DEDUP));
        set(&mut rules.retain, self.get(&RETAIN));
        set(&mut rules.idle, self.get(&IDLE));
        set(&mut rules.join_until, self.get(&JOINUNTIL));
        Ok(rules)
    }

    /// Returns the changes to the rules of a league.
    pub fn league_changes(&self) -> Alter {
        Alter {
            promote: self.get(&NEW_PROMOTE),
            demote: self.get(&NEW_DEMOTE),
            group: self.get(&GROUP),
            reward: self.get(&REWARD),
            dedup: self.get(&DEDUP),
            retain: self.get(&RETAIN),
            idle: self.get(&IDLE),
            join_until: self.get(&JOINUNTIL),
            prizes: self.league_prizes(),
        }
    }

    /// Returns the changes to the prizes of a league.
    pub fn league_prizes(&self) -> PrizeChanges {
        PrizeChanges { tables: self.all(&PRIZES).collect(), days: self.get(&PRIZEDAYS) }
    }
}

/// Replaces a default.
fn set<T>(rule: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *rule = given;
    }
}
