//! The door: gives clients of Redis one board where there are many parts.
