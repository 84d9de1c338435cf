//! Reads scores from CSV, as spreadsheets write it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use csv::ByteRecord;

use super::{MOST_ROWS, Row};
use crate::candidates_csv::{Lines, Sheet, cells};
use crate::problem::Fault;

const LONGEST_MEMBER: usize = 512;
/// The most faults that are reported of a file.
const MOST_FAULTS: usize = 100;

/// Reads the columns `member` and `score`. Other columns are ignored, so the CSV of a ranking can be read. `decimals` is how many
/// digits scores may have after the point; `None` for scores with levels.
///
/// # Errors
/// The faults of the file, line by line.
pub fn read(file: &[u8], decimals: Option<usize>) -> Result<Vec<Row>, Vec<Fault>> {
    let sheet = Sheet::of(file);
    let mut reader = sheet.reader();
    let mut records = reader.byte_records();
    let header = records.next().and_then(Result::ok).unwrap_or_default();
    let columns = Columns::of(&header).map_err(|detail| vec![Fault { line: 1, detail }])?;
    let form = Form { decimals, has_comma: sheet.delimiter != b',' };
    let (mut lines, mut rows, mut faults) = (Lines::of(sheet.file), Vec::new(), Vec::new());
    let mut seen: HashMap<Vec<u8>, u64> = HashMap::new();
    for record in records.filter_map(Result::ok) {
        let line = lines.at(&record);
        let taken = columns.row(&record, form).and_then(|row| match seen.entry(row.member.clone()) {
            Entry::Occupied(first) => Err(format!("member: stands in line {} already", first.get())),
            Entry::Vacant(place) => {
                place.insert(line);
                Ok(row)
            }
        });
        match taken {
            Ok(row) => rows.push(row),
            Err(detail) => faults.push(Fault { line, detail }),
        }
        if rows.len() > MOST_ROWS {
            faults.push(Fault { line, detail: format!("a file has at most {MOST_ROWS} members") });
        }
        if faults.len() >= MOST_FAULTS || rows.len() > MOST_ROWS {
            break;
        }
    }
    if rows.is_empty() && faults.is_empty() {
        faults.push(Fault { line: 2, detail: "no line with a member".to_owned() });
    }
    if faults.is_empty() { Ok(rows) } else { Err(faults) }
}

/// How scores are written.
#[derive(Clone, Copy)]
struct Form {
    decimals: Option<usize>,
    /// Whether a comma can stand for the decimal point, because it does not part cells.
    has_comma: bool,
}

struct Columns {
    member: usize,
    score: usize,
    number: usize,
}

impl Columns {
    fn of(header: &ByteRecord) -> Result<Self, String> {
        let place = |name: &str| {
            let is_it = |cell: &[u8]| String::from_utf8_lossy(cell).trim().eq_ignore_ascii_case(name);
            let mut places =
                header.iter().enumerate().filter(|(_, cell)| is_it(cell)).map(|(place, _)| place);
            let first = places.next();
            match places.next() {
                Some(_) => Err(format!("the column '{name}' stands twice")),
                None => {
                    first.ok_or_else(|| "the first line has to name the columns: member,score".to_owned())
                }
            }
        };
        Ok(Self { member: place("member")?, score: place("score")?, number: header.len() })
    }

    fn row(&self, record: &ByteRecord, form: Form) -> Result<Row, String> {
        if record.len() != self.number {
            return Err(format!("{} cells, but the first line has {}", record.len(), self.number));
        }
        let cell = |place: usize, name: &str| {
            let cell = record.get(place).unwrap_or_default();
            std::str::from_utf8(cell).map_err(|_| format!("{name}: no UTF-8"))
        };
        let member = cells::read(cell(self.member, "member")?).as_bytes().to_vec();
        if !(1..=LONGEST_MEMBER).contains(&member.len()) {
            return Err(format!("member: 1 to {LONGEST_MEMBER} bytes"));
        }
        Ok(Row { member, score: form.score(cells::read(cell(self.score, "score")?.trim()))? })
    }
}

impl Form {
    fn score(self, text: &str) -> Result<String, String> {
        let Some(decimals) = self.decimals else { return Ok(text.to_owned()) };
        let text = if self.has_comma { text.replacen(',', ".", 1) } else { text.to_owned() };
        let digits = text.strip_prefix(['-', '+']).unwrap_or(&text);
        let (whole, behind) = digits.split_once('.').unwrap_or((digits, ""));
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_number(whole) || !is_number(behind) || digits.ends_with('.') {
            return Err(format!("score: '{text}' is no decimal number"));
        }
        if behind.len() > decimals {
            return Err(format!("score: '{text}' has more than {decimals} digits after the point"));
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str, decimals: usize) -> Result<Vec<(String, String)>, Vec<String>> {
        let told = |row: Row| (String::from_utf8(row.member).unwrap(), row.score);
        let fault = |fault: Fault| format!("{}: {}", fault.line, fault.detail);
        read(text.as_bytes(), Some(decimals))
            .map(|rows| rows.into_iter().map(told).collect())
            .map_err(|faults| faults.into_iter().map(fault).collect())
    }

    fn rows(rows: &[(&str, &str)]) -> Result<Vec<(String, String)>, Vec<String>> {
        Ok(rows.iter().map(|(member, score)| ((*member).to_owned(), (*score).to_owned())).collect())
    }

    #[test]
    fn spreadsheets_of_all_countries_are_read() {
        let expected = rows(&[("ann", "1.5"), ("=b,ob", "-2")]);
        assert_eq!(read_text("member,score\nann,1.5\n\"'=b,ob\",-2\n", 1), expected);
        assert_eq!(read_text("\u{feff}Rank;Member;Score\r\n1;ann;1,5\r\n2;'=b,ob;-2\r\n", 1), expected);
        assert_eq!(read_text("score\tmember\n1.5\tann\n-2\t=b,ob", 1), expected);
    }

    #[test]
    fn each_fault_has_its_line() {
        let file = "member,score\nann,x\n,1\nbob,1.25\ncem,1\ncem,2\ndan\neve,\nfin,1.\n";
        let faults = read_text(file, 1).unwrap_err();
        let lines: Vec<_> = faults.iter().map(|fault| fault.split(':').next().unwrap()).collect();
        assert_eq!(lines, ["2", "3", "4", "6", "7", "8", "9"], "{faults:?}");
        assert!(faults[2].contains("more than 1 digits") && faults[3].contains("line 5"), "{faults:?}");
        assert_eq!(read_text("name,score\n", 0).unwrap_err().len(), 1);
        assert_eq!(read_text("member,score\n", 0).unwrap_err().len(), 1);
        let twice = read_text("member,score,Score\nann,1,2\n", 0).unwrap_err();
        assert_eq!(twice, ["1: the column 'score' stands twice"]);
    }

    #[test]
    fn scores_with_levels_are_left_to_the_server() {
        let rows = read(b"member,score\nann,1/2\n", None).unwrap();
        assert_eq!(rows[0].score, "1/2");
    }
}
