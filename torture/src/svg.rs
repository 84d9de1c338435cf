//! Pictures as SVG.

use plotters::coord::Shift;
use plotters::prelude::*;

/// A part of a picture.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// Whether a part of a picture was drawn.
pub type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Returns a picture of this width and height in pixels.
pub fn svg(size: (u32, u32), draw: impl FnOnce(&Area) -> Drawn) -> String {
    let mut svg = String::new();
    let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    draw(&root).expect("a picture");
    drop(root);
    svg
}
