//! The text format of Prometheus. All samples of a metric are together, after the lines that describe the metric.

use std::fmt::{Display, Write as _};

/// How the value of a metric changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Only grows, but begins at 0 again after a restart.
    Counter,
    /// Can grow and shrink.
    Gauge,
    /// Counts by upper bounds, with the number and the sum of all values.
    Histogram,
    /// It is not known how the value changes.
    Untyped,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
            Self::Untyped => "untyped",
        }
    }
}

/// A value with its labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    pub labels: Vec<(&'static str, String)>,
    pub value: String,
}

/// The text of several metrics.
#[derive(Debug, Default)]
pub struct Exposition(String);

impl Exposition {
    /// The media type.
    pub const TYPE: &'static str = "text/plain; version=0.0.4; charset=utf-8";

    /// Adds a metric, if it has samples. The name of a counter gets the suffix that all tools expect, `_total`.
    pub fn add(&mut self, name: &str, kind: Kind, help: &str, samples: impl IntoIterator<Item = Sample>) {
        let suffix = if kind == Kind::Counter && !name.ends_with("_total") { "_total" } else { "" };
        let name = &format!("{name}{suffix}");
        let mut samples = samples.into_iter().peekable();
        if samples.peek().is_none() {
            return;
        }
        self.line(format_args!("# HELP {name} {help}"));
        self.line(format_args!("# TYPE {name} {}", kind.name()));
        for Sample { labels, value } in samples {
            self.line(format_args!("{name}{} {value}", Labels(&labels)));
        }
    }

    /// Adds a histogram, if it has samples. Each sample is added behind the name, with its suffix: `_bucket`, `_sum` or
    /// `_count`.
    pub fn add_histogram(
        &mut self,
        name: &str,
        help: &str,
        samples: impl IntoIterator<Item = (&'static str, Sample)>,
    ) {
        let mut samples = samples.into_iter().peekable();
        if samples.peek().is_none() {
            return;
        }
        self.line(format_args!("# HELP {name} {help}"));
        self.line(format_args!("# TYPE {name} {}", Kind::Histogram.name()));
        for (suffix, Sample { labels, value }) in samples {
            self.line(format_args!("{name}{suffix}{} {value}", Labels(&labels)));
        }
    }

    fn line(&mut self, line: impl Display) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.0, "{line}");
    }

    /// The text.
    pub fn into_text(self) -> String {
        self.0
    }
}

struct Labels<'a>(&'a [(&'static str, String)]);

impl Display for Labels<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (number, (name, value)) in self.0.iter().enumerate() {
            let start = if number == 0 { '{' } else { ',' };
            write!(f, "{start}{name}=\"{}\"", escaped(value))?;
        }
        if self.0.is_empty() { Ok(()) } else { f.write_char('}') }
    }
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_stand_below_what_they_are() {
        let mut text = Exposition::default();
        let sample = |node: &str, value: u8| Sample {
            labels: vec![("node", node.to_owned())],
            value: value.to_string(),
        };
        text.add("boards", Kind::Gauge, "Boards.", [sample("a:1", 3), sample("b:1", 4)]);
        text.add("none", Kind::Counter, "Not there.", []);
        text.add("up", Kind::Untyped, "Up.", [Sample { labels: Vec::new(), value: "1".to_owned() }]);
        assert_eq!(
            text.into_text(),
            "# HELP boards Boards.\n# TYPE boards gauge\nboards{node=\"a:1\"} 3\nboards{node=\"b:1\"} 4\n\
             # HELP up Up.\n# TYPE up untyped\nup 1\n"
        );
    }

    #[test]
    fn labels_cannot_break_out() {
        let labels = [("board", "a\"b\\c\nd".to_owned()), ("rule", "灯".to_owned())];
        assert_eq!(Labels(&labels).to_string(), r#"{board="a\"b\\c\nd",rule="灯"}"#);
    }
}
