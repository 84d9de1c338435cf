//! Reads the figures of the servers, and of the boards with recent visits, once a second. A server or board that does
//! not answer in time gets a gap.

use std::collections::HashMap;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures_util::future::{join, join_all};
use leaderboard_client::{Info, info};
use tokio::time::timeout;

use crate::history::line::Moment;
use crate::history::{BoardFigure, History};
use crate::link::{Link, Present, field};

/// How long an answer may take. Two answers, the list of servers and then their figures, must fit in one second.
const PATIENCE: Duration = Duration::from_millis(350);

/// Reads for as long as the console runs.
pub async fn sample(link: &Link, history: &History) {
    loop {
        let second = next_second().await;
        join(read_servers(link, history, second), read_boards(link, history, second)).await;
    }
}

/// Waits until a short time after the next second has begun. If the clock is set back a little, the same second is then
/// not counted twice.
async fn next_second() -> u64 {
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let begun =
        Duration::from_secs(now().as_secs().saturating_add(1)).saturating_add(Duration::from_millis(200));
    tokio::time::sleep(begun.saturating_sub(now())).await;
    now().as_secs()
}

async fn read_servers(link: &Link, history: &History, second: u64) {
    let commands = [redis::cmd("INFO"), redis::cmd("INFO").arg("leaderboard").to_owned()];
    // If no server answers, every server gets a gap.
    let present = link.roll_call(&commands, PATIENCE).await.unwrap_or_default();
    let told: HashMap<_, _> =
        present.iter().filter_map(|node| Some((node.name.clone(), figures(node)?))).collect();
    history.note_servers(Moment { second, at: Instant::now() }, &told);
}

/// The figures of a server, in the order of `ServerFigure`.
pub fn figures(node: &Present) -> Option<[f64; 4]> {
    let (server, module) = (node.text(0)?, node.text(1).unwrap_or_default());
    let number = |info: &str, name| field(info, name).and_then(|value| value.parse::<f64>().ok());
    Some([
        number(&server, "instantaneous_ops_per_sec")?,
        number(&server, "used_memory")?,
        number(&server, "connected_clients")?,
        // The gateways write their history into counters.
        number(&module, "leaderboard_writes").unwrap_or(0.0)
            - number(&module, "leaderboard_counter_writes").unwrap_or(0.0),
    ])
}

async fn read_boards(link: &Link, history: &History, second: u64) {
    let read = |key: String| async move {
        let asked = info(&key);
        let told = timeout(PATIENCE, link.ask(&asked)).await;
        let told = told.ok().and_then(Result::ok).flatten();
        let moment = Moment { second, at: Instant::now() };
        history.note_board(&key, moment, told.as_ref().map(board_figures));
    };
    join_all(history.wanted().into_iter().map(read)).await;
}

/// The figures of a board, in the order of `BoardFigure`.
fn board_figures(told: &Info) -> [f64; 6] {
    // The 53 bits of precision are enough for plots.
    BoardFigure::ALL.map(|figure| figure.read(told) as f64)
}
