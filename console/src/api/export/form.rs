//! The forms of the file: comma-separated values, and one JSON object on each line.

use leaderboard_client::Name;
use serde::Serialize;

use super::merge::Line;
use crate::api::names::{Member, Meta};
use crate::api::prizes::Prize;
use crate::api::segments::InDimension;
use crate::download::{BYTE_ORDER_MARK, CSV, JSON_LINES, cell};
use crate::problem::Problem;

/// The form of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Csv,
    JsonLines,
}

/// A line in JSON.
#[derive(Serialize)]
struct Object {
    rank: u64,
    #[serde(flatten)]
    member: Member,
    #[serde(flatten)]
    meta: Meta,
    score: String,
    #[serde(flatten)]
    prize: Option<Prize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claimed: Option<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    segments: Vec<InDimension>,
}

impl From<Line> for Object {
    fn from(line: Line) -> Self {
        let (prize, claimed) = line.won.unzip();
        Self {
            rank: line.rank,
            member: line.member.into(),
            meta: line.meta.into(),
            score: line.score.0,
            prize: prize.map(Prize::from),
            claimed: claimed.flatten(),
            segments: line.segments.into_iter().map(InDimension::from).collect(),
        }
    }
}

impl Form {
    /// Splits the name of a file into the label of its period and its form.
    ///
    /// # Errors
    /// 404 for another ending.
    pub fn of_file(name: &str) -> Result<(&str, Self), Problem> {
        let named = |form: Self| Some((name.strip_suffix(form.ending())?.strip_suffix('.')?, form));
        let found = [Self::Csv, Self::JsonLines].into_iter().find_map(named);
        found.ok_or_else(|| Problem::not_found("file: a period, and .csv or .jsonl"))
    }

    pub const fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::JsonLines => "jsonl",
        }
    }

    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Csv => CSV,
            Self::JsonLines => JSON_LINES,
        }
    }

    /// The bytes before the first line.
    pub fn head(self, dimensions: &[String]) -> Result<Vec<u8>, Problem> {
        if self == Self::JsonLines {
            return Ok(Vec::new());
        }
        let rank = format!("{BYTE_ORDER_MARK}rank");
        let own = [rank.as_str(), "member", "meta", "score", "prize", "claimed"];
        records([own.into_iter().map(str::to_owned).chain(dimensions.iter().cloned())])
    }

    /// The bytes of these lines.
    pub fn written(self, lines: &[Line], dimensions: &[String]) -> Result<Vec<u8>, Problem> {
        match self {
            Self::Csv => records(lines.iter().map(|line| record(line, dimensions))),
            Self::JsonLines => lines.iter().try_fold(Vec::new(), |mut out, line| {
                let object = serde_json::to_vec(&Object::from(line.clone()));
                out.extend(object.map_err(|error| Problem::internal(error.to_string()))?);
                out.push(b'\n');
                Ok(out)
            }),
        }
    }
}

/// The cells of a line, with one for each dimension at the end.
fn record(line: &Line, dimensions: &[String]) -> impl Iterator<Item = String> {
    let (prize, claimed) = line.won.as_ref().map_or((&b""[..], None), |(prize, at)| (prize.as_bytes(), *at));
    let own = [
        line.rank.to_string(),
        cell(line.member.as_bytes()),
        cell(line.meta.as_deref().unwrap_or_default()),
        line.score.0.clone(),
        cell(prize),
        claimed.map(|claimed| claimed.to_string()).unwrap_or_default(),
    ];
    let segment = |name: &String| {
        let found = line.segments.iter().find(|(dimension, _)| dimension == name);
        cell(found.map_or(&b""[..], |(_, segment)| Name::as_bytes(segment)))
    };
    own.into_iter().chain(dimensions.iter().map(segment))
}

fn records(records: impl IntoIterator<Item = impl Iterator<Item = String>>) -> Result<Vec<u8>, Problem> {
    let mut out = csv::Writer::from_writer(Vec::new());
    let failed = |error: String| Problem::internal(error);
    for record in records {
        out.write_record(record.map(String::into_bytes)).map_err(|error| failed(error.to_string()))?;
    }
    out.into_inner().map_err(|error| failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_all_columns_in_both_forms() {
        let line = |won, segments| Line {
            rank: 1,
            member: Name::from("=ann"),
            meta: Some(b"Ann, A.".to_vec()),
            has_row: true,
            score: "-5".into(),
            won,
            segments,
        };
        let won = Some((Name::from("gold"), Some(7)));
        let lines = [line(won, vec![("g".to_owned(), Name(vec![0xff]))]), line(None, Vec::new())];
        let dimensions = ["c".to_owned(), "g".to_owned()];
        let text = |form: Form| {
            let bytes =
                [form.head(&dimensions).unwrap(), form.written(&lines, &dimensions).unwrap()].concat();
            String::from_utf8(bytes).unwrap()
        };
        let head = "\u{feff}rank,member,meta,score,prize,claimed,c,g\n";
        let rows = "1,'=ann,\"Ann, A.\",-5,gold,7,,\u{fffd}\n1,'=ann,\"Ann, A.\",-5,,,,\n";
        assert_eq!(text(Form::Csv), format!("{head}{rows}"));
        let first = r#"{"rank":1,"member":"=ann","meta":"Ann, A.","score":"-5","prize":"gold","claimed":7,"segments":[{"dimension":"g","segment_b64":"/w=="}]}"#;
        let second = r#"{"rank":1,"member":"=ann","meta":"Ann, A.","score":"-5"}"#;
        assert_eq!(text(Form::JsonLines), format!("{first}\n{second}\n"));
    }

    #[test]
    fn files_end_with_their_form() {
        assert_eq!(Form::of_file("2026-W12.csv").unwrap(), ("2026-W12", Form::Csv));
        assert_eq!(Form::of_file("-1.jsonl").unwrap(), ("-1", Form::JsonLines));
        for name in ["2026-W12", "csv", "2026-W12.json", "2026-W12.CSV"] {
            assert!(Form::of_file(name).is_err(), "{name}");
        }
    }
}
