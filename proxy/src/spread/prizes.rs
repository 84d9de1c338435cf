//! `LB.PRIZES`, `LB.SETTLE` and `LB.CLAIM` of a board over parts.
//!
//! The root has the prize tables, and the winners of the periods that were settled. Until a period is settled, its winners are
//! the best members of all parts. The first settlement or claim gives the root this list, and the first list stays
//! (see `root_prizes` of the core). So a claim is one write of the root. Hidden and removed members are in the parts: the
//! gateway asks the part of a winner before it claims.

use leaderboard_core::Error;
use leaderboard_core::board::pack_winners;
use leaderboard_core::integer::natural;
use leaderboard_core::prizes::PrizeTable;
use redis::Value;
use tokio::time::Instant;

use crate::nodes::{Command, CommandError, RetryingClient, Transport};
use crate::spread::asked::Asked;
use crate::spread::gather::{Best, Disagreement, Line, Refused, best, may_win, reply};
use crate::spread::refusal::{is_no_board, is_no_root, is_stale, root_down, unknown};
use crate::spread::root::{Root, key_slot};

/// The number of winners on a page without `COUNT`.
const PAGE: u64 = 10;
/// How often a claim is tried: between two steps, another client can settle the period.
const ATTEMPTS: u32 = 4;
/// The options that say which period, and which request.
const OF_PERIOD: &[&str] = &["VIEW", "PERIOD", "AT"];
const OF_CLAIM: &[&str] = &["VIEW", "PERIOD", "AT", "ID"];
const OF_PAGE: &[&str] = &["VIEW", "PERIOD", "AT", "COUNT", "UNCLAIMED"];

/// A call about the prizes of a board.
struct Call<'a, T> {
    sender: &'a RetryingClient<T>,
    root: &'a Root,
    asked: &'a Asked<'a>,
    deadline: Instant,
}

/// A period with prizes.
struct Period {
    view: Vec<u8>,
    start: i64,
    table: PrizeTable,
    is_running: bool,
    is_fixed: bool,
}

/// Carries out a command about prizes.
///
/// # Errors
/// See [`Refused`].
pub async fn carry_out<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Refused> {
    if asked.has("PER") {
        return Err(invalid(Error::NotWithParts("PER")));
    }
    let call = Call { sender, root, asked, deadline };
    match asked.row.name {
        "LB.PRIZES" => call.list().await,
        "LB.SETTLE" => call.settle().await,
        _ => call.claim().await,
    }
}

/// Takes the prizes of settled periods from members that were removed from their parts.
///
/// # Errors
/// See [`Refused`].
pub async fn take<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<(), Refused> {
    if root.has_prizes && !asked.list.is_empty() {
        let count = asked.list.len().to_string().into_bytes();
        let words = [b"TAKE".to_vec(), count].into_iter().chain(asked.list.iter().cloned());
        Call { sender, root, asked, deadline }.tell("LB.SETTLE", None, words, true).await?;
    }
    Ok(())
}

