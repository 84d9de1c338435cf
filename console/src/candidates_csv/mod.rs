//! Options of a campaign as CSV: `member,weight,initial,meta`. `read` reads a file, `difference` finds what it would
//! change, `cells` prevents that a spreadsheet reads texts as formulas, `sheet` finds how the cells are parted. This module does
//! not use the network.

pub mod cells;
mod difference;
mod read;
mod sheet;

use csv::Writer;
use leaderboard_client::{Name, VotingOption};

pub use difference::{Change, Difference, difference};
pub use read::{Lines, read};
pub use sheet::Sheet;

/// The most options of a file, or of a board that is written to a file.
pub const MOST_OPTIONS: usize = 100_000;

/// The values that an option is declared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values {
    pub weight: u64,
    pub initial: u64,
    pub meta: Option<Vec<u8>>,
}

impl Values {
    /// The values of an option that is declared without values.
    pub const PLAIN: Self = Self { weight: 1, initial: 0, meta: None };
}

impl From<&VotingOption> for Values {
    fn from(option: &VotingOption) -> Self {
        // The server refuses initial votes below 0.
        let initial = u64::try_from(option.initial).unwrap_or_default();
        Self { weight: option.weight, initial, meta: option.meta.clone() }
    }
}

/// The rules of a board that decide which values its options can have.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Whether the board counts shown votes separately. Weights and initial votes need this rule.
    pub shown: bool,
    /// How many digits after the decimal point the scores keep.
    pub decimals: u32,
}

/// A line of a file. A value that is `None` does not change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub member: Name,
    pub weight: Option<u64>,
    pub initial: Option<u64>,
    /// An empty text deletes the text of the option.
    pub meta: Option<Vec<u8>>,
}

/// Writes a file of these options. The two columns `member_b64` and `meta_b64` are added only if a name or a text is
/// not UTF-8.
///
/// # Errors
/// Only if there is not enough memory.
pub fn write(options: &[VotingOption]) -> Result<Vec<u8>, csv::Error> {
    let is_text = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok();
    let fits = |option: &VotingOption| {
        is_text(option.member.as_bytes()) && option.meta.as_deref().is_none_or(is_text)
    };
    let columns = if options.iter().all(fits) { 4 } else { read::COLUMNS.len() };
    let mut file = Writer::from_writer(Vec::new());
    file.write_record(read::COLUMNS.iter().take(columns))?;
    for option in options {
        let (member, member_b64) = cells::write(option.member.as_bytes());
        let (meta, meta_b64) = cells::write(option.meta.as_deref().unwrap_or_default());
        let (weight, initial) = (option.weight.to_string(), option.initial.to_string());
        let cells = [member, weight, initial, meta, member_b64, meta_b64];
        file.write_record(cells.iter().take(columns))?;
    }
    file.into_inner().map_err(|error| error.into_error().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use leaderboard_client::Score;

    fn option(member: &[u8], meta: Option<&[u8]>) -> VotingOption {
        let (real, shown) = (Score::from("2"), Score::from("9"));
        let member = Name(member.to_vec());
        VotingOption { member, weight: 3, initial: 5, meta: meta.map(<[u8]>::to_vec), real, shown, voters: 1 }
    }

    #[test]
    fn what_is_written_reads_as_unchanged() {
        let options = [
            option(b"ember", None),
            option("灯".as_bytes(), Some(b"a, \"b\"\r\nc")),
            option(b"=1+1", Some(b"-5")),
            option(b"'=1+1", Some(b"''@x")),
            option(b"'", Some(b"\tx")),
            option(b" spaces ", Some(b"'plain")),
            option(b"\xff\xfe", Some(b"text")),
            option(b"text", Some(b"\xff")),
        ];
        let file = write(&options).unwrap();
        let rows = read(&file, Rules { shown: true, decimals: 0 }).unwrap();
        let difference = difference(&options, rows);
        assert_eq!((difference.added.len(), difference.changed.len()), (0, 0), "{difference:?}");
        assert_eq!(difference.unchanged, options.len());
    }

    #[test]
    fn spreadsheets_see_no_formulas() {
        let file = write(&[option(b"=1+1", Some(b"-5"))]).unwrap();
        assert_eq!(String::from_utf8(file).unwrap(), "member,weight,initial,meta\n'=1+1,3,5,'-5\n");
    }

    #[test]
    fn a_board_without_options_is_a_header() {
        assert_eq!(write(&[]).unwrap(), b"member,weight,initial,meta\n");
    }
}
