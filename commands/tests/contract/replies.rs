//! Replies as short texts: `[1 ann -]` is an array of a number, a string and nil, and `!HELDBACK full -1` is an error.

/// Returns the text of a reply in RESP2.
pub fn text(reply: &[u8]) -> String {
    let (text, rest) = element(reply);
    assert!(rest.is_empty(), "one reply");
    text
}

/// Returns the text of the first element, and the bytes behind it.
fn element(bytes: &[u8]) -> (String, &[u8]) {
    let end = bytes.windows(2).position(|pair| pair == b"\r\n").expect("a line");
    let line = String::from_utf8_lossy(&bytes[1..end]).into_owned();
    let rest = &bytes[end + 2..];
    match bytes[0] {
        b'+' | b':' => (line, rest),
        b'-' => (error(&line), rest),
        b'$' | b'*' if line == "-1" => ("-".to_owned(), rest),
        b'$' => string(line.parse().expect("a length"), rest),
        b'*' => array(line.parse().expect("a length"), rest),
        other => panic!("a reply of kind {other}"),
    }
}

/// Of most errors, only the code counts.
fn error(line: &str) -> String {
    match line.split(' ').next() {
        Some("HELDBACK") => format!("!{line}"),
        code => format!("!{}", code.unwrap_or_default()),
    }
}

fn string(len: usize, rest: &[u8]) -> (String, &[u8]) {
    let text = String::from_utf8_lossy(&rest[..len]).into_owned();
    (if text.is_empty() { "''".to_owned() } else { text }, &rest[len + 2..])
}

fn array(len: usize, mut rest: &[u8]) -> (String, &[u8]) {
    let mut texts = Vec::new();
    for _ in 0..len {
        let (text, behind) = element(rest);
        texts.push(text);
        rest = behind;
    }
    (format!("[{}]", texts.join(" ")), rest)
}

/// Splits the text of an array into the texts of its elements.
pub fn elements(text: &str) -> Vec<String> {
    let inner = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
        .unwrap_or_else(|| panic!("an array: {text}"));
    let (mut all, mut depth, mut word) = (Vec::new(), 0, String::new());
    for letter in inner.chars() {
        depth += i32::from(letter == '[') - i32::from(letter == ']');
        if letter == ' ' && depth == 0 {
            all.push(std::mem::take(&mut word));
        } else {
            word.push(letter);
        }
    }
    if !word.is_empty() {
        all.push(word);
    }
    all
}

/// Returns the text of an array.
pub fn list<T: AsRef<str>>(texts: &[T]) -> String {
    format!("[{}]", texts.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" "))
}

/// Returns the text of a number or nil.
pub fn or_nil<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}
