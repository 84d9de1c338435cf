//! Counts what the gather of a task sends to parts. The sender does not know for which command it sends, so the gather
//! puts the counts into its task.

use std::cell::Cell;

/// What a gather has sent so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many commands were given to the sender.
    pub sent: usize,
    /// How often a command was sent again.
    pub repeated: usize,
}

tokio::task_local! {
    static TALLY: Cell<Tally>;
}

/// Does some work. Returns its output, and what it has sent.
pub async fn tallying<F: Future>(work: F) -> (F::Output, Tally) {
    let counted = async {
        let output = work.await;
        (output, TALLY.with(Cell::get))
    };
    TALLY.scope(Cell::default(), counted).await
}

/// Returns how many commands the work of this task has given to the sender so far.
pub fn sent() -> usize {
    TALLY.try_with(Cell::get).unwrap_or_default().sent
}

/// Notes that the work of this task gives commands to the sender.
pub fn note_sent(commands: usize) {
    note(|tally| tally.sent = tally.sent.saturating_add(commands));
}

/// Notes that commands of this task are sent again.
pub fn note_repeated(commands: usize) {
    note(|tally| tally.repeated = tally.repeated.saturating_add(commands));
}

fn note(change: impl FnOnce(&mut Tally)) {
    // A task without a gather counts nothing.
    let _ = TALLY.try_with(|tally| {
        let mut counts = tally.get();
        change(&mut counts);
        tally.set(counts);
    });
}
