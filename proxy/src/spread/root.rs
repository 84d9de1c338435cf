//! The known data of a spread board: the rules of its root.

use leaderboard_core::board::{Carry, Decays, Retain, parse_views};
use leaderboard_core::calendar::{Calendar, Weekday, Zone};
use leaderboard_core::error::Quoted;
use leaderboard_core::levels::Levels;
use leaderboard_core::parts::{Parts, Role, slot};
use leaderboard_core::schema::{Aggregate, Order, Ties};
use leaderboard_core::view::Spec;
use leaderboard_core::{Error, Schema};

use crate::nodes::Command;
use crate::spread::catalog::{self, CatalogEntry};
use crate::spread::info::Info;
use crate::spread::layout::{Layout, Share};

/// A spread board, as the answer of its root describes it.
#[derive(Debug, Clone)]
pub struct Root {
    /// The name of the board, which is the key of its root.
    pub name: Vec<u8>,
    /// The parts of the board. The code that gathers numbers them by their places in this layout.
    pub parts: Layout,
    /// Its incarnation, the number of its rules, and what is to be finished.
    pub entry: CatalogEntry,
    /// The hash of its rules, which all parts must have.
    pub hash: u64,
    /// Twice the number of parts, while the board grows or shrinks, and the hash that these parts must have.
    pub grown: Option<(Parts, u64)>,
    /// How scores change, how they are ordered and written, and where periods begin.
    pub schema: Schema,
    /// The views of the board. The default view is the first.
    pub specs: Vec<Spec>,
    /// Whether the board has prizes, or has had some.
    pub has_prizes: bool,
}

impl Root {
    /// Reads the answer to `LB.INFO`. `None` if the board is not spread, or if it is a part of a board.
    ///
    /// # Errors
    /// Rules that this gateway does not know.
    pub fn of(name: &[u8], info: &Info) -> Result<Option<Self>, Error> {
        let parts = u16::try_from(info.number("parts").unwrap_or_default()).unwrap_or_default();
        if parts == 0 || info.number("part").is_some() {
            return Ok(None);
        }
        let parts = Parts::new(parts, "PARTS")?;
        let hash = info.number("schema").unwrap_or_default().cast_unsigned();
        let (schema, specs) = (schema(info, parts)?, specs(info)?);
        let (parts, grown) = (parts.into(), catalog::grown(info));
        let (name, entry, has_prizes) = (name.to_vec(), catalog::entry(info), info.has_prizes());
        Ok(Some(Self { name, parts, entry, hash, grown, schema, specs, has_prizes }))
    }

    /// Returns whether the parts of the board are being split or merged.
    pub fn is_moving(&self) -> bool {
        self.entry.is_moving()
    }

    /// Returns the hash that the rules of this part must have.
    pub fn hash_of(&self, share: Share) -> u64 {
        self.grown.filter(|(parts, _)| *parts == share.of).map_or(self.hash, |(_, hash)| hash)
    }

    /// Returns the key of a part.
    pub fn key(&self, part: u16) -> Vec<u8> {
        self.parts.key(&self.name, part)
    }

    /// Returns a command for a part: its name, the key of the part, and the other arguments.
    pub fn command<'a>(
        &self,
        part: u16,
        name: &[u8],
        arguments: impl IntoIterator<Item = &'a [u8]>,
        repeatable: bool,
    ) -> Command {
        let mut words = vec![name.to_vec(), self.key(part)];
        words.extend(arguments.into_iter().map(<[u8]>::to_vec));
        Command { slot: words.get(1).map(|key| key_slot(key)), words, repeatable }
    }
}

/// Returns the slot of a key in a cluster: the slot of its hash tag, if the key has one.
pub fn key_slot(key: &[u8]) -> u16 {
    let tag = || {
        let (_, behind) = key.split_at_checked(key.iter().position(|byte| *byte == b'{')?.checked_add(1)?)?;
        let tag = behind.split_at_checked(behind.iter().position(|byte| *byte == b'}')?)?.0;
        (!tag.is_empty()).then_some(tag)
    };
    slot(tag().unwrap_or(key))
}

fn schema(info: &Info, parts: Parts) -> Result<Schema, Error> {
    let text = |name| info.text(name).unwrap_or_default();
    let number = |name| info.number(name).unwrap_or_default();
    let levels = Some(text("levels")).filter(|levels| !levels.is_empty());
    Ok(Schema {
        order: Order::parse(text("order"))?,
        aggregate: Aggregate::parse(text("aggregate"))?,
        ties: Ties::parse(text("ties"))?,
        decimals: number("decimals").try_into().map_err(|_| Error::OutOfRange("DECIMALS"))?,
        levels: levels.map(Levels::parse).transpose()?,
        dedup: number("dedup").try_into().map_err(|_| Error::OutOfRange("DEDUP"))?,
        calendar: Calendar {
            zone: Zone::parse(text("tz")).ok_or_else(|| Error::BadZone(Quoted::new(text("tz"))))?,
            week_start: Weekday::parse(text("weekstart")).ok_or(Error::OutOfRange("WEEKSTART"))?,
            origin: number("origin").cast_unsigned(),
        },
        notify_top: number("notifytop").try_into().map_err(|_| Error::OutOfRange("NOTIFYTOP"))?,
        role: Role::Root(parts),
        // The parts of a spread board cannot have the other rules.
        ..Schema::default()
    })
}

fn specs(info: &Info) -> Result<Vec<Spec>, Error> {
    let list = |name| info.text(name).filter(|list| !list.is_empty());
    let mut specs = parse_views(info.text("views").unwrap_or_default())?;
    if let Some(retain) = list("retain") {
        Retain::parse(retain)?.apply(&mut specs)?;
    }
    if let Some(carry) = list("carry") {
        Carry::parse(carry)?.apply(&mut specs)?;
    }
    if let Some(decay) = list("decay") {
        Decays::parse(decay)?.apply(&mut specs)?;
    }
    Ok(specs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(tz: &str, weekstart: &str) -> Result<Option<Root>, Error> {
        let word = |text: &str| redis::Value::BulkString(text.into());
        let texts = [
            ("views", "all"),
            ("order", "desc"),
            ("aggregate", "SUM"),
            ("ties", "FIRST"),
            ("tz", tz),
            ("weekstart", weekstart),
        ];
        let mut fields: Vec<_> = texts.iter().map(|(name, text)| (word(name), word(text))).collect();
        fields.push((word("parts"), redis::Value::Int(4)));
        Root::of(b"game", &Info::of(redis::Value::Map(fields)).unwrap())
    }

    #[test]
    fn a_calendar_that_is_not_known_is_an_error_and_not_utc() {
        assert!(root("Europe/Rome", "MON").unwrap().is_some());
        assert!(root("Europe/Atlantis", "MON").is_err());
        assert!(root("", "MON").is_err());
        assert!(root("UTC", "DAY").is_err());
    }

    /// Tests some keys whose slots are known from real servers.
    #[test]
    fn a_hash_tag_leads_to_the_slot() {
        assert_eq!([key_slot(b"foo"), key_slot(b"{foo}bar"), key_slot(b"a{foo}{bar}")], [12_182; 3]);
        assert_eq!(key_slot(b"{}foo"), slot(b"{}foo"));
        assert_eq!(key_slot(b"foo}{bar"), slot(b"foo}{bar"));
    }
}
