//! A cup of one weekend with invented players: three attempts a day, open from 10 to 22 o'clock, and prizes. Afterwards a
//! payer pays the winners. It is killed again and again between a claim and the payment, and begins anew each time. At the end
//! every prize is paid exactly once, or the program fails.
//!
//!     cargo run --profile demo --bin cup -- --url redis://127.0.0.1:6379

use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::Parser;
use indicatif::HumanCount;
use leaderboard_client::{
    Leaderboard as _, Winner, add, alter, claim, create, held_back, hide, info, prizes, quota, top,
};
use redis::Connection;

use client::{Random, Result, ask, connect, failed, typed};

/// Saturday, 28 November 2026, midnight in Berlin.
const BEGIN: i64 = 1_795_820_400_000;
const HOUR: i64 = 3_600_000;
const PLAYERS: u64 = 400;
const ATTEMPTS: u64 = 5_000;
/// The week ends here.
const MONDAY: i64 = BEGIN + WEEKEND;
const WEEKEND: i64 = 48 * HOUR;
const TABLE: &str = "1=bike,2-3=helmet,1-5%=voucher,1-10%=badge";

/// Play a cup of one weekend, and pay its prizes. An existing key of that name is replaced.
#[derive(Parser)]
struct Options {
    /// The server: redis://host:port or unix:///path/to/socket
    #[arg(long, default_value = "redis://127.0.0.1:6379")]
    url: String,
    /// The board's key; its present value is deleted
    #[arg(long, default_value = "cup")]
    key: String,
}

fn main() -> ExitCode {
    match cup(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cup: {error}");
            ExitCode::FAILURE
        }
    }
}

fn cup(options: &Options) -> Result<()> {
    let (mut server, key) = (connect(&options.url, &options.key)?, options.key.as_str());
    let made = create(key).views("week,day").tz("Europe/Berlin").clock("EVENT").aggregate("MAX");
    let made = made.hours("sat-sun=10:00-22:00").attempts(3, "day").bounds("0", "1000").prizes("week", TABLE);
    typed(&mut server, &made)?;
    play(&mut server, key)?;
    println!("\nThe best five of the week:");
    for row in typed(&mut server, &top(key, 5))? {
        println!("{:>2}  {:<6} {:>5}", row.rank, row.member, row.score);
    }
    typed(&mut server, &quota(key).member("p7"))?;
    println!("The week ends: the clock moves on, and nobody has to write.");
    typed(&mut server, &alter(key).move_clock(MONDAY))?;
    let first = ask(&mut server, &prizes(key, 0).count(1))?.winners;
    let cheater = first.first().ok_or("nobody has won")?.member.clone();
    println!("\nThe winner has cheated. It is hidden before the first claim, and all others move up:");
    typed(&mut server, &hide(key, [&cheater]))?;
    let winners = all_winners(&mut server, key)?;
    pay(&mut server, key, &winners)
}

/// Sends the attempts of the weekend, and counts those that a rule held back.
fn play(server: &mut Connection, key: &str) -> Result<()> {
    let mut random = Random::new(7);
    let mut moments: Vec<i64> =
        (0..ATTEMPTS).map(|_| BEGIN.saturating_add(random.below(WEEKEND as u64) as i64)).collect();
    moments.sort_unstable();
    let (mut applied, mut held) = (0_u64, BTreeMap::<String, u64>::new());
    for at in moments {
        let (player, points) = (random.below(PLAYERS), random.below(1_040));
        let attempt = add(key, points, format!("p{player}")).at(at);
        match server.lb(&attempt) {
            Ok(_) => applied = applied.saturating_add(1),
            Err(error) => {
                let rule = held_back(&error).ok_or_else(|| failed(&attempt)(error))?.rule;
                let count = held.entry(rule).or_default();
                *count = count.saturating_add(1);
            }
        }
    }
    println!("\n{} attempts counted. Held back:", HumanCount(applied));
    held.iter().for_each(|(rule, count)| println!("  {rule:<9} {count:>5}"));
    let told = ask(server, &info(key))?.ok_or("the board is gone")?;
    let counted: BTreeMap<_, _> = told.held_back().into_iter().filter(|(_, count)| *count > 0).collect();
    if counted == held { Ok(()) } else { Err(format!("LB.INFO counted {counted:?}")) }
}

