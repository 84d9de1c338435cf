//! The list of request ids of a value. It is made with the first id.

use super::{Request, Requests, Seen};
use crate::Error;
use crate::time::{Millis, TimeSource};

/// Returns whether a request was applied within the last `keep` milliseconds before `now`.
///
/// The server that decided a write did not know its id. It can be known here if the append-only file ended in the middle of a
/// transaction: the server drops the transaction, but leaves a part of it in the file. When the file is loaded once more, this part
/// is applied, and after it the repeat of its sender, which does not count then. If the write is another one, it counts.
///
/// # Errors
/// The errors of [`Requests::seen`], unless the write was decided before.
pub fn seen(
    requests: Option<&Requests>,
    request: Option<&Request>,
    (now, keep): (Millis, Millis),
    origin: TimeSource,
) -> Result<Seen, Error> {
    let (Some(requests), Some(request)) = (requests, request) else { return Ok(Seen::Never) };
    match requests.seen(request, now, keep) {
        Err(_) if origin.is_decided() => Ok(Seen::Never),
        seen => seen,
    }
}

/// Returns whether a request was applied in this time, by any attempt.
///
/// # Errors
/// The errors of [`seen`].
pub fn is_repeated(
    requests: Option<&Requests>,
    request: Option<&Request>,
    times: (Millis, Millis),
    origin: TimeSource,
) -> Result<bool, Error> {
    seen(requests, request, times, origin).map(|seen| seen != Seen::Never)
}

/// Changes the time for which ids are remembered, from `from` to `to` milliseconds. An id that is older than `from`
/// or `to` stays forgotten.
pub fn change_keep(requests: &mut Option<Box<Requests>>, now: Millis, (from, to): (Millis, Millis)) {
    if to == 0 {
        *requests = None;
    } else if let Some(requests) = requests {
        requests.cut(now, from);
    }
}

/// Finishes a write that was applied now: forgets some old ids, and remembers the id of the write. If there is no
/// list yet, the first id creates it.
pub fn finish(requests: &mut Option<Box<Requests>>, request: Option<Request>, now: Millis, keep: Millis) {
    if let Some(requests) = requests {
        requests.forget(now, keep);
    }
    if let Some(request) = request {
        let begin = || Box::new(Requests::new(now.try_into().unwrap_or(i64::MAX)));
        requests.get_or_insert_with(begin).remember(request, now, keep);
    }
}
