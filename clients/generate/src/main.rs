//! Writes all files of the clients that are made from the description of the commands.

use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    for (path, text) in leaderboard_clients::files()? {
        fs::write(leaderboard_clients::root().join(path), text)?;
    }
    Ok(())
}
