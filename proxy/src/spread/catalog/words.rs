//! The rules of a root or part, as options of `LB.CREATE`.

use redis::Value;

use crate::spread::info::Info;

/// The fields of `LB.INFO` that are options with the same value: the field and the option.
const FIELDS: [(&str, &str); 15] = [
    ("views", "VIEWS"),
    ("aggregate", "AGGREGATE"),
    ("ties", "TIES"),
    ("tz", "TZ"),
    ("weekstart", "WEEKSTART"),
    ("clock", "CLOCK"),
    ("retain", "RETAIN"),
    ("carry", "CARRY"),
    ("decay", "DECAY"),
    ("origin", "ORIGIN"),
    ("dedup", "DEDUP"),
    ("notifytop", "NOTIFYTOP"),
    ("opens", "OPENS"),
    ("closes", "CLOSES"),
    ("hours", "HOURS"),
];

/// The fields that are options with the same two words.
const PAIRS: [(&str, &str); 2] = [("attempts", "ATTEMPTS"), ("bounds", "BOUNDS")];

/// Returns the options that make a board with these rules. Rules that no part has are left out.
pub fn rules(info: &Info) -> Vec<Vec<u8>> {
    let levels = info.text("levels").is_some_and(|levels| !levels.is_empty());
    let scores: &[(&str, &str)] =
        if levels { &[("levels", "LEVELS")] } else { &[("order", "ORDER"), ("decimals", "DECIMALS")] };
    let fields = FIELDS.iter().chain(scores);
    let given = fields.filter_map(|(field, option)| {
        let value = info.text(field).map(<[u8]>::to_vec);
        let value = value.or_else(|| info.number(field).map(|number| number.to_string().into_bytes()))?;
        (!value.is_empty()).then(|| [option.as_bytes().to_vec(), value])
    });
    let pairs = PAIRS.iter().filter_map(|(field, option)| Some((info.text(field)?, option)));
    let pairs = pairs.filter(|(value, _)| !value.is_empty()).flat_map(|(value, option)| {
        let words = value.split(|byte| *byte == b' ').map(<[u8]>::to_vec);
        std::iter::once(option.as_bytes().to_vec()).chain(words)
    });
    given.flatten().chain(pairs).collect()
}

/// Returns the options that make a board with the prize tables of this one. The parts of a board do not have them.
pub fn prizes(info: &Info) -> Vec<Vec<u8>> {
    let Some(Value::Array(tables)) = info.get("prizes") else { return Vec::new() };
    let text = |table: &Value| match table {
        Value::BulkString(text) => String::from_utf8(text.clone()).ok(),
        _ => None,
    };
    let days = info.number("prizedays").map(|days| ["PRIZEDAYS".to_owned(), days.to_string()]);
    let tables = tables.iter().filter_map(text).filter_map(|text| {
        let (view, table) = text.split_once(' ')?;
        let (table, per) = match table.rsplit_once(" PER ") {
            Some((table, per)) => (table, vec!["PER", per]),
            None => (table, Vec::new()),
        };
        let words = ["PRIZES", view, table].into_iter().chain(per);
        Some(words.map(str::to_owned).collect::<Vec<_>>())
    });
    let words: Vec<String> = tables.flatten().collect();
    let days = days.filter(|_| !words.is_empty()).into_iter().flatten();
    words.into_iter().chain(days).map(String::into_bytes).collect()
}
