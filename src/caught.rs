//! Catches panics. A panic that leaves a function which the server calls would end the server's process. So each such
//! function runs its work in [`caught`], unless it only reads or writes a number.

use std::panic::{self, AssertUnwindSafe, catch_unwind};

use crate::{fault, server};

/// Runs `work`. If it panics, returns `None` and logs `what`, the name of the work.
pub fn caught<A>(what: &str, work: impl FnOnce() -> A) -> Option<A> {
    let done = catch_unwind(AssertUnwindSafe(|| {
        fault::point(what);
        work()
    }));
    if done.is_err() {
        server::log("warning", &format!("{what} failed inside the module"));
    }
    done.ok()
}

/// Makes each panic log its place in the source. The message is not logged, since it may contain bytes that a user
/// sent. Rust also prints place and message to the standard error, which a server in the background does not keep.
pub fn log_places() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if let Some(place) = panic.location() {
            server::log("warning", &format!("panic at {place}"));
        }
        print(panic);
    }));
}
