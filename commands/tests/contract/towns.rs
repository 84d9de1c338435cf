//! Random reads of segments.

use super::replies::elements;
use super::session::Session;
use super::standings::Segment;

impl Session {
    /// Reads the ranking of the segments of a dimension, and the rank of one of them.
    pub fn random_segments(&mut self) {
        let Some(name) = self.dimension() else { return };
        let (read, now) = (self.read(), self.now());
        let segments = self.board.segments(&name, &read, now);
        let reply = self.run(&format!("LB.SEGMENTS b {name}{}", read.words()));
        let rows: Vec<_> = elements(&reply).iter().map(|row| elements(row)).collect();
        let is_exact = read.at.is_none() && read.back == 0;
        self.compare_rows(&rows, &segments, is_exact);
        let value = self.random.pick(&["DE", "FR", "US"]).to_owned();
        let found = rows.iter().find(|row| row[1] == value);
        let expected = found.map_or("-".to_owned(), |row| format!("[{} {} {}]", row[0], row[2], row[3]));
        self.says(&format!("LB.SEGMENTRANK b {name} {value}{}", read.words()), &expected);
    }

    /// Segments that changed by the same command may stand in any order, and in ended periods all with equal numbers.
    fn compare_rows(&self, rows: &[Vec<String>], expected: &[Segment], is_exact: bool) {
        let words = |(place, segment): (usize, &Segment)| {
            let Segment { value, score, members, .. } = segment;
            [(place + 1).to_string(), value.clone(), score.to_string(), members.to_string()].to_vec()
        };
        let right: Vec<_> = expected.iter().enumerate().map(words).collect();
        let key = |row: &Vec<String>| {
            let segment = expected.iter().find(|segment| segment.value == row[1]);
            let segment = segment.cloned().unwrap_or_default();
            let key = if is_exact { segment.key } else { (0, 0) };
            (row[0].clone(), segment.score.to_string(), row.len(), key)
        };
        let mut sorted: [Vec<_>; 2] =
            [rows, &right].map(|rows| rows.iter().map(|row| row[1..].to_vec()).collect());
        sorted.iter_mut().for_each(|rows| rows.sort());
        let keys = [rows, &right].map(|rows| rows.iter().map(key).collect::<Vec<_>>());
        let is_same = sorted[0] == sorted[1] && keys[0] == keys[1];
        assert!(is_same, "the segments, and what the contract says: {expected:?}\n{}", self.told());
    }
}