/// Reads the winners page by page.
fn all_winners(server: &mut Connection, key: &str) -> Result<Vec<Winner>> {
    let (mut winners, mut cursor) = (Vec::new(), 0);
    loop {
        let page = ask(server, &prizes(key, cursor).count(15))?;
        winners.extend(page.winners);
        cursor = page.cursor;
        if cursor == 0 {
            return Ok(winners);
        }
    }
}

/// What a bank has paid, by the id of the payment. It pays an id once, as payment services do.
#[derive(Default)]
struct Bank(BTreeMap<String, (String, String)>);

/// Pays all winners. The payer is killed after each few claims, sometimes before it has paid, and begins anew.
fn pay(server: &mut Connection, key: &str, winners: &[Winner]) -> Result<()> {
    let (mut bank, mut random, mut kills) = (Bank::default(), Random::new(3), 0_u64);
    println!("\nA payer claims {} prizes, such as:", winners.len());
    if let Some(winner) = winners.first() {
        println!("> {}", claim(key, &winner.member).id(payment(winner)));
    }
    'payer: loop {
        let mut left = random.from(1, 13);
        for winner in winners {
            let id = payment(winner);
            let Some(claimed) = ask(server, &claim(key, &winner.member).id(&id))? else {
                return Err(format!("{} has no prize", winner.member));
            };
            // Killed here, the payer does not know whether it has paid. Its next run claims with the same id.
            left = left.saturating_sub(u64::from(!bank.0.contains_key(&id)));
            if left == 0 && random.below(2) == 0 {
                kills = kills.saturating_add(1);
                continue 'payer;
            }
            if claimed.is_first {
                let prize = String::from_utf8_lossy(claimed.prize.as_bytes()).into_owned();
                bank.0.insert(id, (winner.member.to_string(), prize));
            }
            if left == 0 {
                kills = kills.saturating_add(1);
                continue 'payer;
            }
        }
        break;
    }
    println!("The payer was killed {kills} times, and began anew each time.");
    // Another payer, with ids of its own, is told that all is paid.
    for winner in winners {
        let again = ask(server, &claim(key, &winner.member).id(format!("other-{}", winner.rank)))?;
        if again.is_none_or(|claim| claim.is_first) {
            return Err(format!("the prize of {} would be paid twice", winner.member));
        }
    }
    check(server, key, winners, &bank)
}

fn payment(winner: &Winner) -> String {
    format!("cup-2026-W48-{}", winner.member)
}

/// Checks that each winner has its prize, and nobody else has one.
fn check(server: &mut Connection, key: &str, winners: &[Winner], bank: &Bank) -> Result<()> {
    let due: BTreeMap<_, _> = winners
        .iter()
        .map(|winner| {
            (winner.member.to_string(), String::from_utf8_lossy(winner.prize.as_bytes()).into_owned())
        })
        .collect();
    let paid: BTreeMap<_, _> = bank.0.values().cloned().collect();
    if due != paid || bank.0.len() != winners.len() {
        return Err(format!("due {due:?}, paid {paid:?}"));
    }
    let left = typed(server, &prizes(key, 0).count(1_000).unclaimed())?.winners;
    if !left.is_empty() {
        return Err(format!("not claimed: {left:?}"));
    }
    let mut prizes = BTreeMap::<&str, u64>::new();
    for prize in paid.values() {
        let count = prizes.entry(prize).or_default();
        *count = count.saturating_add(1);
    }
    println!("Every prize is paid exactly once:");
    prizes.iter().for_each(|(prize, count)| println!("  {prize:<9} {count:>5}"));
    Ok(())
}
