//! The picture of a week: requests by hour, and the ranks of those who were first in the end.

use plotters::prelude::*;

use crate::svg::{Area, Drawn, svg};

use super::model::calendar::{self, DAY, HOUR};
use super::operator::Event;
use super::story::{KINDS, Story, ZONE};

const SIZE: (u32, u32) = (1_500, 900);
/// The worst rank that the picture shows.
const LAST: usize = 100;

const ORANGE: RGBColor = RGBColor(255, 140, 0);

/// Returns the picture as SVG.
pub fn draw(story: &Story) -> String {
    svg(SIZE, |root| draw_all(root, story))
}

fn draw_all(root: &Area, story: &Story) -> Drawn {
    root.fill(&WHITE)?;
    let (above, rest) = root.split_vertically(380);
    let (below, notes) = rest.split_vertically(480);
    draw_busy(&above, story)?;
    draw_ranks(&below, story)?;
    draw_notes(&notes)?;
    root.present()?;
    Ok(())
}

/// Hours since the begin.
fn hours(story: &Story, at: u64) -> f64 {
    (at - story.begin) as f64 / HOUR as f64
}

/// A time on the clocks of the arena.
fn shown(story: &Story, hours: f64) -> String {
    calendar::shown(ZONE, story.begin + (hours * HOUR as f64) as u64)
}

/// Vertical lines with their colours: midnights, changes of clocks, failovers, deploys, new rules.
fn marks(story: &Story) -> Vec<(f64, RGBAColor)> {
    let midnights = story.midnights().into_iter().map(|at| (at, BLACK.mix(0.25)));
    let changes = story.changes().into_iter().map(|(at, _)| (at, ORANGE.to_rgba()));
    let events = story.marks.iter().filter_map(|(at, event)| match event {
        Event::FailOver => Some((*at, RED.mix(0.8))),
        Event::Restart | Event::Rewrite => Some((*at, BLUE.mix(0.6))),
        Event::Alter(_) => Some((*at, GREEN.mix(0.8))),
        _ => None,
    });
    midnights.chain(changes).chain(events).map(|(at, colour)| (hours(story, at), colour)).collect()
}

fn draw_busy(area: &Area, story: &Story) -> Drawn {
    let most = story.busy.iter().flatten().copied().max().unwrap_or(0).max(1);
    let title = format!("Requests by hour, seed {}", story.seed);
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 20))
        .margin(10)
        .set_label_area_size(LabelAreaPosition::Left, 60)
        .set_label_area_size(LabelAreaPosition::Bottom, 30)
        .build_cartesian_2d(0.0..(story.days * DAY / HOUR) as f64, 0..most)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .y_labels(5)
        .x_labels(story.days as usize * 2)
        .x_label_formatter(&|hours| shown(story, *hours))
        .draw()?;
    for (at, colour) in marks(story) {
        chart.draw_series(LineSeries::new([(at, 0), (at, most)], colour))?;
    }
    for (kind, name) in KINDS.iter().enumerate() {
        let colour = Palette99::pick(kind).to_rgba();
        let points = story.busy.iter().enumerate().map(|(hour, kinds)| (hour as f64 + 0.5, kinds[kind]));
        chart
            .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 15, y)], colour.stroke_width(2)));
    }
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
    Ok(())
}

fn draw_ranks(area: &Area, story: &Story) -> Drawn {
    let mut chart = ChartBuilder::on(area)
        .caption("Ranks in the arena of those who were first in the end", ("sans-serif", 20))
        .margin(10)
        .set_label_area_size(LabelAreaPosition::Left, 60)
        .set_label_area_size(LabelAreaPosition::Bottom, 30)
        .build_cartesian_2d(0.0..(story.days * DAY / HOUR) as f64, (LAST as f64..1.0).log_scale())?;
    chart
        .configure_mesh()
        .disable_mesh()
        .x_labels(story.days as usize * 2)
        .x_label_formatter(&|hours| shown(story, *hours))
        .draw()?;
    for (at, colour) in marks(story) {
        chart.draw_series(LineSeries::new([(at, 1.0), (at, LAST as f64)], colour))?;
    }
    for (number, (name, ranks)) in story.first().into_iter().enumerate() {
        let colour = Palette99::pick(number).to_rgba();
        let points = ranks.into_iter().map(|(hour, rank)| (hour as f64, rank.min(LAST) as f64));
        chart
            .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 15, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .draw()?;
    Ok(())
}

/// Says what the vertical lines are.
fn draw_notes(area: &Area) -> Drawn {
    let notes = [
        ("midnight of the arena", BLACK.mix(0.25)),
        ("clocks change", ORANGE.to_rgba()),
        ("failover", RED.mix(0.8)),
        ("deploy", BLUE.mix(0.6)),
        ("new rules", GREEN.mix(0.8)),
    ];
    for (number, (note, colour)) in notes.into_iter().enumerate() {
        let x = 70 + 220 * number as i32;
        area.draw(&PathElement::new([(x, 5), (x, 25)], colour.stroke_width(3)))?;
        area.draw(&Text::new(note, (x + 10, 8), ("sans-serif", 16)))?;
    }
    Ok(())
}
