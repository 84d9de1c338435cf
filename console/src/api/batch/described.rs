//! The operations of a batch: what role each needs, and its arguments for the description of the API.

use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder};
use utoipa::openapi::{Object, Ref, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::access::Role;
use crate::api::batch::members::Listed;
use crate::api::quota::Voter;
use crate::api::ranges::Range;
use crate::api::rankings::{Around, Top};
use crate::api::scores::{Add, Set, SetMeta};
use crate::api::spread::Statistics;
use crate::api::totals::{Count, Periods, Voters};
use crate::api::votes::{Vote, Votes};
use crate::problem::Problem;

/// The fields of an operation beside `op`, `key` and the arguments of its own request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beside {
    Nothing,
    Member,
    MemberAndId,
    Id,
}

/// A kind of operation.
struct Kind {
    name: &'static str,
    role: Role,
    beside: Beside,
    arguments: fn() -> RefOr<Schema>,
}

const fn kind(name: &'static str, role: Role, beside: Beside, arguments: fn() -> RefOr<Schema>) -> Kind {
    Kind { name, role, beside, arguments }
}

const KINDS: [Kind; 19] = [
    kind("top", Role::Viewer, Beside::Nothing, Top::schema),
    kind("range", Role::Viewer, Beside::Nothing, Range::schema),
    kind("around", Role::Viewer, Beside::Member, Around::schema),
    kind("standing", Role::Viewer, Beside::Nothing, Listed::schema),
    kind("score", Role::Viewer, Beside::Nothing, Listed::schema),
    kind("rank", Role::Viewer, Beside::Nothing, Listed::schema),
    kind("among", Role::Viewer, Beside::Nothing, Listed::schema),
    kind("count", Role::Viewer, Beside::Nothing, Count::schema),
    kind("stats", Role::Viewer, Beside::Nothing, Statistics::schema),
    kind("info", Role::Viewer, Beside::Nothing, nothing),
    kind("periods", Role::Viewer, Beside::Nothing, Periods::schema),
    kind("voters", Role::Viewer, Beside::Nothing, Voters::schema),
    kind("hidden", Role::Viewer, Beside::Nothing, nothing),
    kind("quota", Role::Viewer, Beside::Nothing, Voter::schema),
    kind("meta", Role::Viewer, Beside::Member, nothing),
    kind("vote", Role::Voter, Beside::Id, Votes::schema),
    kind("add", Role::Editor, Beside::MemberAndId, Add::schema),
    kind("set", Role::Editor, Beside::MemberAndId, Set::schema),
    kind("setmeta", Role::Editor, Beside::Member, SetMeta::schema),
];

fn nothing() -> RefOr<Schema> {
    Object::with_type(Type::Object).into()
}

/// The role that an operation needs.
///
/// # Errors
/// 400 for a name that no operation has.
pub fn role(operation: &str) -> Result<Role, Problem> {
    let kind = KINDS.iter().find(|kind| kind.name == operation);
    kind.map(|kind| kind.role).ok_or_else(|| Problem::unreadable(format!("op: '{operation}' is none")))
}

/// One operation of a batch.
pub struct Operation;

impl Kind {
    /// The name of its schema.
    fn title(&self) -> String {
        let (first, rest) = self.name.split_at(1);
        format!("Operation{}{rest}", first.to_uppercase())
    }

    fn described(&self) -> Object {
        let mut object = match (self.arguments)() {
            RefOr::T(Schema::Object(object)) => object,
            _ => Object::with_type(Type::Object),
        };
        let text = || ObjectBuilder::new().schema_type(Type::String);
        object.description = None;
        object.properties.insert("op".to_owned(), text().enum_values(Some([self.name])).into());
        object.properties.insert("key".to_owned(), text().min_length(Some(1)).into());
        object.required.extend(["op", "key"].map(str::to_owned));
        if matches!(self.beside, Beside::Member | Beside::MemberAndId) {
            object.properties.insert("member".to_owned(), text().into());
            object.properties.insert("member_b64".to_owned(), text().into());
        }
        if matches!(self.beside, Beside::Id | Beside::MemberAndId) {
            let id = text().min_length(Some(1)).max_length(Some(256));
            object.properties.insert("id".to_owned(), id.into());
        }
        object
    }
}

impl PartialSchema for Operation {
    fn schema() -> RefOr<Schema> {
        let all = OneOfBuilder::new().description(Some("An operation: `op` names it."));
        KINDS.iter().fold(all, |all, kind| all.item(Ref::from_schema_name(kind.title()))).into()
    }
}

impl ToSchema for Operation {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        // Generators of clients give each operation the name of its schema.
        schemas.extend(KINDS.iter().map(|kind| (kind.title(), kind.described().into())));
        schemas.push((Vote::name().into_owned(), Vote::schema()));
        Vote::schemas(schemas);
    }
}
