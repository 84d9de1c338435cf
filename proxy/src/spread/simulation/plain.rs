//! The replies of the module to reads of one whole board.

use std::collections::HashMap;

use leaderboard_core::amount::Bound;
use leaderboard_core::board::{Around, Neighbour, Reading, Row, Rows, Standing};
use leaderboard_core::notation::Notation;
use leaderboard_core::share::billionths;
use leaderboard_core::{Board, Error, Score};
use redis::Value;

use super::values::{array, bulk, bulk_or_nil, gap, int, map, score, sum};
use super::words::{Options, Read, Words, refused};

/// A period of a board, as its readers see it.
pub struct Scene<'a> {
    pub board: &'a Board,
    pub reading: Reading<'a>,
    /// The period before it.
    pub previous: Option<Reading<'a>>,
    /// When members got their scores; not known in ended periods.
    pub moments: &'a HashMap<Vec<u8>, u64>,
    /// The same, or what stands for what is not known.
    pub dated: &'a HashMap<Vec<u8>, u64>,
}

/// Options and arguments of a read, apart.
pub struct Request<'a> {
    pub name: String,
    pub arguments: Vec<&'a [u8]>,
    pub options: Options<'a>,
}

impl<'a> Request<'a> {
    /// # Errors
    /// Words that the module refuses.
    pub fn read(words: &'a [Vec<u8>]) -> Read<Self> {
        let mut rest = Words::of(words);
        let name = String::from_utf8_lossy(rest.next()?).to_uppercase();
        rest.next()?;
        let fixed = match name.as_str() {
            "LB.TOP" | "LB.RANK" | "LB.SCORE" | "LB.STANDING" | "LB.PERIODS" | "LB.GETMETA" => 1,
            "LB.RANGE" | "LB.RANGEBYSCORE" => 2,
            "LB.HISTOGRAM" => 3,
            "LB.AROUND" | "LB.COUNT" | "LB.QUANTILE" => usize::MAX,
            _ => 0,
        };
        let mut arguments = Vec::new();
        while arguments.len() < fixed && rest.len() > 0 {
            // What comes before options may be of any number here, and is never an option's word but for members.
            if fixed == usize::MAX && (name != "LB.AROUND" || !arguments.is_empty()) && is_option(&rest) {
                break;
            }
            arguments.push(rest.next()?);
        }
        let options = Options::last(rest)?;
        Ok(Self { name, arguments, options })
    }
}

fn is_option(words: &Words) -> bool {
    let known =
        ["VIEW", "PERIOD", "AT", "RANKS", "REV", "WITHMETA", "ABOVE", "BELOW", "FILL", "FLAT", "PACKED"];
    words.peek().is_some_and(|word| known.contains(&word.as_str()))
}

