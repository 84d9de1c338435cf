//! Reads a file. All its faults are reported together, line by line.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use csv::ByteRecord;
use leaderboard_client::Name;

use super::{MOST_OPTIONS, Row, Rules, Sheet, cells};
use crate::problem::Fault;

/// The columns. The columns after the fourth hold names and texts that are not UTF-8.
pub const COLUMNS: [&str; 6] = ["member", "weight", "initial", "meta", "member_b64", "meta_b64"];
/// The same limit as in the server.
const GREATEST_WEIGHT: u64 = 1_000_000_000;
const LONGEST_MEMBER: usize = 512;
const LONGEST_META: usize = 4_096;
/// The most faults that are reported of a file. After these are corrected, the next check reports the others.
const MOST_FAULTS: usize = 100;

/// The options of a file.
///
/// # Errors
/// The faults of the file. If there are faults, no line of the file may be applied.
pub fn read(file: &[u8], rules: Rules) -> Result<Vec<Row>, Vec<Fault>> {
    let mut reading = Reading { rules, rows: Vec::new(), lines: HashMap::new(), faults: Vec::new() };
    reading.read(Sheet::of(file));
    if reading.faults.is_empty() { Ok(reading.rows) } else { Err(reading.faults) }
}

struct Reading {
    rules: Rules,
    rows: Vec<Row>,
    /// The number of the line in which each member occurs.
    lines: HashMap<Name, u64>,
    faults: Vec<Fault>,
}

impl Reading {
    fn read(&mut self, sheet: Sheet<'_>) {
        let mut reader = sheet.reader();
        let mut records = reader.byte_records();
        let header = records.next().and_then(Result::ok).unwrap_or_default();
        let columns = match Columns::of(&header) {
            Ok(columns) => columns,
            Err(detail) => return self.faults.push(Fault { line: 1, detail }),
        };
        let (mut lines, mut line) = (Lines::of(sheet.file), 1);
        for record in records.filter_map(Result::ok) {
            line = lines.at(&record);
            if let Err(detail) = self.take(&columns, &record, line) {
                self.faults.push(Fault { line, detail });
            }
            if self.faults.len() >= MOST_FAULTS || self.rows.len() > MOST_OPTIONS {
                return;
            }
        }
        // A quote within a cell is written twice, so that the number of quotes is even.
        if sheet.file.iter().filter(|byte| **byte == b'"').count() % 2 == 1 {
            self.faults.push(Fault { line, detail: "a quote in it is not closed".to_owned() });
        }
    }

    fn take(&mut self, columns: &Columns, record: &ByteRecord, line: u64) -> Result<(), String> {
        let row = columns.row(record, self.rules)?;
        match self.lines.entry(row.member.clone()) {
            Entry::Occupied(first) => return Err(format!("member: stands in line {} already", first.get())),
            Entry::Vacant(place) => place.insert(line),
        };
        self.rows.push(row);
        if self.rows.len() > MOST_OPTIONS {
            return Err(format!("a file has at most {MOST_OPTIONS} options"));
        }
        Ok(())
    }
}

/// Counts the numbers of lines. The numbers of the crate `csv` are one too small after lines that end with CR LF.
pub struct Lines<'a> {
    file: &'a [u8],
    counted: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    /// Begins with the first line.
    pub const fn of(file: &'a [u8]) -> Self {
        Self { file, counted: 0, line: 1 }
    }

    /// The line in which a record begins. The record must come after the records of earlier calls.
    pub fn at(&mut self, record: &ByteRecord) -> u64 {
        let start = record.position().and_then(|position| usize::try_from(position.byte()).ok()).unwrap_or(0);
        // The crate counts the end of the previous line and empty lines as part of a record. They are skipped here.
        let ends = self.file.iter().skip(start).take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let start = start.saturating_add(ends);
        let passed = self.file.get(self.counted..start).unwrap_or_default();
        let ends = passed.iter().filter(|byte| **byte == b'\n').count();
        self.line = self.line.saturating_add(u64::try_from(ends).unwrap_or(u64::MAX));
        self.counted = start;
        self.line
    }
}

/// Which cell of a record belongs to which column, in the order of [`COLUMNS`].
struct Columns {
    places: [Option<usize>; COLUMNS.len()],
    number: usize,
}

impl Columns {
    fn of(header: &ByteRecord) -> Result<Self, String> {
        let mut places = [None; COLUMNS.len()];
        for (place, cell) in header.iter().enumerate() {
            let name = String::from_utf8_lossy(cell).trim().to_owned();
            let column = COLUMNS.iter().position(|column| *column == name);
            let column = column.and_then(|column| places.get_mut(column));
            let column = column.ok_or_else(|| format!("'{name}' is no column: {}", COLUMNS.join(", ")))?;
            if column.replace(place).is_some() {
                return Err(format!("the column '{name}' stands twice"));
            }
        }
        let [member, _, _, _, member_b64, _] = places;
        if member.or(member_b64).is_none() {
            return Err("the first line has to name the columns: member,weight,initial,meta".to_owned());
        }
        Ok(Self { places, number: header.len() })
    }