impl<T: Transport> Call<'_, T> {
    /// Replies to `LB.PRIZES`.
    async fn list(&self) -> Result<Value, Refused> {
        let cursor = natural(self.fixed(), "cursor").map_err(invalid)?;
        let count = self.asked.value("COUNT").map_or(Ok(PAGE), |count| natural(count, "COUNT"));
        let count = count.map_err(invalid)?;
        if count == 0 {
            return Err(invalid(Error::OutOfRange("COUNT")));
        }
        let told = self.tell("LB.PRIZES", Some(self.fixed()), self.options(OF_PAGE), true).await?;
        let Value::Array(told) = told else { return Err(odd()) };
        let [period, page] = <[Value; 2]>::try_from(told).map_err(|_| odd())?;
        let Some(period) = Period::read(&period) else { return Ok(page) };
        if period.is_fixed {
            return self.without_taken(&period, page).await;
        }
        let best = self.best(&period).await?.unwrap_or_default();
        let mut left = period.winners(&best).filter(|(rank, ..)| *rank > cursor).peekable();
        let (mut rows, mut last) = (Vec::new(), 0);
        while let Some(winner) = left.next_if(|_| (rows.len() as u64) < count) {
            last = winner.0;
            rows.push(self.row(winner));
        }
        let next = if left.peek().is_some() { last } else { 0 };
        Ok(Value::Array(vec![reply::text(next), Value::Array(rows)]))
    }

    /// Replies to `LB.SETTLE`.
    async fn settle(&self) -> Result<Value, Refused> {
        let told = self.tell("LB.SETTLE", None, self.options(OF_PERIOD), true).await?;
        let Some(period) = Period::read(&told).filter(|period| !period.is_running) else {
            return Ok(Value::Nil);
        };
        // The root tells the number of winners, and ignores the list, if it has one.
        let best = if period.is_fixed { Some(Vec::new()) } else { self.best(&period).await? };
        match best {
            Some(best) => self.fix(&period, &best).await,
            None => Ok(Value::Nil),
        }
    }

    /// Replies to `LB.CLAIM`.
    async fn claim(&self) -> Result<Value, Refused> {
        let (member, words) = (Some(self.fixed()), self.options(OF_CLAIM));
        for _ in 0..ATTEMPTS {
            let told = self.tell("LB.CLAIM", member, words.clone(), true).await?;
            let Some(period) = Period::read(&told) else { return Ok(told) };
            if period.is_fixed {
                let names = [self.fixed().to_vec()];
                if !self.may_win(&period, &names).await?.contains(&true) {
                    return Ok(Value::Nil);
                }
                let words = words.into_iter().chain([b"MAY".to_vec()]);
                return self.tell("LB.CLAIM", member, words, self.asked.has("ID")).await;
            }
            let Some(best) = self.best(&period).await? else { return Ok(Value::Nil) };
            if !period.winners(&best).any(|(_, line, _)| line.name == self.fixed()) {
                return Ok(Value::Nil);
            }
            self.fix(&period, &best).await?;
        }
        Err(Refused::Server(root_down()))
    }

    /// Returns the cursor or the member.
    fn fixed(&self) -> &[u8] {
        self.asked.fixed.first().map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns these options of the call, as words.
    fn options(&self, wanted: &[&str]) -> Vec<Vec<u8>> {
        let given = self.asked.options.iter().filter(|given| wanted.contains(&given.word()));
        given
            .flat_map(|given| std::iter::once(given.word().into()).chain(given.values.iter().cloned()))
            .collect()
    }

    /// Sends the root a command, with the incarnation that the root must have.
    async fn tell(
        &self,
        name: &str,
        fixed: Option<&[u8]>,
        options: impl IntoIterator<Item = Vec<u8>>,
        repeatable: bool,
    ) -> Result<Value, Refused> {
        let incarnation = self.root.entry.incarnation.to_string().into_bytes();
        let mut words = vec![name.as_bytes().to_vec(), self.root.name.clone()];
        words.extend(fixed.map(<[u8]>::to_vec));
        words.extend([b"ROOT".to_vec(), incarnation]);
        words.extend(options);
        let command = Command { slot: Some(key_slot(&self.root.name)), words, repeatable };
        match self.sender.ask(&[command], self.deadline).await.pop() {
            Some(Ok(error)) if is_no_board(&error) || is_no_root(&error) || is_stale(&error) => {
                Err(Refused::Disagree(Disagreement::Gone(0)))
            }
            Some(Ok(error @ Value::ServerError(_))) => Err(Refused::Server(error)),
            Some(Ok(told)) => Ok(told),
            Some(Err(CommandError::Unknown(_))) if !repeatable => Err(Refused::Server(unknown())),
            Some(Err(_)) | None => Err(Refused::Server(root_down())),
        }
    }

    /// Returns the best members of a period that is not settled, one for each rank up to the last one with a prize; `None` if
    /// the parts do not keep the period any more.
    async fn best(&self, period: &Period) -> Result<Option<Vec<Line>>, Refused> {
        let wanted = (period.name(), u64::from(period.table.last_rank()), !period.is_running);
        match best(self.sender, self.root, self.asked, wanted, self.deadline).await? {
            Best::Gone => Ok(None),
            Best::Rows(lines) => Ok(Some(lines)),
        }
    }

    /// Gives the root the best members of a period. Replies with the number of winners that the root has.
    async fn fix(&self, period: &Period, best: &[Line]) -> Result<Value, Refused> {
        let list = pack_winners(best.iter().map(|line| (line.name.as_slice(), line.score)));
        let start = period.start.to_string().into_bytes();
        let words = [b"VIEW".to_vec(), period.view.clone(), b"BEST".to_vec(), start, list];
        self.tell("LB.SETTLE", None, words, true).await
    }

    async fn may_win(&self, period: &Period, members: &[Vec<u8>]) -> Result<Vec<bool>, Refused> {
        may_win(self.sender, self.root, self.asked, (period.name(), members), self.deadline).await
    }

    /// Leaves out the winners that nobody has paid and that were hidden or removed.
    async fn without_taken(&self, period: &Period, told: Value) -> Result<Value, Refused> {
        let Value::Array(mut parts) = told else { return Ok(told) };
        let Some(Value::Array(rows)) = parts.last_mut() else { return Ok(Value::Array(parts)) };
        let names: Vec<Vec<u8>> = rows.iter().filter_map(unclaimed).map(<[u8]>::to_vec).collect();
        if names.is_empty() {
            return Ok(Value::Array(parts));
        }
        let mut may_win = self.may_win(period, &names).await?.into_iter();
        rows.retain(|row| unclaimed(row).is_none() || may_win.next().unwrap_or(true));
        Ok(Value::Array(parts))
    }

    fn row(&self, (rank, line, prize): (u64, &Line, &[u8])) -> Value {
        let [name, prize] = [line.name.clone(), prize.to_vec()].map(Value::BulkString);
        let score = reply::score(line.score, &self.root.schema.notation());
        Value::Array(vec![reply::int(rank), name, score, prize, Value::Nil])
    }
}

