//! The latest records of the file of the log. They are read when the gateway is started, so that the page shows what was changed
//! before a restart.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};

use super::Latest;

/// How many bytes at the end of the file are read at most. The last records are far smaller together, unless most of them
/// have very long commands.
const MOST_BYTES: u64 = 16 << 20;

/// Returns the latest records of a file. Lines that are not records are left out.
///
/// # Errors
/// If the file cannot be read.
pub fn latest(file: &mut File) -> std::io::Result<Latest> {
    let length = file.metadata()?.len();
    let begin = length.saturating_sub(MOST_BYTES);
    file.seek(SeekFrom::Start(begin))?;
    let mut text = Vec::new();
    // Only as much is read as there was: another gateway can write to the file meanwhile.
    file.take(length.saturating_sub(begin)).read_to_end(&mut text)?;
    let lines = text.split(|byte| *byte == b'\n');
    // The first line of a part of the file can begin in its middle.
    let whole = lines.skip(usize::from(begin > 0)).collect::<Vec<_>>();
    let mut latest = Latest::default();
    whole.iter().filter_map(|line| serde_json::from_slice(line).ok()).for_each(|record| latest.push(record));
    Ok(latest)
}