    fn row(&self, record: &ByteRecord, rules: Rules) -> Result<Row, String> {
        if record.len() != self.number {
            return Err(format!("{} cells, but the first line has {}", record.len(), self.number));
        }
        let cell = |place: Option<usize>, name: &str| {
            let cell = place.and_then(|place| record.get(place));
            cell.map(std::str::from_utf8).transpose().map_err(|_| format!("{name}: no UTF-8"))
        };
        let [member, weight, initial, meta, member_b64, meta_b64] = self.places;
        let member = bytes("member", cell(member, "member")?, cell(member_b64, "member_b64")?)?;
        Ok(Row {
            member: member.filter(|member| is_member(member)).map(Name).ok_or("member: 1 to 512 bytes")?,
            weight: read_weight(cell(weight, "weight")?, rules)?,
            initial: read_initial(cell(initial, "initial")?, rules)?,
            meta: read_meta(bytes("meta", cell(meta, "meta")?, cell(meta_b64, "meta_b64")?)?)?,
        })
    }
}

/// The bytes in the cells of a text and of its Base64; `None` if the file has neither column.
fn bytes(name: &str, text: Option<&str>, base64: Option<&str>) -> Result<Option<Vec<u8>>, String> {
    match (text, base64.filter(|base64| !base64.is_empty())) {
        (Some(text), Some(_)) if !text.is_empty() => Err(format!("{name}: {name} or {name}_b64, not both")),
        (_, Some(base64)) => match STANDARD.decode(base64.trim()) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) => Err(format!("{name}_b64: no Base64: {error}")),
        },
        (Some(text), None) => Ok(Some(cells::read(text).as_bytes().to_vec())),
        (None, None) => Ok(base64.map(|_| Vec::new())),
    }
}

fn is_member(member: &[u8]) -> bool {
    (1..=LONGEST_MEMBER).contains(&member.len())
}

fn read_meta(meta: Option<Vec<u8>>) -> Result<Option<Vec<u8>>, String> {
    if meta.as_ref().is_some_and(|meta| meta.len() > LONGEST_META) {
        return Err(format!("meta: at most {LONGEST_META} bytes"));
    }
    Ok(meta)
}

fn read_weight(cell: Option<&str>, rules: Rules) -> Result<Option<u64>, String> {
    let weight = number("weight", cell)?;
    match weight {
        Some(weight) if weight > GREATEST_WEIGHT => Err(format!("weight: 0 to {GREATEST_WEIGHT}")),
        Some(weight) if weight != 1 && !rules.shown => Err("weight: needs a board with SHOWN".to_owned()),
        weight => Ok(weight),
    }
}

fn read_initial(cell: Option<&str>, rules: Rules) -> Result<Option<u64>, String> {
    let greatest = i64::MAX.unsigned_abs().checked_div(10_u64.saturating_pow(rules.decimals)).unwrap_or(0);
    let initial = number("initial", cell)?;
    match initial {
        Some(initial) if initial > greatest => Err(format!("initial: 0 to {greatest}")),
        Some(initial) if initial != 0 && !rules.shown => Err("initial: needs a board with SHOWN".to_owned()),
        initial => Ok(initial),
    }
}

