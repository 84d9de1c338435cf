//! The slots and nodes that a client has written to, for a `WAIT` behind the writes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use leaderboard_core::parts::SLOTS;
use tokio::time::Instant;

use super::Command;

tokio::task_local! {
    static WRITTEN: Arc<Written>;
}

/// The number of words of a set of all slots.
const WORDS: usize = 256;

/// The slots and nodes to which a client has written since its last `WAIT`. All of them take at most 2 KB, and an address
/// for each node.
#[derive(Debug)]
pub struct Written {
    state: Mutex<State>,
    /// Whether a command only reads.
    reads: fn(&[Vec<u8>]) -> bool,
}

#[derive(Debug, Default)]
struct State {
    slots: Vec<u64>,
    /// The addresses of the nodes, each with the time before its first write.
    nodes: Vec<(String, Instant)>,
    /// Whether the client knows what became of all of this. Then the next write begins a new list.
    has_waited: bool,
}

impl State {
    fn has(&self, slot: u16) -> bool {
        let (word, bit) = place(slot);
        !self.has_waited && self.slots.get(word).is_some_and(|word| word & bit != 0)
    }
}

/// Returns the word of a slot, and its bit.
const fn place(slot: u16) -> (usize, u64) {
    ((slot / 64) as usize, 1 << (slot % 64))
}

/// Does some work. All commands that this work sends and that may write are noted in `written`.
pub async fn noting<F: Future>(written: &Arc<Written>, work: F) -> F::Output {
    WRITTEN.scope(Arc::clone(written), work).await
}

/// Notes the commands that are sent now. `node` returns the address of the node that has a slot. Returns whether all
/// addresses were known.
pub fn note(commands: &[&Command], node: impl Fn(u16) -> Option<String>) -> bool {
    let noted = WRITTEN.try_with(|written| {
        let mut is_known = true;
        // Most lists repeat one command for many parts.
        let mut last: (Option<&Vec<u8>>, bool) = (None, false);
        for command in commands {
            let Some(slot) = command.slot.filter(|slot| !written.state().has(*slot)) else { continue };
            let name = command.words.first();
            if name.is_none() || last.0 != name {
                last = (name, (written.reads)(&command.words));
            }
            if !last.1 {
                match node(slot) {
                    Some(node) => written.add(slot, node, Instant::now()),
                    None => is_known = false,
                }
            }
        }
        is_known
    });
    noted.unwrap_or(true)
}

impl Written {
    /// Returns an empty list. `reads` says whether a command only reads.
    pub fn new(reads: fn(&[Vec<u8>]) -> bool) -> Arc<Self> {
        Arc::new(Self { state: Mutex::default(), reads })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, slot: u16, node: String, now: Instant) {
        let mut state = self.state();
        if state.has_waited {
            *state = State::default();
        }
        state.slots.resize(WORDS, 0);
        let (word, bit) = place(slot);
        if let Some(word) = state.slots.get_mut(word) {
            *word |= bit;
        }
        if !state.nodes.iter().any(|(known, _)| *known == node) {
            state.nodes.push((node, now));
        }
    }

    /// Returns the addresses of the nodes to wait for, each with the time before its first write. `None` if another node
    /// has one of the slots now, because it was moved, or another server has taken over. `node` returns the address of
    /// the node that has a slot.
    pub fn nodes(&self, node: impl Fn(u16) -> Option<String>) -> Option<Vec<(String, Instant)>> {
        let state = self.state();
        let is_written = |slot: &u16| {
            let (word, bit) = place(*slot);
            state.slots.get(word).is_some_and(|word| word & bit != 0)
        };
        let is_known = |now: String| state.nodes.iter().any(|(known, _)| *known == now);
        let is_here = |slot: u16| node(slot).is_some_and(is_known);
        (0..SLOTS).filter(is_written).all(is_here).then(|| state.nodes.clone())
    }

    /// Notes that the client knows what became of its writes. The next write begins a new list.
    pub fn has_waited(&self) {
        self.state().has_waited = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(slot: u16, word: &str) -> Command {
        Command { slot: Some(slot), words: vec![word.as_bytes().to_vec()], repeatable: false }
    }

    fn reads(words: &[Vec<u8>]) -> bool {
        words[0] == b"GET"
    }

    /// Half of the slots are on each of two nodes.
    fn home(slot: u16) -> Option<String> {
        Some(if slot < 8_192 { "a:1" } else { "b:1" }.to_owned())
    }

    fn addresses(written: &Written, home: impl Fn(u16) -> Option<String>) -> Option<Vec<String>> {
        written.nodes(home).map(|nodes| nodes.into_iter().map(|(node, _)| node).collect())
    }

    #[tokio::test]
    async fn the_nodes_of_writes_are_noted() {
        let written = Written::new(reads);
        note(&[&command(1, "SET")], home);
        assert_eq!(addresses(&written, home), Some(vec![]), "the writes of other clients are not noted");
        noting(&written, async { note(&[&command(1, "SET"), &command(9_000, "GET")], home) }).await;
        written.has_waited();
        assert_eq!(addresses(&written, home), Some(vec!["a:1".to_owned()]), "a client may wait twice");
        noting(&written, async { note(&[&command(16_383, "SET")], home) }).await;
        assert_eq!(addresses(&written, home), Some(vec!["b:1".to_owned()]), "a write begins a new list");
        noting(&written, async { note(&[&command(1, "SET")], home) }).await;
        assert_eq!(addresses(&written, home), Some(vec!["b:1".to_owned(), "a:1".to_owned()]));
        let is_known = noting(&written, async { note(&[&command(2, "SET")], |_| None) }).await;
        assert!(!is_known, "the caller has to note this again");
    }

    #[tokio::test]
    async fn a_slot_that_has_moved_is_not_waited_for() {
        let written = Written::new(reads);
        let taken_over = |_: u16| Some("c:1".to_owned());
        noting(&written, async { note(&[&command(1, "SET"), &command(2, "SET")], home) }).await;
        assert_eq!(addresses(&written, taken_over), None);
        // The other server has the later write, and may lack the earlier one.
        noting(&written, async { note(&[&command(1, "SET")], taken_over) }).await;
        assert_eq!(addresses(&written, taken_over), None);
        written.has_waited();
        noting(&written, async { note(&[&command(1, "SET")], taken_over) }).await;
        assert_eq!(addresses(&written, taken_over), Some(vec!["c:1".to_owned()]));
    }
}
