//! Commands as words.

/// A command with its arguments.
pub type Words = Vec<Vec<u8>>;

/// The words of a command.
pub fn words<A: AsRef<[u8]>>(parts: &[A]) -> Words {
    parts.iter().map(|part| part.as_ref().to_vec()).collect()
}
