//! Commands of counters.

use std::cell::Cell;

use leaderboard_core::board::Effect;
use leaderboard_core::counter::{Range, Rules, Sample};
use leaderboard_core::time::Stamp;
use leaderboard_core::{Counter, Error, Event, NativeType};

use super::boards::reply_made;
use super::{alter, writing};
use crate::argument::Argument;
use crate::call::{Call, Handled, decided};
use crate::commit::{Commit, KeyChange, Sent};
use crate::host::{Count, Host};
use crate::keyspace;
use crate::options::Options;
use crate::options::boards::NX;
use crate::options::counters::BY;
use crate::options::reading::AT;
use crate::options::writing::{ID, QUIET};
use crate::refusal::Refusal;
use crate::word::{Stream, Word};

/// Carries out `LB.COUNTER.CREATE key [options]`.
pub fn create(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = call.options(args)?;
    let rules = options.counter_rules(call.host().counter_rules());
    let counter = Counter::new(rules)?;
    // All rules are sent, because the settings of another server can differ.
    let rules = counter.rules();
    let sent = Sent::Instead(Box::new(move |stream| send_rules(stream, key, &rules)));
    let change = KeyChange { event: c"lb.counter.create", sent };
    let is_new = keyspace::create(call, key, &Commit { count: None, change: Some(change) }, || Ok(counter))?;
    reply_made(call, options.has(&NX), is_new, Error::Exists)
}

/// Sends a command that makes a counter with these rules, regardless of the settings of the other server.
fn send_rules(stream: &dyn Stream, key: Argument, rules: &Rules) {
    let texts = [rules.list(), rules.samples.to_string(), rules.clock.to_string(), rules.dedup.to_string()];
    let names = ["PRECISIONS", "SAMPLES", "CLOCK", "DEDUP"];
    let options = names.iter().zip(&texts).flat_map(|(name, text)| [Word::of(*name), Word::of(text)]);
    stream.send(c"LB.COUNTER.CREATE", std::iter::once(key.into()).chain(options));
}

/// Carries out `LB.COUNTER.INCR key [options]`.
pub fn increase(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = call.options(args)?;
    let event =
        Event { at: options.get(&AT), request: options.text(&ID), origin: call.time_source(&options)? };
    let by = options.get(&BY).unwrap_or(1);
    let is_new = Cell::new(false);
    let make = || {
        is_new.set(true);
        Ok(Counter::new(call.host().counter_rules())?)
    };
    let increase = keyspace::write(call, key, make, |counter: &mut Counter| {
        let increase = counter.increase(&event, by)?;
        let mut commit = Commit::written(&increase, c"lb.counter.incr", &options);
        if let (true, Some(change), Effect::Applied(stamp)) =
            (is_new.get(), &mut commit.change, increase.effect)
        {
            change.sent = made(key, counter.rules(), &options, stamp);
        }
        Ok((increase, commit))
    })?;
    call.host().count(match increase.effect {
        Effect::Applied(_) => Count::CounterWritten,
        Effect::Repeated | Effect::SameAttempt | Effect::HeldBack => Count::CounterRepeated,
    });
    if options.has(&QUIET) {
        writing::applied(call, increase.effect, 1);
    } else {
        call.reply().signed(increase.total);
    }
    Ok(())
}

/// Returns the commands for replicas when an increase has made its counter.
fn made<'a>(key: Argument<'a>, rules: Rules, options: &'a Options<'a>, stamp: Stamp) -> Sent<'a> {
    Sent::Instead(Box::new(move |stream| {
        send_rules(stream, key, &rules);
        stream.send(c"LB.COUNTER.INCR", decided(options, stamp));
    }))
}

/// Carries out `LB.COUNTER.ALTER key [options]`.
pub fn alter(call: &Call<impl Host>) -> Handled {
    alter::alter(call, c"lb.counter.alter", Error::NoSuchCounter, |counter: &mut Counter, options, source| {
        let now = counter.now_of(source);
        counter.alter(&options.counter_changes(), now).map(|()| now)
    })
}

/// Carries out `LB.COUNTER.GET key precision [options]`.
pub fn get(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let precision = args.precision()?;
    let range = call.options(args)?.range();
    let samples = keyspace::read(call, key, |counter| samples(call, counter, precision, range))?;
    reply_samples(call, &samples);
    Ok(())
}

/// Carries out `LB.COUNTER.MGET precision [options] KEYS n key [key ...]`.
pub fn get_many(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let precision = args.precision()?;
    let range = call.leading_options(&mut args)?.range();
    let keys = args.keys_behind("KEYS")?;
    args.finish()?;
    let read =
        |key: &Argument| keyspace::read(call, *key, |counter| samples(call, counter, precision, range));
    let all: Vec<_> = keys.iter().map(read).collect::<Result<_, _>>()?;
    call.reply().array(all.len());
    all.iter().for_each(|samples| reply_samples(call, samples));
    Ok(())
}

fn samples(
    call: &Call<impl Host>,
    counter: Option<&Counter>,
    precision: u32,
    range: Range,
) -> Result<Vec<Sample>, Refusal> {
    let Some(counter) = counter else { return Ok(Vec::new()) };
    Ok(counter.read(precision, range, call.now_of(counter))?)
}

fn reply_samples(call: &Call<impl Host>, samples: &[Sample]) {
    let reply = call.reply();
    reply.array(samples.len());
    for Sample { start, count } in samples {
        reply.array(2);
        reply.int(*start);
        reply.signed(*count);
    }
}

/// Carries out `LB.COUNTER.INFO key`.
pub fn info(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    args.finish()?;
    keyspace::read(call, key, |counter: Option<&Counter>| {
        match counter {
            Some(counter) => reply_info(call, counter),
            None => call.reply().nil(),
        }
        Ok(())
    })
}

fn reply_info(call: &Call<impl Host>, counter: &Counter) {
    let (reply, rules, now) = (call.reply(), counter.rules(), call.now_of(counter));
    let words = [(&b"precisions"[..], rules.list()), (b"clock", rules.clock.to_string())];
    let numbers = [
        (&b"samples"[..], i64::from(rules.samples)),
        (b"dedup", i64::from(rules.dedup)),
        (b"total", counter.total()),
        (b"requests", counter.requests(now) as i64),
        (b"now", now.cast_signed()),
        (b"memory", counter.memory() as i64),
    ];
    reply.map(words.len().saturating_add(numbers.len()));
    reply.texts(words);
    reply.numbers(numbers);
}
