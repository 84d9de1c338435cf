//! Replies that the contract expects, and how they look in the two protocols.

use leaderboard_commands::plain::Protocol;

/// A reply.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// Nothing.
    Nil,
    /// `OK`
    Ok,
    /// A whole number.
    Int(i64),
    /// A text.
    Bulk(Vec<u8>),
    /// A list.
    Array(Vec<Reply>),
    /// Names and values.
    Map(Vec<(&'static str, Reply)>),
}

impl Reply {
    /// A number that is not negative.
    pub fn count(count: u64) -> Self {
        Self::Int(count as i64)
    }

    /// A text.
    pub fn bulk(text: impl Into<Vec<u8>>) -> Self {
        Self::Bulk(text.into())
    }

    /// A text, or nothing.
    pub fn text(text: Option<&Vec<u8>>) -> Self {
        text.map_or(Self::Nil, |text| Self::Bulk(text.clone()))
    }

    /// The bytes that a client gets.
    pub fn bytes(&self, protocol: Protocol) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write(protocol, &mut bytes);
        bytes
    }

    fn write(&self, protocol: Protocol, bytes: &mut Vec<u8>) {
        match self {
            Self::Nil if protocol == Protocol::Resp2 => bytes.extend_from_slice(b"$-1\r\n"),
            Self::Nil => bytes.extend_from_slice(b"_\r\n"),
            Self::Ok => bytes.extend_from_slice(b"+OK\r\n"),
            Self::Int(number) => line(bytes, b':', *number),
            Self::Bulk(text) => bulk(bytes, text),
            Self::Array(values) => {
                line(bytes, b'*', values.len() as i64);
                values.iter().for_each(|value| value.write(protocol, bytes));
            }
            Self::Map(fields) => {
                match protocol {
                    Protocol::Resp2 => line(bytes, b'*', fields.len() as i64 * 2),
                    Protocol::Resp3 => line(bytes, b'%', fields.len() as i64),
                }
                for (name, value) in fields {
                    bulk(bytes, name.as_bytes());
                    value.write(protocol, bytes);
                }
            }
        }
    }
}

fn bulk(bytes: &mut Vec<u8>, text: &[u8]) {
    line(bytes, b'$', text.len() as i64);
    bytes.extend_from_slice(text);
    bytes.extend_from_slice(b"\r\n");
}

fn line(bytes: &mut Vec<u8>, first: u8, number: i64) {
    bytes.push(first);
    bytes.extend_from_slice(number.to_string().as_bytes());
    bytes.extend_from_slice(b"\r\n");
}

/// What the contract says about a reply.
#[derive(Debug, Clone)]
pub enum Expected {
    /// Exactly this.
    Reply(Reply),
    /// A map with at least these fields.
    Fields(Vec<(&'static str, Reply)>),
    /// An error; if texts are given, one of these, behind its code.
    Error(Vec<String>),
    /// A number in this range, both ends included.
    Between(u64, u64),
}

impl Expected {
    /// Whether these bytes are a reply as it is expected.
    pub fn is(&self, got: &[u8], protocol: Protocol) -> bool {
        match self {
            Self::Reply(reply) => got == reply.bytes(protocol),
            Self::Between(low, high) => {
                (*low..=*high).any(|count| got == Reply::count(count).bytes(protocol))
            }
            Self::Fields(fields) => fields.iter().all(|(name, value)| {
                let mut field = Reply::bulk(*name).bytes(protocol);
                field.extend(value.bytes(protocol));
                got.windows(field.len()).any(|part| part == field)
            }),
            Self::Error(texts) => {
                let Some(text) = got.strip_prefix(b"-") else { return false };
                let is = |wanted: &String| text == [wanted.as_bytes(), b"\r\n"].concat();
                texts.is_empty() && text.starts_with(b"ERR ") || texts.iter().any(is)
            }
        }
    }
}
