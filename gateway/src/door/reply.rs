//! Writes replies as RESP2 or RESP3. Values come from servers in the form of RESP3; a client of RESP2 gets of each what
//! servers give such clients.

use redis::{ServerError, Value, VerbatimFormat};

/// What a client of Redis understands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    Resp2,
    Resp3,
}

impl Protocol {
    pub const fn number(self) -> i64 {
        match self {
            Self::Resp2 => 2,
            Self::Resp3 => 3,
        }
    }

    /// Appends a reply.
    pub fn write(self, out: &mut Vec<u8>, value: &Value) {
        match value {
            Value::Nil if self == Self::Resp3 => out.extend_from_slice(b"_\r\n"),
            Value::Nil => out.extend_from_slice(b"$-1\r\n"),
            Value::Int(number) => self::number(out, b':', *number),
            Value::BulkString(bytes) => bulk(out, bytes),
            Value::Array(items) => self.list(out, b'*', items),
            Value::SimpleString(text) => line(out, b'+', &[text]),
            Value::Okay => out.extend_from_slice(b"+OK\r\n"),
            Value::Map(pairs) => self.map(out, b'%', pairs),
            Value::Attribute { data, attributes } => {
                if self == Self::Resp3 {
                    self.map(out, b'|', attributes);
                }
                self.write(out, data);
            }
            Value::Set(items) => self.list(out, b'~', items),
            Value::Double(number) => self.text_or_bulk(out, b',', &double(*number)),
            Value::Boolean(yes) if self == Self::Resp3 => {
                out.extend_from_slice(if *yes { b"#t\r\n" } else { b"#f\r\n" });
            }
            Value::Boolean(yes) => self::number(out, b':', i64::from(*yes)),
            Value::VerbatimString { format, text } => self.verbatim(out, format, text),
            Value::BigNumber(digits) => self.text_or_bulk(out, b'(', &String::from_utf8_lossy(digits)),
            Value::Push { kind, data } => {
                head(out, if self == Self::Resp3 { b'>' } else { b'*' }, data.len().saturating_add(1));
                bulk(out, kind.to_string().as_bytes());
                data.iter().for_each(|item| self.write(out, item));
            }
            Value::ServerError(error) => error_of_server(out, error),
            // Kinds of later versions of the client that reads replies.
            _ => error(out, "ERR the gateway does not know this kind of reply"),
        }
    }

    fn list(self, out: &mut Vec<u8>, kind: u8, items: &[Value]) {
        head(out, if self == Self::Resp3 { kind } else { b'*' }, items.len());
        items.iter().for_each(|item| self.write(out, item));
    }

    fn map(self, out: &mut Vec<u8>, kind: u8, pairs: &[(Value, Value)]) {
        match self {
            Self::Resp3 => head(out, kind, pairs.len()),
            Self::Resp2 => head(out, b'*', pairs.len().saturating_mul(2)),
        }
        for (name, value) in pairs {
            self.write(out, name);
            self.write(out, value);
        }
    }

    fn text_or_bulk(self, out: &mut Vec<u8>, kind: u8, text: &str) {
        match self {
            Self::Resp3 => line(out, kind, &[text]),
            Self::Resp2 => bulk(out, text.as_bytes()),
        }
    }

    fn verbatim(self, out: &mut Vec<u8>, format: &VerbatimFormat, text: &str) {
        if self == Self::Resp2 {
            return bulk(out, text.as_bytes());
        }
        head(out, b'=', text.len().saturating_add(4));
        let name = match format {
            VerbatimFormat::Markdown => "mkd",
            VerbatimFormat::Unknown(name) => name,
            _ => "txt",
        };
        [name, ":", text, "\r\n"].iter().for_each(|part| out.extend_from_slice(part.as_bytes()));
    }
}

/// Appends an error: its code and its text.
pub fn error(out: &mut Vec<u8>, text: &str) {
    line(out, b'-', &[text]);
}

fn error_of_server(out: &mut Vec<u8>, error: &ServerError) {
    match error.details() {
        Some(details) => line(out, b'-', &[error.code(), " ", details]),
        None => line(out, b'-', &[error.code()]),
    }
}

/// A line has no end within it.
fn line(out: &mut Vec<u8>, kind: u8, parts: &[&str]) {
    out.push(kind);
    let plain = |byte: u8| if matches!(byte, b'\r' | b'\n') { b' ' } else { byte };
    parts.iter().for_each(|part| out.extend(part.bytes().map(plain)));
    out.extend_from_slice(b"\r\n");
}

fn bulk(out: &mut Vec<u8>, bytes: &[u8]) {
    head(out, b'$', bytes.len());
    out.extend_from_slice(bytes);
    out.extend_from_slice(b"\r\n");
}

fn head(out: &mut Vec<u8>, kind: u8, count: usize) {
    number(out, kind, i64::try_from(count).unwrap_or(i64::MAX));
}

fn number(out: &mut Vec<u8>, kind: u8, number: i64) {
    out.push(kind);
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
    out.extend_from_slice(b"\r\n");
}

/// Shortest digits that read back the same; very large and small ones with an exponent.
fn double(number: f64) -> String {
    let size = number.abs();
    match number {
        _ if number.is_nan() => "nan".to_owned(),
        _ if size.is_finite() && size != 0.0 && !(1e-5..1e17).contains(&size) => format!("{number:e}"),
        _ => number.to_string(),
    }
}
