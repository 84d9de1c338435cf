//! The fields of an operation, taken out one after another. The fields that are left at the end are its arguments.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::api::names::one;
use crate::api::parse::fields;
use crate::problem::Problem;

/// The fields that are not taken yet.
pub struct Fields(Map<String, Value>);

impl Fields {
    /// # Errors
    /// 400 if the operation is not an object.
    pub fn new(operation: Value) -> Result<Self, Problem> {
        match operation {
            Value::Object(fields) => Ok(Self(fields)),
            _ => Err(Problem::unreadable("op: not an object")),
        }
    }

    /// Takes a text that must be present.
    pub fn needed(&mut self, name: &str) -> Result<String, Problem> {
        self.text(name)?.ok_or_else(|| Problem::unreadable(format!("{name}: missing")))
    }

    /// Takes a text that may be absent.
    pub fn text(&mut self, name: &str) -> Result<Option<String>, Problem> {
        match self.0.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Problem::unreadable(format!("{name}: not a text"))),
        }
    }

    /// Takes the id of the request, which may be absent.
    pub fn id(&mut self) -> Result<Option<String>, Problem> {
        let id = self.text("id")?;
        match id.as_ref().is_some_and(|id| id.is_empty() || id.len() > 256) {
            true => Err(Problem::unreadable("id: 1 to 256 bytes")),
            false => Ok(id),
        }
    }

    /// Takes the member.
    pub fn member(&mut self) -> Result<Vec<u8>, Problem> {
        let (text, base64) = (self.text("member")?, self.text("member_b64")?);
        Ok(one("member", text.as_deref(), base64.as_deref())?.into_owned())
    }

    /// Reads all fields that are left as the arguments.
    pub fn rest<T: DeserializeOwned>(self) -> Result<T, Problem> {
        fields(self.0)
    }
}
