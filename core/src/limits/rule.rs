//! A rule of votes, and its text: `perminute voter 5 minute BONUS channel acme 5`.

use std::borrow::Cow;
use std::fmt;

use super::ballot::Ballot;
use super::scope::{MAX_WORD, Scope, is_plain};
use super::unit::RuleUnit;
use crate::Error;
use crate::board_rule::BoardRule;
use crate::error::{LimitFault, Quoted};
use crate::size_class::{bytes_of, round_up};

/// The maximum number of rules of a board.
pub const MAX_RULES: usize = 16;
/// The maximum number of bonuses of a rule.
const MAX_BONUSES: usize = 64;
/// The maximum length of a voter or of a value of a tag, in bytes.
pub const MAX_VALUE: usize = 256;

/// Additional votes for a ballot with a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bonus {
    tag: Box<[u8]>,
    value: Box<[u8]>,
    extra: u32,
}

impl Bonus {
    /// Returns the name of the tag: 1 to [`MAX_WORD`] bytes.
    pub(crate) fn tag(&self) -> &[u8] {
        &self.tag
    }

    /// Returns the value that the tag must have: 1 to [`MAX_VALUE`] bytes.
    pub(crate) fn value(&self) -> &[u8] {
        &self.value
    }

    /// Returns the number of additional votes, at least 1.
    pub(crate) const fn extra(&self) -> u32 {
        self.extra
    }

    fn words(&self) -> [Cow<'_, [u8]>; 4] {
        [Cow::Borrowed(b"BONUS"), Cow::Borrowed(&self.tag), Cow::Borrowed(&self.value), digits(self.extra)]
    }
}

/// A maximum of votes in each period of a unit, for each value of a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    name: Box<[u8]>,
    scope: Scope,
    max: u32,
    unit: RuleUnit,
    bonuses: Vec<Bonus>,
}

impl Rule {
    /// Returns the rule with this name, scope, maximum and unit, without a bonus.
    ///
    /// # Errors
    /// - [`Error::Length`] for a name of 0 or more than [`MAX_WORD`] bytes, [`Error::BadName`] for a name with a
    ///   space or a control character, [`Error::ReservedRule`] for the name of a [`BoardRule`] in upper or lower case;
    /// - [`Error::BadScope`] if the scope cannot be read;
    /// - [`Error::BadLimit`] if the unit cannot be read, or if `max` is not 1 to [`u32::MAX`].
    pub fn new(name: &[u8], scope: &[u8], max: u64, unit: &[u8]) -> Result<Self, Error> {
        check_name("rule", name)?;
        if BoardRule::ALL.iter().any(|rule| name.eq_ignore_ascii_case(rule.name().as_bytes())) {
            return Err(Error::ReservedRule(Quoted::new(name)));
        }
        let scope = Scope::parse(scope)?;
        let bad = |fault| Error::BadLimit(Quoted::new(name), fault);
        let max = u32::try_from(max).ok().filter(|max| *max > 0).ok_or(bad(LimitFault::Max))?;
        let unit = RuleUnit::parse(unit).ok_or(bad(LimitFault::Unit))?;
        Ok(Self { name: name.into(), scope, max, unit, bonuses: Vec::new() })
    }

    /// Allows `extra` more votes for a ballot with this value of a tag.
    ///
    /// # Errors
    /// After an error, the rule is unchanged.
    /// - [`Error::Length`] for a name or a value of 0 or more than [`MAX_WORD`] or [`MAX_VALUE`] bytes,
    ///   [`Error::BadName`] for a name with a space, a control character or a `+`;
    /// - [`Error::BadLimit`] if `extra` is 0, or if the maximum and all extras together are more than
    ///   [`u32::MAX`];
    /// - [`Error::RepeatedBonus`] if the rule already has a bonus for this value of the tag;
    /// - [`Error::TooManyBonuses`] if the rule already has 64 bonuses.
    pub fn add_bonus(&mut self, tag: &[u8], value: &[u8], extra: u64) -> Result<(), Error> {
        check_name("tag", tag)?;
        if value.is_empty() || value.len() > MAX_VALUE {
            return Err(Error::Length("tag value", MAX_VALUE));
        }
        if extra == 0 || u64::from(self.greatest()).saturating_add(extra) > u32::MAX.into() {
            return Err(Error::BadLimit(Quoted::new(&self.name), LimitFault::Extra));
        }
        if self.bonuses.iter().any(|bonus| *bonus.tag == *tag && *bonus.value == *value) {
            return Err(Error::RepeatedBonus(Quoted::new(tag), Quoted::new(value)));
        }
        if self.bonuses.len() == MAX_BONUSES {
            return Err(Error::TooManyBonuses(Quoted::new(&self.name), MAX_BONUSES));
        }
        // The value is in range, since it was checked above.
        let extra = u32::try_from(extra).unwrap_or(u32::MAX);
        self.bonuses.push(Bonus { tag: tag.into(), value: value.into(), extra });
        Ok(())
    }

