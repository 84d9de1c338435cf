//! The rules that limit votes, in the form in which LB.INFO returns them and LB.ALTER accepts them: `perminute voter 5
//! minute BONUS channel acme 5`. A word that is not plain text is written in quotes.

/// A word: any bytes.
pub type Word = Vec<u8>;

/// A rule that limits how many votes are counted in each unit of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitRule {
    /// The name of the rule.
    pub name: Word,
    /// The scope of the rule, by which it counts: `member`, `voter` and names of tags, joined by `+`.
    pub scope: Word,
    /// The maximum number of votes without a bonus.
    pub max: Word,
    /// The unit of time in which votes are counted together.
    pub unit: Word,
    /// The bonuses: more votes for voters who have a tag.
    pub bonuses: Vec<Bonus>,
}

/// A bonus: more votes for voters who have a tag with a given value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bonus {
    /// The name of the tag.
    pub tag: Word,
    /// The value of the tag that gives more votes.
    pub value: Word,
    /// The number of additional votes.
    pub extra: Word,
}

impl LimitRule {
    /// Reads a rule in the form in which LB.INFO writes it.
    pub fn read(text: &str) -> Option<Self> {
        Self::of(words(text)?)
    }

    /// Makes a rule from these words. Returns `None` unless the words are exactly one rule: the server would read an
    /// additional word as another option of the command.
    pub fn of(words: impl IntoIterator<Item = Word>) -> Option<Self> {
        let mut words = words.into_iter();
        let (name, scope, max, unit) = (words.next()?, words.next()?, words.next()?, words.next()?);
        let mut bonuses = Vec::new();
        while let Some(word) = words.next() {
            if !word.eq_ignore_ascii_case(b"BONUS") {
                return None;
            }
            bonuses.push(Bonus { tag: words.next()?, value: words.next()?, extra: words.next()? });
        }
        Some(Self { name, scope, max, unit, bonuses })
    }

    /// Returns the rule as it is typed after `LIMIT`.
    pub fn line(&self) -> String {
        self.words().into_iter().map(written).collect::<Vec<_>>().join(" ")
    }

    /// Returns the words that follow `LIMIT`.
    pub fn words(&self) -> Vec<&[u8]> {
        let mut words: Vec<&[u8]> = vec![&self.name, &self.scope, &self.max, &self.unit];
        for bonus in &self.bonuses {
            words.extend([b"BONUS".as_slice(), &bonus.tag, &bonus.value, &bonus.extra]);
        }
        words
    }

    /// Returns the parts of the scope, one by one.
    pub fn parts(&self) -> impl Iterator<Item = &[u8]> {
        self.scope.split(|byte| *byte == b'+')
    }

    /// Returns the tags that the rule reads: the tags in its scope and the tags of its bonuses.
    pub fn tags(&self) -> impl Iterator<Item = &[u8]> {
        let counted = self.parts().filter(|part| !matches!(*part, b"member" | b"voter"));
        counted.chain(self.bonuses.iter().map(|bonus| bonus.tag.as_slice()))
    }
}

impl Bonus {
    /// Reads a line such as `channel acme 5` or `channel "acme music" 5`.
    pub fn read(line: &str) -> Option<Self> {
        let [tag, value, extra] = words(line)?.try_into().ok()?;
        Some(Self { tag, value, extra })
    }

    /// Returns the line that [`Bonus::read`] reads.
    pub fn line(&self) -> String {
        [&self.tag, &self.value, &self.extra].map(|word| written(word)).join(" ")
    }
}

/// Splits a text into words. Returns `None` if a quote is not closed or an escape is not valid.
pub fn words(text: &str) -> Option<Vec<Word>> {
    let mut left = text.trim_start();
    let mut words = Vec::new();
    while !left.is_empty() {
        let (word, rest) = match left.strip_prefix('"') {
            Some(quoted) => in_quotes(quoted)?,
            None => {
                let (word, rest) = left.split_at(left.find(char::is_whitespace).unwrap_or(left.len()));
                (word.as_bytes().to_vec(), rest)
            }
        };
        if rest.starts_with(|c: char| !c.is_whitespace()) {
            return None;
        }
        words.push(word);
        left = rest.trim_start();
    }
    Some(words)
}

/// Returns the word after an opening quote, and the text after its closing quote.
fn in_quotes(text: &str) -> Option<(Word, &str)> {
    let mut word = Word::new();
    let mut chars = text.chars();
    loop {
        match chars.next()? {
            '"' => return Some((word, chars.as_str())),
            '\\' => word.push(escape(&mut chars)?),
            other => word.extend(other.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

fn escape(chars: &mut std::str::Chars<'_>) -> Option<u8> {
    Some(match chars.next()? {
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'x' => {
            let digits = chars.as_str().get(..2)?;
            *chars = chars.as_str().get(2..)?.chars();
            u8::from_str_radix(digits, 16).ok()?
        }
        other @ ('"' | '\'' | '\\') => u8::try_from(other).ok()?,
        _ => return None,
    })
}

/// Writes a word so that [`words`] can read it again, and in the most readable form.
pub fn written(word: &[u8]) -> String {
    match std::str::from_utf8(word) {
        Ok(text) if !text.is_empty() && !text.contains(needs_quotes) => text.to_owned(),
        Ok(text) if !text.contains(char::is_control) => {
            format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
        }
        _ => format!("\"{}\"", word.escape_ascii()),
    }
}

fn needs_quotes(c: char) -> bool {
    c.is_whitespace() || c.is_control() || c == '"'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_read_as_the_server_writes_it() {
        let rule = LimitRule::read(
            r#"daily voter+device 10 day BONUS channel "a \"b\" c" 5 BONUS area "\xe5\x8c\x97" 2"#,
        );
        let rule = rule.expect("a rule");
        assert_eq!(rule.words().len(), 12);
        assert_eq!(rule.bonuses[0].value, br#"a "b" c"#);
        assert_eq!(rule.bonuses[1].line(), "area 北 2");
        assert_eq!(rule.tags().collect::<Vec<_>>(), [b"device".as_slice(), b"channel", b"area"]);
    }

    #[test]
    fn what_is_more_than_a_rule_is_none() {
        for text in
            ["", "a voter 5", "a voter 5 day LIKE secret", "a voter 5 day LIKE x y z", "a voter 5 day NX"]
        {
            assert_eq!(LimitRule::read(text), None, "{text}");
        }
        let rule = LimitRule::read("a voter 5 day bonus t v 2").expect("a rule");
        assert_eq!(rule.line(), "a voter 5 day BONUS t v 2");
    }

    #[test]
    fn written_words_are_read_back() {
        for word in
            [b"acme".as_slice(), b"", b"a b", "北 区".as_bytes(), b"\xff\n\"\\'", b"a\"b", b"\\", b"a\\x"]
        {
            assert_eq!(words(&written(word)), Some(vec![word.to_vec()]), "{}", written(word));
        }
    }

    #[test]
    fn a_line_that_is_no_bonus_is_refused() {
        for line in [
            "",
            "channel acme",
            "channel \"acme 5",
            "channel \"a\"b 5",
            "channel \"\\q\" 5",
            "a b c d",
            "a \"\\x\u{e9}\" 5",
        ] {
            assert_eq!(Bonus::read(line), None, "{line}");
        }
    }
}
