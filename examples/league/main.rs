//! Three weeks of a league with some thousands of invented players. It shows a group with the zones in which players
//! move up or down, the replies to three players at their first join of the third week, and the growth of the tiers.
//! It sends every fifth addition twice, as a client does that got no reply. It predicts every reply with a second
//! implementation of the rules, and ends at the first difference.
//!
//!     cargo run --profile demo --bin league -- --url redis://127.0.0.1:6379

mod model;
mod play;
mod replies;
mod server;
mod show;

use std::collections::HashMap;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use indicatif::HumanCount;
use leaderboard_client::{Applied, Created, Info, Request, leagues};
use redis::Value;

use crate::model::{Model, Place, Zone};
use crate::play::{Action, Event, WEEKS, Write, label, name};
use crate::server::Server;
use crate::show::Joined;
use client::{PIPELINE, Result, ask, ask_all, connect, failed, typed};

const RETRY_EVERY: usize = 5;
/// Play three weeks of a league. An existing key of that name is replaced.
#[derive(Parser)]
struct Options {
    /// The server: redis://host:port or unix:///path/to/socket
    #[arg(long, default_value = "redis://127.0.0.1:6379")]
    url: String,
    /// The league's key; its present value is deleted
    #[arg(long, default_value = "words")]
    key: String,
}

