//! Names and texts of members, in the form that pages show, and the addresses of pages. A player can type any
//! characters into a name. Therefore templates escape markup, a `<bdi>` around the name limits its direction of
//! writing, and this file makes invisible characters visible.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::problem::Problem;

/// The name of a member: any bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Member(pub Vec<u8>);

impl Member {
    /// The name in the path of an address. If `is_b64`, the path contains the name in Base64.
    ///
    /// # Errors
    /// 422 if the text should be Base64 but is not.
    pub fn of_path(text: &str, is_b64: bool) -> Result<Self, Problem> {
        if !is_b64 {
            return Ok(Self(text.as_bytes().to_vec()));
        }
        let read = URL_SAFE_NO_PAD.decode(text.trim_end_matches('='));
        read.map(Self).map_err(|_| Problem::invalid("the name of the member is not Base64"))
    }

    /// The name as a text. Bytes that are not UTF-8 become �, and control characters become their pictures. A name that
    /// is completely invisible becomes the numbers of its characters.
    pub fn shown(&self) -> String {
        let text = shown(&self.0);
        if text.chars().any(|c| !is_unseen(c)) { text } else { codes(text.chars()) }
    }

    /// The numbers of the invisible characters in the name; empty if it has no such characters.
    pub fn unseen(&self) -> String {
        codes(String::from_utf8_lossy(&self.0).chars().filter(|c| *c != ' ' && is_unseen(*c)))
    }

    /// Whether the name is UTF-8.
    pub fn is_text(&self) -> bool {
        std::str::from_utf8(&self.0).is_ok()
    }

    /// A short name for the `id` of an element.
    pub fn mark(&self) -> String {
        blake3::hash(&self.0).to_hex().chars().take(16).collect()
    }

    /// The end of an address below `/boards/{key}/members/`. A name that an address cannot contain is written in
    /// Base64.
    fn path(&self, below: &str) -> String {
        match std::str::from_utf8(&self.0) {
            Ok(text) if !matches!(text, "." | "..") => format!("{}{below}", encoded(text)),
            _ => format!("{}{below}?b64=true", URL_SAFE_NO_PAD.encode(&self.0)),
        }
    }
}

impl From<leaderboard_client::Name> for Member {
    fn from(name: leaderboard_client::Name) -> Self {
        Self(name.0)
    }
}

/// A text of a board, such as the text of a member, with pictures in place of control characters.
pub fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().map(picture).collect()
}

fn picture(c: char) -> char {
    match u32::from(c) {
        code @ 0..0x20 => char::from_u32(code.saturating_add(0x2400)).unwrap_or(c),
        0x7f => '␡',
        0x80..0xa0 => '�',
        _ => c,
    }
}

/// Whether a character is a blank, has no width, or changes the direction of other characters.
fn is_unseen(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
        )
        || matches!(c, '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}')
}

fn codes(text: impl Iterator<Item = char>) -> String {
    text.map(|c| format!("U+{:04X}", u32::from(c))).collect::<Vec<_>>().join(" ")
}

/// The address of the page of a board, or of a page below it: `board_path("songs", "/campaign")`.
pub fn board_path(key: &str, below: &str) -> String {
    // `/boards/new` is the page that makes a board. A board with the name `new` has a different spelling in its
    // address.
    let key = if key == "new" { "%6Eew".to_owned() } else { encoded(key) };
    format!("/boards/{key}{below}")
}

/// The addresses of the files of a whole ended period.
pub struct PeriodFile {
    pub csv: String,
    pub json_lines: String,
}

/// The files of an ended period of a view. `path` is the address of the page of its board.
pub fn period_file(path: &str, label: &str, view: &str) -> PeriodFile {
    let (label, view) = (encoded(label), encoded(view));
    let address = |ending: &str| format!("/api/v1{path}/periods/{label}.{ending}?view={view}");
    PeriodFile { csv: address("csv"), json_lines: address("jsonl") }
}

/// The address of the page of a member, or of a page below it.
pub fn member_path(key: &str, member: &Member, below: &str) -> String {
    board_path(key, &format!("/members/{}", member.path(below)))
}

/// A part of an address.
pub fn encoded(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let byte = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(byte).collect()
}

/// The address of the audit log of exactly this board, or of one of its members.
pub fn audit_path(key: &str, member: Option<&str>) -> String {
    let member = member.map(|member| format!("&member={}", encoded(member))).unwrap_or_default();
    format!("/audit?key={}{member}&exact=true", encoded(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &[u8]) -> Member {
        Member(name.to_vec())
    }

    #[test]
    fn every_name_can_be_seen() {
        assert_eq!(member("王伟 <b>".as_bytes()).shown(), "王伟 <b>");
        assert_eq!(member(b"two\nlines\x00").shown(), "two␊lines␀");
        assert_eq!(member(b"\xff!").shown(), "�!");
        assert_eq!(member("\u{200b} ".as_bytes()).shown(), "U+200B U+0020");
        assert_eq!(member("gnp\u{202e}exe".as_bytes()).unseen(), "U+202E");
        assert_eq!(member(b"two words").unseen(), "");
    }

    #[test]
    fn every_name_has_an_address_that_leads_back() {
        for name in [b"a/b?&=#%".as_slice(), b".", b"..", b"\xff\xfe", "王".as_bytes(), b"new"] {
            let path = member_path("k", &member(name), "/score");
            let name_in_path =
                path.strip_prefix("/boards/k/members/").unwrap().split("/score").next().unwrap();
            assert!(!name_in_path.contains(['/', '?', '#', '&']));
            let is_b64 = path.ends_with("?b64=true");
            if is_b64 {
                assert_eq!(Member::of_path(name_in_path, true).unwrap(), member(name));
            }
        }
        assert_eq!(board_path("new", "/rows"), "/boards/%6Eew/rows");
        assert!(Member::of_path("!", true).is_err());
    }
}
