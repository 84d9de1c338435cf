//! A league stays sound under any steps, saves the same bytes whatever it has worked off, and refuses damaged chunks or
//! makes a sound league of them.
#![no_main]

use arbitrary::Arbitrary;
use leaderboard_core::calendar::{Unit, When};
use leaderboard_core::league::{Alter, League, Rules, Tier, TierAmount};
use leaderboard_core::native::Work;
use leaderboard_core::time::TimeSource;
use leaderboard_core::{Decimal, Error, Event, NativeType};
use libfuzzer_sys::fuzz_target;

/// When all begins.
const BEGIN: u64 = 1_700_000_000_000;
const MAX_FUTURE: u64 = 60_000;
/// Milliseconds of a period.
const PERIOD: i64 = 100_000;

#[derive(Debug, Arbitrary)]
enum Step {
    Join {
        member: u8,
        meta: Option<u8>,
        early: u16,
    },
    Add {
        member: u8,
        points: i16,
        id: Option<u8>,
        early: u16,
    },
    Many {
        from: u8,
        points: i8,
    },
    Remove(u8),
    Tier(u8, bool),
    Meta(u8, u8),
    Alter {
        promote: Option<[u8; 2]>,
        group: Option<u8>,
        retain: Option<u8>,
        idle: Option<u8>,
        reward: Option<u8>,
    },
    /// The clock goes on, or back.
    Pass(i16),
    Periods(i8),
    Read(u8),
    Work(u8),
    Reload,
    Damage {
        chunk: u8,
        at: u16,
        byte: u8,
    },
}

struct Play {
    league: League,
    wall: u64,
}

fn name(member: u8) -> Vec<u8> {
    format!("member{member}").into_bytes()
}

fn saved(league: &League) -> Vec<Vec<u8>> {
    let mut chunks = Vec::new();
    league.save(|chunk| chunks.push(chunk.to_vec()));
    chunks
}

fn loaded(chunks: &[Vec<u8>]) -> Result<League, Error> {
    let (head, rest) = chunks.split_first().ok_or(Error::Loading)?;
    let mut league = League::load(head)?;
    rest.iter().try_for_each(|chunk| league.load_chunk(chunk).map(|_| ()))?;
    if league.is_loading() { Err(Error::Loading) } else { Ok(league) }
}

impl Play {
    fn write<'a>(&self, early: u16, request: Option<&'a [u8]>) -> Event<'a> {
        let origin = TimeSource::Client { wall: self.wall, max_future: MAX_FUTURE };
        let at = (early > 0).then(|| self.wall.saturating_sub(u64::from(early) * 10));
        Event { at, request, origin }
    }

    fn now(&self) -> u64 {
        self.league.now(self.wall, MAX_FUTURE)
    }

    fn step(&mut self, step: &Step) {
        match *step {
            Step::Join { member, meta, early } => {
                let meta = meta.map(|meta| vec![b'm'; usize::from(meta % 9)]);
                let write = self.write(early, None);
                let _ = self.league.join(&write, &name(member), meta.as_deref());
            }
            Step::Add { member, points, id, early } => {
                let id = id.map(|id| [id]);
                let write = self.write(early, id.as_ref().map(|id| &id[..]));
                let _ = self.league.add(&write, Decimal::whole(points.into()), &name(member));
            }
            Step::Many { from, points } => {
                for member in from..from.saturating_add(140) {
                    let write = self.write(0, None);
                    let _ = self.league.add(&write, Decimal::whole(points.into()), &name(member));
                }
            }
            Step::Remove(member) => _ = self.league.remove(&name(member), self.now()),
            Step::Tier(member, top) => {
                let tier: &[u8] = if top { b"top" } else { b"low" };
                let _ = self.league.set_tier(&name(member), tier);
            }
            Step::Meta(member, len) => {
                let _ = self.league.set_meta(&name(member), &vec![b'x'; usize::from(len % 9)]);
            }
            Step::Alter { promote, group, retain, idle, reward } => {
                let promote =
                    promote.map(|amounts| amounts.map(|amount| TierAmount::Count(amount.into())).into());
                let small = |number: Option<u8>| number.map(u32::from);
                let alter = Alter {
                    promote,
                    group: small(group),
                    retain: small(retain),
                    idle: small(idle),
                    reward: small(reward),
                    ..Alter::default()
                };
                let _ = self.league.alter(&alter, self.now());
            }
            Step::Pass(tens) => self.wall = self.wall.saturating_add_signed(i64::from(tens) * 10),
            Step::Periods(count) => self.wall = self.wall.saturating_add_signed(i64::from(count) * PERIOD),
            Step::Read(member) => self.read(member),
            Step::Work(steps) => {
                for _ in 0..steps {
                    if self.league.work(self.now()) != Work::Now {
                        break;
                    }
                }
            }
            Step::Reload => {
                let chunks = saved(&self.league);
                self.league = loaded(&chunks).expect("a sound league");
                assert_eq!(saved(&self.league), chunks);
            }
            Step::Damage { chunk, at, byte } => self.damage(chunk, at, byte),
        }
    }

    fn read(&mut self, member: u8) {
        self.league.advance(self.now());
        for back in 0..3 {
            let Ok(reading) = self.league.read(When::Back(back)) else { continue };
            let standing = reading.standing(&name(member));
            let rows = reading.group_of(&name(member)).map(|group| group.rows(u64::MAX));
            assert_eq!(standing.map(|standing| standing.place.members), rows.map(|rows| rows.len() as u64));
        }
    }

    fn damage(&self, chunk: u8, at: u16, byte: u8) {
        let mut chunks = saved(&self.league);
        let number = usize::from(chunk) % chunks.len();
        let at = usize::from(at) % chunks[number].len();
        chunks[number][at] = byte;
        if let Ok(league) = loaded(&chunks) {
            league.check();
            assert!(loaded(&saved(&league)).is_ok());
        }
    }
}

fuzz_target!(|input: (u8, u8, Vec<Step>)| {
    let (group, retain, steps) = input;
    let amounts = [[TierAmount::Share(3_000), TierAmount::NONE], [TierAmount::NONE, TierAmount::Count(1)]];
    let tiers = Tier::all(&[b"low", b"top"], &amounts[0], &amounts[1]).expect("two tiers");
    let rules = Rules::new(tiers, Unit::Seconds((PERIOD / 1000) as u32));
    let rules =
        Rules { group: u32::from(group) + 1, retain: u32::from(retain % 4), reward: 1, dedup: 30, ..rules };
    let mut play = Play { league: League::new(rules).expect("sound rules"), wall: BEGIN };
    for step in &steps {
        play.step(step);
    }
    play.league.check();
    let chunks = saved(&play.league);
    while play.league.work(BEGIN) == Work::Now {}
    play.league.check();
    assert_eq!(saved(&play.league), chunks);
});
