//! `LB.RANGEBYSCORE` and `LB.COUNT`.

use leaderboard_core::integer::natural;
use redis::Value;

use super::locate::is_deep;
use super::operation::Operation;
use super::options::Form;
use super::page::{From, Page, Wanted};
use super::round::{Gather, Stop};
use super::{options, reply, top};
use crate::nodes::Transport;

/// Replies to `LB.RANGEBYSCORE key min max [OFFSET n] [COUNT n]`.
pub async fn range<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let asked = gather.call.asked;
    let (min, max) = (options::fixed(asked, 0), options::fixed(asked, 1));
    let offset = asked.value("OFFSET").map_or(Ok(0), |offset| natural(offset, "OFFSET"))?;
    let count = asked.value("COUNT").map_or(Ok(u64::MAX), |count| natural(count, "COUNT"))?;
    let (form, with_meta) = (Form::of(asked)?, asked.has("WITHMETA"));
    let page = if is_deep(offset, count) {
        let (before, within) = span(gather, min, max).await?;
        let count = count.min(within.saturating_sub(offset));
        gather.page_at(before.saturating_add(offset), count, with_meta).await?
    } else {
        let wanted = Wanted { offset, count, likely_skip: offset, with_meta };
        gather.page(From::Range(min, max), wanted).await?.unwrap_or_else(Page::empty)
    };
    top::show(gather, form, page).await
}

/// Replies to `LB.COUNT key [min max]`.
pub async fn count<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let asked = gather.call.asked;
    // They change no count, but a wrong one is an error, as on a plain board.
    options::ranks(asked)?;
    let count = match asked.fixed {
        [min, max] => span(gather, min, max).await?.1,
        _ => top::members(gather).await?,
    };
    Ok(reply::int(count))
}

/// Returns how many members are ahead of a range of scores, and how many are in the range.
async fn span<T: Transport>(gather: &Gather<'_, T>, min: &[u8], max: &[u8]) -> Result<(u64, u64), Stop> {
    let (mut before, mut within) = (0_u64, 0_u64);
    for mut answer in gather.ask_all(Operation::between(min, max, 0)).await? {
        before = before.saturating_add(answer.number()?);
        within = within.saturating_add(answer.number()?);
    }
    Ok((before, within))
}
