//! What is read each hour, and compared with the model on the primary and on the replica.

use leaderboard_testkit::random::Random;
use redis::Value;

use super::campaign_checks::check_campaign;
use super::expected::Model;
use super::league_checks::check_league;
use super::model::board::{Board, Member, View};
use super::model::segments::{Dimension, Line};
use super::players::{name, segment_name};
use super::request::Key;
use super::service::Service;
use super::value::{int, list, optional, text};

/// Rows of a page that is not a whole ranking.
const PAGE: usize = 50;
/// Members that are looked up by name.
const NAMED: u64 = 20;

/// Compares what readers see, and the saved values. `is_full`: whole rankings instead of pages.
pub fn check(service: &mut Service, is_full: bool, random: &mut Random) {
    service.sync();
    let wall = service.wall();
    service.model.advance(wall);
    // The model stays as it is while it is read.
    let mut model = service.model.clone();
    let rows = if is_full { usize::MAX } else { PAGE };
    for key in [Key::Arena, Key::Form, Key::Nations] {
        let board = model.board(key);
        for view in &board.views {
            check_view(service, key, (board, view), rows, random);
        }
        check_standing(service, key, board, random);
    }
    check_segments(service, &model, random);
    check_places(service, &model, random);
    check_prizes(service, &model);
    check_league(service, &model.league, is_full, random);
    check_campaign(service, &model.finals, random);
    check_pages(service, &mut model, wall);
    // Each server frees the used votes of a period on its own some time after the period, so two servers save different bytes if
    // nobody has voted since. docs/trust.md names this.
    let quiet = model.finals.last_votes_may_be_freed(wall);
    service.compare_saved(if quiet { &["finals"] } else { &[] });
}

fn check_view(
    service: &mut Service,
    key: Key,
    (board, view): (&Board, &View),
    rows: usize,
    random: &mut Random,
) {
    let (key, view_name) = (key.name(), view.name);
    let ranking = board.ranking(view);
    service.read(&format!("LB.COUNT {key} VIEW {view_name}"), &int(ranking.len()));
    let count = rows.min(ranking.len() + 1);
    service.read(&format!("LB.TOP {key} {count} VIEW {view_name}"), &page(&ranking, count));
    let members = view.entries.len() as u64;
    let named: Vec<Member> = (0..NAMED).map(|_| random.below(members) as Member).collect();
    let names: Vec<String> = named.iter().map(|member| name(*member)).collect();
    let pair = |(rank, score): (u64, i64)| list([int(rank), int(score)]);
    let expected = list(named.iter().map(|member| optional(board.standing(view, *member).map(pair))));
    service.read(&format!("LB.MSCORE {key} MEMBERS {NAMED} {} VIEW {view_name}", names.join(" ")), &expected);
    for back in 1..=view.retain as u64 + 1 {
        let past = board.past(view, back);
        let count = rows.min(past.len() + 1);
        let line = format!("LB.TOP {key} {count} VIEW {view_name}");
        service.read(&format!("{line} PERIOD -{back}"), &page(&past, count));
        if let Some(label) = view.label(back) {
            service.read(&format!("{line} PERIOD {label}"), &page(&past, count));
        }
    }
}

/// Rows of rank, member and score.
pub fn page(ranking: &[(Member, i64)], count: usize) -> Value {
    let row = |(place, (member, score)): (usize, &(Member, i64))| {
        list([int(place + 1), text(name(*member)), int(*score)])
    };
    list(ranking.iter().take(count).enumerate().map(row))
}

/// All that LB.STANDING tells of a member of the default view.
fn check_standing(service: &mut Service, key: Key, board: &Board, random: &mut Random) {
    let view = &board.views[0];
    let ranking = board.ranking(view);
    if ranking.is_empty() {
        return;
    }
    let place = random.below(ranking.len() as u64) as usize;
    let (member, score) = ranking[place];
    let neighbour = |place: Option<usize>| {
        let (other, of) = *ranking.get(place?)?;
        Some(list([text(name(other)), int(of), int((of - score).abs())]))
    };
    let past = board.past(view, 1);
    let before = past.iter().position(|(other, _)| *other == member);
    let previous = before.map(|before| list([int(before + 1), int(past[before].1)]));
    let change = before.map(|before| int(before as i64 - place as i64));
    let moment = view.entries[member].map(|entry| int(entry.moment));
    let expected = [
        ("rank", int(place + 1)),
        ("score", int(score)),
        ("members", int(ranking.len())),
        ("ahead", optional(neighbour(place.checked_sub(1)))),
        ("behind", optional(neighbour(Some(place + 1)))),
        ("previous", optional(previous)),
        ("change", optional(change)),
        ("at", optional(moment)),
    ];
    let line = format!("LB.STANDING {} {}", key.name(), name(member));
    let Value::Array(fields) = service.ask(&line) else { panic!("{line}: no map") };
    for (field, value) in expected {
        let found = fields.chunks(2).find(|pair| pair[0] == text(field)).map(|pair| &pair[1]);
        assert_eq!(found, Some(&value), "{line}: {field}, of {fields:?}");
    }
}

