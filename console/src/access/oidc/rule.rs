//! Rules that give users of a provider a role: `groups=leaderboard-admins admin *`.

use std::str::FromStr;

use clap::ValueEnum as _;
use serde_json::Value;

use super::claims::Claims;
use crate::access::{Caller, Role};

/// Users whose claim has this value get this role for the keys that the globs match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    claim: String,
    value: String,
    role: Role,
    keys: Vec<String>,
}

impl FromStr for Rule {
    type Err = String;

    /// The value can have spaces, so the role is the last word that is the name of a role.
    fn from_str(text: &str) -> Result<Self, String> {
        let fault = || format!("'{text}' is not CLAIM=VALUE ROLE GLOB..., such as 'groups=staff viewer *'");
        let words: Vec<&str> = text.split_whitespace().collect();
        let role = |word: &&str| Role::from_str(word, false).ok();
        let place = words.iter().rposition(|word| role(word).is_some()).ok_or_else(fault)?;
        let (who, rest) = words.split_at(place);
        let (first, keys) = rest.split_first().ok_or_else(fault)?;
        let who = who.join(" ");
        let (claim, value) = who.split_once('=').ok_or_else(fault)?;
        if claim.is_empty() || value.is_empty() || keys.is_empty() {
            return Err(fault());
        }
        let keys = keys.iter().map(|key| (*key).to_owned()).collect();
        let role = role(first).ok_or_else(fault)?;
        let rule = Self { claim: claim.to_owned(), value: value.to_owned(), role, keys };
        rule.caller("", false).map(|_| rule)
    }
}

impl Rule {
    /// Whether the claim is this value, or a list that has it.
    pub fn fits(&self, claims: &Claims) -> bool {
        match claims.get(&self.claim) {
            Some(Value::Array(values)) => values.iter().any(|value| self.is(value)),
            Some(value) => self.is(value),
            None => false,
        }
    }

    fn is(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => *text == self.value,
            Value::Bool(_) | Value::Number(_) => self.value.parse().is_ok_and(|own: Value| own == *value),
            _ => false,
        }
    }

    /// The caller for a user whom this rule fits.
    ///
    /// # Errors
    /// If a glob is not valid.
    pub fn caller(&self, name: &str, read_only: bool) -> Result<Caller, String> {
        Caller::of_user(name, self.role, &self.keys, read_only)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fits(rule: &str, claims: serde_json::Value) -> bool {
        rule.parse::<Rule>().unwrap().fits(&serde_json::from_value(claims).unwrap())
    }

    #[test]
    fn a_rule_names_a_claim_a_role_and_keys() {
        let rule: Rule = "groups=CN=Board admin people,OU=x editor songs:* cup".parse().unwrap();
        assert_eq!((rule.claim.as_str(), rule.value.as_str()), ("groups", "CN=Board admin people,OU=x"));
        assert_eq!((rule.role, rule.keys.join(" ").as_str()), (Role::Editor, "songs:* cup"));
        let caller = rule.caller("ann (id)", false).unwrap();
        assert!(caller.sees("songs:1") && !caller.sees("other") && caller.has(Role::Editor));
        assert!(!rule.caller("ann (id)", true).unwrap().has(Role::Editor), "a console that only reads");
        for wrong in [
            "",
            "groups=a",
            "groups=a king *",
            "groups admin *",
            "=a admin *",
            "groups= admin *",
            "groups=a admin",
            "groups=a admin [b",
            "admin *",
        ] {
            assert!(wrong.parse::<Rule>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_claim_is_a_value_or_a_list_that_has_it() {
        let rule = "groups=staff viewer *";
        assert!(fits(rule, json!({"groups": "staff"})) && fits(rule, json!({"groups": ["x", "staff"]})));
        for other in [
            json!({}),
            json!({"groups": "Staff"}),
            json!({"groups": ["staff2"]}),
            json!({"groups": null}),
            json!({"groups": {"staff": true}}),
            json!({"groups": [["staff"]]}),
        ] {
            assert!(!fits(rule, other.clone()), "{other}");
        }
        assert!(
            fits("level=3 viewer *", json!({"level": 3}))
                && fits("staff=true viewer *", json!({"staff": true}))
        );
    }

    #[test]
    fn an_address_counts_if_it_is_verified() {
        let rule = "email=ann@x.org admin *";
        assert!(fits(rule, json!({"email": "ann@x.org", "email_verified": true})));
        assert!(!fits(rule, json!({"email": "ann@x.org", "email_verified": false})));
        assert!(!fits(rule, json!({"email": "ann@x.org"})));
    }
}
