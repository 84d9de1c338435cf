//! Reads the answer to `CLUSTER SLOTS` and the addresses in redirects.

use redis::Value;

/// A range of slots that one primary has.
#[derive(Debug, PartialEq, Eq)]
pub struct Range {
    pub first: u16,
    pub last: u16,
    pub place: Place,
}

/// The address of a node, as another node gives it. If it has no host, the host is the host of the node that gave it.
#[derive(Debug, PartialEq, Eq)]
pub struct Place {
    pub host: Option<String>,
    pub port: u16,
}

impl Place {
    /// Returns the slot and the address in `MOVED 3999 host:port`.
    pub fn redirected(details: &str) -> Option<(u16, Self)> {
        let mut words = details.split_ascii_whitespace();
        let slot = words.next()?.parse().ok()?;
        let (host, port) = words.next()?.rsplit_once(':')?;
        let host = Some(host).filter(|host| is_known(host)).map(str::to_owned);
        Some((slot, Self { host, port: port.parse().ok()? }))
    }
}

/// Returns whether a host is known. A node may not know its own address. Then the host is empty, or a question mark if
/// a name is expected.
fn is_known(host: &str) -> bool {
    !host.is_empty() && host != "?"
}

/// Returns the ranges of slots, each with its primary. `None` if this is no answer to `CLUSTER SLOTS`. Ranges that
/// cannot be read are left out.
pub fn ranges(answer: &Value) -> Option<Vec<Range>> {
    let Value::Array(ranges) = answer else { return None };
    Some(ranges.iter().filter_map(range).collect())
}

/// Reads one range of the answer: `[first, last, primary, replica ...]`.
fn range(range: &Value) -> Option<Range> {
    let Value::Array(range) = range else { return None };
    let [Value::Int(first), Value::Int(last), Value::Array(primary), ..] = range.as_slice() else {
        return None;
    };
    let [host, Value::Int(port), rest @ ..] = primary.as_slice() else { return None };
    let (first, last) = (u16::try_from(*first).ok()?, u16::try_from(*last).ok()?);
    let host = text(host).filter(|host| is_known(host)).or_else(|| told(rest, "ip"));
    Some(Range { first, last, place: Place { host, port: u16::try_from(*port).ok()? } })
}

/// Returns a further field of a node, by its name. The field follows the node's id. The fields are a map, or names and
/// values in turn. Redis 6.2 does not send such fields.
fn told(rest: &[Value], name: &str) -> Option<String> {
    let value = match rest.get(1)? {
        Value::Map(pairs) => {
            pairs.iter().find(|(key, _)| text(key).as_deref() == Some(name)).map(|(_, value)| value)
        }
        Value::Array(words) => words
            .chunks_exact(2)
            .find(|pair| pair.first().and_then(text).as_deref() == Some(name))
            .and_then(|pair| pair.get(1)),
        _ => None,
    };
    value.and_then(text).filter(|value| is_known(value))
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::BulkString(bytes) => String::from_utf8(bytes.clone()).ok(),
        Value::SimpleString(text) => Some(text.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(host: &str, port: u16) -> Place {
        Place { host: (!host.is_empty()).then(|| host.to_owned()), port }
    }

    fn read(wire: &str) -> Vec<Range> {
        ranges(&redis::parse_redis_value(wire.replace('\n', "\r\n").as_bytes()).unwrap()).unwrap()
    }

    #[test]
    fn redirects_are_read() {
        let read = |text| Place::redirected(text);
        assert_eq!(read("3999 10.0.0.1:6381"), Some((3999, place("10.0.0.1", 6381))));
        assert_eq!(read("1 ::1:6381"), Some((1, place("::1", 6381))));
        assert_eq!(read("1 :6381"), Some((1, place("", 6381))));
        assert_eq!(read("1 ?:6381"), Some((1, place("", 6381))));
        for bad in ["", "1", "x 10.0.0.1:1", "1 10.0.0.1", "1 10.0.0.1:x"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn ranges_of_all_servers_are_read() {
        // Redis 6.2 sends an address and an id.
        let old = "*1\n*4\n:0\n:5460\n*3\n$9\n127.0.0.1\n:7000\n$2\nab\n*3\n$9\n127.0.0.1\n:7003\n$2\ncd\n";
        assert_eq!(read(old), [Range { first: 0, last: 5460, place: place("127.0.0.1", 7000) }]);
        // Redis 7 also sends names and values; here the list is empty.
        let none = "*1\n*3\n:0\n:1\n*4\n$4\nhost\n:7000\n$2\nab\n*0\n";
        assert_eq!(read(none), [Range { first: 0, last: 1, place: place("host", 7000) }]);
        // The name is not known yet, and the address is in a further field: in an array and in a map.
        for told in ["*2\n$2\nip\n$8\n10.0.0.9\n", "%1\n$2\nip\n$8\n10.0.0.9\n"] {
            let unnamed = format!("*1\n*3\n:0\n:1\n*4\n$1\n?\n:7000\n$2\nab\n{told}");
            assert_eq!(read(&unnamed), [Range { first: 0, last: 1, place: place("10.0.0.9", 7000) }]);
        }
        // If the host is missing, it is the host of the node that was asked.
        for host in ["$0\n\n", "_\n", "$-1\n"] {
            let same = format!("*1\n*3\n:0\n:1\n*3\n{host}:7000\n$2\nab\n");
            assert_eq!(read(&same), [Range { first: 0, last: 1, place: place("", 7000) }]);
        }
        assert_eq!(ranges(&Value::Okay), None);
        assert_eq!(read("*2\n:1\n*1\n:1\n"), []);
    }
}
