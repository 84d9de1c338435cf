//! Pages of a ranking, as both doors give them, and what is true of each page.

use std::collections::HashSet;

use redis::Value as Reply;
use serde_json::Value;

/// A row: rank, member, score.
pub type Row = (i64, String, i64);

/// Returns the rows of a body of the HTTP API.
pub fn of_body(body: &Value) -> Option<Vec<Row>> {
    let row = |row: &Value| {
        let score = row["score"].as_str()?.parse().ok()?;
        Some((row["rank"].as_i64()?, row["member"].as_str()?.to_owned(), score))
    };
    body["rows"].as_array()?.iter().map(row).collect()
}

/// Returns the rows of a reply of the RESP door or of a server.
pub fn of_reply(reply: &Reply) -> Option<Vec<Row>> {
    let Reply::Array(rows) = reply else { return None };
    let row = |row: &Reply| match row {
        Reply::Array(items) => match &items[..] {
            [Reply::Int(rank), Reply::BulkString(member), Reply::Int(score)] => {
                Some((*rank, String::from_utf8(member.clone()).ok()?, *score))
            }
            _ => None,
        },
        _ => None,
    };
    rows.iter().map(row).collect()
}

/// Checks that a page has no member twice, that its ranks follow each other, and that no score is above the one before it.
pub fn check(what: &str, rows: Option<Vec<Row>>, most: usize) -> Result<Vec<Row>, String> {
    let rows = rows.ok_or_else(|| format!("{what}: no rows"))?;
    let names: HashSet<&String> = rows.iter().map(|(_, name, _)| name).collect();
    let is_in_order = rows.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1 && pair[1].2 <= pair[0].2);
    if rows.len() <= most && names.len() == rows.len() && is_in_order {
        return Ok(rows);
    }
    Err(format!("{what}: a page that cannot be: {rows:?}"))
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn pages_that_cannot_be_are_found() {
        let row = |rank, name: &str, score| (rank, name.to_owned(), score);
        let page = |rows: &[super::Row]| check("page", Some(rows.to_vec()), 2).map(|rows| rows.len());
        assert_eq!(page(&[row(3, "a", 5), row(4, "b", 5)]), Ok(2));
        page(&[row(3, "a", 5), row(5, "b", 5)]).unwrap_err();
        page(&[row(3, "a", 5), row(4, "b", 6)]).unwrap_err();
        page(&[row(3, "a", 5), row(4, "a", 5)]).unwrap_err();
        page(&[row(3, "a", 5), row(4, "b", 5), row(5, "c", 5)]).unwrap_err();
        check("page", None, 2).unwrap_err();
    }
}
