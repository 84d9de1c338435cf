use super::*;

fn words(command: &str) -> Vec<Vec<u8>> {
    command.split_whitespace().map(|word| word.as_bytes().to_vec()).collect()
}

fn split<T>(command: &str, see: impl FnOnce(Result<Asked<'_>, String>) -> T) -> T {
    let words = words(command);
    let row = Row::of(&words[0]).unwrap();
    see(Asked::read(row, &words))
}

fn error(command: &str) -> String {
    split(command, |asked| asked.map(|_| ()).unwrap_err())
}

/// Returns the command for a part, as it is sent.
fn sent(command: &str) -> String {
    split(command, |asked| {
        let asked = asked.unwrap();
        let list = asked.list.iter().map(Vec::as_slice);
        let words = asked.command(b"part", &[b"PARTS", b"64"], list);
        String::from_utf8(words.join(&b' ')).unwrap()
    })
}

#[test]
fn the_options_of_the_gateway_are_taken_out() {
    assert_eq!(
        sent("lb.add game 5 anna timeout 50 ID r1 WITHRANK AT 3"),
        "LB.ADD part 5 anna ID r1 AT 3 PARTS 64"
    );
    assert_eq!(sent("LB.MADD game ID r 1 a 2 b"), "LB.MADD part ID r PARTS 64 1 a 2 b");
    assert_eq!(
        sent("LB.VOTE game 1 a TAG x 1 TAG y 2 BY v"),
        "LB.VOTE part 1 a TAG x 1 TAG y 2 BY v PARTS 64"
    );
    split("LB.RANK game anna ESTIMATE PARTIAL TIMEOUT 70 REV", |asked| {
        let asked = asked.unwrap();
        assert!(asked.wants(Own::Estimate) && asked.wants(Own::Partial) && asked.has("REV"));
        assert_eq!(asked.timeout(), Some(Duration::from_millis(70)));
    });
}

#[test]
fn arguments_that_need_not_be_there() {
    let fixed = |command: &str| split(command, |asked| asked.unwrap().fixed.len());
    assert_eq!(fixed("LB.AROUND game anna 5 REV"), 2);
    assert_eq!(fixed("LB.AROUND game anna ABOVE 5"), 1);
    assert_eq!(fixed("LB.COUNT game"), 0);
    assert_eq!(fixed("LB.COUNT game PARTIAL"), 0);
    assert_eq!(fixed("LB.COUNT game 1 5 VIEW day"), 2);
    assert_eq!(fixed("LB.QUANTILE game 0.1 0.5 0.9 TIMEOUT 5"), 3);
}

#[test]
fn members_are_counted() {
    split("LB.MSCORE game MEMBERS 2 REV a REV", |asked| {
        let asked = asked.unwrap();
        assert_eq!(asked.members(), &words("REV a")[..]);
        assert!(asked.has("REV"));
    });
    assert_eq!(error("LB.MSCORE game MEMBERS 3 a b"), "ERR the list of members is incomplete");
    assert_eq!(error("LB.MSCORE game MEMBERS 0"), "ERR MEMBERS is out of range");
    assert_eq!(error("LB.MSCORE game"), "ERR MEMBERS is needed");
}

#[test]
fn errors_are_those_of_the_module() {
    assert_eq!(error("LB.TOP game"), "ERR wrong number of arguments for 'LB.TOP' command");
    assert_eq!(error("LB.TOP"), "ERR wrong number of arguments for 'LB.TOP' command");
    assert_eq!(error("LB.HIDDEN game x"), "ERR wrong number of arguments for 'LB.HIDDEN' command");
    assert_eq!(error("LB.REM game"), "ERR wrong number of arguments for 'LB.REM' command");
    assert_eq!(error("LB.TOP game 5 ESTIMATE"), "ERR unknown option 'ESTIMATE'");
    assert_eq!(error("LB.TOP game 5 VIEW a VIEW b"), "ERR option VIEW is given twice");
    assert_eq!(error("LB.TOP game 5 PARTIAL PARTIAL"), "ERR option PARTIAL is given twice");
    assert_eq!(error("LB.TOP game 5 VIEW"), "ERR option VIEW needs a value");
    assert_eq!(error("LB.TOP game 5 IN land"), "ERR option IN is incomplete: IN name value");
    assert_eq!(error("LB.ROLLADD game 5 ann WINDOW 7"), "ERR option WINDOW is incomplete: WINDOW n unit");
    assert_eq!(error("LB.TOP game 5 TIMEOUT 0"), "ERR TIMEOUT is out of range");
    assert_eq!(error("LB.MADD game 5"), "ERR the list of points and members is incomplete");
}

#[test]
fn rows_have_the_grammar_of_the_module() {
    let row = |name: &str| Row::of(name.as_bytes()).unwrap();
    let shape = |name: &str| (row(name).fixed, row(name).optional, row(name).list);
    assert_eq!(shape("LB.TOP"), (1, Optional::Nothing, List::Nothing));
    assert_eq!(shape("LB.AROUND"), (1, Optional::Words(1), List::Nothing));
    assert_eq!(shape("LB.COUNT"), (0, Optional::Words(2), List::Nothing));
    assert_eq!(shape("LB.QUANTILE"), (1, Optional::Any, List::Nothing));
    assert_eq!(shape("LB.HISTOGRAM"), (3, Optional::Nothing, List::Nothing));
    assert_eq!(shape("LB.MVOTE"), (0, Optional::Nothing, List::Pairs("votes and members")));
    assert_eq!(shape("LB.UNHIDE"), (0, Optional::Nothing, List::Members));
    let option = |name: &str, word: &str| {
        row(name).option(word.as_bytes()).map(|option| (option.value, option.repeats, option.required))
    };
    assert_eq!(option("LB.MSCORE", "MEMBERS"), Some((Value::Members, false, true)));
    assert_eq!(option("LB.RANK", "ranks"), Some((Value::Words(1), false, false)));
    assert_eq!(option("LB.STATS", "RANKS"), option("LB.RANK", "RANKS"), "also where it has no effect");
    assert_eq!(option("LB.TOP", "FLAT"), option("LB.TOP", "PACKED"));
    assert_eq!(option("LB.VOTE", "TAG"), Some((Value::Words(2), true, false)));
    assert_eq!(option("LB.CREATE", "LIMIT"), Some((Value::Words(4), true, false)));
    assert_eq!(option("LB.ALTER", "BONUS"), Some((Value::Words(3), true, false)));
    assert_eq!(option("LB.CREATE", "PART"), Some((Value::Words(3), false, false)));
    assert_eq!(option("LB.ADD", "PARTS"), None, "the gateway says of how many parts a key is one");
    assert_eq!(option("LB.CREATE", "PARTS"), Some((Value::Words(1), false, false)));
}

#[test]
fn rows_say_which_member_is_written_and_whether_an_option_has_an_effect() {
    let member = |name: &str| Row::of(name.as_bytes()).unwrap().member;
    assert_eq!(["LB.ADD", "LB.ROLLADD", "LB.SET", "LB.VOTE"].map(member), [Some(1); 4]);
    assert_eq!(["LB.SETMETA", "LB.OPTION"].map(member), [Some(0); 2]);
    assert_eq!(["LB.MADD", "LB.REM", "LB.RANK"].map(member), [None; 3]);
    let turns = |command: &str| split(command, |asked| asked.unwrap().applies("REV"));
    assert!(turns("LB.TOP game 5 REV") && !turns("LB.TOP game 5"));
    assert!(!turns("LB.STATS game REV") && !turns("LB.COUNT game REV"), "both ends are the same");
}

#[test]
fn commands_that_do_not_work_over_parts_are_no_rows_of_these() {
    for name in ["LB.UNION", "LB.INTER", "LB.RESTORE", "LB.LEAGUE.TOP", "LB.COUNTER.INCR", "LB.PART"] {
        assert!(Row::of(name.as_bytes()).is_none() && Row::any(name.as_bytes()).is_some(), "{name}");
    }
    assert!(Row::any(b"GET").is_none());
}
