//! Reads the words of commands, as the module does: fixed arguments, options, lists.

use leaderboard_core::Error;
use leaderboard_core::calendar::When;
use leaderboard_core::integer::natural;
use leaderboard_core::schema::Ranks;

/// An error's text, code included.
pub type Read<T> = Result<T, String>;

/// An error of the core, as the module words it.
pub fn refused(error: Error) -> String {
    let code = match error {
        Error::BoardExists => "BOARDEXISTS",
        Error::NoSuchBoard => "NOBOARD",
        Error::RequestReused => "IDREUSED",
        _ => "ERR",
    };
    format!("{code} {error}")
}

/// The words of a command that are not yet read.
#[derive(Clone)]
pub struct Words<'a>(std::slice::Iter<'a, Vec<u8>>);

impl<'a> Words<'a> {
    pub fn of(words: &'a [Vec<u8>]) -> Self {
        Self(words.iter())
    }

    pub fn next(&mut self) -> Read<&'a [u8]> {
        self.0.next().map(Vec::as_slice).ok_or_else(|| "ERR wrong number of arguments".to_owned())
    }

    pub fn natural(&mut self, name: &'static str) -> Read<u64> {
        natural(self.next()?, name).map_err(refused)
    }

    /// The next word in capitals.
    pub fn peek(&self) -> Option<String> {
        self.0.as_slice().first().map(|word| String::from_utf8_lossy(word).to_uppercase())
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// As many words as their number before them tells.
    fn counted(&mut self, name: &'static str) -> Read<Vec<&'a [u8]>> {
        let count = self.natural(name)?;
        (0..count).map(|_| self.next()).collect()
    }
}

/// The options of a command.
#[derive(Debug, Clone, Default)]
pub struct Options<'a> {
    pub view: Option<&'a [u8]>,
    pub period: Option<&'a [u8]>,
    pub at: Option<u64>,
    pub ranks: Ranks,
    pub rev: bool,
    pub with_meta: bool,
    /// `FLAT` or `PACKED`.
    pub form: Option<&'static str>,
    pub members: Vec<&'a [u8]>,
    pub above: Option<u64>,
    pub below: Option<u64>,
    pub fill: bool,
    pub offset: u64,
    pub count: Option<u64>,
    pub parts: Option<u64>,
    pub id: Option<&'a [u8]>,
    pub meta: Option<&'a [u8]>,
    pub with_change: bool,
    pub present: Option<bool>,
    pub compared: Option<std::cmp::Ordering>,
    pub places: Vec<[&'a [u8]; 3]>,
    pub window: Option<(&'a [u8], &'a [u8])>,
}

impl<'a> Options<'a> {
    /// All words that are left are options.
    pub fn last(words: Words<'a>) -> Read<Self> {
        let mut words = words;
        let options = Self::leading(&mut words)?;
        match words.peek() {
            None => Ok(options),
            Some(word) => Err(format!("ERR unknown option '{word}'")),
        }
    }

    /// Options before a list.
    pub fn leading(words: &mut Words<'a>) -> Read<Self> {
        let mut options = Self::default();
        while let Some(word) = words.peek() {
            let mut rest = words.clone();
            rest.next()?;
            if !options.take(&word, &mut rest)? {
                break;
            }
            *words = rest;
        }
        if options.at.is_some() && options.period.is_some() {
            return Err(refused(Error::Conflict("PERIOD", "AT")));
        }
        Ok(options)
    }

    fn take(&mut self, word: &str, rest: &mut Words<'a>) -> Read<bool> {
        match word {
            "VIEW" => self.view = Some(rest.next()?),
            "PERIOD" => self.period = Some(rest.next()?),
            "AT" => self.at = Some(rest.natural("AT")?),
            "RANKS" => self.ranks = Ranks::parse(rest.next()?).map_err(refused)?,
            "REV" => self.rev = true,
            "WITHMETA" => self.with_meta = true,
            "FLAT" => self.form = Some("FLAT"),
            "PACKED" => self.form = Some("PACKED"),
            "MEMBERS" => self.members = rest.counted("MEMBERS")?,
            "ABOVE" => self.above = Some(rest.natural("ABOVE")?),
            "BELOW" => self.below = Some(rest.natural("BELOW")?),
            "FILL" => self.fill = true,
            "OFFSET" => self.offset = rest.natural("OFFSET")?,
            "COUNT" => self.count = Some(rest.natural("COUNT")?),
            "PARTS" => self.parts = Some(rest.natural("PARTS")?),
            "ID" => self.id = Some(rest.next()?),
            "META" => self.meta = Some(rest.next()?),
            "WITHCHANGE" => self.with_change = true,
            "NX" => self.present = Some(false),
            "XX" => self.present = Some(true),
            "GT" => self.compared = Some(std::cmp::Ordering::Greater),
            "LT" => self.compared = Some(std::cmp::Ordering::Less),
            "WINDOW" => self.window = Some((rest.next()?, rest.next()?)),
            "PLACES" => {
                let count = rest.natural("PLACES")?;
                for _ in 0..count {
                    self.places.push([rest.next()?, rest.next()?, rest.next()?]);
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Which period they name.
    pub fn when(&self) -> When<'a> {
        match (self.period, self.at) {
            (Some(period), _) => When::parse(period),
            (None, Some(at)) => When::At(at),
            (None, None) => When::Now,
        }
    }
}
