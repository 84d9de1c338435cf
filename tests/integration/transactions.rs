//! Tests of WATCH, MULTI and scripts.

use leaderboard_testkit::session::{play, say, shown};
use leaderboard_testkit::{Flavor, Server, run, try_run};

#[test]
fn a_transaction_sees_its_own_writes() {
    let server = Server::start(Flavor::Redis70);
    play(
        &mut server.connection(),
        r#"MULTI
           LB.CREATE board ORDER ASC
           LB.ADD board 5 ann ID one
           LB.ADD board 5 ann ID one
           LB.ADD board 4 bob
           LB.TOP board 5
           EXEC => [OK [5 1 1] [5 1 0] [4 1 1] [[1 "bob" 4] [2 "ann" 5]]]
           MULTI
           LB.ADD board 5 ann
           DISCARD
           LB.SCORE board ann => 5"#,
    );
}

#[test]
fn an_error_within_a_transaction_leaves_the_other_writes() {
    let server = Server::start(Flavor::Redis70);
    play(
        &mut server.connection(),
        "MULTI
         LB.ADD board 5 ann
         LB.ADD board x bob
         LB.ADD board 4 cat
         EXEC => ERR points is not a decimal number
         LB.COUNT board => 2",
    );
}

#[test]
fn a_command_with_too_few_words_aborts_its_transaction() {
    let server = Server::start(Flavor::Redis70);
    play(
        &mut server.connection(),
        "MULTI => OK
         LB.ADD board 5 ann => QUEUED
         LB.ADD board 5 => ERR wrong number of arguments for 'LB.ADD' command
         EXEC => EXECABORT Transaction discarded because of previous errors.
         EXISTS board => 0",
    );
}

#[test]
fn scripts_call_commands_and_get_their_replies() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        let mut eval = |script: &str| shown(&try_run(&mut con, &["EVAL", script, "1", "board"]));
        assert_eq!(eval("return redis.call('LB.ADD', KEYS[1], 5, 'ann', 'ID', 'one')"), "[5 1 1]");
        assert_eq!(eval("return redis.call('LB.ADD', KEYS[1], 5, 'ann', 'ID', 'one')"), "[5 1 0]");
        assert_eq!(eval("return redis.call('LB.TOP', KEYS[1], 1)"), "[[1 \"ann\" 5]]");
        assert_eq!(eval("return redis.call('LB.STANDING', KEYS[1], 'ann')[4]"), "5");
        assert_eq!(eval("return tostring(redis.call('LB.RANK', KEYS[1], 'bob'))"), "\"false\"");
        let error = "return redis.pcall('LB.ADD', KEYS[1], 'x', 'ann')['err']";
        assert_eq!(eval(error), "\"ERR points is not a decimal number\"");
        assert!(
            eval("return redis.call('LB.ADD', KEYS[1], 'x', 'ann')")
                .contains("points is not a decimal number")
        );
        assert!(
            eval("return redis.call('LB.ADD', KEYS[1], 5, 'ann', 'NOW', 5)").contains("unknown option 'NOW'")
        );
        assert_eq!(say(&mut con, "LB.SCORE board ann"), "5", "{flavor:?}");
    }
}

#[test]
fn a_script_may_ask_for_maps() {
    for flavor in [Flavor::Redis70, Flavor::Redis82, Flavor::Valkey91] {
        let server = Server::start(flavor);
        let mut con = server.connection();
        let script = "redis.setresp(3) redis.call('LB.ADD', KEYS[1], 5, 'ann')
                      return redis.call('LB.STANDING', KEYS[1], 'ann')['map']['score']";
        let reply = run(&mut con, &["EVAL", script, "1", "board"]);
        assert_eq!(reply, redis::Value::Int(5), "{flavor:?}");
    }
}

#[test]
fn a_script_that_may_only_read_cannot_write() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "LB.ADD board 5 ann");
    let mut eval = |script: &str| shown(&try_run(&mut con, &["EVAL_RO", script, "1", "board"]));
    assert_eq!(eval("return redis.call('LB.SCORE', KEYS[1], 'ann')"), "5");
    assert!(
        eval("return redis.call('LB.ADD', KEYS[1], 5, 'ann')").contains("not allowed from read-only scripts")
    );
}