impl Period {
    /// Reads the reply of the root; `None` if it is not a period.
    fn read(told: &Value) -> Option<Self> {
        let Value::Array(told) = told else { return None };
        let [
            Value::BulkString(view),
            Value::Int(start),
            Value::BulkString(table),
            Value::Int(running),
            Value::Int(fixed),
        ] = told.as_slice()
        else {
            return None;
        };
        Some(Self {
            view: view.clone(),
            start: *start,
            table: PrizeTable::parse(table).ok()?,
            is_running: *running > 0,
            is_fixed: *fixed > 0,
        })
    }

    fn name(&self) -> (&[u8], i64) {
        (&self.view, self.start)
    }

    /// Returns the ranks, the rows and the prizes of those who win, if these are the best members.
    fn winners<'a>(&'a self, best: &'a [Line]) -> impl Iterator<Item = (u64, &'a Line, &'a [u8])> {
        (1..).zip(best).filter_map(|(rank, line)| Some((rank, line, self.table.prize_of(rank)?)))
    }
}

/// Returns the member of a row of winners whose prize nobody has claimed.
fn unclaimed(row: &Value) -> Option<&[u8]> {
    match row {
        Value::Array(row) => match row.as_slice() {
            [_, Value::BulkString(name), _, _, Value::Nil] => Some(name),
            _ => None,
        },
        _ => None,
    }
}

fn odd() -> Refused {
    Refused::Invalid("ERR the answer of the root is not understood".to_owned())
}

fn invalid(error: Error) -> Refused {
    Refused::Invalid(format!("ERR {error}"))
}
