//! What a change of an option is about: its weight, initial votes and text. No command reads one option, so the list is searched for it
//! first; the page that has it is then read together with the change.

use leaderboard_client::{OptionsPage, Request, VotingOption, options};
use redis::{Cmd, Value};

use crate::link::Link;

/// How many options are read at once. Two of these replies and the change are one light request.
const PIECE: u64 = 20;
/// How many options are searched at most. Of later ones, nothing is told: a search would take longer than the change.
const MOST: u64 = 1_000;

/// An option, and which of its values a command names.
pub struct Look {
    key: Vec<u8>,
    member: Vec<u8>,
    named: Vec<&'static str>,
    cursor: Option<u64>,
}

impl Look {
    /// The look of the words of LB.OPTION.
    pub fn of(words: &[Vec<u8>]) -> Option<Self> {
        let [_, key, member, ..] = words else { return None };
        let is_named = |name: &&str| {
            words.iter().skip(3).step_by(2).any(|word| word.eq_ignore_ascii_case(name.as_bytes()))
        };
        let named = ["WEIGHT", "INITIAL", "META"].into_iter().filter(is_named).collect();
        Some(Self { key: key.clone(), member: member.clone(), named, cursor: None })
    }

    /// Searches for the page of the option. An option that is not there yet will be on the last page.
    pub async fn find(&mut self, link: &Link) {
        let mut cursor = 0;
        for _ in 0..MOST.div_euclid(PIECE) {
            let Ok(page) = link.ask(&self.page(cursor)).await else { return };
            if page.cursor == 0 || self.of_page(&page).is_some() {
                self.cursor = Some(cursor);
                return;
            }
            cursor = page.cursor;
        }
    }

    /// The command that reads the page; `None` before the option was found.
    pub fn command(&self) -> Option<Cmd> {
        self.cursor.map(|cursor| self.page(cursor).cmd())
    }

    fn page(&self, cursor: u64) -> Request<OptionsPage> {
        options(&self.key, cursor).count(PIECE)
    }

    fn of_page<'a>(&self, page: &'a OptionsPage) -> Option<&'a VotingOption> {
        page.options.iter().find(|option| option.member.as_bytes() == self.member)
    }

    /// The option in a reply, as words of a command: the values that the change names, or all if it names none.
    fn words(&self, reply: &Value) -> Option<Vec<(&'static str, String)>> {
        let page = self.page(0).parse(reply.clone()).ok()?;
        let option = self.of_page(&page)?;
        let meta = String::from_utf8(option.meta.clone().unwrap_or_default()).ok()?;
        let all =
            [("WEIGHT", option.weight.to_string()), ("INITIAL", option.initial.to_string()), ("META", meta)];
        Some(all.into_iter().filter(|(name, _)| self.named.is_empty() || self.named.contains(name)).collect())
    }

    /// The option in a reply, as a record tells it: `weight 1, meta Ember`.
    pub fn told(&self, reply: &Value) -> Option<String> {
        let word = |(name, value): (&str, String)| {
            let value = if value.is_empty() { "''" } else { &value };
            format!("{} {value}", name.to_lowercase())
        };
        Some(self.words(reply)?.into_iter().map(word).collect::<Vec<_>>().join(", "))
    }

    /// The words of the command that takes the change back. `None` for an option that is new.
    pub fn undo(&self, before: &Value) -> Option<Vec<String>> {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
        let mut words = vec!["LB.OPTION".to_owned(), text(&self.key)?, text(&self.member)?];
        words.extend(self.words(before)?.into_iter().flat_map(|(name, value)| [name.to_owned(), value]));
        Some(words)
    }
}
