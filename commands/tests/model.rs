//! Random sessions on boards against a plain model; see [`leaderboard_testkit::played`].

use leaderboard_testkit::pair::Profile;
use leaderboard_testkit::played::Session;
use leaderboard_testkit::random::seed;

/// Sessions of one test on boards of few members, and of many.
const SESSIONS: u64 = 100;
const CROWDS: u64 = 10;

fn play(profile: Profile) {
    play_from(profile, seed() * 1_000_000);
}

fn play_from(profile: Profile, first: u64) {
    let few = (0..SESSIONS).map(|number| Session::of_few(profile, first + number));
    let many = (0..CROWDS).map(|number| Session::of_many(profile, first + SESSIONS + number));
    few.chain(many).for_each(|session| _ = session.play());
}

#[test]
fn boards_of_all_views_do_what_the_plain_model_does() {
    play(Profile::Views);
}

#[test]
fn boards_that_keep_their_best_do_what_the_plain_model_does() {
    play(Profile::Keep);
}

#[test]
fn boards_of_levels_do_what_the_plain_model_does() {
    play(Profile::Levels);
}

#[test]
fn boards_of_shown_votes_do_what_the_plain_model_does() {
    play(Profile::Shown);
}

#[test]
fn boards_of_segments_do_what_the_plain_model_does() {
    play(Profile::Segments);
}

/// A replica had noted that a member left a segment. Its primary had forgotten the member in between, and had not.
#[test]
fn replicas_of_boards_that_forget_members_save_the_same_bytes() {
    play_from(Profile::Segments, 613_000_000);
}

/// A replica knew the last change of a segment in a period that is not kept any more. Its primary had forgotten the segment.
#[test]
fn replicas_that_know_older_changes_of_segments_save_the_same_bytes() {
    for seed in [3_000_001_043, 3_000_003_542] {
        Session::of_few(Profile::Segments, seed).play();
    }
}
