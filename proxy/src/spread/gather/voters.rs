//! `LB.VOTERS`: the gateway joins the sketches of the parts, so a voter who voted in several parts counts once.

use leaderboard_core::{Error, MAX_NAME, VoterSketch};
use redis::Value;

use super::answer::odd;
use super::operation::Operation;
use super::reply;
use super::round::{Gather, Stop};
use crate::nodes::Transport;

/// The options that name a period. Without them, the voters of all time are counted.
const PERIODS: [&str; 3] = ["VIEW", "PERIOD", "AT"];

/// Replies to `LB.VOTERS key`.
pub async fn voters<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let asked = gather.call.asked;
    if PERIODS.iter().any(|option| asked.has(option)) {
        return count(gather).await;
    }
    // The boundaries of the default view do not matter, so its periods need not agree.
    count(&Gather::new(gather.call, gather.scope.now_of(b"all", None), None)).await
}

async fn count<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let answers = match gather.call.asked.value("MEMBER") {
        None => gather.ask_all(Operation::voters(None)).await?,
        Some(member) => {
            let part = gather.part_of(member).map_err(|_| Error::Length("MEMBER", MAX_NAME))?;
            gather.ask_each([part], Operation::voters(Some(member))).await?
        }
    };
    let mut all = VoterSketch::default();
    for mut answer in answers {
        let sketch = answer.text()?.ok_or_else(|| odd(answer.part))?;
        all.merge(&VoterSketch::load(&sketch).map_err(|_| odd(answer.part))?);
    }
    Ok(reply::int(all.estimate()))
}
