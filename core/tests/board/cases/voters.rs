//! Voters, removed members, and saved boards.

use super::*;

#[test]
fn an_option_that_is_removed_is_forgotten_but_its_voters_stay_voters_and_its_votes_used() {
    let mut board = limited(with_shown(), &["all", "day"], &["daily voter 3 day", "each member 3 day"]);
    declare(&mut board, 0, "ann", Some(2), Some(5));
    assert_eq!(vote(&mut board, &at(1), &by("v"), 3, "ann"), None);
    assert!(board.remove(b"ann"));
    assert!(listed(&board).is_empty());
    assert_eq!(board.voters(Some(b"ann"), None, None), Ok(0));
    assert_eq!(board.voters(None, Some(b"day"), None), Ok(1));
    assert_eq!(quota(&board, 1, &by("v"), Some("ann")), [(3, 3, Some(DAY - 1)); 2]);
    board.advance(MONDAY + DAY);
    assert_eq!(order(&board, "day", When::Now), []);
    assert_eq!(vote(&mut board, &at(DAY), &by("w"), 1, "ann"), None);
    assert_eq!(order(&board, "all", When::Now), lines(&[("ann", 1)]));
    assert_eq!(board.voters(None, None, None), Ok(2));
}

/// Returns the number of voters of a view in the current period, in the period before it, and so on.
fn voters_of<const N: usize>(board: &Board, member: Option<&str>, view: &str) -> [u64; N] {
    std::array::from_fn(|back| {
        let when = Some(When::Back(back as u32));
        board.voters(member.map(str::as_bytes), Some(view.as_bytes()), when).unwrap()
    })
}

/// Votes at `now`, with another moment for the vote.
fn late_vote(board: &mut Board, now: u64, moment: u64, voter: &str, name: &str) {
    vote(board, &Write { at: Some(MONDAY + moment), ..at(now) }, &by(voter), 1, name);
}

#[test]
fn voters_count_in_the_period_of_their_votes_and_late_ones_where_a_window_takes_them_in() {
    let mut board = viewed(plain(), &["day", "day:2", "all"]);
    vote(&mut board, &at(0), &by("v"), 1, "ann");
    vote(&mut board, &at(DAY), &by("w"), 1, "ann");
    late_vote(&mut board, DAY, 1, "x", "bob");
    for board in [&board, &loaded(&saved(&board))] {
        assert_eq!(voters_of(board, None, "day"), [1, 1, 0]);
        assert_eq!(voters_of(board, None, "day:2"), [3, 1, 0]);
        assert_eq!(voters_of(board, Some("bob"), "day"), [0, 0]);
        assert_eq!(voters_of(board, Some("bob"), "day:2"), [1, 0]);
        assert_eq!(board.voters(Some(b"ann"), None, None), Ok(2));
        assert_eq!(board.voters(None, None, None), Ok(3));
    }
}

#[test]
fn a_late_vote_changes_no_number_of_voters_of_a_window_that_has_ended() {
    let specs = ["day:2", "day:3", "day"].map(|name| spec(name, 4));
    let mut board = board(plain(), &specs);
    for day in 0..4 {
        vote(&mut board, &at(day * DAY), &by("a"), 1, "ann");
    }
    let before = ["day:2", "day:3", "day"].map(|view| voters_of::<6>(&board, None, view));
    assert_eq!(before, [[1, 1, 1, 1, 0, 0]; 3]);
    late_vote(&mut board, 3 * DAY, 2 * DAY, "b", "ann");
    late_vote(&mut board, 3 * DAY, DAY + 5, "c", "bob");
    late_vote(&mut board, 3 * DAY, 5, "d", "ann");
    let mut asleep = board.clone();
    (0..DAY).step_by(HOUR as usize).for_each(|more| board.advance(MONDAY + 3 * DAY + more));
    for board in [&board, &asleep, &loaded(&saved(&board))] {
        assert_eq!(voters_of(board, None, "day:2"), [2, 1, 1, 1, 0, 0]);
        assert_eq!(voters_of(board, None, "day:3"), [3, 1, 1, 1, 0, 0]);
        assert_eq!(voters_of(board, None, "day"), [1, 1, 1, 1, 0, 0]);
        assert_eq!(voters_of(board, Some("ann"), "day:3"), [2, 1, 1, 1, 0, 0]);
        assert_eq!(voters_of(board, Some("bob"), "day:3"), [1, 0, 0, 0, 0, 0]);
        assert_eq!(board.voters(None, None, None), Ok(4));
    }
    // The windows with the late votes end too. Later windows contain the late votes that they still cover.
    for board in [&mut board, &mut asleep] {
        vote(board, &at(4 * DAY), &by("e"), 1, "ann");
        late_vote(board, 4 * DAY, 2 * DAY, "f", "ann");
        assert_eq!(voters_of(board, None, "day:2"), [2, 2, 1, 1, 1, 0]);
        assert_eq!(voters_of(board, None, "day:3"), [4, 3, 1, 1, 1, 0]);
    }
    assert!(saved(&board) == saved(&asleep) && saved(&loaded(&saved(&board))) == saved(&board));
}

