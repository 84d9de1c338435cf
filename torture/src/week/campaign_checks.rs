//! What is read of the campaign each hour.

use leaderboard_testkit::random::Random;
use redis::Value;

use super::model::board::Member;
use super::model::calendar;
use super::model::campaign::{Campaign, Scope};
use super::players::name;
use super::service::Service;
use super::value::{int, list, text};

/// Up to this number of voters, the documents promise an exact number.
const EXACT: usize = 1_791;
/// The greatest error of more voters: more than six times the standard error.
const ERROR: f64 = 0.05;
/// Voters whose limits are looked at.
const VOTERS: usize = 5;

/// Compares shown and real votes in all views and periods, the numbers of voters, and what some voters have left.
pub fn check_campaign(service: &mut Service, finals: &Campaign, random: &mut Random) {
    for (board, tally) in [(&finals.shown, ""), (&finals.real, " REAL")] {
        for view in &board.views {
            let line = format!("LB.TOP finals 50 VIEW {}{tally}", view.name);
            service.read(&line, &rows(&board.ranking(view)));
            for back in 1..=view.retain as u64 {
                service.read(&format!("{line} PERIOD -{back}"), &rows(&board.past(view, back)));
            }
        }
    }
    check_voters(service, finals);
    for _ in 0..VOTERS {
        check_quota(service, finals, random.below(service.players() as u64) as usize);
    }
}

fn rows(ranking: &[(Member, i64)]) -> Value {
    let row = |(place, (song, votes)): (usize, &(Member, i64))| {
        list([int(place + 1), text(format!("song{song}")), int(*votes)])
    };
    list(ranking.iter().enumerate().map(row))
}

fn check_voters(service: &mut Service, finals: &Campaign) {
    let option = |of: &Option<Member>| of.map(|song| format!(" MEMBER song{song}")).unwrap_or_default();
    for (of, voters) in &finals.voters {
        expect_voters(service, &format!("LB.VOTERS finals{}", option(of)), voters.len());
    }
    let views = &finals.shown.views;
    for (view, voters) in views.iter().zip(&finals.present).skip(1) {
        for (of, voters) in voters {
            let line = format!("LB.VOTERS finals{} VIEW {}", option(of), view.name);
            expect_voters(service, &line, voters.len());
        }
    }
    for ((view, start), voters) in &finals.ended {
        for (of, number) in voters {
            let line = format!("LB.VOTERS finals{} VIEW {} AT {start}", option(of), views[*view].name);
            expect_voters(service, &line, *number);
        }
    }
}

fn expect_voters(service: &mut Service, line: &str, number: usize) {
    let Value::Int(found) = service.ask(line) else { panic!("{line}: no number") };
    let error = (found as f64 - number as f64).abs();
    let most = if number <= EXACT { 0.0 } else { number as f64 * ERROR };
    assert!(error <= most, "{line}: {found} instead of {number}");
}

fn check_quota(service: &mut Service, finals: &Campaign, voter: usize) {
    let now = finals.shown.now(service.wall());
    let limits = finals.limits.iter().filter(|limit| limit.scope == Scope::Voter);
    let rows = limits.map(|limit| {
        let left = calendar::next(limit.unit, finals.zone, now) - now;
        list([text(limit.name), int(finals.used(limit, voter, now)), int(limit.most), int(left)])
    });
    service.read(&format!("LB.QUOTA finals BY {}", name(voter)), &list(rows));
}
