//! The texts of the reference, as comments of a program.

use crate::model::Call;

/// Returns what is said of a command, in lines of at most this number of characters. An empty line is between paragraphs.
pub fn documentation(call: &Call, width: usize) -> Vec<String> {
    let [summary, reply, notes, complexity] = &call.texts;
    let paragraphs =
        [format!("{summary}."), format!("Reply: {reply}"), notes.clone(), format!("Cost: {complexity}.")];
    let mut lines = Vec::new();
    for paragraph in paragraphs.iter().filter(|paragraph| !paragraph.is_empty()) {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(wrapped(&without_links(paragraph), width));
    }
    lines
}

/// Replaces `[text](target)` by `text`.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        let Some((start, label)) = before.rsplit_once('[') else {
            plain.push_str(before);
            plain.push_str("](");
            rest = after;
            continue;
        };
        plain.push_str(start);
        plain.push_str(label);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    plain + rest
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        if let Some(line) = lines.last_mut() {
            if line.is_empty() {
                line.push_str(word);
                continue;
            }
            if line.chars().count().saturating_add(word.chars().count()) < width {
                line.push(' ');
                line.push_str(word);
                continue;
            }
        }
        lines.push(word.to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_their_texts() {
        let text = "A write that a [rule of the board](commands.md#rules) holds back [nil or 1] is an error.";
        assert_eq!(
            without_links(text),
            "A write that a rule of the board holds back [nil or 1] is an error."
        );
    }

    #[test]
    fn lines_have_the_width_at_most() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("longer-than-that a", 8), ["longer-than-that", "a"]);
    }
}