#[test]
fn periods_before_the_first_write_have_no_voters() {
    let specs = ["day:2", "day"].map(|name| spec(name, 3));
    let mut board = board(plain(), &specs);
    late_vote(&mut board, 2 * DAY, DAY, "v", "ann");
    vote(&mut board, &at(2 * DAY), &by("w"), 1, "ann");
    for board in [&board, &loaded(&saved(&board))] {
        assert_eq!(voters_of(board, None, "day:2"), [2, 0, 0, 0, 0]);
        assert_eq!(voters_of(board, None, "day"), [1, 0, 0, 0, 0]);
    }
}

#[test]
fn periods_that_were_not_kept_have_no_voters_when_more_are_kept_again() {
    let mut board = board(plain(), &[spec("day:2", 3)]);
    (0..4).for_each(|day| _ = vote(&mut board, &at(day * DAY), &by("v"), 1, "ann"));
    assert_eq!(voters_of(&board, None, "day:2"), [1, 1, 1, 1, 0]);
    for keep in [1, 3] {
        board.alter(&Alter { retain: Some(Retain::All(keep)), ..Alter::default() }).unwrap();
    }
    assert_eq!(voters_of(&board, None, "day:2"), [1, 1, 0, 0, 0]);
    assert_eq!(board.periods(b"day:2").unwrap().len(), 2);
    assert!(saved(&loaded(&saved(&board))) == saved(&board));
}

#[test]
fn a_vote_of_a_clock_that_had_leapt_counts_when_its_day_is_the_current_one_again() {
    let mut board = viewed(plain(), &["day:3"]);
    vote(&mut board, &at(0), &by("a"), 1, "ann");
    // The clock is two days ahead for two votes, one of them late. Then it goes back.
    late_vote(&mut board, 2 * DAY, 1, "b", "ann");
    vote(&mut board, &at(2 * DAY), &by("c"), 1, "ann");
    let mut reloaded = loaded(&saved(&board));
    for board in [&mut board, &mut reloaded] {
        board.advance(MONDAY);
        assert_eq!(voters_of(board, None, "day:3"), [2, 0]);
        vote(board, &at(2), &by("a"), 1, "ann");
        assert_eq!(voters_of(board, None, "day:3"), [2, 0]);
        vote(board, &at(DAY), &by("d"), 1, "ann");
        assert_eq!(voters_of(board, None, "day:3"), [3, 2]);
        vote(board, &at(2 * DAY), &by("d"), 1, "ann");
        assert_eq!(voters_of(board, None, "day:3"), [4, 3, 2]);
    }
    assert!(saved(&board) == saved(&reloaded));
}

#[test]
fn a_late_vote_that_counts_in_no_view_has_a_voter() {
    let mut board = viewed(plain(), &["hour"]);
    let late = |now| Write { at: Some(MONDAY), ..at(now) };
    vote(&mut board, &late(HOUR), &by("v"), 1, "ann");
    assert_eq!(board.voters(None, None, None), Ok(1));
    assert_eq!(board.voters(None, Some(b"hour"), None), Ok(0));
}

#[test]
fn voters_of_a_member_stay_when_no_period_tells_of_it_any_more() {
    let mut board = board(plain(), &[spec("hour", 0)]);
    vote(&mut board, &at(0), &by("v"), 1, "ann");
    let mut asleep = board.clone();
    for hour in [1, 2, 3] {
        board.advance(MONDAY + hour * HOUR);
    }
    for board in [&mut board, &mut asleep] {
        vote(board, &at(4 * HOUR), &by("w"), 1, "ann");
        assert_eq!(board.voters(Some(b"ann"), None, None), Ok(2));
    }
    assert!(saved(&board) == saved(&asleep));
}

