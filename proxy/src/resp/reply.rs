//! Writes replies as RESP2 or RESP3. Values come from servers in the form of RESP3. A client of RESP2 gets each value
//! in the form that servers use for such clients.

use redis::{ServerError, Value, VerbatimFormat};

/// The protocol that a client understands.
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
            // A kind of value that only a later version of the client library can read.
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

/// Appends one line. Line ends within the text are replaced by spaces.
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

/// Returns the shortest digits that give the same number when they are read. Very large and very small numbers have an
/// exponent.
fn double(number: f64) -> String {
    let size = number.abs();
    match number {
        _ if number.is_nan() => "nan".to_owned(),
        _ if size.is_finite() && size != 0.0 && !(1e-5..1e17).contains(&size) => format!("{number:e}"),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use redis::{PushKind, make_extension_error};

    use super::*;

    fn written(protocol: Protocol, value: &Value) -> String {
        let mut out = Vec::new();
        protocol.write(&mut out, value);
        String::from_utf8(out).unwrap()
    }

    fn both(value: &Value, two: &str, three: &str) {
        assert_eq!(written(Protocol::Resp2, value), two, "{value:?}");
        assert_eq!(written(Protocol::Resp3, value), three, "{value:?}");
    }

    fn text(text: &str) -> Value {
        Value::BulkString(text.into())
    }

    fn failure(code: &str, detail: Option<&str>) -> Value {
        let error = make_extension_error(code.to_owned(), detail.map(str::to_owned));
        Value::ServerError(error.try_into().unwrap())
    }

    #[test]
    fn replies_are_written_as_servers_write_them() {
        both(&Value::Nil, "$-1\r\n", "_\r\n");
        both(&Value::Int(i64::MIN), ":-9223372036854775808\r\n", ":-9223372036854775808\r\n");
        both(&text("a\r\nb"), "$4\r\na\r\nb\r\n", "$4\r\na\r\nb\r\n");
        both(&Value::Okay, "+OK\r\n", "+OK\r\n");
        both(&Value::SimpleString("a\r\nb".to_owned()), "+a  b\r\n", "+a  b\r\n");
        both(&Value::Boolean(true), ":1\r\n", "#t\r\n");
        both(&Value::Boolean(false), ":0\r\n", "#f\r\n");
        both(&Value::BigNumber(b"123".to_vec()), "$3\r\n123\r\n", "(123\r\n");
        let verbatim = Value::VerbatimString { format: VerbatimFormat::Text, text: "hello".to_owned() };
        both(&verbatim, "$5\r\nhello\r\n", "=9\r\ntxt:hello\r\n");
    }

    #[test]
    fn lists_keep_their_kind_in_resp3() {
        let items = vec![Value::Int(1), Value::Nil];
        both(&Value::Array(items.clone()), "*2\r\n:1\r\n$-1\r\n", "*2\r\n:1\r\n_\r\n");
        both(&Value::Set(items.clone()), "*2\r\n:1\r\n$-1\r\n", "~2\r\n:1\r\n_\r\n");
        let map = vec![(text("a"), Value::Array(Vec::new()))];
        both(&Value::Map(map.clone()), "*2\r\n$1\r\na\r\n*0\r\n", "%1\r\n$1\r\na\r\n*0\r\n");
        let attribute = Value::Attribute { data: Box::new(Value::Int(5)), attributes: map };
        both(&attribute, ":5\r\n", "|1\r\n$1\r\na\r\n*0\r\n:5\r\n");
        let push = Value::Push { kind: PushKind::Message, data: vec![Value::Int(1)] };
        both(&push, "*2\r\n$7\r\nmessage\r\n:1\r\n", ">2\r\n$7\r\nmessage\r\n:1\r\n");
    }

    #[test]
    fn numbers_with_a_point_read_back_the_same() {
        for (number, expected) in [
            (0.0, "0"),
            (-1.5, "-1.5"),
            (3.0, "3"),
            (0.1, "0.1"),
            (1e300, "1e300"),
            (-2.5e-7, "-2.5e-7"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
        ] {
            let two = format!("${}\r\n{expected}\r\n", expected.len());
            both(&Value::Double(number), &two, &format!(",{expected}\r\n"));
        }
    }

    #[test]
    fn errors_stay_as_they_were_said() {
        for (value, expected) in [
            (failure("NOPART", Some("the key is no part of 64")), "-NOPART the key is no part of 64\r\n"),
            (failure("ERR", Some("two\r\nlines")), "-ERR two  lines\r\n"),
            (failure("EXECABORT", None), "-EXECABORT\r\n"),
        ] {
            both(&value, expected, expected);
            both(&Value::Array(vec![value]), &format!("*1\r\n{expected}"), &format!("*1\r\n{expected}"));
        }
    }
}
