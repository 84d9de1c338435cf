//! What was found.
