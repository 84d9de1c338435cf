//! Replies as bytes.

use std::cell::RefCell;

/// The protocol of replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// RESP2.
    Resp2,
    /// RESP3.
    Resp3,
}

/// The bytes of a reply so far.
pub struct Reply {
    protocol: Protocol,
    bytes: RefCell<Vec<u8>>,
}

impl Reply {
    /// Returns an empty reply.
    pub const fn new(protocol: Protocol) -> Self {
        Self { protocol, bytes: RefCell::new(Vec::new()) }
    }

    /// Adds a line with this first byte.
    pub fn line(&self, first: u8, text: &str) {
        let mut bytes = self.bytes.borrow_mut();
        bytes.push(first);
        bytes.extend_from_slice(text.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }

    /// Adds a byte string.
    pub fn bulk(&self, text: &[u8]) {
        self.line(b'$', &text.len().to_string());
        let mut bytes = self.bytes.borrow_mut();
        bytes.extend_from_slice(text);
        bytes.extend_from_slice(b"\r\n");
    }

    /// Begins a map.
    pub fn map(&self, len: usize) {
        match self.protocol {
            Protocol::Resp2 => self.line(b'*', &len.saturating_mul(2).to_string()),
            Protocol::Resp3 => self.line(b'%', &len.to_string()),
        }
    }

    /// Adds nil.
    pub fn nil(&self) {
        match self.protocol {
            Protocol::Resp2 => self.line(b'$', "-1"),
            Protocol::Resp3 => self.line(b'_', ""),
        }
    }

    /// Returns the bytes of the reply.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes.into_inner()
    }
}
