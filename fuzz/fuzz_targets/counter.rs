//! A counter stays sound under any steps, saves the same bytes whatever was read of it, and refuses damaged or any other
//! chunks or makes a sound counter of them.
#![no_main]

use arbitrary::Arbitrary;
use leaderboard_core::board::Edit;
use leaderboard_core::counter::{Alter, Counter, Range, Rules};
use leaderboard_core::time::{Clock, MAX_MILLIS, TimeSource};
use leaderboard_core::{Error, Event, NativeType};
use libfuzzer_sys::fuzz_target;

/// When all begins.
const BEGIN: u64 = 1_700_000_000_000;
const MAX_FUTURE: u64 = 60_000;

#[derive(Debug, Arbitrary)]
enum Step {
    Increase {
        by: By,
        id: Option<u8>,
        early: i16,
    },
    Decided {
        now: i16,
        at: i16,
        by: i8,
    },
    Alter {
        edits: Vec<(u8, bool)>,
        samples: Option<u8>,
        dedup: Option<u8>,
    },
    /// The clock goes on, or back.
    Pass(i16),
    Seconds(i16),
    Read {
        from: Option<i16>,
        to: Option<i16>,
        fill: bool,
    },
    Reload,
    Damage {
        chunk: u8,
        at: u16,
        byte: u8,
    },
}

#[derive(Debug, Arbitrary, Clone, Copy)]
enum By {
    Small(i8),
    Any(i64),
    /// As much as there is room for, and so much more.
    Rest(i8),
}

#[derive(Debug, Arbitrary)]
enum Input<'a> {
    Steps {
        precisions: [u8; 3],
        samples: u8,
        events: bool,
        steps: Vec<Step>,
    },
    /// Chunks, the first of which may be that of a sound counter, so that the fuzzer reaches the others.
    Chunks {
        sound: bool,
        chunks: Vec<&'a [u8]>,
    },
}

struct Play {
    counter: Counter,
    wall: u64,
}

fn saved(counter: &Counter) -> Vec<Vec<u8>> {
    let mut chunks = Vec::new();
    counter.save(|chunk| chunks.push(chunk.to_vec()));
    chunks
}

fn loaded(chunks: &[Vec<u8>]) -> Result<Counter, Error> {
    let (head, rest) = chunks.split_first().ok_or(Error::Loading)?;
    let mut counter = Counter::load(head)?;
    rest.iter().try_for_each(|chunk| counter.load_chunk(chunk).map(|_| ()))?;
    if counter.is_loading() { Err(Error::Loading) } else { Ok(counter) }
}

/// A moment so many hundredths of a second after another one.
fn after(moment: u64, hundredths: i16) -> u64 {
    moment.saturating_add_signed(i64::from(hundredths) * 10).min(MAX_MILLIS)
}

/// What there is to read holds together, and reading changes nothing.
fn look_over(counter: &Counter, range: Range) {
    let bytes = saved(counter);
    let rules = counter.rules();
    assert!((1..=16).contains(&rules.precisions.len()) && (1..=10_000).contains(&rules.samples));
    assert!(rules.precisions.is_sorted_by(|one, other| one < other));
    for now in [counter.last(), counter.last().saturating_add(7_000), 0, MAX_MILLIS] {
        let _ = counter.requests(now);
        for precision in &rules.precisions {
            let samples = counter.read(*precision, range, now).expect("a precision that is kept");
            assert!(samples.len() <= rules.samples as usize);
            assert!(samples.iter().all(|sample| range.fill || sample.count != 0));
            assert!(samples.iter().all(|sample| sample.start % (u64::from(*precision) * 1_000) == 0));
            assert!(samples.iter().all(|sample| sample.start <= now));
            assert!(samples.is_sorted_by(|one, other| one.start < other.start));
        }
    }
    assert!(counter.memory() >= size_of::<Counter>());
    assert_eq!(saved(counter), bytes);
}

/// Loads what it was saved as, which gives the same.
fn reload(counter: &Counter) -> Counter {
    let chunks = saved(counter);
    let copy = loaded(&chunks).expect("a sound counter");
    assert_eq!(saved(&copy), chunks);
    copy
}

impl Play {
    fn now(&self) -> u64 {
        self.counter.now(self.wall, MAX_FUTURE)
    }

