//! The round picture next to a name. The page loads no picture from other sites. It shows the initials of the name, or
//! the emoji that the game keeps in the text of the member.

use serde_json::Value;

use crate::pages::names::{Member, shown};

/// The number of colours in the style sheet.
const COLOURS: u8 = 8;
/// The fields of the text that can contain an emoji.
const FACES: [&str; 4] = ["face", "emoji", "avatar", "picture"];

/// A picture and the name that belongs to it.
pub struct Avatar {
    /// One or two letters, or an emoji.
    pub face: String,
    pub colour: u8,
    /// The field `name` in the text of the member.
    pub name: Option<String>,
}

impl Avatar {
    pub fn of(member: &Member, meta: Option<&[u8]>) -> Self {
        let fields: Option<Value> = meta.and_then(|meta| serde_json::from_slice(meta).ok());
        let field = |name: &str| fields.as_ref().and_then(|fields| fields.get(name)?.as_str());
        let name = field("name").filter(|name| !name.trim().is_empty()).map(|name| shown(name.as_bytes()));
        let emoji = FACES.into_iter().filter_map(field).find(|face| is_emoji(face)).map(str::to_owned);
        let face = emoji.unwrap_or_else(|| initials(name.as_ref().unwrap_or(&member.shown())));
        let hash = blake3::hash(&member.0);
        let colour = hash.as_bytes().first().map_or(0, |byte| byte % COLOURS);
        Self { face, colour, name }
    }
}

/// Whether a text is an emoji: at most 8 characters, which are all symbols. The address of a picture is longer.
fn is_emoji(text: &str) -> bool {
    let length = text.chars().count();
    (1..=8).contains(&length)
        && text.chars().all(|c| !c.is_ascii() && !c.is_alphanumeric() && !c.is_control())
}

/// The first letters of the first two words. A Chinese name shows one character.
fn initials(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut letters = words.filter_map(|word| word.chars().find(|c| c.is_alphabetic()));
    let Some(first) = letters.next() else {
        return name.chars().find(|c| c.is_alphanumeric()).map_or_else(|| "?".to_owned(), String::from);
    };
    if first > '\u{2e7f}' {
        return first.to_string();
    }
    first.to_uppercase().chain(letters.next().into_iter().flat_map(char::to_uppercase)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn avatar(member: &str, meta: &str) -> (String, Option<String>) {
        let avatar = Avatar::of(&Member(member.as_bytes().to_vec()), Some(meta.as_bytes()));
        (avatar.face, avatar.name)
    }

    #[test]
    fn a_name_has_initials() {
        for (name, face) in
            [("ann", "A"), ("Rosa-291", "R"), ("eve van dyk", "EV"), ("小明", "小"), ("17", "1"), ("!", "?")]
        {
            assert_eq!(avatar(name, "no json").0, face);
        }
    }

    #[test]
    fn the_text_beside_it_can_have_a_name_and_an_emoji() {
        assert_eq!(avatar("u1", r#"{"name":"Ann Lee"}"#), ("AL".to_owned(), Some("Ann Lee".to_owned())));
        assert_eq!(avatar("u1", r#"{"name":"Ann","face":"🦊"}"#).0, "🦊");
        assert_eq!(avatar("u1", r#"{"avatar":"https://elsewhere/x.png"}"#).0, "U");
    }
}
