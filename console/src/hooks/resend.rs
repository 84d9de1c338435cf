//! Sends a delivery again because a person asks for it.

use super::deliver::{load, note, send};
use super::state::Delivery;
use super::{Desk, now};
use crate::access::Caller;
use crate::problem::Problem;

/// Sends a delivery of a board again, with its id. Returns the delivery as it is now. The state of the board does not
/// change, so nothing that waits is held up.
///
/// # Errors
/// 404 if the board's list has no such delivery, or its hook is gone; 502 if it has not arrived.
pub async fn resend(desk: &Desk, caller: &Caller, key: &str, id: &str) -> Result<Delivery, Problem> {
    if desk.hooks.list.is_empty() {
        return Err(Problem::not_found("id: this gateway has no hooks"));
    }
    let state = load(&desk.link, key).await?;
    let found = state.deliveries.into_iter().rev().find(|delivery| delivery.subject.id == id);
    let found = found.ok_or_else(|| Problem::not_found("id: no such delivery in the list of the board"))?;
    let hook = desk.hooks.find(&found.hook);
    let hook = hook.ok_or_else(|| Problem::not_found("id: its hook is not in the file any more"))?;
    let place = hook.places.try_acquire();
    let _place = place.map_err(|_| Problem::too_many("the hook has too many deliveries on the way"))?;
    let sent = send(desk, key, hook, &found.subject).await;
    let (claimed, error) = match sent {
        Ok(sent) => (sent.claimed, None),
        Err(failure) => (0, Some(failure.reason)),
    };
    let again = Delivery { at: now(), tries: found.tries.saturating_add(1), error, claimed, ..found };
    note(&desk.audit, caller.name(), key, &again);
    match &again.error {
        None => Ok(again),
        Some(reason) => Err(Problem::undelivered(reason.clone())),
    }
}
