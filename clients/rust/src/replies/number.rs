//! Small replies: whether a board was made, one step of an import, one slice of a counter.

use redis::Value;

use super::reading::{Items, reply, signed, text, unexpected, unsigned};

/// Whether the command made the board. The value is `false` only with [`nx`](crate::Request::nx), if the board existed
/// already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Created(pub bool);

reply!(Created, |value: Value| match value {
    Value::Okay | Value::Int(1) => Ok(Created(true)),
    Value::Int(0) => Ok(Created(false)),
    other => unexpected("OK, 1 or 0", &other),
});

/// The reply to one step of an import.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ImportStep {
    /// The cursor of the next step; `0` after the last step.
    pub cursor: String,
    /// The number of members that this step imported.
    pub members: u64,
}

reply!(ImportStep, |value| {
    let mut items = Items::of(value)?;
    let step = ImportStep { cursor: items.next(text)?, members: items.next(unsigned)? };
    items.end().map(|()| step)
});

/// The count of one slice of a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sample {
    /// The start of the slice, in ms.
    pub start: i64,
    /// The count of the events in this slice.
    pub count: i64,
}

reply!(Sample, |value| {
    let mut items = Items::of(value)?;
    let sample = Sample { start: items.next(signed)?, count: items.next(signed)? };
    items.end().map(|()| sample)
});