/// The number in a cell; `None` for an empty cell.
fn number(name: &str, cell: Option<&str>) -> Result<Option<u64>, String> {
    match cell.map(str::trim).filter(|cell| !cell.is_empty()) {
        None => Ok(None),
        Some(cell) => {
            cell.parse().map(Some).map_err(|_| format!("{name}: '{cell}' is no whole number from 0 on"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOWN: Rules = Rules { shown: true, decimals: 0 };

    fn faults(file: &[u8], rules: Rules) -> Vec<(u64, String)> {
        read(file, rules).unwrap_err().into_iter().map(|fault| (fault.line, fault.detail)).collect()
    }

    #[test]
    fn columns_come_in_any_order_and_can_be_left_out() {
        let rows = read(b"\xef\xbb\xbfmeta, weight ,member\r\nM, 3 ,a\r\n,,b\r\n", SHOWN).unwrap();
        let row = |member, weight, meta: &str| Row {
            member: Name::from(member),
            weight,
            initial: None,
            meta: Some(meta.into()),
        };
        assert_eq!(rows, [row("a", Some(3), "M"), row("b", None, "")]);
        let rows = read(b"member\na\n", SHOWN).unwrap();
        assert_eq!(rows, [Row { member: Name::from("a"), weight: None, initial: None, meta: None }]);
        assert_eq!(read(b"member", SHOWN), Ok(Vec::new()));
    }

    #[test]
    fn spreadsheets_of_all_countries_are_read() {
        let plain = read(b"member,weight,initial,meta\na,3,0,M\nb,1,2,\"x,;y\"\n", SHOWN).unwrap();
        let marked = "\u{feff}member;weight;initial;meta\r\na;3;0;M\r\nb;1;2;\"x,;y\"\r\n";
        assert_eq!(read(marked.as_bytes(), SHOWN).unwrap(), plain);
        assert_eq!(
            read(b"member\tweight\tinitial\tmeta\na\t3\t0\tM\nb\t1\t2\tx,;y\n", SHOWN).unwrap(),
            plain
        );
        assert_eq!(faults(b"member;weight\na;1\nb;x\n", SHOWN)[0].0, 3);
    }

    #[test]
    fn each_fault_names_its_line_and_column() {
        let file = "member,weight,initial,meta\n\
            a,x,0,\n\
            ,1,0,\n\
            a,1,-1,\n\
            b,1,0,\"two\nlines\"\n\
            b,1,0,\n\
            c,1\n\
            d,1000000001,0,\n\
            e,1,9223372036854775808,\n";
        let said = faults(file.as_bytes(), SHOWN);
        let expected = [
            (2, "weight: 'x' is no whole number from 0 on"),
            (3, "member: 1 to 512 bytes"),
            (4, "initial: '-1' is no whole number from 0 on"),
            (7, "member: stands in line 5 already"),
            (8, "2 cells, but the first line has 4"),
            (9, "weight: 0 to 1000000000"),
            (10, "initial: 0 to 9223372036854775807"),
        ];
        assert_eq!(said, expected.map(|(line, detail)| (line, detail.to_owned())));
    }

    #[test]
    fn lines_can_end_with_cr_lf() {
        let file = "member,weight\r\na,1\r\n\r\n\"b\r\nc\",x\r\nd,x\r\n";
        assert_eq!(faults(file.as_bytes(), SHOWN).iter().map(|(line, _)| *line).collect::<Vec<_>>(), [4, 6]);
    }

    #[test]
    fn a_file_that_was_cut_off_in_a_quote_is_no_file() {
        let file = "member\na\n\"tide,1,0,\nreef,2,0,\n";
        assert_eq!(faults(file.as_bytes(), SHOWN), [(3, "a quote in it is not closed".to_owned())]);
        assert!(read(b"member,meta\na,\"say \"\"hi\"\"\"\n", SHOWN).is_ok());
    }

    #[test]
    fn headers_are_checked() {
        let said = |file: &str| faults(file.as_bytes(), SHOWN).remove(0).1;
        assert!(said("").starts_with("the first line has to name"));
        assert!(said("weight,meta\n1,a").starts_with("the first line has to name"));
        assert!(said("member|weight\na|1").starts_with("'member|weight' is no column"));
        assert_eq!(said("member,member\na,a"), "the column 'member' stands twice");
    }

    #[test]
    fn texts_are_utf8_or_base64() {
        assert_eq!(faults(b"member\n\xff\n", SHOWN), [(2, "member: no UTF-8".to_owned())]);
        let rows = read(b"member,member_b64\n,//4=\na,\n", SHOWN).unwrap();
        assert_eq!(
            rows.iter().map(|row| row.member.as_bytes()).collect::<Vec<_>>(),
            [b"\xff\xfe", &b"a"[..]]
        );
        assert_eq!(
            faults(b"member,member_b64\na,//4=\n", SHOWN),
            [(2, "member: member or member_b64, not both".to_owned())]
        );
    }

    #[test]
    fn boards_without_shown_take_plain_options_only() {
        let plain = Rules { shown: false, decimals: 0 };
        assert!(read(b"member,weight,initial\na,1,0\nb,,\n", plain).is_ok());
        assert_eq!(
            faults(b"member,weight\na,2\n", plain),
            [(2, "weight: needs a board with SHOWN".to_owned())]
        );
        assert_eq!(
            faults(b"member,initial\na,2\n", plain),
            [(2, "initial: needs a board with SHOWN".to_owned())]
        );
        let cents = Rules { shown: true, decimals: 2 };
        assert!(read(b"member,initial\na,92233720368547758\n", cents).is_ok());
        assert!(read(b"member,initial\na,92233720368547759\n", cents).is_err());
    }

    #[test]
    fn the_work_has_bounds() {
        let bad = format!("member,weight\n{}", "a,x\n".repeat(5_000));
        assert_eq!(faults(bad.as_bytes(), SHOWN).len(), MOST_FAULTS);
        let mut large = "member\n".to_owned();
        (0..=MOST_OPTIONS).for_each(|number| large.push_str(&format!("{number}\n")));
        let line = u64::try_from(MOST_OPTIONS).unwrap() + 2;
        assert_eq!(faults(large.as_bytes(), SHOWN), [(line, "a file has at most 100000 options".to_owned())]);
    }
}