fn check_segments(service: &mut Service, model: &Model, random: &mut Random) {
    let board = &model.nations;
    for (number, view) in board.views.iter().enumerate() {
        for dimension in &model.segments.dimensions {
            let lines = model.segments.ranking(board, number, dimension);
            let line = format!("LB.SEGMENTS nations {} COUNT 1000 VIEW {}", dimension.name, view.name);
            service.read(&line, &segment_rows(dimension, &lines));
            if let Some(place) = lines.len().checked_sub(1).map(|most| random.below(most as u64 + 1) as usize)
            {
                check_segment(service, (board, view), dimension, (place, &lines[place]));
            }
            for back in 1..=view.retain as u64 {
                let (past, is_exact) = model.segments.past(board, number, back, dimension);
                let (line, expected) = (format!("{line} PERIOD -{back}"), segment_rows(dimension, &past));
                if is_exact {
                    service.read(&line, &expected);
                } else {
                    assert_eq!(by_value(&service.ask(&line)), by_value(&expected), "{line}");
                }
            }
        }
    }
}

/// The segments of some members.
fn check_places(service: &mut Service, model: &Model, random: &mut Random) {
    for _ in 0..NAMED {
        let member = random.below(service.players() as u64) as Member;
        let place = |dimension: &Dimension| {
            let value = segment_name(dimension.name, dimension.places[member]?);
            Some([text(dimension.name), text(value)])
        };
        let expected = list(model.segments.dimensions.iter().filter_map(place).flatten());
        service.read(&format!("LB.GETSEGMENT nations {}", name(member)), &expected);
    }
}

fn segment_rows(dimension: &Dimension, lines: &[Line]) -> Value {
    let row = |(place, line): (usize, &Line)| {
        let value = text(segment_name(dimension.name, line.segment));
        list([int(place + 1), value, int(line.score), int(line.members)])
    };
    list(lines.iter().enumerate().map(row))
}

/// Rows without their ranks, by value.
fn by_value(rows: &Value) -> Vec<String> {
    let Value::Array(rows) = rows else { panic!("{rows:?}") };
    let row = |row: &Value| match row {
        Value::Array(fields) => format!("{:?}", &fields[1..]),
        other => panic!("{other:?}"),
    };
    let mut rows: Vec<String> = rows.iter().map(row).collect();
    rows.sort_unstable();
    rows
}

fn check_segment(
    service: &mut Service,
    (board, view): (&Board, &View),
    dimension: &Dimension,
    (place, line): (usize, &Line),
) {
    let value = segment_name(dimension.name, line.segment);
    let expected = list([int(place + 1), int(line.score), int(line.members)]);
    let (dimension_name, view_name) = (dimension.name, view.name);
    service.read(&format!("LB.SEGMENTRANK nations {dimension_name} {value} VIEW {view_name}"), &expected);
    let mut ranking = board.ranking(view);
    ranking.retain(|(member, _)| dimension.places[*member] == Some(line.segment));
    let read = format!("LB.TOP nations {PAGE} VIEW {view_name} IN {dimension_name} {value}");
    service.read(&read, &page(&ranking, PAGE));
}

fn check_prizes(service: &mut Service, model: &Model) {
    let day = model.arena.view("day");
    for (start, payout) in &model.payouts {
        let lines = model.arena.past_of(day, *start);
        let rows = payout.winners(&lines, &model.arena.hidden).into_iter().map(|winner| {
            let claimed = payout.claimed.get(&winner.member).map(|at| int(*at));
            let member = text(name(winner.member));
            list([int(winner.rank), member, int(winner.score), text(winner.prize), optional(claimed)])
        });
        let expected = list([text("0"), list(rows)]);
        service.read(&format!("LB.PRIZES arena 0 COUNT 1000 VIEW day AT {start}"), &expected);
    }
}

fn check_pages(service: &mut Service, model: &mut Model, wall: u64) {
    for (number, page) in model.pages.iter_mut().enumerate() {
        for precision in 0..page.precisions.len() {
            let seconds = page.precisions[precision].length / 1_000;
            let slices = page.slices(precision, wall).into_iter();
            let expected = list(slices.map(|(start, count)| list([int(start), int(count)])));
            service.read(&format!("LB.COUNTER.GET page:{number} {seconds}"), &expected);
        }
    }
}
