//! The rules of a root or part, as options of `LB.CREATE`.

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
