//! Tests of options that are unknown, repeated, without a value or in conflict, and of commands with too few or too
//! many arguments.

use leaderboard_commands::table;
use leaderboard_testkit::Flavor;
use leaderboard_testkit::session::{play, say};

use super::Guarded;
use crate::docs::{Command, commands};

#[test]
fn each_option_of_each_command_may_stand_once() {
    let mut guarded = Guarded::start();
    for command in commands(&guarded.server) {
        let may_stand_once = |(place, _, _): &(usize, _, _)| !command.arguments[*place].multiple;
        for (place, option, value) in command.options().into_iter().filter(may_stand_once) {
            let once: Vec<&str> = [Some(option.as_str()), value.as_deref()].into_iter().flatten().collect();
            let line = command.words("KEY", Some((place, &once.repeat(2)))).join(" ");
            guarded.refuses(&format!("{line} => option {option} is given twice"));
            guarded.refuses(&format!(
                "{} => option {option} is given twice",
                line.to_lowercase().replace("key", "KEY")
            ));
        }
    }
}

#[test]
fn each_option_with_a_value_needs_it() {
    let mut guarded = Guarded::start();
    for command in commands(&guarded.server).iter().filter(|command| command.ends_in_options()) {
        for (_, option, _) in command.options().iter().filter(|(_, _, value)| value.is_some()) {
            // The option that LB.ALTER needs at least is removed again.
            let line = command.words("KEY", None).join(" ").replace(" DEDUP 5", "");
            guarded.refuses(&format!("{line} {option} => option {option} needs a value"));
        }
    }
    guarded.refuses(
        "LB.MSET KEY AT 5 ID => option ID needs a value
         LB.MSCORE KEY MEMBERS => option MEMBERS needs a value
         LB.AMONG KEY VIEW all MEMBERS => option MEMBERS needs a value
         LB.MGETMETA KEY MEMBERS => option MEMBERS needs a value
         LB.MADD KEY AT 5 ID => option ID needs a value
         LB.MADD KEY ID request AT => option AT needs a value
         LB.MADD KEY AT 5 VIEW => option VIEW needs a value
         LB.MSCORE KEY MEMBERS 1 ann VIEW => option VIEW needs a value
         LB.MSCORE KEY MEMBERS 1 ann RANKS => option RANKS needs a value
         LB.MSTANDING KEY VIEW all MEMBERS 1 ann RANKS => option RANKS needs a value",
    );
}

#[test]
fn an_unknown_option_is_quoted_with_care() {
    let mut guarded = Guarded::start();
    // After LB.QUANTILE, every word that is not an option is read as a share.
    let has_options = |command: &&Command| command.ends_in_options() && command.name != "LB.QUANTILE";
    for command in commands(&guarded.server).iter().filter(has_options) {
        let range = if command.name == "LB.COUNT" { " 1 5" } else { "" };
        let line = command.words("KEY", None).join(" ") + range;
        guarded.refuses(&format!(
            "{line} FOO => unknown option 'FOO'
             {line} FOO 5 => unknown option 'FOO'
             {line} <0> => unknown option ''
             {line} <24> => unknown option '{letters}'
             {line} <300> => unknown option '{letters}...'
             {line} a\\x00\\xff\\x0d\\x0a'z => unknown option 'a?????z'",
            letters = "m".repeat(24)
        ));
        play(&mut guarded.con, "PING => PONG");
    }
}

#[test]
fn options_of_one_command_are_none_of_another() {
    Guarded::start().refuses(
        "LB.ADD KEY 5 ann WITHMETA => unknown option 'WITHMETA'
         LB.ADD KEY 5 ann NX => unknown option 'NX'
         LB.SET KEY 5 ann RANKS DENSE => unknown option 'RANKS'
         LB.TOP KEY 5 COUNT 5 => unknown option 'COUNT'
         LB.RANGE KEY 1 5 OFFSET 1 => unknown option 'OFFSET'
         LB.RANK KEY ann WITHMETA => unknown option 'WITHMETA'
         LB.RANK KEY ann ID request => unknown option 'ID'
         LB.CREATE KEY ID request => unknown option 'ID'
         LB.CREATE KEY WINDOW 7 day => unknown option 'WINDOW'
         LB.MGETMETA KEY MEMBERS 1 ann WITHMETA => unknown option 'WITHMETA'
         LB.STATS KEY WITHMETA => unknown option 'WITHMETA'
         LB.HISTOGRAM KEY 1 5 2 COUNT 5 => unknown option 'COUNT'
         LB.AMONG KEY MEMBERS 1 ann OFFSET 5 => unknown option 'OFFSET'
         LB.VOTE KEY 5 ann META text => unknown option 'META'
         LB.ROLLADD KEY 5 ann META text => unknown option 'META'
         LB.TOP KEY 5 FILL => unknown option 'FILL'
         LB.ADD KEY 5 ann REV => unknown option 'REV'
         LB.ALTER KEY ORDER ASC => unknown option 'ORDER'
         LB.MSET KEY NX 5 ann => score is not a decimal number
         LB.MSET KEY META text 5 ann => score is not a decimal number
         LB.MADD KEY META text 5 ann => points is not a decimal number
         LB.MADD KEY WITHCHANGE 5 ann => points is not a decimal number",
    );
}

