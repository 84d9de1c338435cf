//! Splits the output of DUMP into its parts, and joins them again: a type, the module's name, strings, an end mark,
//! and a footer with the version and a checksum.

use std::sync::LazyLock;

const STRING: u8 = 5;
const FOOTER: usize = 10;

/// The parts of a payload that is not compressed.
#[derive(Clone)]
pub struct Payload {
    /// The type and the name of the module.
    head: Vec<u8>,
    /// The strings that the module saved.
    pub chunks: Vec<Vec<u8>>,
    version: [u8; 2],
}

impl Payload {
    /// Splits the output of DUMP of a value of the module.
    ///
    /// # Panics
    /// If it is not such an output, or is compressed.
    pub fn parse(dump: &[u8]) -> Payload {
        let (body, footer) = dump.split_at(dump.len() - FOOTER);
        assert_eq!(mended(body, footer), dump, "the checksum is not the server's");
        let mut reader = Reader(&body[1..]);
        reader.number();
        let head = body[..body.len() - reader.0.len()].to_vec();
        let mut chunks = Vec::new();
        while reader.number() == u64::from(STRING) {
            let len = reader.number() as usize;
            chunks.push(reader.take(len).to_vec());
        }
        assert!(reader.0.is_empty(), "something behind the end");
        let payload = Payload { head, chunks, version: [footer[0], footer[1]] };
        assert_eq!(payload.bytes(), dump);
        payload
    }

    /// Returns the payload as DUMP does.
    pub fn bytes(&self) -> Vec<u8> {
        let mut body = self.head.clone();
        for chunk in &self.chunks {
            body.push(STRING);
            put_length(&mut body, chunk.len());
            body.extend_from_slice(chunk);
        }
        body.push(0);
        mended(&body, &self.version)
    }

    /// Returns the payload with other chunks.
    pub fn with(&self, chunks: &[&[u8]]) -> Vec<u8> {
        let chunks = chunks.iter().map(|chunk| chunk.to_vec()).collect();
        Payload { chunks, ..self.clone() }.bytes()
    }

    /// Returns the payload with a length of eight bytes before the next chunk, and without the bytes of this chunk.
    pub fn claiming(&self, chunks: usize, length: u64) -> Vec<u8> {
        let kept: Vec<&[u8]> = self.chunks[..chunks].iter().map(Vec::as_slice).collect();
        let whole = self.with(&kept);
        let mut body = whole[..whole.len() - FOOTER - 1].to_vec();
        body.extend([STRING, 0x81]);
        body.extend(length.to_be_bytes());
        mended(&body, &self.version)
    }
}

/// Returns a body with the version of a footer and the checksum of both.
pub fn mended(body: &[u8], footer: &[u8]) -> Vec<u8> {
    let mut bytes = [body, &footer[..2]].concat();
    bytes.extend(crc64(&bytes).to_le_bytes());
    bytes
}

/// Splits the output of DUMP into body and footer.
pub fn split(dump: &[u8]) -> (&[u8], &[u8]) {
    dump.split_at(dump.len() - FOOTER)
}

fn put_length(out: &mut Vec<u8>, len: usize) {
    match len {
        0..64 => out.push(len as u8),
        64..16_384 => out.extend([0x40 | (len >> 8) as u8, len as u8]),
        _ => {
            out.push(0x80);
            out.extend((len as u32).to_be_bytes());
        }
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take(&mut self, len: usize) -> &[u8] {
        let (taken, rest) = self.0.split_at(len);
        self.0 = rest;
        taken
    }

    fn number(&mut self) -> u64 {
        let first = self.take(1)[0];
        let more = match first {
            0x81 => 8,
            0x80 => 4,
            0x40..0x80 => 1,
            0..0x40 => 0,
            _ => panic!("compressed"),
        };
        let begin = if more == 1 || more == 0 { u64::from(first & 0x3f) } else { 0 };
        self.take(more).iter().fold(begin, |number, byte| number << 8 | u64::from(*byte))
    }
}

/// Returns Jones' CRC-64 with reflected bits, starting with 0.
pub fn crc64(bytes: &[u8]) -> u64 {
    static TABLE: LazyLock<[u64; 256]> = LazyLock::new(table);
    let table = &*TABLE;
    bytes.iter().fold(0, |crc, byte| table[usize::from(crc as u8 ^ byte)] ^ crc >> 8)
}

fn table() -> [u64; 256] {
    const POLYNOMIAL: u64 = 0xad93_d235_94c9_35a9_u64.reverse_bits();
    let step = |crc: u64, _| crc >> 1 ^ if crc & 1 == 1 { POLYNOMIAL } else { 0 };
    std::array::from_fn(|byte| (0..8).fold(byte as u64, step))
}

#[test]
fn the_checksum_is_the_known_one() {
    assert_eq!(crc64(b"123456789"), 0xe9c6_d914_c4b8_d9ca);
}

#[test]
fn lengths_are_read_as_they_are_written() {
    for len in [0, 63, 64, 16_383, 16_384, 70_000] {
        let mut bytes = Vec::new();
        put_length(&mut bytes, len);
        assert_eq!(Reader(&bytes).number(), len as u64);
    }
}
