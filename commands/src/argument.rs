//! A command's argument.

/// The bytes of an argument, and its place among the words of the call. The command's name is at 0.
#[derive(Debug, Clone, Copy)]
pub struct Argument<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl<'a> Argument<'a> {
    /// The word at this place of a call.
    #[must_use]
    pub const fn new(bytes: &'a [u8], place: usize) -> Self {
        Self { bytes, place }
    }

    /// The bytes as the client sent them.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The place of the argument among the words of the call. The host finds its own string of the argument at that
    /// place.
    #[must_use]
    pub const fn place(&self) -> usize {
        self.place
    }
}
