//! The ids of requests that a value remembers, oldest first, each with its age.

use super::chunk::{Emit, PartWriter};
use super::wire::{Reader, put_hash, put_number};
use crate::Error;
use crate::requests::{Request, Requests};
use crate::time::Millis;

pub const REQUESTS: u8 = 4;

/// Writes the requests that are remembered at the moment `last`, for `keep` milliseconds. Returns how many there
/// are.
pub fn write(requests: Option<&Requests>, last: Millis, keep: Millis, emit: Emit) -> u64 {
    let mut part = PartWriter::new(vec![REQUESTS], (), emit);
    let requests = requests.iter().flat_map(|requests| requests.kept(last, keep));
    for (Request { hash, fingerprint, .. }, age) in requests {
        hash.into_iter().for_each(|half| put_hash(&mut part.bytes, half));
        put_number(&mut part.bytes, u64::from(fingerprint));
        put_number(&mut part.bytes, age);
        part.end_item(());
    }
    part.finish()
}

pub fn read(
    requests: &mut Option<Box<Requests>>,
    last: Millis,
    keep: Millis,
    reader: &mut Reader,
) -> Result<(), Error> {
    let epoch = i64::try_from(last).unwrap_or(0).saturating_sub_unsigned(keep);
    let requests = requests.get_or_insert_with(|| Box::new(Requests::new(epoch)));
    let saved = std::iter::from_fn(|| (!reader.is_empty()).then(|| request(reader, keep)));
    requests.restore(saved, last, keep)
}

fn request(reader: &mut Reader, keep: Millis) -> Result<(Request, Millis), Error> {
    let hash = [reader.hash()?, reader.hash()?];
    let fingerprint = reader.small(Error::Corrupt("a fingerprint"))?;
    let age = reader.number()?;
    if age > keep {
        return Err(Error::Corrupt("age of a request"));
    }
    Ok((Request { hash, fingerprint, attempt: 0 }, age))
}

pub fn count(requests: Option<&Requests>) -> u64 {
    requests.map_or(0, |requests| requests.len() as u64)
}
