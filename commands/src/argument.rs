//! A command's argument.

/// The bytes of an argument, and its place among the words of the call. The command's name is at place 0.
#[derive(Debug, Clone, Copy)]
pub struct Argument<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl<'a> Argument<'a> {
    /// Returns an argument with these bytes, which is at this place among the words of a call.
    #[must_use]
    pub const fn new(bytes: &'a [u8], place: usize) -> Self {
        Self { bytes, place }
    }

    /// Returns the bytes as the client sent them.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the place of the argument among the words of the call. At this place, the host also finds its own string
    /// of the argument.
    #[must_use]
    pub const fn place(&self) -> usize {
        self.place
    }
}
