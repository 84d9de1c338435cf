//! A visit to a board: delivers what each hook has to tell of it.

use redis::cmd;

use super::body::{self, Body};
use super::file::Hook;
use super::find::{Facts, Found, page};
use super::lease::Lease;
use super::post::Failure;
use super::state::{BoardState, Delivery, Kind, Pending, Progress, Subject, state_key};
use super::watched::Counts;
use super::{Desk, now};
use crate::access::audit::{Audit, Event};
use crate::link::Link;
use crate::problem::Problem;
use leaderboard_client::{Claim, Name, Request, claim};

/// The most deliveries of a hook in one visit. Then other boards have their turn.
const MOST: usize = 30;
/// How soon a board is visited again if another gateway has its lease, in ms.
const LEASED: u64 = 5_000;
/// How soon a board is visited again if all places of a hook are taken, in ms.
const CROWDED: u64 = 500;

/// Visits a board. Returns when to visit it next, in ms; `None` if there is no such board any more.
///
/// # Errors
/// If the servers do not answer as they should. What was delivered is then noted, except for the last delivery.
pub async fn visit(desk: &Desk, key: &str) -> Result<Option<u64>, Problem> {
    let hooks = &desk.hooks;
    let Some(lease) = Lease::take(&desk.link, key, &hooks.holder, hooks.longest()).await? else {
        hooks.watched.note(key, &load(&desk.link, key).await?);
        return Ok(Some(now().saturating_add(LEASED)));
    };
    let next = Visit { desk, key, lease: &lease }.tell_all().await;
    // A lease that cannot be given back ends by itself.
    let _ = lease.release().await;
    next
}

/// Reads what was delivered for a board.
///
/// # Errors
/// If the server does not answer, or the key of the state has another value.
pub async fn load(link: &Link, key: &str) -> Result<BoardState, Problem> {
    let foreign = |reason: &dyn std::fmt::Display| {
        Problem::invalid(format!("the key '{}' does not hold what was delivered: {reason}", state_key(key)))
    };
    let text = link.command(cmd("GET").arg(state_key(key))).await?;
    let text: Option<Vec<u8>> = redis::from_redis_value(text).map_err(|error| foreign(&error))?;
    let Some(text) = text else { return Ok(BoardState::default()) };
    serde_json::from_slice(&text).map_err(|error| foreign(&error))
}

async fn save(link: &Link, key: &str, state: &BoardState) -> Result<(), Problem> {
    let text = serde_json::to_vec(state).map_err(|error| Problem::internal(error.to_string()))?;
    link.command(cmd("SET").arg(state_key(key)).arg(text)).await.map(drop)
}

struct Visit<'a> {
    desk: &'a Desk,
    key: &'a str,
    lease: &'a Lease<'a>,
}

impl Visit<'_> {
    async fn tell_all(&self) -> Result<Option<u64>, Problem> {
        let Some(mut facts) = Facts::read(&self.desk.link, self.key).await? else { return Ok(None) };
        let mut state = load(&self.desk.link, self.key).await?;
        let mut next = u64::MAX;
        for hook in self.desk.hooks.about(self.key) {
            next = next.min(self.tell(hook, &mut facts, &mut state).await?);
        }
        self.desk.hooks.watched.note(self.key, &state);
        Ok(Some(next))
    }

    /// Delivers what a hook has to tell. Returns when it has more to tell, in ms.
    async fn tell(&self, hook: &Hook, facts: &mut Facts<'_>, state: &mut BoardState) -> Result<u64, Problem> {
        for _ in 0..MOST {
            let before = state.hooks.get(&hook.name).cloned().unwrap_or_default();
            let mut progress = before.clone();
            if let Some(later) = find(hook, facts, &mut progress).await? {
                // Periods that were passed without a delivery are not looked at again.
                if before != progress {
                    state.hooks.insert(hook.name.clone(), progress);
                    save(&self.desk.link, self.key, state).await?;
                }
                return Ok(later);
            }
            if self.desk.stopping.is_cancelled() {
                return Ok(now());
            }
            let place = hook.places.try_acquire();
            if !self.lease.renew().await? {
                return Ok(now().saturating_add(LEASED));
            }
            let Ok(_place) = place else {
                // What was found can be the end of a long search, so it is not searched again.
                if state.hooks.get(&hook.name) != Some(&progress) {
                    state.hooks.insert(hook.name.clone(), progress);
                    save(&self.desk.link, self.key, state).await?;
                }
                return Ok(now().saturating_add(CROWDED));
            };
            let done = try_once(self.desk, self.key, hook, &mut progress).await;
            let has_failed = progress.pending.as_ref().is_some_and(|pending| pending.tries > 0);
            state.hooks.insert(hook.name.clone(), progress);
            done.into_iter().for_each(|delivery| state.note(delivery));
            save(&self.desk.link, self.key, state).await?;
            if has_failed {
                self.desk.hooks.watched.note(self.key, state);
            }
        }
        Ok(now())
    }
}

/// Ensures that a delivery comes next and is due. Otherwise returns when to look again, in ms.
async fn find(hook: &Hook, facts: &mut Facts<'_>, progress: &mut Progress) -> Result<Option<u64>, Problem> {
    if let Some(pending) = &progress.pending {
        return Ok(Some(pending.next).filter(|next| *next > now()));
    }
    match facts.next(hook, progress, now().cast_signed()).await? {
        Found::Later(at) => Ok(Some(at.cast_unsigned())),
        Found::Subject(subject) => {
            progress.pending = Some(subject.into());
            Ok(None)
        }
    }
}

