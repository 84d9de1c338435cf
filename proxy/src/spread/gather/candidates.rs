//! `LB.OPTIONS` and `LB.QUOTA`. Each part has the options that are its members. A cursor names a part, and a cursor of that
//! part.

use std::ops::Range;

use leaderboard_core::integer::natural;
use leaderboard_core::{Error, MAX_NAME};
use redis::Value;

use super::answer::odd;
use super::round::{Gather, Stop};
use super::{options, reply};
use crate::nodes::Transport;

/// The number of options on a page without `COUNT`, and the maximum.
const PAGE: u64 = 10;
const MOST: u64 = 10_000;
/// How many parts are asked at the same time. Each of them can send a whole page.
const AT_ONCE: u16 = 16;

/// Where a page begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cursor {
    part: u16,
    /// The cursor of this part; 0 is its first option.
    own: u64,
}

impl Cursor {
    /// Reads the cursor of a board over this number of parts. The first page has the cursor 0.
    fn of(number: u64, parts: u16) -> Self {
        let part = number.checked_rem(parts.into()).unwrap_or_default();
        let own = number.checked_div(parts.into()).unwrap_or_default();
        Self { part: u16::try_from(part).unwrap_or_default(), own }
    }

    /// Returns the cursor as a number. It is 0 behind the last part.
    fn number(self, parts: u16) -> u64 {
        if self.part >= parts {
            0
        } else {
            self.own.saturating_mul(parts.into()).saturating_add(self.part.into())
        }
    }

    /// Returns where the page of a part ends, if the part tells this cursor. It is at the beginning of the next part if
    /// the part has no more options.
    const fn behind(part: u16, own: u64) -> Self {
        Self { part: if own == 0 { part.saturating_add(1) } else { part }, own }
    }
}

/// Replies to `LB.OPTIONS key cursor [COUNT n]`. A page ends where a part has more options.
pub async fn list<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let asked = gather.call.asked;
    let count = asked.value("COUNT").map_or(Ok(PAGE), |count| natural(count, "COUNT"))?.min(MOST);
    if count == 0 {
        return Err(Error::OutOfRange("COUNT").into());
    }
    let parts = gather.parts().end;
    let mut next = Cursor::of(natural(options::fixed(asked, 0), "cursor")?, parts);
    let mut page = Vec::new();
    let is_open =
        |next: Cursor, page: &[Value]| next.own == 0 && next.part < parts && (page.len() as u64) < count;
    loop {
        let wave = next.part..next.part.saturating_add(AT_ONCE).min(parts);
        let left = count.saturating_sub(page.len() as u64);
        let mut pages = gather.pages(wave.clone(), next.own, left).await?.into_iter().peekable();
        for part in wave {
            // A part that does not answer is left out, if the client accepts that.
            let (own, options) = pages
                .next_if(|(answered, ..)| *answered == part)
                .map_or_else(|| (0, Vec::new()), |(_, own, options)| (own, options));
            if !page.is_empty() && (page.len() as u64).saturating_add(options.len() as u64) > count {
                return Ok(reply_of(next, parts, page));
            }
            page.extend(options);
            next = Cursor::behind(part, own);
            if !is_open(next, &page) {
                return Ok(reply_of(next, parts, page));
            }
        }
    }
}

fn reply_of(next: Cursor, parts: u16, page: Vec<Value>) -> Value {
    Value::Array(vec![reply::text(next.number(parts)), Value::Array(page)])
}

/// Replies to `LB.QUOTA key`. A part has no rules of votes, so it has no quota, but it checks the arguments.
pub async fn quota<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let asked = gather.call.asked;
    let part = match asked.value("MEMBER") {
        Some(member) => gather.part_of(member).map_err(|_| Error::Length("MEMBER", MAX_NAME))?,
        None => 0,
    };
    let (_, lists) =
        gather.lists_of(vec![part], |_, key| asked.command(key, &[], std::iter::empty())).await?;
    Ok(Value::Array(lists.into_iter().flat_map(|(_, list)| list).collect()))
}

/// The number of a part, its next cursor, and its options.
type OwnPage = (u16, u64, Vec<Value>);

impl<T: Transport> Gather<'_, T> {
    /// Returns a page of each of these parts. The page of the first part begins at this cursor.
    async fn pages(&self, parts: Range<u16>, first: u64, count: u64) -> Result<Vec<OwnPage>, Stop> {
        let start = parts.start;
        let command = |part: u16, key: &[u8]| {
            let cursor = if part == start { first } else { 0 };
            let [cursor, count] = [cursor, count].map(|number| number.to_string().into_bytes());
            vec![b"LB.OPTIONS".to_vec(), key.to_vec(), cursor, b"COUNT".to_vec(), count]
        };
        let (_, lists) = self.lists_of(parts.collect(), command).await?;
        let page = |(part, list): (u16, Vec<Value>)| {
            let read = match <[Value; 2]>::try_from(list) {
                Ok([Value::BulkString(cursor), Value::Array(options)]) => {
                    natural(&cursor, "cursor").ok().map(|cursor| (part, cursor, options))
                }
                _ => None,
            };
            Ok(read.ok_or_else(|| odd(part))?)
        };
        lists.into_iter().map(page).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_lead_back() {
        for cursor in [Cursor { part: 3, own: 0 }, Cursor { part: 0, own: 7 }, Cursor { part: 3, own: 90 }] {
            assert_eq!(Cursor::of(cursor.number(4), 4), cursor);
            assert_ne!(cursor.number(4), 0);
        }
        assert_eq!(Cursor::of(0, 4), Cursor { part: 0, own: 0 });
        assert_eq!(Cursor::behind(3, 0).number(4), 0, "after the last part");
        assert_eq!(Cursor::behind(2, 0), Cursor { part: 3, own: 0 });
        assert_eq!(Cursor::behind(2, 5), Cursor { part: 2, own: 5 });
    }
}
