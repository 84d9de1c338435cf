//! `LB.TOP` and `LB.RANGE`.

use leaderboard_core::Error;
use leaderboard_core::integer::{integer, natural};
use redis::Value;

use super::operation::Operation;
use super::options::Form;
use super::page::Page;
use super::round::{Gather, Stop};
use super::{options, reply};
use crate::nodes::Transport;

/// Replies to `LB.TOP key count [OFFSET n]`.
pub async fn top<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let asked = gather.call.asked;
    let count = natural(options::fixed(asked, 0), "count")?;
    let offset = asked.value("OFFSET").map_or(Ok(0), |offset| natural(offset, "OFFSET"))?;
    lines(gather, offset, count).await
}

/// Replies to `LB.RANGE key first last`.
pub async fn range<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let asked = gather.call.asked;
    let (first, last) = (rank(options::fixed(asked, 0), "first")?, rank(options::fixed(asked, 1), "last")?);
    let members = match first.min(last) {
        1.. => 0,
        _ => members(gather).await?,
    };
    let before = |rank: i64| match rank {
        1.. => i128::from(rank).saturating_sub(1),
        _ => i128::from(members).saturating_add(rank.into()),
    };
    let (from, to) = (before(first).max(0), before(last));
    let count = u64::try_from(to.saturating_sub(from).saturating_add(1)).unwrap_or(0);
    lines(gather, u64::try_from(from).unwrap_or(u64::MAX), count).await
}

fn rank(word: &[u8], argument: &'static str) -> Result<i64, Error> {
    match integer(word, argument)? {
        0 => Err(Error::ZeroRank(argument)),
        rank => Ok(rank),
    }
}

/// Returns how many members are not hidden.
pub async fn members<T: Transport>(gather: &Gather<'_, T>) -> Result<u64, Stop> {
    let answers = gather.ask_all(Operation::top(0)).await?;
    Ok(answers.iter().map(|answer| answer.members).fold(0, u64::saturating_add))
}

async fn lines<T: Transport>(gather: &Gather<'_, T>, offset: u64, count: u64) -> Result<Value, Stop> {
    let asked = gather.call.asked;
    let form = Form::of(asked)?;
    show(gather, form, gather.page_at(offset, count, asked.has("WITHMETA")).await?).await
}

/// Makes the reply of a page.
pub async fn show<T: Transport>(gather: &Gather<'_, T>, form: Form, page: Page) -> Result<Value, Stop> {
    let ranks = gather.ranks_of(&page, form.ranks()).await?;
    let notation = gather.call.root.schema.notation();
    Ok(reply::lines(form, page.lines, &ranks, gather.call.asked.has("WITHMETA"), &notation))
}
