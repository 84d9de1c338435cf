//! Lists of views, each with a value, as clients write them and as `LB.INFO` shows them: `all,day:7`,
//! `+month,-day:7`, `day=30,week=4`, `week=0.2`.

use std::fmt::{self, Display};

use crate::Error;
use crate::error::Quoted;
use crate::integer::small;
use crate::share::Share;
use crate::view::{Kind, MAX_RETAIN, MAX_VIEWS, Spec};

/// The maximum number of changes in one list: all views are dropped, and the same number of views is added.
const MAX_EDITS: usize = 2 * MAX_VIEWS;

/// A change of one view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// The view is added, and begins empty.
    Add,
    /// The view is dropped, including its past periods.
    Drop,
}

/// How many past periods stay readable, for all views or for each view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Retain {
    /// The same number for all views.
    All(u32),
    /// A number for each of these views.
    Each(Vec<(Kind, u32)>),
}

/// The shares that these views carry over into their next period. `None` ends the carry of a view.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Carry(pub Vec<(Kind, Option<Share>)>);

/// The shares of whole scores that these views take into the next period. `None` ends the decay of a view.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decays(pub Vec<(Kind, Option<Share>)>);

/// The greatest share below 1 that is allowed. With it, scores stop changing after some thousands of periods.
const MOST_DECAY: u32 = 990_000_000;
/// The shares that are allowed, in errors.
const DECAYS: &str = "from 0 to 0.99, or 1";

/// Reads `view[,view...]`: views with the default rules.
///
/// # Errors
/// [`Error::TooMany`], [`Error::BadView`] and the other errors of view names.
pub fn parse_views(list: &[u8]) -> Result<Vec<Spec>, Error> {
    items(list, ("VIEWS", MAX_VIEWS), |name| Ok(Spec::new(Kind::parse(name)?)))
}

/// Reads `+view|-view[,...]`: views to add and to drop.
///
/// # Errors
/// The errors of [`parse_views`]; [`Error::BadEdit`].
pub fn parse_edits(list: &[u8]) -> Result<Vec<(Kind, Edit)>, Error> {
    items(list, ("VIEWS", MAX_EDITS), |item| match item.split_first() {
        Some((b'+', name)) => Ok((Kind::parse(name)?, Edit::Add)),
        Some((b'-', name)) => Ok((Kind::parse(name)?, Edit::Drop)),
        _ => Err(Error::BadEdit("VIEWS", Quoted::new(item))),
    })
}

impl Retain {
    /// Reads `n` or `view=n[,view=n...]`.
    ///
    /// # Errors
    /// The errors of [`parse_views`]; [`Error::NotAPair`], [`Error::RepeatedView`], the errors of a whole number.
    pub fn parse(list: &[u8]) -> Result<Self, Error> {
        if !list.contains(&b'=') {
            return Ok(Self::All(small(list, "RETAIN")?));
        }
        Ok(Self::Each(pairs(list, "RETAIN", |number| small(number, "RETAIN"))?))
    }

    /// Returns how many periods each of these views keeps.
    pub fn of<'a>(specs: impl Iterator<Item = &'a Spec>) -> Self {
        let with_periods = specs.filter(|spec| spec.kind != Kind::All);
        Self::Each(with_periods.map(|spec| (spec.kind, spec.retain)).collect())
    }

    /// Sets these numbers of periods in the specs of views.
    ///
    /// # Errors
    /// [`Error::OutOfRange`], naming `RETAIN`; [`Error::NoSuchView`], [`Error::NoRetain`].
    pub fn apply(&self, specs: &mut [Spec]) -> Result<(), Error> {
        let pairs = match self {
            Self::All(number) => {
                for spec in specs.iter_mut() {
                    spec.retain = retained(*number)?;
                }
                return Ok(());
            }
            Self::Each(pairs) => pairs,
        };
        for (kind, number) in pairs {
            if *kind == Kind::All {
                return Err(Error::NoRetain);
            }
            find(specs, *kind, "RETAIN")?.retain = retained(*number)?;
        }
        Ok(())
    }
}

impl Display for Retain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All(number) => write!(f, "{number}"),
            Self::Each(pairs) => show(f, pairs.iter().map(|(kind, number)| (*kind, number))),
        }
    }
}

impl Carry {
    /// Reads `view=share[,view=share...]`.
    ///
    /// # Errors
    /// The errors of [`Retain::parse`]; the errors of [`Share::parse`].
    pub fn parse(list: &[u8]) -> Result<Self, Error> {
        pairs(list, "CARRY", |share| Share::parse(share, "CARRY")).map(Self)
    }