impl Scene<'_> {
    fn notation(&self) -> Notation {
        self.board.schema().notation()
    }

    fn score(&self, of: Option<Score>) -> Value {
        of.map_or(Value::Nil, |of| score(of, &self.notation()))
    }

    /// The reply to a read.
    ///
    /// # Errors
    /// What the module refuses.
    pub fn reply(&self, request: &Request) -> Read<Value> {
        let Request { name, arguments, options } = request;
        let argument = |number: usize| arguments[number];
        let ranks = options.ranks;
        let read = &self.reading;
        Ok(match name.as_str() {
            "LB.TOP" => self.lines(read.rows(options.offset, number(argument(0))?, ranks), options),
            "LB.RANGE" => {
                let rows = read.range(signed(argument(0))?, signed(argument(1))?, ranks).map_err(refused)?;
                self.lines(rows, options)
            }
            "LB.RANGEBYSCORE" => match self.range(argument(0), argument(1))? {
                Some((low, high)) => {
                    let count = options.count.unwrap_or(u64::MAX);
                    self.lines(read.rows_between(low, high, options.offset, count, ranks), options)
                }
                None => array([]),
            },
            "LB.AROUND" => {
                let count = arguments.get(1).map(|count| number(count)).transpose()?;
                let around = match count {
                    Some(count) => Around { fill: options.fill, ..Around::both(count) },
                    None => Around {
                        above: options.above.unwrap_or(0),
                        below: options.below.unwrap_or(0),
                        fill: options.fill,
                    },
                };
                self.lines(read.around(argument(0), around, ranks), options)
            }
            "LB.RANK" => read.rank(argument(0), ranks).map_or(Value::Nil, int),
            "LB.SCORE" => self.score(read.score(argument(0))),
            "LB.MSCORE" => array(options.members.iter().map(|member| {
                let Some((rank, of)) = read.rank_and_score(member, ranks) else { return Value::Nil };
                let meta = options.with_meta.then(|| bulk_or_nil(self.board.meta(member)));
                array([int(rank), score(of, &self.notation())].into_iter().chain(meta))
            })),
            "LB.AMONG" => array(read.among(&options.members, ranks).into_iter().map(|among| {
                let row = among.row;
                let meta = options.with_meta.then(|| bulk_or_nil(self.board.meta_of(row.id)));
                let line = [
                    int(among.place),
                    bulk(self.board.name(row.id)),
                    score(row.score, &self.notation()),
                    int(row.rank),
                ];
                array(line.into_iter().chain(meta))
            })),
            "LB.STANDING" => self.standing(argument(0), options),
            "LB.MSTANDING" => array(options.members.iter().map(|member| self.standing(member, options))),
            "LB.STATS" => self.stats(),
            "LB.QUANTILE" => {
                let shares: Result<Vec<_>, Error> =
                    arguments.iter().map(|share| billionths(share, "q")).collect();
                array(shares.map_err(refused)?.into_iter().map(|share| self.score(read.quantile(share))))
            }
            "LB.HISTOGRAM" => {
                let (low, high) =
                    self.range(argument(0), argument(1))?.ok_or_else(|| refused(Error::MaxBelowMin))?;
                let all = read.histogram(low, high, number(argument(2))?);
                array(all.into_iter().map(|bucket| {
                    let notation = self.notation();
                    array([score(bucket.from, &notation), score(bucket.to, &notation), int(bucket.members)])
                }))
            }
            "LB.COUNT" if arguments.is_empty() => int(read.len()),
            "LB.COUNT" => int(self
                .range(argument(0), argument(1))?
                .map_or(0, |(low, high)| read.count_between(low, high))),
            "LB.GETMETA" => bulk_or_nil(self.board.meta(argument(0))),
            "LB.MGETMETA" => array(options.members.iter().map(|member| bulk_or_nil(self.board.meta(member)))),
            "LB.HIDDEN" => array(self.board.hidden().into_iter().map(bulk)),
            other => return Err(format!("ERR unknown command '{other}'")),
        })
    }

    fn range(&self, min: &[u8], max: &[u8]) -> Read<Option<(Score, Score)>> {
        let min = Bound::parse(min, "min").map_err(refused)?;
        let max = Bound::parse(max, "max").map_err(refused)?;
        self.board.schema().score_range(min, max).map_err(refused)
    }

    fn lines(&self, rows: Rows, options: &Options) -> Value {
        let first = rows.clone().next().map(|row| int(row.rank));
        let line = |row: Row| {
            let meta = options.with_meta.then(|| bulk_or_nil(self.board.meta_of(row.id)));
            [bulk(self.board.name(row.id)), score(row.score, &self.notation())].into_iter().chain(meta)
        };
        match options.form {
            None => array(rows.map(|row| array([int(row.rank)].into_iter().chain(line(row))))),
            Some("FLAT") => array(first.into_iter().chain(rows.flat_map(line))),
            Some(_) => {
                let rows: Vec<u8> = rows.flat_map(|row| self.packed(row, options.with_meta)).collect();
                array(first.into_iter().flat_map(|first| [first, bulk(&rows)]))
            }
        }
    }

    /// A row as the reference lays it out.
    fn packed(&self, row: Row, with_meta: bool) -> Vec<u8> {
        let name = self.board.name(row.id);
        let text = |text: &[u8]| [&(text.len() as u16).to_le_bytes(), text].concat();
        let meta = self.board.meta_of(row.id).map_or_else(|| vec![255; 2], text);
        let numbers = [row.score.units().to_le_bytes(), self.dated[name].to_le_bytes()].concat();
        [numbers, text(name), if with_meta { meta } else { Vec::new() }].concat()
    }

    fn stats(&self) -> Value {
        let stats = self.reading.stats();
        let mean = match self.notation() {
            Notation::Decimals(decimals) if stats.members > 0 => bulk(stats.mean(decimals).to_string()),
            _ => Value::Nil,
        };
        map(vec![
            ("members", int(stats.members)),
            ("sum", sum(stats.sum, &self.notation())),
            ("mean", mean),
            ("min", self.score(stats.min)),
            ("max", self.score(stats.max)),
            ("median", self.score(stats.median)),
        ])
    }

    fn standing(&self, member: &[u8], options: &Options) -> Value {
        let Some(standing) = self.reading.standing(member, options.ranks) else { return Value::Nil };
        let previous = self.previous.and_then(|previous| previous.rank_and_score(member, options.ranks));
        let Standing { rank, score: own, members, percentile, ahead, behind, .. } = standing;
        let mut fields = vec![
            ("rank", int(rank)),
            ("score", score(own, &self.notation())),
            ("members", int(members)),
            ("percentile", bulk(format!("{}.{:02}", percentile / 100, percentile % 100))),
            ("ahead", self.neighbour(ahead, own)),
            ("behind", self.neighbour(behind, own)),
            (
                "previous",
                previous.map_or(Value::Nil, |(rank, of)| array([int(rank), score(of, &self.notation())])),
            ),
            ("change", previous.map_or(Value::Nil, |(before, _)| Value::Int(before as i64 - rank as i64))),
            ("at", self.moments.get(member).map_or(Value::Nil, |at| int(*at))),
        ];
        if options.with_meta {
            fields.push(("meta", bulk_or_nil(self.board.meta(member))));
        }
        map(fields)
    }

    fn neighbour(&self, neighbour: Option<Neighbour>, own: Score) -> Value {
        neighbour.map_or(Value::Nil, |near| {
            let notation = self.notation();
            array([
                bulk(self.board.name(near.id)),
                score(near.score, &notation),
                gap(near.score, own, &notation),
            ])
        })
    }
}

fn number(word: &[u8]) -> Read<u64> {
    leaderboard_core::integer::natural(word, "count").map_err(refused)
}

fn signed(word: &[u8]) -> Read<i64> {
    leaderboard_core::integer::integer(word, "first").map_err(refused)
}
