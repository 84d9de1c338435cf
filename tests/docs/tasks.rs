//! The commands of docs/tasks.md, as a reader types them, one after another.

use std::path::Path;

use leaderboard_testkit::session::words;
use leaderboard_testkit::{Flavor, Server, try_run};

#[test]
fn the_commands_of_all_tasks_work() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tasks.md");
    let document = std::fs::read_to_string(path).unwrap();
    let lines: Vec<_> = document.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    assert!(lines.len() > 50, "{}", lines.len());
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    for line in lines {
        if let Err(error) = try_run(&mut con, &words(line)) {
            panic!("{line}: {error}");
        }
    }
}