    /// Returns the shares that these views carry over.
    pub fn of<'a>(specs: impl Iterator<Item = &'a Spec>) -> Self {
        Self(specs.filter(|spec| spec.carry.is_some()).map(|spec| (spec.kind, spec.carry)).collect())
    }

    /// Sets these shares in the specs of views.
    ///
    /// # Errors
    /// [`Error::NoSuchView`].
    pub fn apply(&self, specs: &mut [Spec]) -> Result<(), Error> {
        self.0.iter().try_for_each(|(kind, share)| {
            find(specs, *kind, "CARRY")?.carry = *share;
            Ok(())
        })
    }
}

impl Display for Carry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_shares(f, &self.0)
    }
}

impl Decays {
    /// Reads `view=share[,view=share...]`.
    ///
    /// # Errors
    /// The errors of [`Carry::parse`]; [`Error::NotAShare`] for a share above 0.99 that is not 1.
    pub fn parse(list: &[u8]) -> Result<Self, Error> {
        pairs(list, "DECAY", |share| Share::parse_within(share, ("DECAY", DECAYS))?.map(decayed).transpose())
            .map(Self)
    }

    /// Returns the shares by which these views decay.
    pub fn of<'a>(specs: impl Iterator<Item = &'a Spec>) -> Self {
        Self(specs.filter(|spec| spec.decay.is_some()).map(|spec| (spec.kind, spec.decay)).collect())
    }

    /// Sets these shares in the specs of views.
    ///
    /// # Errors
    /// [`Error::NoSuchView`].
    pub fn apply(&self, specs: &mut [Spec]) -> Result<(), Error> {
        self.0.iter().try_for_each(|(kind, share)| {
            find(specs, *kind, "DECAY")?.decay = *share;
            Ok(())
        })
    }
}

impl Display for Decays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_shares(f, &self.0)
    }
}

fn show_shares(f: &mut fmt::Formatter<'_>, pairs: &[(Kind, Option<Share>)]) -> fmt::Result {
    show(f, pairs.iter().filter_map(|(kind, share)| Some((*kind, (*share)?))))
}

fn show(f: &mut fmt::Formatter<'_>, pairs: impl Iterator<Item = (Kind, impl Display)>) -> fmt::Result {
    for (at, (kind, value)) in pairs.enumerate() {
        write!(f, "{}{kind}={value}", if at == 0 { "" } else { "," })?;
    }
    Ok(())
}

/// Reads a list of items with commas between them. Stops after `most` items, which limits the cost of parsing.
fn items<T>(
    list: &[u8],
    (option, most): (&'static str, usize),
    mut item: impl FnMut(&[u8]) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let mut all = Vec::new();
    for word in list.split(|byte| *byte == b',') {
        if all.len() == most {
            return Err(Error::TooMany(option, most, "views"));
        }
        all.push(item(word)?);
    }
    Ok(all)
}

/// Reads a list of views and their values. Each view may occur once.
fn pairs<T>(
    list: &[u8],
    option: &'static str,
    value: impl Fn(&[u8]) -> Result<T, Error>,
) -> Result<Vec<(Kind, T)>, Error> {
    let pairs = items(list, (option, MAX_VIEWS), |item| {
        let not_a_pair = || Error::NotAPair(option, Quoted::new(item));
        let at = item.iter().position(|byte| *byte == b'=').ok_or_else(not_a_pair)?;
        let (name, text) = item.split_at(at);
        Ok((Kind::parse_in(option, name)?, value(text.get(1..).unwrap_or_default())?))
    })?;
    let mut seen = Vec::new();
    for (kind, _) in &pairs {
        if seen.contains(kind) {
            return Err(Error::RepeatedView(quoted(*kind)));
        }
        seen.push(*kind);
    }
    Ok(pairs)
}

pub(super) fn retained(number: u32) -> Result<u32, Error> {
    if number > MAX_RETAIN { Err(Error::OutOfRange("RETAIN")) } else { Ok(number) }
}

pub(super) fn decayed(share: Share) -> Result<Share, Error> {
    let fits = share == Share::ALL || share.billionths() <= MOST_DECAY;
    if fits { Ok(share) } else { Err(Error::NotAShare("DECAY", DECAYS)) }
}

/// Returns the spec of a view that an option names.
pub(super) fn find<'s>(
    specs: &'s mut [Spec],
    kind: Kind,
    option: &'static str,
) -> Result<&'s mut Spec, Error> {
    let missing = || Error::NoSuchView(option, quoted(kind));
    specs.iter_mut().find(|spec| spec.kind == kind).ok_or_else(missing)
}

pub(super) fn quoted(kind: Kind) -> Quoted {
    Quoted::new(kind.to_string().as_bytes())
}