    /// Returns the name of the rule: 1 to [`MAX_WORD`] bytes.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// Returns the scope by which votes are counted.
    pub(crate) const fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Returns the number of votes without a bonus, at least 1.
    #[must_use]
    pub const fn max(&self) -> u32 {
        self.max
    }

    /// Returns the unit of the periods in which votes are counted.
    pub(crate) const fn unit(&self) -> RuleUnit {
        self.unit
    }

    /// Returns the bonuses, in the order in which they were given.
    pub(crate) fn bonuses(&self) -> &[Bonus] {
        &self.bonuses
    }

    /// Returns the maximum with all bonuses. It fits into 32 bits.
    fn greatest(&self) -> u32 {
        self.bonuses.iter().fold(self.max, |sum, bonus| sum.saturating_add(bonus.extra))
    }

    /// Returns the number of votes that this ballot may have: the maximum, and the extra votes of each bonus whose
    /// tag the ballot has.
    pub(super) fn allowance(&self, ballot: &Ballot<'_>) -> u32 {
        let matching = self.bonuses.iter().filter(|bonus| ballot.tag(&bonus.tag) == Some(&*bonus.value));
        matching.fold(self.max, |sum, bonus| sum.saturating_add(bonus.extra))
    }

    /// Returns the words of this rule without `LIMIT`, in their exact bytes.
    pub(super) fn words(&self) -> impl Iterator<Item = Cow<'_, [u8]>> {
        let name = Cow::Borrowed(&*self.name);
        let unit = self.unit.to_string().into_bytes();
        let head = [name, Cow::Owned(self.scope.to_bytes()), digits(self.max), Cow::Owned(unit)];
        head.into_iter().chain(self.bonuses.iter().flat_map(Bonus::words))
    }

    /// Returns the number of bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        let words = self.bonuses.iter().flat_map(|bonus| [bonus.tag.len(), bonus.value.len()]);
        let words = words.chain([self.name.len()]).map(round_up);
        let list = bytes_of::<Bonus>(self.bonuses.capacity());
        words.fold(list, usize::saturating_add).saturating_add(self.scope.memory())
    }
}

/// The rule of the attempts of each member: a maximum of writes of scores in each period of a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempts(pub(crate) Rule);

impl Attempts {
    /// Returns the rule with this maximum and this unit; `None` if the maximum is 0, which means no rule.
    ///
    /// # Errors
    /// [`Error::NotOneOf`] if the unit cannot be read; [`Error::OutOfRange`] if `max` is more than [`u32::MAX`].
    pub fn new(max: u64, unit: &[u8]) -> Result<Option<Self>, Error> {
        let unit = RuleUnit::parse_of_attempts(unit)?;
        let max = u32::try_from(max).map_err(|_| Error::OutOfRange("ATTEMPTS"))?;
        let name = BoardRule::Attempts.name().as_bytes().into();
        let rule = Rule { name, scope: Scope::parse(b"member")?, max, unit, bonuses: Vec::new() };
        Ok((max > 0).then_some(Self(rule)))
    }
}

/// Writes the maximum and the unit: `3 day`.
impl fmt::Display for Attempts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0.max, self.0.unit)
    }
}

/// Writes the rule as text. A word that is not plain text is in quotes, with escapes as in `"\xff"`.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, word) in self.words().enumerate() {
            let space = if number == 0 { "" } else { " " };
            write!(f, "{space}{}", shown(&word))?;
        }
        Ok(())
    }
}

/// Returns a word as text. It is in quotes and with escapes, unless it is plain text.
fn shown(word: &[u8]) -> String {
    let text = word.escape_ascii().to_string();
    if text.as_bytes() == word && !word.contains(&b' ') { text } else { format!("\"{text}\"") }
}

fn digits(number: u32) -> Cow<'static, [u8]> {
    Cow::Owned(number.to_string().into_bytes())
}

fn check_name(what: &'static str, name: &[u8]) -> Result<(), Error> {
    if name.is_empty() || name.len() > MAX_WORD {
        return Err(Error::Length(what, MAX_WORD));
    }
    if !is_plain(name) || what == "tag" && name.contains(&b'+') {
        return Err(Error::BadName(what, Quoted::new(name)));
    }
    Ok(())
}