#[test]
fn conditions_that_cannot_both_hold_are_refused() {
    let mut guarded = Guarded::start();
    guarded.refuses(
        "LB.SET KEY 5 ann NX XX => options NX and XX exclude each other
         LB.SET KEY 5 ann XX NX => options NX and XX exclude each other
         LB.SET KEY 5 ann GT LT => options GT and LT exclude each other
         LB.SET KEY 5 ann LT GT => options GT and LT exclude each other
         LB.SET KEY 5 ann xx gt id r lt => options GT and LT exclude each other
         LB.SET KEY 5 ann NX GT => options NX and GT exclude each other
         LB.SET KEY 5 ann GT NX => options NX and GT exclude each other
         LB.SET KEY 5 ann NX LT => options NX and LT exclude each other
         LB.SET KEY 5 ann QUIET WITHCHANGE => options QUIET and WITHCHANGE exclude each other
         LB.ADD KEY 5 ann WITHCHANGE ID r QUIET => options QUIET and WITHCHANGE exclude each other
         LB.ADD KEY 5 ann QUIET WITHIN land => options QUIET and WITHIN exclude each other
         LB.ROLLADD KEY 5 ann WITHIN land QUIET => options QUIET and WITHIN exclude each other
         LB.LEAGUE.JOIN KEY ann QUIET => unknown option 'QUIET'
         LB.TOP KEY 5 QUIET => unknown option 'QUIET'",
    );
    for line in ["LB.SET board 5 ann GT NX", "LB.SET board 5 ann LT AT 5 NX"] {
        let before = guarded.state();
        assert!(say(&mut guarded.con, line).contains("exclude each other"), "{line}");
        assert_eq!(guarded.state(), before, "{line}");
    }
}

#[test]
fn words_of_an_option_are_one_of_a_few() {
    Guarded::start().refuses(
        "LB.CREATE KEY ORDER UP => ORDER must be one of DESC, ASC
         LB.CREATE KEY AGGREGATE AVG => AGGREGATE must be one of SUM, MAX, MIN, LAST
         LB.CREATE KEY TIES <0> => TIES must be one of FIRST, LAST, LEX, REVLEX
         LB.CREATE KEY CLOCK WALL => CLOCK must be one of SERVER, EVENT
         LB.CREATE KEY DEDUP 5 ORDER sideways => ORDER must be one of DESC, ASC
         LB.TOP KEY 5 RANKS ODD => RANKS must be one of ORDINAL, COMPETITION, DENSE
         LB.RANK KEY ann RANKS \\xff => RANKS must be one of ORDINAL, COMPETITION, DENSE
         LB.MSCORE KEY MEMBERS 1 ann RANKS ann => RANKS must be one of ORDINAL, COMPETITION, DENSE",
    );
}

#[test]
fn a_watched_top_is_not_too_long() {
    Guarded::start().refuses(
        "LB.CREATE new NOTIFYTOP 1001 => NOTIFYTOP is out of range
         LB.CREATE new NOTIFYTOP -1 => NOTIFYTOP is out of range
         LB.CREATE new NOTIFYTOP ten => NOTIFYTOP is not a whole number
         LB.ALTER board NOTIFYTOP 1001 => NOTIFYTOP is out of range",
    );
}

