//! Tickets: a browser cannot add a token to the request of an `EventSource`, so a page gets a ticket for the address of one
//! live stream. A ticket is not kept: it is the name of the token, the board and the end, with a code that only the hash of
//! the token can make. So every gateway with the same tokens takes it, and a withdrawn token ends its tickets.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// Separates the keys of these codes from all other uses of the hash.
const CONTEXT: &str = "leaderboard gateway 2026 ticket of a live stream";

/// A ticket that was read, whose code is not checked yet.
pub struct Ticket {
    /// The name of the token.
    pub name: String,
    /// The moment in ms until which streams can be opened with it.
    pub until: u64,
    code: blake3::Hash,
}

impl Ticket {
    /// Reads a ticket; `None` if the text is none.
    pub fn read(text: &str) -> Option<Self> {
        let (name, rest) = text.split_once('.')?;
        let (until, code) = rest.split_once('.')?;
        Some(Self {
            name: String::from_utf8(URL_SAFE_NO_PAD.decode(name).ok()?).ok()?,
            until: until.parse().ok()?,
            code: blake3::Hash::from_hex(code).ok()?,
        })
    }

    /// Whether the token with this hash has issued this ticket, for this board. The comparison takes the same time for all codes.
    pub fn is_of(&self, hash: &str, key: &str) -> bool {
        self.code == code(hash, key, self.until)
    }
}

/// A ticket of the token with this name and hash.
pub fn issue(name: &str, hash: &str, key: &str, until: u64) -> String {
    format!("{}.{until}.{}", URL_SAFE_NO_PAD.encode(name), code(hash, key, until).to_hex())
}

fn code(hash: &str, key: &str, until: u64) -> blake3::Hash {
    let secret = blake3::derive_key(CONTEXT, hash.as_bytes());
    blake3::keyed_hash(&secret, format!("{until} {key}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_for_one_board_and_one_token() {
        let text = issue("ann smith.", "hash", "songs", 5);
        let ticket = Ticket::read(&text).unwrap();
        assert_eq!((ticket.name.as_str(), ticket.until), ("ann smith.", 5));
        assert!(ticket.is_of("hash", "songs"));
        assert!(!ticket.is_of("hash", "son") && !ticket.is_of("other", "songs"));
        let later = Ticket::read(&text.replacen(".5.", ".6.", 1)).unwrap();
        assert!(!later.is_of("hash", "songs"), "the end is part of the code");
        for text in ["", ".", "..", "a.b.c", "YQ.5.zz", "?.5.00"] {
            assert!(Ticket::read(text).is_none(), "{text}");
        }
    }
}