    fn amount(&self, by: By) -> i64 {
        match by {
            By::Small(by) => by.into(),
            By::Any(by) => by,
            By::Rest(more) => (i64::MAX - self.counter.total().max(0)).saturating_add(more.into()),
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Increase { by, id, early } => {
                let origin = TimeSource::Client { wall: self.wall, max_future: MAX_FUTURE };
                let id = id.map(|id| [id]);
                let at = (*early != 0).then(|| after(self.wall, early.saturating_neg()));
                let event = Event { at, request: id.as_ref().map(|id| &id[..]), origin };
                self.increase(&event, self.amount(*by));
            }
            Step::Decided { now, at, by } => {
                let origin = TimeSource::Decided { now: Some(after(self.now(), *now)) };
                let event = Event { at: Some(after(self.now(), *at)), request: None, origin };
                self.increase(&event, (*by).into());
            }
            Step::Alter { edits, samples, dedup } => {
                let edit = |is_added: bool| if is_added { Edit::Add } else { Edit::Drop };
                let alter = Alter {
                    precisions: edits.iter().map(|(second, add)| (u32::from(*second), edit(*add))).collect(),
                    samples: samples.map(u32::from),
                    dedup: dedup.map(u32::from),
                };
                let before = saved(&self.counter);
                if self.counter.alter(&alter, self.now()).is_err() {
                    assert_eq!(saved(&self.counter), before);
                }
            }
            Step::Pass(hundredths) => self.wall = after(self.wall, *hundredths),
            Step::Seconds(seconds) => {
                let seconds = i64::from(*seconds) * 1_000;
                self.wall = self.wall.saturating_add_signed(seconds).min(MAX_MILLIS);
            }
            Step::Read { from, to, fill } => {
                let end = |end: Option<i16>| end.map(|end| after(self.wall, end));
                look_over(&self.counter, Range { from: end(*from), to: end(*to), fill: *fill });
            }
            Step::Reload => self.counter = reload(&self.counter),
            Step::Damage { chunk, at, byte } => self.damage(*chunk, *at, *byte),
        }
    }

    /// A total is what was before and the amount, or nothing has changed.
    fn increase(&mut self, event: &Event, by: i64) {
        let (before, bytes) = (self.counter.total(), saved(&self.counter));
        match self.counter.increase(event, by) {
            Ok(increase) => {
                assert_eq!(increase.total, self.counter.total());
                assert!(increase.total == before || before.checked_add(by) == Some(increase.total));
            }
            Err(_) => assert_eq!(saved(&self.counter), bytes),
        }
    }

    fn damage(&self, chunk: u8, at: u16, byte: u8) {
        let mut chunks = saved(&self.counter);
        let number = usize::from(chunk) % chunks.len();
        let at = usize::from(at) % chunks[number].len();
        chunks[number][at] = byte;
        if let Ok(counter) = loaded(&chunks) {
            go_on(counter);
        }
    }
}

/// Does what clients do with a counter that was loaded.
fn go_on(counter: Counter) {
    let wall = counter.last();
    let mut play = Play { counter: reload(&counter), wall };
    look_over(&play.counter, Range::default());
    for by in [By::Small(1), By::Rest(0), By::Rest(1), By::Small(-1)] {
        play.step(&Step::Increase { by, id: Some(1), early: 0 });
        play.step(&Step::Increase { by, id: None, early: 150 });
        play.step(&Step::Seconds(1));
        look_over(&play.counter, Range { fill: true, ..Range::default() });
    }
    play.step(&Step::Alter { edits: vec![(77, true)], samples: Some(3), dedup: Some(5) });
    look_over(&play.counter, Range::default());
    reload(&play.counter);
}

fn sound() -> Counter {
    let rules = Rules { precisions: vec![1, 60], samples: 5, ..Rules::default() };
    let mut play = Play { counter: Counter::new(rules).expect("sound rules"), wall: BEGIN };
    for id in [None, Some(1), Some(2)] {
        play.step(&Step::Increase { by: By::Small(3), id, early: 100 });
        play.step(&Step::Seconds(2));
    }
    play.counter
}

/// Any chunks; perhaps only the end is missing.
fn load_any(chunks: &[Vec<u8>]) {
    if let Ok(counter) = loaded(chunks) {
        go_on(counter);
    }
    let Some(Ok(mut counter)) = chunks.first().map(|head| Counter::load(head)) else { return };
    for chunk in &chunks[1..] {
        let before = saved(&counter);
        if counter.load_chunk(chunk).is_err() {
            assert_eq!(saved(&counter), before, "a refused chunk left traces");
        }
    }
    let end = saved(&counter).pop().expect("an end");
    if counter.is_loading() && counter.load_chunk(&end) == Ok(true) {
        go_on(counter);
    }
}

fn play(precisions: [u8; 3], samples: u8, events: bool, steps: &[Step]) {
    let clock = if events { Clock::Event } else { Clock::Server };
    let precisions = precisions.map(u32::from).to_vec();
    let rules = Rules { precisions, samples: samples.into(), clock, dedup: 30 };
    let Ok(counter) = Counter::new(rules) else { return };
    let mut play = Play { counter, wall: BEGIN };
    steps.iter().for_each(|step| play.step(step));
    look_over(&play.counter, Range { fill: true, ..Range::default() });
    reload(&play.counter);
}

fuzz_target!(|input: Input| {
    match input {
        Input::Steps { precisions, samples, events, steps } => play(precisions, samples, events, &steps),
        Input::Chunks { sound: is_sound, chunks } => {
            let head = is_sound.then(|| saved(&sound()).remove(0));
            let chunks: Vec<_> = head.into_iter().chain(chunks.iter().map(|chunk| chunk.to_vec())).collect();
            load_any(&chunks);
        }
    }
});
