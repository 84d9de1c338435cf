//! Who stands before whom.

use std::cmp::Ordering;

use super::Facts;
use crate::index::{Key, MemberId, compare_keys};
use crate::schema::Ties;
use crate::time::Millis;

/// Entries as an index has them.
pub(super) type Keyed = (Key, MemberId);

/// Compares entries. Most differ by their keys, so no member is looked at. Equals differ by the number of
/// the write that gave them their keys. Where that number is not known, names decide, so that all servers
/// come to the same order.
pub(super) fn order_by<'a>(
    facts: &'a Facts,
    sequence: impl Fn(MemberId, Millis) -> Option<u64> + 'a,
) -> impl Fn(&Keyed, &Keyed) -> Ordering + 'a {
    let ties = facts.schema.ties;
    move |(a, id), (b, other)| {
        let sequences = || match ties {
            Ties::First => sequence(*id, a.moment).cmp(&sequence(*other, b.moment)),
            Ties::Last => sequence(*other, b.moment).cmp(&sequence(*id, a.moment)),
            Ties::Lex => Ordering::Equal,
        };
        let names = || facts.members.name(*id).cmp(facts.members.name(*other));
        compare_keys(ties, *a, *b).then_with(sequences).then_with(names)
    }
}
