//! The lease of a board: one gateway at a time delivers what the board has to tell.
//!
//! A gateway that was stopped for longer than a lease can deliver a second time what another gateway has delivered. It
//! cannot skip anything: whatever state it writes, all earlier deliveries had arrived by then.

use leaderboard_client::Name;
use redis::{Value, cmd};

use crate::link::Link;
use crate::problem::Problem;

/// How long a lease is valid longer than its longest delivery takes, in ms. Reads before it and claims after it take less.
const MARGIN: u64 = 10_000;

/// The lease of a board.
pub struct Lease<'a> {
    link: &'a Link,
    key: String,
    holder: &'a str,
    /// How long the lease is valid without being renewed, in ms.
    valid: u64,
}

impl<'a> Lease<'a> {
    /// Takes the lease of a board. `None` if another gateway has it. `longest` is how long a delivery takes at the most, in ms.
    pub async fn take(
        link: &'a Link,
        board: &str,
        holder: &'a str,
        longest: u64,
    ) -> Result<Option<Self>, Problem> {
        let valid = longest.saturating_add(MARGIN);
        let lease = Self { link, key: format!("{board}:hooks:lease"), holder, valid };
        let taken =
            link.command(cmd("SET").arg(&lease.key).arg(holder).arg("NX").arg("PX").arg(valid)).await?;
        let is_mine = taken != Value::Nil || lease.is_held().await?;
        Ok(is_mine.then_some(lease))
    }

    /// Makes the lease valid for its whole time again. Returns whether this gateway still has it.
    pub async fn renew(&self) -> Result<bool, Problem> {
        let is_held = self.is_held().await?;
        if is_held {
            self.keep(self.valid).await?;
        }
        Ok(is_held)
    }

    /// Gives the lease back.
    pub async fn release(self) -> Result<(), Problem> {
        if self.is_held().await? { self.keep(1).await } else { Ok(()) }
    }

    async fn is_held(&self) -> Result<bool, Problem> {
        let holder = self.link.command(cmd("GET").arg(&self.key)).await?;
        let holder = redis::from_redis_value::<Option<Vec<u8>>>(holder);
        Ok(holder.ok().flatten().map(Name).is_some_and(|name| name.as_bytes() == self.holder.as_bytes()))
    }

    async fn keep(&self, ms: u64) -> Result<(), Problem> {
        let kept = cmd("SET").arg(&self.key).arg(self.holder).arg("PX").arg(ms).to_owned();
        self.link.command(&kept).await.map(drop)
    }
}
