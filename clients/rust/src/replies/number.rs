//! Small replies: whether a board was made, a step of an import, a slice of a counter.

use redis::Value;

use super::reading::{Items, reply, signed, text, unexpected, unsigned};

/// Whether the command made the board. `false` comes only with [`nx`](crate::Request::nx), if there was one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Created(pub bool);

reply!(Created, |value: Value| match value {
    Value::Okay | Value::Int(1) => Ok(Created(true)),
    Value::Int(0) => Ok(Created(false)),
    other => unexpected("OK, 1 or 0", &other),
});

/// A step of an import.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ImportStep {
    /// The cursor of the next step; `0` after the last step.
    pub cursor: String,
    /// How many members this step imported.
    pub members: u64,
}

reply!(ImportStep, |value| {
    let mut items = Items::of(value)?;
    let step = ImportStep { cursor: items.next(text)?, members: items.next(unsigned)? };
    items.end().map(|()| step)
});

/// The count of a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sample {
    /// Where the slice begins, in ms.
    pub start: i64,
    /// What was counted in it.
    pub count: i64,
}

reply!(Sample, |value| {
    let mut items = Items::of(value)?;
    let sample = Sample { start: items.next(signed)?, count: items.next(signed)? };
    items.end().map(|()| sample)
});
