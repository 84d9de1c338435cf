//! The tasks on backups: they call the proxy, show a bar while they work, and print what was done.

use std::path::Path;

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};
use leaderboard_proxy::backup::{self, Manifest, Progress, Restored};

/// Makes a backup.
pub async fn back_up(servers: &[String], board: &str, folder: &Path) -> Result<(), String> {
    let manifest = backup::back_up(servers, board, folder, &Bar::new()).await?;
    println!("backed up {} into {}", summary(&manifest), folder.display());
    Ok(())
}

/// Restores a board.
pub async fn restore(servers: &[String], folder: &Path, board: Option<&str>) -> Result<(), String> {
    let Restored { board, manifest, was_there } =
        backup::restore(servers, folder, board, &Bar::new()).await?;
    if was_there {
        println!("{board} has been restored from this backup before: nothing was done");
    } else {
        println!("restored {board} from {}", summary(&manifest));
    }
    Ok(())
}

/// Checks the files of a backup.
pub fn verify(folder: &Path) -> Result<(), String> {
    let manifest = backup::verify(folder, &Bar::new())?;
    println!("{} is whole: {}", folder.display(), summary(&manifest));
    Ok(())
}

/// Returns what a backup contains, in one line.
fn summary(manifest: &Manifest) -> String {
    let Manifest { board, members, from, to, .. } = manifest;
    let parts = match manifest.parts {
        0 => String::new(),
        parts => format!(" of {parts} parts"),
    };
    let (bytes, between) = (HumanBytes(manifest.bytes()), to.saturating_sub(*from));
    format!("{board}{parts} with {members} members, {bytes}, as of {from} to {to} ({between} ms)")
}

/// A bar on the terminal, one step for each part. It is not drawn where there is no terminal.
struct Bar(ProgressBar);

impl Bar {
    fn new() -> Self {
        let bar = ProgressBar::new(0);
        let style = ProgressStyle::with_template("{bar:40} {pos} of {len} parts, {msg}, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self(bar)
    }
}

impl Progress for Bar {
    fn begins(&self, parts: usize) {
        self.0.set_length(u64::try_from(parts).unwrap_or(u64::MAX));
    }

    fn did(&self, bytes: u64) {
        self.0.inc(1);
        self.0.set_message(format!("last {}", HumanBytes(bytes)));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
