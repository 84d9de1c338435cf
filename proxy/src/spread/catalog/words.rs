//! The rules of a root or part, as options of `LB.CREATE`.

use crate::spread::info::Info;

/// The fields of `LB.INFO` that are options with the same value: the field and the option.
const FIELDS: [(&str, &str); 12] = [
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
];

/// Returns the options that make a board with these rules. Rules that no part has are left out.
pub fn rules(info: &Info) -> Vec<Vec<u8>> {
    let levels = info.text("levels").is_some_and(|levels| !levels.is_empty());
    let scores: &[(&str, &str)] =
        if levels { &[("levels", "LEVELS")] } else { &[("order", "ORDER"), ("decimals", "DECIMALS")] };
    // Boards that cannot have votes refuse the hours of voting.
    let has_votes = !levels && info.text("aggregate") == Some(b"SUM");
    let hours: &[(&str, &str)] = if has_votes { &[("opens", "OPENS"), ("closes", "CLOSES")] } else { &[] };
    let fields = FIELDS.iter().chain(scores).chain(hours);
    let given = fields.filter_map(|(field, option)| {
        let value = info.text(field).map(<[u8]>::to_vec);
        let value = value.or_else(|| info.number(field).map(|number| number.to_string().into_bytes()))?;
        (!value.is_empty()).then(|| [option.as_bytes().to_vec(), value])
    });
    given.flatten().collect()
}
