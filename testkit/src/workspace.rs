//! The workspace whose programs are under test.

use std::path::Path;

/// Returns the directory of the workspace. It is searched upwards from this crate.
pub fn root() -> &'static Path {
    let mut dirs = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    dirs.find(|dir| dir.join("Cargo.lock").exists()).expect("a workspace")
}
