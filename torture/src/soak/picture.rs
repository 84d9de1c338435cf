//! The picture of a soak: memory, descriptors, times and requests by second, with the faults.

use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;

use crate::svg::{Area, Drawn, svg};

use super::faults::{FAULTS, Fault};
use super::story::Story;
use super::tally::DOORS;
use super::watch::PROCESSES;

const SIZE: (u32, u32) = (1_500, 1_400);
const PANEL: i32 = 340;
/// The names of the quantiles of a second.
const QUANTILES: [&str; 3] = ["p50", "p99", "longest"];
/// The shortest time that the picture shows, in milliseconds.
const SHORTEST: f64 = 0.1;

/// A line: its name, and its points.
type Line = (String, Vec<(f64, f64)>);

/// Returns the picture as SVG.
pub fn draw(story: &Story) -> String {
    svg(SIZE, |root| draw_all(root, story))
}

fn draw_all(root: &Area, story: &Story) -> Drawn {
    root.fill(&WHITE)?;
    let (memory, rest) = root.split_vertically(PANEL);
    let (descriptors, rest) = rest.split_vertically(PANEL);
    let (times, rest) = rest.split_vertically(PANEL);
    let (requests, notes) = rest.split_vertically(PANEL);
    let title = format!("Memory in MiB, seed {}", story.seed);
    linear(&memory, &title, story, uses(story, |used| used.memory))?;
    linear(&descriptors, "Open descriptors", story, uses(story, |used| used.descriptors as f64))?;
    let lines = quantiles(story);
    let axis = (SHORTEST..highest(&lines)).log_scale();
    panel(&times, "Times of requests and pipelines in milliseconds", story, lines, axis)?;
    linear(&requests, "Answers in a second", story, answers(story))?;
    draw_notes(&notes)?;
    root.present()?;
    Ok(())
}

/// One line for each process. A server that was killed has no points meanwhile.
fn uses(story: &Story, of: impl Fn(&super::watch::Use) -> f64) -> Vec<Line> {
    let line = |(number, name): (usize, &&str)| {
        let points = story.history.samples.iter();
        let points = points.filter_map(|sample| Some((sample.at, of(sample.uses[number].as_ref()?))));
        ((*name).to_owned(), points.collect())
    };
    PROCESSES.iter().enumerate().map(line).collect()
}

fn quantiles(story: &Story) -> Vec<Line> {
    let lines = DOORS.iter().flat_map(|(door, name)| {
        QUANTILES.iter().enumerate().map(move |(number, quantile)| {
            let points = story.history.samples.iter().map(|sample| {
                let time = f64::from(sample.doors[*door as usize].times[number]) / 1_000.0;
                (sample.at, time.max(SHORTEST))
            });
            (format!("{name} {quantile}"), points.collect())
        })
    });
    lines.collect()
}

fn answers(story: &Story) -> Vec<Line> {
    let lines = DOORS.iter().flat_map(|(door, name)| {
        ["", ", away or busy"].iter().enumerate().map(move |(number, what)| {
            let points = story.history.samples.iter();
            let points =
                points.map(|sample| (sample.at, sample.doors[*door as usize].requests[number] as f64));
            (format!("{name}{what}"), points.collect())
        })
    });
    lines.collect()
}

fn highest(lines: &[Line]) -> f64 {
    let values = lines.iter().flat_map(|(_, points)| points).map(|(_, value)| *value);
    values.fold(1.0, f64::max) * 1.05
}

fn linear(area: &Area, title: &str, story: &Story, lines: Vec<Line>) -> Drawn {
    let axis = 0.0..highest(&lines);
    panel(area, title, story, lines, axis)
}

fn panel<Y>(area: &Area, title: &str, story: &Story, lines: Vec<Line>, axis: Y) -> Drawn
where
    Y: AsRangedCoord<Value = f64>,
    Y::CoordDescType: ValueFormatter<f64>,
{
    let highest = highest(&lines);
    let end = story.history.samples.last().map_or(1.0, |sample| sample.at);
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 20))
        .margin(10)
        .set_label_area_size(LabelAreaPosition::Left, 60)
        .set_label_area_size(LabelAreaPosition::Bottom, 30)
        .build_cartesian_2d(0.0..end, axis)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .y_labels(5)
        .x_label_formatter(&|at| clock(*at))
        .draw()?;
    for mark in &story.marks {
        let [begin, end] = mark.span;
        let corners = [(begin, SHORTEST / 2.0), (end.max(begin + 0.2), highest)];
        chart.draw_series([Rectangle::new(corners, colour(mark.fault).mix(0.25).filled())])?;
    }
    for (number, (name, points)) in lines.into_iter().enumerate() {
        let colour = Palette99::pick(number).to_rgba();
        chart
            .draw_series(LineSeries::new(points, colour))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 15, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .draw()?;
    Ok(())
}

/// Seconds as minutes and seconds.
fn clock(seconds: f64) -> String {
    let seconds = seconds as u64;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

fn colour(fault: Fault) -> RGBColor {
    match fault {
        Fault::Stop => RGBColor(255, 140, 0),
        Fault::Kill => RED,
        Fault::Links => BLUE,
        Fault::Crowd => GREEN,
        Fault::Rewrite => RGBColor(120, 120, 120),
    }
}

/// Says what the coloured spans are.
fn draw_notes(area: &Area) -> Drawn {
    for (number, fault) in FAULTS.into_iter().enumerate() {
        let x = 70 + 220 * number as i32;
        area.draw(&Rectangle::new([(x, 5), (x + 15, 20)], colour(fault).mix(0.5).filled()))?;
        area.draw(&Text::new(fault.to_string(), (x + 22, 6), ("sans-serif", 16)))?;
    }
    Ok(())
}
