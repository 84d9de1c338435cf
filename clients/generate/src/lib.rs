//! Writes the clients in Python, TypeScript and PHP from `docs/commands.json`, the description of all commands. What it writes
//! is in the repository. A test fails if it is older than the description: run `make clients`.

pub mod description;
pub mod model;
pub mod records;

mod php;
mod python;
mod shared;
mod text;
mod typescript;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use description::Description;
use model::Call;
use records::Records;

/// Returns the root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Reads the description of all commands.
///
/// # Errors
/// A file that is absent or has another form.
pub fn description() -> Result<Description, Box<dyn Error>> {
    Ok(serde_json::from_str(&fs::read_to_string(root().join("docs/commands.json"))?)?)
}

/// Returns the commands that clients have, and the records of their replies.
///
/// # Errors
/// A command that no client can express.
pub fn calls(description: &Description) -> Result<(Vec<Call>, Records), String> {
    let mut records = Records::default();
    let commands = description.commands.iter().filter(|command| !command.internal);
    let mut calls = Vec::new();
    for command in commands {
        let own = Call::read(command, &mut records);
        calls.extend(own.map_err(|error| format!("{}: {error}", command.name))?);
    }
    Ok((calls, records))
}

/// Returns the paths, from the root of the repository, and the contents of all files.
///
/// # Errors
/// A command that no client can express, or a template with an error.
pub fn files() -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let (calls, records) = calls(&description()?)?;
    let mut files = python::files(&calls, &records)?;
    files.extend(typescript::files(&calls, &records)?);
    files.extend(php::files(&calls, &records)?);
    Ok(files)
}
