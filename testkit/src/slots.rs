//! The part that a member belongs to, and the key of a part, worked out as a client has to do it.

use std::sync::OnceLock;

const SLOTS: u16 = 16_384;

/// Returns the CRC-16/XMODEM checksum, worked out bit by bit.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ (u16::from(*byte) << 8), |crc, _| {
            if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 }
        })
    })
}

/// Returns the slot of a key. If the key has a hash tag, this is the slot of the tag.
pub fn slot(key: &str) -> u16 {
    let tag = key.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map(|(tag, _)| tag);
    crc16(tag.filter(|tag| !tag.is_empty()).unwrap_or(key).as_bytes()) % SLOTS
}

/// Returns the part of a member on a board of `parts` parts.
pub fn part_of(member: &str, parts: u16) -> u16 {
    (crc16(member.as_bytes()) & (SLOTS - 1)) >> (14 - parts.ilog2())
}

/// Returns the key of a part.
pub fn part_key(name: &str, parts: u16, part: u16) -> String {
    static TAGS: OnceLock<Vec<u32>> = OnceLock::new();
    let tags = TAGS.get_or_init(|| {
        let mut tags = vec![u32::MAX; usize::from(SLOTS)];
        for number in (0..1 << 20).rev() {
            tags[usize::from(crc16(format!("{number:x}").as_bytes()) % SLOTS)] = number;
        }
        tags
    });
    let slot =
        (u32::from(crc16(name.as_bytes())) + u32::from(part) * u32::from(SLOTS / parts)) % u32::from(SLOTS);
    format!("{name}:{{{:x}}}", tags[slot as usize])
}

/// Returns the keys of all parts.
pub fn part_keys(name: &str, parts: u16) -> Vec<String> {
    (0..parts).map(|part| part_key(name, parts, part)).collect()
}

/// Returns `count` members of one part.
pub fn members_of(part: u16, parts: u16, count: usize) -> Vec<String> {
    (0..)
        .map(|number| format!("m{number}"))
        .filter(|member| part_of(member, parts) == part)
        .take(count)
        .collect()
}

#[test]
fn slots_are_those_that_the_description_names() {
    assert_eq!(crc16(b"123456789"), 0x31c3);
    assert_eq!([slot("foo"), slot("x{foo}y"), slot("bar")], [12_182, 12_182, 5_061]);
    for part in 0..64 {
        assert_eq!(slot(&part_key("game", 64, part)), (slot("game") + part * 256) % SLOTS);
    }
}
