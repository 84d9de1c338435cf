//! Reading what options say about views: lists of them, what they keep and carry over.

use leaderboard_core::Error;
use leaderboard_core::board::{Edit, Retain};
use leaderboard_core::calendar::Unit;
use leaderboard_core::error::Quoted;
use leaderboard_core::view::{Kind, MAX_VIEWS, Share, Spec};

use crate::arguments::{Args, Read, small};
use crate::options::Window;

/// The items of a list with commas.
fn items(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    list.split(|byte| *byte == b',')
}

/// `view[,view...]`
pub fn list(list: &[u8]) -> Read<Vec<Spec>> {
    if items(list).count() > MAX_VIEWS {
        return Err(Error::TooManyViews.into());
    }
    items(list).map(|name| Ok(Spec::new(Kind::parse(name)?))).collect()
}

/// `+view|-view[,...]`
pub fn edits(list: &[u8]) -> Read<Vec<(Kind, Edit)>> {
    let edit = |item: &[u8]| match item.split_first() {
        Some((b'+', name)) => Ok((Kind::parse(name)?, Edit::Add)),
        Some((b'-', name)) => Ok((Kind::parse(name)?, Edit::Drop)),
        _ => Err(Error::BadEdit(Quoted::new(item)).into()),
    };
    items(list).map(edit).collect()
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
    let each = |item| {
        let (kind, number) = pair(item, "RETAIN")?;
        Ok((kind, small(number, "RETAIN")?))
    };
    Ok(Retain::Each(distinct(items(list).map(each).collect::<Read<_>>()?)?))
}

/// `view=fraction[,...]`
pub fn carry(list: &[u8]) -> Read<Vec<(Kind, Option<Share>)>> {
    let each = |item| {
        let (kind, share) = pair(item, "CARRY")?;
        Ok((kind, Share::parse(share)?))
    };
    distinct(items(list).map(each).collect::<Read<_>>()?)
}

fn distinct<T>(pairs: Vec<(Kind, T)>) -> Read<Vec<(Kind, T)>> {
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