fn main() -> ExitCode {
    match league(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("league: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Makes the league. It uses the time of the events, so that the weeks take only a second. A player loses a tier for
/// each week in which the player does not join.
fn rules(key: &str) -> Request<Created> {
    let league = leagues::create(key).tiers("bronze,silver,gold").promote("20%,20%,0").demote("0,20%,20%");
    league.cycle("week").group(15).reward(3).idle(1).retain("2").tz("Europe/Paris").clock("EVENT")
}

fn league(options: &Options) -> Result<()> {
    let mut server = Server { connection: connect(&options.url, &options.key)?, key: options.key.clone() };
    typed(&mut server.connection, &rules(&server.key))?;
    let mut model = Model::default();
    let (mut sizes, mut ends) = (Vec::new(), Vec::new());
    for week in 0..WEEKS {
        let events = play::week(week);
        let heroes = show::heroes(&model, &events);
        let joined = send(&mut server, &mut model, &events)?;
        ends.push(check_standings(&mut server, &model)?);
        sizes.push(check_sizes(&mut server, &model)?);
        if week == 1 {
            show::group(&mut server)?;
        }
        heroes.iter().for_each(|hero| show::hero(&server, hero, &joined));
        model.end_week();
    }
    show::sizes(&sizes);
    read_again(&mut server, &ends)
}

/// Sends the events of a week, and a retry directly after its original. Checks each reply. Returns the replies to the
/// joins.
fn send(server: &mut Server, model: &mut Model, events: &[Event]) -> Result<HashMap<u64, Joined>> {
    let is_retried = |number: usize, event: &Event| {
        number.is_multiple_of(RETRY_EVERY) && matches!(event.action, Action::Add { .. })
    };
    let writes: Vec<(&Event, bool)> = (0..)
        .zip(events)
        .flat_map(|(number, event)| {
            [Some((event, false)), is_retried(number, event).then_some((event, true))].into_iter().flatten()
        })
        .collect();
    let (started, key) = (Instant::now(), server.key.clone());
    let mut joined = HashMap::new();
    for batch in writes.chunks(PIPELINE) {
        let requests: Vec<Write> = batch.iter().map(|(event, _)| event.write(&key)).collect();
        let replies = ask_all(&mut server.connection, requests.iter())?;
        for (((event, is_retry), write), reply) in batch.iter().zip(&requests).zip(replies) {
            if let Some(join) = check_reply(model, event, *is_retry, write, reply)? {
                joined.insert(event.player, join);
            }
        }
    }
    let (seconds, writes) = (started.elapsed().as_secs_f64(), HumanCount(writes.len() as u64));
    println!("\n{}: {writes} joins, points and retries sent in {seconds:.2} s", label(model.week));
    Ok(joined)
}

/// Applies the event to the model, and compares the reply with the model.
fn check_reply(
    model: &mut Model,
    event: &Event,
    is_retry: bool,
    write: &Write,
    reply: Value,
) -> Result<Option<Joined>> {
    let &Event { at, player, .. } = event;
    match write {
        Write::Join(request) => {
            let last = model.join(player, at);
            let due = (Place { score: 0, ..place(model, player)? }, last);
            let got = replies::joined(request.parse(reply).map_err(failed(request))?)?;
            same("LB.LEAGUE.JOIN", player, &got, &due)?;
            Ok(Some(Joined { event: event.clone(), place: got.0, last: got.1 }))
        }
        Write::Add(request) => {
            if let Action::Add { points, .. } = event.action
                && !is_retry
            {
                model.add(player, points, at);
            }
            let Place { score, rank, .. } = place(model, player)?;
            let (score, rank) = (Some(score.to_string().as_str().into()), Some(rank));
            let due = Applied { score, rank, applied: !is_retry, before: None, within: None };
            same("LB.LEAGUE.ADD", player, &request.parse(reply).map_err(failed(request))?, &due)?;
            Ok(None)
        }
    }
}

fn place(model: &Model, player: u64) -> Result<Place> {
    model.place(player).ok_or_else(|| format!("{} is not in the model", name(player)))
}

type Standings = Vec<(u64, Place, Zone)>;

/// Compares the standings of all players of the week with the model. Returns these standings.
fn check_standings(server: &mut Server, model: &Model) -> Result<Standings> {
    let due = model.players().into_iter().map(|player| {
        let place = place(model, player)?;
        let zone = place.zone();
        Ok((player, place, zone))
    });
    let due = due.collect::<Result<Standings>>()?;
    compare(server, &due, "0")?;
    Ok(due)
}

/// Compares the standings of a period with the expected standings.
fn compare(server: &mut Server, due: &Standings, period: &str) -> Result<()> {
    let key = server.key.clone();
    for batch in due.chunks(PIPELINE) {
        let standing = |player| leagues::standing(&key, name(player)).period(period);
        let requests: Vec<_> = batch.iter().map(|(player, ..)| standing(*player)).collect();
        let replies = ask_all(&mut server.connection, requests.iter())?;
        for (((player, place, zone), request), reply) in batch.iter().zip(&requests).zip(replies) {
            let (due, got) = ((place.clone(), *zone), request.parse(reply).map_err(failed(request))?);
            same("LB.LEAGUE.STANDING", *player, &replies::standing(got)?, &due)?;
        }
    }
    Ok(())
}

/// Compares the numbers of members and groups of each tier with the model. Returns these numbers.
fn check_sizes(server: &mut Server, model: &Model) -> Result<Vec<(u64, u64)>> {
    let info = ask(&mut server.connection, &leagues::info(&server.key))?.ok_or("the league is gone")?;
    let sizes: Vec<(u64, u64)> = numbers(&info, "members")?.zip(numbers(&info, "groups")?).collect();
    if sizes == model.sizes() {
        Ok(sizes)
    } else {
        Err(format!("the tiers have {sizes:?}, but {:?} was due", model.sizes()))
    }
}

fn numbers<'a>(info: &'a Info, name: &str) -> Result<impl Iterator<Item = u64> + use<'a>> {
    let numbers = info.numbers(name).ok_or_else(|| format!("LB.LEAGUE.INFO has no {name}"))?;
    Ok(numbers.iter().map(|number| number.unsigned_abs()))
}

/// Reads the final standings of all players in each week again, and compares them.
fn read_again(server: &mut Server, ends: &[Standings]) -> Result<()> {
    for (week, standings) in (0..).zip(ends) {
        compare(server, standings, &label(week))?;
    }
    let standings: usize = ends.iter().map(Vec::len).sum();
    println!(
        "\nChecked: each reply; {} standings, live and again at the end; the sizes of all tiers",
        HumanCount(standings as u64)
    );
    Ok(())
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, player: u64, got: &T, due: &T) -> Result<()> {
    if got == due { Ok(()) } else { Err(format!("{what} of {}: {got:?}, but {due:?} was due", name(player))) }
}
