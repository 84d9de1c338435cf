//! What a provider says about a user.

use openidconnect::AdditionalClaims;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The longest name in characters. The end of a longer one is left out.
const LONGEST_NAME: usize = 100;

/// The claims about a user, by name.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Claims(Map<String, Value>);

impl AdditionalClaims for Claims {}

impl Claims {
    /// All claims of a token or an answer.
    ///
    /// # Errors
    /// Never for the types of this library, which are JSON objects.
    pub fn of(all: &impl Serialize) -> Result<Self, String> {
        match serde_json::to_value(all) {
            Ok(Value::Object(claims)) => Ok(Self(claims)),
            Ok(_) => Err("the claims are no object".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// These claims, and those of `other` that are missing here.
    pub fn or(self, mut other: Self) -> Self {
        other.0.extend(self.0);
        other
    }

    /// A claim. The address of a user counts only if the provider has verified it: with many providers, users can enter any.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let is_open = name != "email" || self.0.get("email_verified") == Some(&Value::Bool(true));
        self.0.get(name).filter(|_| is_open)
    }

    /// Who the user is, for people: the verified address, else the user name, else the subject.
    pub fn name(&self) -> String {
        let text = |name| self.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        let name = text("email").or_else(|| text("preferred_username")).or_else(|| text("sub"));
        let plain = name.unwrap_or_default().chars().filter(|letter| !letter.is_control());
        plain.take(LONGEST_NAME).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn claims(value: Value) -> Claims {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_name_is_the_verified_address_or_another_name() {
        let name = |value| claims(value).name();
        let all =
            json!({"sub": "7", "preferred_username": "ann", "email": "ann@x.org", "email_verified": true});
        assert_eq!(name(all), "ann@x.org");
        assert_eq!(name(json!({"sub": "7", "preferred_username": "ann", "email": "boss@x.org"})), "ann");
        assert_eq!(name(json!({"sub": "7", "preferred_username": " "})), "7");
        assert_eq!(name(json!({"sub": format!("a\n{}", "b".repeat(200))})).len(), LONGEST_NAME);
    }

    #[test]
    fn claims_of_the_token_come_first() {
        let all = claims(json!({"sub": "7"})).or(claims(json!({"sub": "8", "groups": ["a"]})));
        assert_eq!(all.get("sub"), Some(&json!("7")));
        assert_eq!(all.get("groups"), Some(&json!(["a"])));
    }
}
