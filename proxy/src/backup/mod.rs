//! Backups of whole boards, as files. A backup is a folder with one file for each part and a manifest. A plain board is
//! one part.
//!
//! `manifest` is the list of what a backup contains, and `files` writes and checks the files. `save` makes a backup, and
//! `load` restores a board from one. `parts` sends the large commands for parts, a limited number of them at the same
//! time.

mod files;
mod load;
mod manifest;
mod parts;
mod save;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use redis::Value;

use crate::nodes::{Cluster, Figures, RetryingClient, seeds};
use crate::spread::refusal::text;

pub use load::Restored;
pub use manifest::{Manifest, PartFile};

/// Shows the user how far a backup or a restore is.
pub trait Progress {
    /// The work begins, with this number of parts.
    fn begins(&self, parts: usize);
    /// One more part is done. Its payload has this number of bytes.
    fn did(&self, bytes: u64);
}

/// Backs a board up into a folder that does not exist or is empty. If this fails, the folder is as before.
///
/// # Errors
/// The reason why there is no backup: the board is not whole or was changed meanwhile, no server answers, or a file
/// cannot be written.
pub async fn back_up(
    servers: &[String],
    board: &str,
    folder: &Path,
    progress: &impl Progress,
) -> Result<Manifest, String> {
    save::back_up(&sender(servers)?, board, folder, progress).await
}

/// Restores a board from a backup, under its own name or another name. If this breaks off, repeating it goes on; until
/// it is done, the board is an error for all clients.
///
/// # Errors
/// The reason why the board is not restored: a file is damaged, the board exists, no server answers, or a server does
/// not take a part.
pub async fn restore(
    servers: &[String],
    folder: &Path,
    board: Option<&str>,
    progress: &impl Progress,
) -> Result<Restored, String> {
    load::restore(&sender(servers)?, folder, board, progress).await
}

/// Checks all files of a backup against its manifest. No server is needed.
///
/// # Errors
/// The file that is damaged or missing.
pub fn verify(folder: &Path, progress: &impl Progress) -> Result<Manifest, String> {
    let manifest = Manifest::read(folder)?;
    files::verify(folder, &manifest, progress)?;
    Ok(manifest)
}

fn sender(servers: &[String]) -> Result<RetryingClient<Cluster>, String> {
    let figures = Arc::<Figures>::default();
    Ok(RetryingClient::counting(Cluster::new(seeds(servers)?, &figures), figures))
}

/// Returns the text of a reply that should have been something else.
fn said(value: &Value) -> String {
    text(value).unwrap_or_else(|| "a server gave an unexpected answer".to_owned())
}