#[test]
fn a_view_that_the_board_does_not_have_is_an_error_for_every_command() {
    let mut guarded = Guarded::start();
    for command in commands(&guarded.server) {
        for (place, option, _) in command.options().into_iter().filter(|(_, option, _)| option == "VIEW") {
            let line = |key, name: &str| command.words(key, Some((place, &[&option, name]))).join(" ");
            for (name, quoted) in [("<0>", ""), ("a\\x00\\xffll", "a??ll"), ("day:7:7", "day:7:7")] {
                let line = line("KEY", name);
                guarded.refuses(&format!("{line} => VIEW '{quoted}' is not a view of this board"));
            }
            guarded
                .refuses(&format!("{} => VIEW 'day:7' is not a view of this board", line("board", "day:7")));
            if !command.reads() {
                let line = line("absent", "day");
                guarded.refuses(&format!("{line} => VIEW 'day' is not a view of this board"));
            }
        }
    }
}

#[test]
fn now_is_not_for_clients() {
    Guarded::start().refuses(
        "LB.ADD KEY 5 ann NOW 5 => unknown option 'NOW'
         LB.ADD KEY 5 ann AT 5 NOW 5 => unknown option 'NOW'
         LB.SET KEY 5 ann NOW 5 => unknown option 'NOW'
         LB.MADD KEY AT 5 NOW 5 5 ann => unknown option 'NOW'
         LB.MSET KEY AT 5 NOW 5 5 ann => unknown option 'NOW'
         LB.VOTE KEY 5 ann AT 5 NOW 5 => unknown option 'NOW'
         LB.MVOTE KEY NOW 5 5 ann => unknown option 'NOW'
         LB.OPTION KEY ann NOW 5 => unknown option 'NOW'",
    );
}

/// Returns each command with its minimum and maximum number of arguments, without its name.
fn arities() -> impl Iterator<Item = (&'static str, usize, Option<usize>)> {
    table::commands().map(|row| {
        let words = usize::try_from(row.arity().unsigned_abs()).expect("a few words");
        let most = (row.arity() > 0).then_some(words - 1);
        (row.name.to_str().expect("a name"), words - 1, most)
    })
}

fn refuses_wrong_numbers(guarded: &mut Guarded, name: &str, least: usize, most: Option<usize>) {
    let too_many = most.into_iter().map(|most| most + 1);
    for count in (0..least).chain(too_many) {
        let arguments = ["KEY", "5", "5", "5", "5"][..count].join(" ");
        let error = format!("wrong number of arguments for '{name}' command");
        guarded.refuses(&format!("{name} {arguments} => {error}"));
    }
}

#[test]
fn too_few_and_too_many_arguments_are_refused() {
    let mut guarded = Guarded::start();
    let names: Vec<String> = commands(&guarded.server).into_iter().map(|command| command.name).collect();
    assert_eq!(names.len(), arities().count());
    for (name, least, most) in arities() {
        assert!(names.iter().any(|known| known == name), "{name}");
        refuses_wrong_numbers(&mut guarded, name, least, most);
    }
    guarded.refuses("LB.COUNT KEY 5 => wrong number of arguments for 'LB.COUNT' command");
}

#[test]
fn without_arities_in_the_server_the_module_counts_by_itself() {
    let mut guarded = Guarded::of(Flavor::Redis62);
    let by_itself = [
        "LB.ALTER",
        "LB.CATALOG",
        "LB.PARTS",
        "LB.REPAIR",
        "LB.RESHARD",
        "LB.MADD",
        "LB.MSET",
        "LB.PERIODS",
        "LB.MVOTE",
        "LB.COUNTER.MGET",
        "LB.UNION",
        "LB.INTER",
    ];
    for (name, least, most) in arities().filter(|(name, _, _)| !by_itself.contains(name)) {
        refuses_wrong_numbers(&mut guarded, name, least, most);
    }
    guarded.refuses(
        "LB.ALTER KEY => wrong number of arguments for 'LB.ALTER' command
         LB.ALTER KEY DEDUP => option DEDUP needs a value
         LB.ALTER KEY DEDUP 5 DEDUP 5 => option DEDUP is given twice
         LB.MADD KEY => the list of points and members is incomplete
         LB.MADD KEY 5 => the list of points and members is incomplete
         LB.MSCORE KEY => MEMBERS is needed
         LB.MSET KEY => the list of scores and members is incomplete
         LB.MSET KEY 5 => the list of scores and members is incomplete
         LB.MVOTE KEY => the list of votes and members is incomplete
         LB.MVOTE KEY 5 => the list of votes and members is incomplete
         LB.UNION KEY 1 => the list of keys is incomplete
         LB.INTER KEY 2 ann => the list of keys is incomplete
         LB.COUNTER.MGET 60 => KEYS is needed",
    );
}
