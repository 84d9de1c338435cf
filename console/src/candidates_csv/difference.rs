//! What a file would change.

use std::collections::HashMap;

use leaderboard_client::{Name, Request, VotingOption, option};

use super::{Row, Values};

/// What a file would change. Options that are not in the file do not change.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Difference {
    pub added: Vec<(Name, Values)>,
    pub changed: Vec<Change>,
    pub unchanged: usize,
}

/// An option that would change.
#[derive(Debug, PartialEq, Eq)]
pub struct Change {
    pub member: Name,
    pub from: Values,
    pub to: Values,
}

/// What the rows of a file would change in these options.
pub fn difference(options: &[VotingOption], rows: Vec<Row>) -> Difference {
    let now: HashMap<&[u8], &VotingOption> =
        options.iter().map(|option| (option.member.as_bytes(), option)).collect();
    let mut difference = Difference::default();
    for row in rows {
        let from = now.get(row.member.as_bytes()).map(|option| Values::from(*option));
        let to = row.over(from.clone().unwrap_or(Values::PLAIN));
        match from {
            None => difference.added.push((row.member, to)),
            Some(from) if from == to => difference.unchanged = difference.unchanged.saturating_add(1),
            Some(from) => difference.changed.push(Change { member: row.member, from, to }),
        }
    }
    difference
}

impl Row {
    fn over(&self, values: Values) -> Values {
        let meta = match &self.meta {
            None => values.meta,
            Some(meta) => Some(meta.clone()).filter(|meta| !meta.is_empty()),
        };
        Values {
            weight: self.weight.unwrap_or(values.weight),
            initial: self.initial.unwrap_or(values.initial),
            meta,
        }
    }
}

impl Difference {
    /// The requests that make the changes: one for each option, with only the values that change.
    pub fn requests(&self, key: &str) -> Vec<Request<()>> {
        let added = self.added.iter().map(|(member, to)| declare(key, member, &Values::PLAIN, to));
        let changed =
            self.changed.iter().map(|change| declare(key, &change.member, &change.from, &change.to));
        added.chain(changed).collect()
    }
}

fn declare(key: &str, member: &Name, from: &Values, to: &Values) -> Request<()> {
    let mut request = option(key, member);
    if from.weight != to.weight {
        request = request.weight(to.weight);
    }
    if from.initial != to.initial {
        request = request.initial(to.initial);
    }
    if from.meta == to.meta { request } else { request.meta(to.meta.as_deref().unwrap_or_default()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leaderboard_client::Score;

    fn now(member: &str, weight: u64, initial: i64, meta: Option<&str>) -> VotingOption {
        let (real, shown) = (Score::from("0"), Score::from("0"));
        let meta = meta.map(|meta| meta.as_bytes().to_vec());
        VotingOption { member: Name::from(member), weight, initial, meta, real, shown, voters: 0 }
    }

    fn row(member: &str, weight: Option<u64>, initial: Option<u64>, meta: Option<&str>) -> Row {
        let meta = meta.map(|meta| meta.as_bytes().to_vec());
        Row { member: Name::from(member), weight, initial, meta }
    }

    #[test]
    fn only_what_changes_is_sent() {
        let options = [now("a", 1, 0, None), now("b", 2, 5, Some("B")), now("stays", 9, 9, None)];
        let rows = vec![
            row("a", Some(1), Some(0), Some("")),
            row("b", Some(2), Some(7), Some("")),
            row("c", None, None, None),
            row("d", Some(3), None, Some("D")),
        ];
        let difference = difference(&options, rows);
        assert_eq!(difference.unchanged, 1);
        assert_eq!(difference.changed.len(), 1);
        let sent: Vec<String> =
            difference.requests("k").iter().map(|request| format!("{request:?}")).collect();
        assert_eq!(
            sent,
            ["LB.OPTION k c", "LB.OPTION k d WEIGHT 3 META D", "LB.OPTION k b INITIAL 7 META \"\""],
            "an empty text takes B away"
        );
    }

    #[test]
    fn what_a_row_does_not_give_stays() {
        let difference = difference(&[now("a", 4, 5, Some("A"))], vec![row("a", None, None, None)]);
        assert_eq!((difference.unchanged, difference.changed), (1, Vec::new()));
    }
}