#[test]
fn a_board_that_is_voted_on_saves_its_rules_and_no_other_does() {
    const RULES: u8 = 9;
    let mut plain = viewed(plain(), &["all", "day"]);
    plain.add(&at(0), Decimal::whole(1), b"ann").unwrap();
    assert!(vote(&mut plain, &at(0), &Ballot::default(), 1, "ann").is_none());
    let chunks = saved(&plain);
    assert!(chunks.iter().all(|chunk| chunk[0] < RULES));
    let mut voted =
        limited(with_shown(), &["all", "day"], &["a voter+ip 5 day BONUS ip 1 2", "b member 9 all"]);
    alter(
        &mut voted,
        RuleChanges { opens: Some(MONDAY), closes: Some(MONDAY + DAY), ..RuleChanges::default() },
    );
    declare(&mut voted, 0, "ann", Some(4), Some(6));
    let ballot = Ballot { voter: Some(b"v"), tags: &[(b"ip", b"1")] };
    assert_eq!(vote(&mut voted, &at(3), &ballot, 6, "bob"), None);
    let chunks = saved(&voted);
    assert_eq!(chunks[1][0], RULES);
    let again = loaded(&chunks);
    assert!(saved(&again) == chunks);
    assert!(again.limits().eq(voted.limits()) && again.voting_window() == voted.voting_window());
    assert_eq!(quota(&again, 3, &ballot, Some("bob")), [(6, 7, Some(DAY - 3)), (6, 9, None)]);
    assert_eq!(listed(&again), listed(&voted));
    assert_eq!(again.voters(None, Some(b"day"), None), Ok(1));
}

#[test]
fn a_view_that_is_dropped_takes_its_voters_along() {
    let mut board = viewed(plain(), &["all", "day", "hour"]);
    vote(&mut board, &at(0), &by("v"), 1, "ann");
    for edit in [Edit::Drop, Edit::Add] {
        alter_views(&mut board, "day", edit);
    }
    assert!(saved(&loaded(&saved(&board))) == saved(&board));
    vote(&mut board, &at(1), &by("w"), 1, "ann");
    assert_eq!(board.voters(None, Some(b"day"), None), Ok(1));
    assert_eq!(board.voters(None, Some(b"hour"), None), Ok(2));
}

#[test]
fn votes_of_a_leap_are_carried_over_into_days_that_nobody_saw() {
    let mut board = board(plain(), &[carry("day", "0.5", 3)]);
    // The clock is a day ahead for one vote, then it goes back.
    vote(&mut board, &at(DAY), &by("v"), 2, "ann");
    board.advance(MONDAY);
    let mut asleep = board.clone();
    for day in [1, 2, 3] {
        board.advance(MONDAY + day * DAY);
    }
    asleep.advance(MONDAY + 3 * DAY);
    for board in [&board, &asleep] {
        assert_eq!(order(board, "day", When::Back(2)), lines(&[("ann", 2)]));
        assert_eq!(order(board, "day", When::Back(1)), lines(&[("ann", 1)]));
    }
    assert!(saved(&board) == saved(&asleep));
}

#[test]
fn what_is_carried_over_no_more_before_anybody_wrote_leaves_nothing_behind() {
    let minute = carry("minute", "0.5", 1);
    for specs in [vec![minute], vec![spec("all", 0), minute]] {
        let mut board = board(plain(), &specs);
        board
            .alter(&Alter {
                carry: leaderboard_core::board::Carry(vec![(minute.kind, None)]),
                ..Alter::default()
            })
            .unwrap();
        vote(&mut board, &at(0), &by("v"), 1, "ann");
        assert!(saved(&loaded(&saved(&board))) == saved(&board));
    }
}

#[test]
fn an_option_of_a_write_that_never_was_is_not_taken_up() {
    /// The first byte of chunks that contain options.
    const CHOICES: u8 = 10;
    let mut board = viewed(with_shown(), &["all"]);
    declare(&mut board, 0, "ann", None, Some(3));
    let chunks = saved(&board);
    let mut loading = Board::load(&chunks[0]).unwrap();
    for chunk in &chunks[1..] {
        let mut chunk = chunk.clone();
        if chunk[0] == CHOICES {
            *chunk.last_mut().unwrap() += 1;
            assert_eq!(loading.load_chunk(&chunk), Err(Error::Corrupt("an option")));
            return;
        }
        loading.load_chunk(&chunk).unwrap();
    }
    panic!("no options");
}
