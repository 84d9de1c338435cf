//! Points at which a test can make the module panic. Only a build with the feature `panics` has them: see
//! `tests/panics`.

/// Panics if the file `fault` in the server's directory contains the name of this point.
#[cfg(feature = "panics")]
pub fn point(name: &str) {
    let wanted = std::fs::read_to_string("fault").unwrap_or_default();
    assert!(wanted != name, "a test requested this panic");
}

/// Does nothing. The builds for users have no such points.
#[cfg(not(feature = "panics"))]
pub const fn point(_name: &str) {}
