//! Waits until servers have finished their work in the background.

use redis::Connection;

use super::client::{info, run};
use super::server::Server;
use super::wait::wait_until;

/// Waits until the replica has applied all writes of the primary so far.
#[track_caller]
pub fn wait_for_sync(primary: &Server, replica: &Server) {
    let (mut primary, mut replica) = (primary.connection(), replica.connection());
    wait_until(|| {
        info(&mut replica, "replication", "master_link_status") == "up"
            && info(&mut replica, "replication", "slave_repl_offset")
                == info(&mut primary, "replication", "master_repl_offset")
    });
}

/// Rewrites the AOF, so that it contains the same data in the fewest commands.
#[track_caller]
pub fn bgrewriteaof_and_wait(con: &mut Connection) {
    run(con, &["BGREWRITEAOF"]);
    let mut is = |field, value| info(con, "persistence", field) == value;
    wait_until(|| is("aof_rewrite_in_progress", "0") && is("aof_rewrite_scheduled", "0"));
    assert!(is("aof_last_bgrewrite_status", "ok"), "the rewrite of the AOF failed");
}

/// Rewrites the AOF with a snapshot at its beginning, or in commands only, and restarts the server from it. `preamble` is the
/// setting `aof-use-rdb-preamble`: `yes` or `no`.
#[track_caller]
pub fn rewrite_and_restart(server: &mut Server, preamble: &str) {
    let mut con = server.connection();
    run(&mut con, &["CONFIG", "SET", "aof-use-rdb-preamble", preamble]);
    bgrewriteaof_and_wait(&mut con);
    server.restart_nosave();
}