/// Tries the delivery that comes next, and goes on behind it if it has arrived or is given up. Returns it then.
async fn try_once(desk: &Desk, key: &str, hook: &Hook, progress: &mut Progress) -> Option<Delivery> {
    let pending = progress.pending.as_mut()?;
    let sent = send(desk, key, hook, &pending.subject).await;
    let sent = match sent {
        Ok(sent) => sent,
        Err(failure) => {
            Counts::add(&hook.counts.failed, 1);
            let is_first = pending.tries == 0;
            let is_given_up = pending.fail(now(), &failure, hook.patience);
            let delivery = delivery(hook, pending, 0, Some(failure.reason));
            if is_first || is_given_up {
                note(&desk.audit, &of_hook(hook), key, &delivery);
            }
            if !is_given_up {
                return None;
            }
            Counts::add(&hook.counts.given_up, 1);
            progress.pass(pages_of(hook, key, &delivery.subject));
            return Some(delivery);
        }
    };
    pending.tries = pending.tries.saturating_add(1);
    let delivery = delivery(hook, pending, sent.claimed, None);
    let then = sent.body.next.map(|cursor| page(hook, key, &delivery.subject, cursor));
    if let (Some(order), Some(pending)) = (sent.body.order, progress.pending.as_mut()) {
        pending.subject.order = Some(order);
    }
    progress.pass(then);
    if !sent.is_told {
        return None;
    }
    Counts::add(&hook.counts.delivered, 1);
    note(&desk.audit, &of_hook(hook), key, &delivery);
    Some(delivery)
}

/// The winners are told even if the news that their period has ended was given up.
fn pages_of(hook: &Hook, key: &str, subject: &Subject) -> Option<Subject> {
    let has_pages = subject.kind == Kind::PeriodEnded && subject.winners.is_some();
    has_pages.then(|| page(hook, key, subject, 0))
}

fn delivery(hook: &Hook, pending: &Pending, claimed: u64, error: Option<String>) -> Delivery {
    Delivery {
        hook: hook.name.clone(),
        subject: pending.subject.clone(),
        at: now(),
        tries: pending.tries,
        error,
        claimed,
    }
}

/// Who made a delivery, in the audit log.
fn of_hook(hook: &Hook) -> String {
    format!("hook:{}", hook.name)
}

/// Notes a delivery in the audit log.
pub fn note(audit: &Audit, who: &str, key: &str, delivery: &Delivery) {
    let Delivery { subject, tries, claimed, .. } = delivery;
    let page = if subject.page > 0 { format!(" page {}", subject.page) } else { String::new() };
    let claimed = if *claimed > 0 { format!(", {claimed} claimed") } else { String::new() };
    let (kind, table) = (subject.kind.name(), subject.table());
    let detail = format!("{kind} {table} {}{page}, try {tries}{claimed}, {}", subject.period, subject.id);
    let outcome = delivery.error.clone().map_or(Ok(()), Err);
    let event = Event { action: "deliver", key: key.to_owned(), detail, ..Event::default() };
    audit.note_of((who, None), None, event, outcome);
}

/// A delivery that has arrived.
pub struct Sent {
    body: Body,
    /// Whether there was something to tell.
    is_told: bool,
    pub claimed: u64,
}

/// Sends a delivery, and marks its winners as claimed.
///
/// # Errors
/// If it has not arrived, or the winners could not be marked.
pub async fn send(desk: &Desk, key: &str, hook: &Hook, subject: &Subject) -> Result<Sent, Failure> {
    let failed = |problem: Problem| Failure::from(problem.detail().to_owned());
    let body = body::write(desk, key, hook, subject).await.map_err(failed)?;
    if body.is_empty(subject.kind) {
        return Ok(Sent { body, is_told: false, claimed: 0 });
    }
    hook.receiver.send(subject.id.clone(), now().div_euclid(1_000), body.json.clone()).await?;
    let claimed = match desk.hooks.claims && !body.winners.is_empty() {
        true => claim_all(&desk.link, key, subject, &body.winners).await,
        false => Ok(0),
    };
    let unclaimed = |problem: Problem| {
        Failure::from(format!("delivered, but not marked as claimed: {}", problem.detail()))
    };
    let claimed = claimed.map_err(unclaimed)?;
    Counts::add(&hook.counts.claimed, claimed);
    Ok(Sent { body, is_told: true, claimed })
}

/// Claims the prizes of winners. Returns how many were claimed now, or before by the same delivery.
async fn claim_all(link: &Link, key: &str, subject: &Subject, winners: &[Name]) -> Result<u64, Problem> {
    let request = |winner: &Name| -> Request<Option<Claim>> {
        let id = [subject.id.as_bytes(), b"/", blake3::hash(winner.as_bytes()).to_hex().as_bytes()].concat();
        let request = claim(key, winner.as_bytes()).view(&subject.view).at(subject.start).id(id);
        if let Some(per) = &subject.per { request.per(per) } else { request }
    };
    let requests: Vec<_> = winners.iter().map(request).collect();
    let replies = link.pipeline(requests.iter().map(Request::cmd)).await?;
    let mut claimed: u64 = 0;
    for (request, reply) in requests.iter().zip(replies) {
        let reply = request.parse(reply?).map_err(|error| Problem::internal(error.to_string()))?;
        let is_first = reply.is_some_and(|claim| claim.is_first);
        claimed = claimed.saturating_add(u64::from(is_first));
    }
    Ok(claimed)
}
