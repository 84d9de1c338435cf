//! The values that are stored at keys.

use std::any::Any;

use leaderboard_core::arrived::LoadingValue;
use leaderboard_core::native::Work;
use leaderboard_core::time::Millis;

use super::sorted_set::SortedSet;
use crate::host::Value;
use crate::native::Native;

/// The value that is stored at a key.
pub enum Held {
    /// A value of a native type.
    Value(Box<dyn AnyValue + Send>),
    /// A sorted set.
    SortedSet(SortedSet),
    /// A text.
    Text(Vec<u8>),
    /// A command has the key open and holds its value.
    Open,
}

/// A value of any native type.
pub trait AnyValue: Any {
    /// Returns the name of the value's type.
    fn type_name(&self) -> &'static str;
    /// Returns the value's saved chunks.
    fn saved(&self) -> Vec<Vec<u8>>;
    /// Saves the value and loads it again. Returns whether this was successful.
    fn reload(&mut self) -> bool;
    /// Does a step of the value's work between commands, if the value has such work.
    fn work(&mut self, clock: Millis, max_future: Millis) -> Option<Work>;
    /// Returns the value as [`Any`], so that its type can be checked at run time.
    fn as_any(&mut self) -> &mut dyn Any;
}

impl<T: Native> AnyValue for Value<T> {
    fn type_name(&self) -> &'static str {
        T::NAME.to_str().unwrap_or_default()
    }

    fn saved(&self) -> Vec<Vec<u8>> {
        let mut chunks = Vec::new();
        self.save(|chunk| chunks.push(chunk.to_vec()));
        chunks
    }

    fn reload(&mut self) -> bool {
        let mut loading = LoadingValue::Nothing;
        let taken = self.saved().iter().try_for_each(|chunk| loading.take(chunk).map(|_| ()));
        match taken.and_then(|()| loading.finish()) {
            Ok((data, arrived)) => {
                (self.data, self.arrived) = (data, arrived);
                true
            }
            Err(_) => false,
        }
    }

    fn work(&mut self, clock: Millis, max_future: Millis) -> Option<Work> {
        let now = self.data.now(clock, max_future);
        self.data.has_work().then(|| self.data.work(now))
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}

impl Held {
    /// Returns the name of the value's type, as in the reply to `TYPE`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Value(value) => value.type_name(),
            Self::SortedSet(_) => "zset",
            Self::Text(_) => "string",
            Self::Open => "none",
        }
    }

    /// Returns the value's saved chunks; `None` for other types.
    pub fn saved(&self) -> Option<Vec<Vec<u8>>> {
        match self {
            Self::Value(value) => Some(value.saved()),
            Self::SortedSet(_) | Self::Text(_) | Self::Open => None,
        }
    }

    /// Saves the value and loads it again. Returns whether this was successful.
    pub fn reload(&mut self) -> bool {
        match self {
            Self::Value(value) => value.reload(),
            Self::SortedSet(_) | Self::Text(_) | Self::Open => true,
        }
    }

    /// Does a step of the value's work between commands, if the value has such work.
    pub fn work(&mut self, clock: Millis, max_future: Millis) -> Option<Work> {
        match self {
            Self::Value(value) => value.work(clock, max_future),
            Self::SortedSet(_) | Self::Text(_) | Self::Open => None,
        }
    }
}
