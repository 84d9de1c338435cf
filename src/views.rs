//! Reading what options say about views: lists of them, what they keep and carry over.

use leaderboard_core::Error;
use leaderboard_core::board::{Edit, Retain};
use leaderboard_core::calendar::Unit;
use leaderboard_core::error::Quoted;
use leaderboard_core::view::{Kind, MAX_VIEWS, Share, Spec};

use crate::arguments::{Args, Read, small};
use crate::options::Window;

/// Most changes of views that can make sense: all go, and as many come.
const MAX_EDITS: usize = 2 * MAX_VIEWS;

/// The items of a list with commas. The first one too many ends it, so that nobody pays for the rest.
fn items<T>(
    list: &[u8],
    (option, most): (&'static str, usize),
    mut item: impl FnMut(&[u8]) -> Read<T>,
) -> Read<Vec<T>> {
    let mut all = Vec::new();
    for word in list.split(|byte| *byte == b',') {
        if all.len() == most {
            return Err(Error::TooMany(option, most, "views").into());
        }
        all.push(item(word)?);
    }
    Ok(all)
}

/// `view[,view...]`
pub fn list(list: &[u8]) -> Read<Vec<Spec>> {
    items(list, ("VIEWS", MAX_VIEWS), |name| Ok(Spec::new(Kind::parse(name)?)))
}

/// `+view|-view[,...]`
pub fn edits(list: &[u8]) -> Read<Vec<(Kind, Edit)>> {
    items(list, ("VIEWS", MAX_EDITS), |item| match item.split_first() {
        Some((b'+', name)) => Ok((Kind::parse(name)?, Edit::Add)),
        Some((b'-', name)) => Ok((Kind::parse(name)?, Edit::Drop)),
        _ => Err(Error::BadEdit(Quoted::new(item)).into()),
    })
}

/// `view=value`
fn pair<'a>(item: &'a [u8], option: &'static str) -> Read<(Kind, &'a [u8])> {
    let at = item.iter().position(|byte| *byte == b'=').ok_or(Error::NotAPair(option, Quoted::new(item)))?;
    let (name, value) = item.split_at(at);
    Ok((Kind::parse(name)?, value.get(1..).unwrap_or_default()))
}

/// `n | view=n[,view=n...]`
pub fn retain(list: &[u8]) -> Read<Retain> {
    if !list.contains(&b'=') {
        return Ok(Retain::All(small(list, "RETAIN")?));
    }
    Ok(Retain::Each(pairs(list, "RETAIN", |number| small(number, "RETAIN"))?))
}

/// `view=fraction[,...]`
pub fn carry(list: &[u8]) -> Read<Vec<(Kind, Option<Share>)>> {
    pairs(list, "CARRY", |share| Ok(Share::parse(share)?))
}

/// Views and their values, each view once.
fn pairs<T>(list: &[u8], option: &'static str, value: impl Fn(&[u8]) -> Read<T>) -> Read<Vec<(Kind, T)>> {
    let pairs = items(list, (option, MAX_VIEWS), |item| {
        let (kind, text) = pair(item, option)?;
        Ok((kind, value(text)?))
    })?;
    let mut seen = Vec::new();
    for (kind, _) in &pairs {
        if seen.contains(kind) {
            return Err(Error::RepeatedView(Quoted::new(kind.to_string().as_bytes())).into());
        }
        seen.push(*kind);
    }
    Ok(pairs)
}

/// `n unit`
pub fn window(args: &mut Args) -> Read<Window> {
    let missing = |_| Error::MissingValue("WINDOW");
    let words = args.rest().get(..2).and_then(|words| words.try_into().ok());
    let (count, unit) = (args.next().map_err(missing)?, args.next().map_err(missing)?);
    let unit = Unit::parse(unit).ok_or(Error::BadView(Quoted::new(unit)))?;
    let words = words.ok_or(Error::MissingValue("WINDOW"))?;
    Ok(Window { kind: Kind::rolling(count, unit)?, words })
}
